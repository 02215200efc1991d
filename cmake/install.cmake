# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
#
# find_package(rung) gives rung::core, rung::rung, rung::virtual_gpu where the user has
# Boost.Context, and the version.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(installed rung_core)
if(TARGET rung)
  list(APPEND installed rung)
endif()
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/rung)

install(TARGETS ${installed} EXPORT rungTargets)
install(DIRECTORY include/rung TYPE INCLUDE)
install(EXPORT rungTargets NAMESPACE rung:: DESTINATION ${package})
if(TARGET rung_cli)
  install(TARGETS rung_cli)
endif()

configure_package_config_file(cmake/rungConfig.cmake.in rungConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(rungConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rungConfig.cmake ${PROJECT_BINARY_DIR}/rungConfigVersion.cmake
              cmake/virtual_gpu.cmake DESTINATION ${package})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
