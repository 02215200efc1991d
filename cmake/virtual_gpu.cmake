# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
#
# rung::virtual_gpu: what a program links whose kernels are compiled by a C++ compiler. There is no
# such target where Boost.Context is missing; all else works without it. Installed, too.

find_package(Boost 1.71 QUIET COMPONENTS context)
if(TARGET Boost::context AND NOT TARGET rung::virtual_gpu)
  add_library(rung::virtual_gpu INTERFACE IMPORTED GLOBAL)
  set_property(TARGET rung::virtual_gpu PROPERTY INTERFACE_LINK_LIBRARIES rung::core Boost::context
                                                 ${CMAKE_DL_LIBS})
endif()
