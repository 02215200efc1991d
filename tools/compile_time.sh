#!/bin/bash
# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
#
# What a file with one block reduction costs to compile, best of 3, in seconds of processor time:
# an empty kernel, rung, CUB.
# tools/compile_time.sh [-a architecture] [-I include]... [-c folder of another CCCL]
set -euo pipefail
cd "$(dirname "$0")/.."

arch=90a
includes=()
cccl=()
while getopts a:I:c: option; do
  case $option in
    a) arch=$OPTARG ;;
    I) includes+=(-I "$OPTARG") ;;
    c) cccl=(-I "$OPTARG") ;;
    *) exit 2 ;;
  esac
done
[ ${#includes[@]} -gt 0 ] || includes=(-I include)
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

cat > "$folder/empty.cu" <<'source'
__global__ void kernel(float* x) { x[0] = 1; }
source
cat > "$folder/rung.cu" <<'source'
#include "rung/block/reduce.cuh"
#include "rung/op/arithmetic.hpp"
__global__ void __launch_bounds__(256) kernel(float* x) {
  __shared__ rung::block_scratch<float> scratch;
  const auto sum = rung::reduce_to_one(rung::block_of<256>(scratch), x[threadIdx.x], rung::plus{});
  if (sum) x[0] = *sum;
}
source
cat > "$folder/cub.cu" <<'source'
#include <cub/block/block_reduce.cuh>
__global__ void __launch_bounds__(256) kernel(float* x) {
  using reducer = cub::BlockReduce<float, 256>;
  __shared__ typename reducer::TempStorage scratch;
  const float sum = reducer(scratch).Sum(x[threadIdx.x]);
  if (threadIdx.x == 0) x[0] = sum;
}
source

for name in empty rung cub; do
  paths=("${includes[@]}")
  [ $name != cub ] || paths=(${cccl[@]+"${cccl[@]}"})
  best=$(for _ in 1 2 3; do
    TIMEFORMAT='%U %S'
    { time nvcc -std=c++20 -O3 -gencode="arch=compute_$arch,code=sm_$arch" "${paths[@]}" \
      -c "$folder/$name.cu" -o "$folder/$name.o" > "$folder/log" 2>&1; } 2>&1
  done | awk '{print $1 + $2}' | sort -n | head -n 1)
  printf '%-6s %6.2f s\n' "$name" "$best"
done
