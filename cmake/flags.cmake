# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
#
# rung_flags(target...): the project's own compile flags; users of the library never inherit them.

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# GCC 12 warns about the standard library's own string concatenation (GCC bug 105651).
set(RUNG_QUIET "")
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  set(RUNG_QUIET -Wno-restrict)
endif()

function(rung_flags)
  foreach(target IN LISTS ARGN)
    target_compile_features(${target} PRIVATE cxx_std_20)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
    target_compile_definitions(${target} PRIVATE RUNG_CONTRACTION_IS_OFF=1)
    target_compile_options(
      ${target} PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:-ffp-contract=off;-Wall;-Wextra;${RUNG_QUIET}>
                        $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;--fmad=false>
                        $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffp-contract=off>)
  endforeach()
endfunction()
