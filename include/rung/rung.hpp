// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything, in the order of the ladder. The rungs inside a kernel need nvcc or, for the virtual
// GPU, Boost.Context: without either they are left out.
#pragma once
#include "op.hpp"         // operators and their facts
#include "order.hpp"      // the one order: fold, the oracle
#include "partial.hpp"    // summaries of ranges that can be stored, sent and joined
#include "transform.hpp"  // functions of arrays, evaluated as they are read
#include "view.hpp"       // n-d strided arrays

#include "thread/reduce.hpp"  // one thread's own values
#include "thread/scan.hpp"
#if defined(__CUDACC__) || __has_include(<boost/context/detail/fcontext.hpp>)
#include "base/gpu.cuh"     // the words that kernels are written in
#include "base/launch.cuh"  // starting them

#include "warp/reduce.cuh"  // the lanes of a warp
#include "warp/scan.cuh"

#include "block/reduce.cuh"  // the threads of a block
#include "block/scan.cuh"

#include "cluster/reduce.cuh"  // the blocks of a cluster
#include "cluster/scan.cuh"

#include "base/grid_barrier.cuh"  // all blocks of a cooperative launch
#include "grid/reduce.cuh"
#include "grid/scan.cuh"

#include "device/axis.cuh"  // one GPU, called by the host
#include "device/axis_scan.cuh"
#include "device/by_key.cuh"
#include "device/group.cuh"
#include "device/reduce.cuh"
#include "device/scan.cuh"
#include "device/segment_bounds.cuh"
#include "device/segmented.cuh"
#endif

#include "cpu/by_id.hpp"
#include "cpu/by_key.hpp"
#include "cpu/reduce.hpp"  // all cores, SIMD
#include "cpu/scan.hpp"
#include "cpu/segmented.hpp"

#include "ranks/axis.hpp"
#include "ranks/local.hpp"  // parts of one array on several ranks; for MPI: ranks/mpi.hpp
#include "ranks/reduce.hpp"
#include "ranks/scan.hpp"
#if defined(__CUDACC__) || __has_include(<boost/context/detail/fcontext.hpp>)
#include "ranks/gpu_axis.cuh"  // parts in the memory of GPUs; for NCCL: ranks/nccl.hpp
#include "ranks/gpu_reduce.cuh"
#include "ranks/gpu_scan.cuh"
#endif
