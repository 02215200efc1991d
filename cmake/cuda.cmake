# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
#
# RUNG_CUDA=AUTO: ON where nvcc works, with kernels for the GPU of this machine, or for Hopper where
# there is none; otherwise OFF. CMAKE_CUDA_ARCHITECTURES chooses others.

include(CheckLanguage)
check_language(CUDA)
set(RUNG_CUDA OFF)
if(CMAKE_CUDA_COMPILER)
  set(RUNG_CUDA ON)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
    execute_process(COMMAND nvidia-smi -L RESULT_VARIABLE without_gpu OUTPUT_QUIET ERROR_QUIET)
    if(without_gpu STREQUAL 0)
      set(CMAKE_CUDA_ARCHITECTURES native)
    else()
      set(CMAKE_CUDA_ARCHITECTURES 90a)
    endif()
  endif()
endif()
message(STATUS "CUDA kernels: ${RUNG_CUDA}")
