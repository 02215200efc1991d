# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
#
# The SIMD kernels. They include each other as "simd/...", so the target that compiles them needs
# src/ among its include directories, and hwy::hwy.
# RUNG_SIMD_SOURCES       the sources
# RUNG_SIMD_DEFINITIONS   their definitions. Instruction sets on x86: AVX3 (AVX-512), AVX2, and the
#   baseline in plain loops; `few`: AVX2 and the baseline. SSE4 would add code that only machines
#   from before 2013 would run.

set(RUNG_SIMD_SOURCES)
foreach(name IN ITEMS convert_load convert_store exact_lines find fold_extremes fold_moments
                      fold_others fold_plus load scan_extremes scan_others scan_plus store target
                      tiles)
  list(APPEND RUNG_SIMD_SOURCES ${CMAKE_CURRENT_LIST_DIR}/${name}.cpp)
endforeach()
set(RUNG_SIMD_DEFINITIONS "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4)")
if(RUNG_SIMD_TARGETS STREQUAL "few")
  set(RUNG_SIMD_DEFINITIONS "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4|HWY_AVX3)")
endif()
