#!/bin/bash
# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
#
# What a file with one block reduction costs to compile, best of 5, in seconds of processor time: an
# empty kernel, rung, CUB. tools/compile_time.sh [-a architecture] [-c folder of the newest CCCL]
#                                                [--json FILE], the family `compile`.
set -euo pipefail
cd "$(dirname "$0")/.."

arch=90a
cccl=
json=
while [ $# -gt 0 ]; do
  case $1 in
    -a) arch=$2 ;;
    -c) cccl=$2 ;;
    --json) json=$2 ;;
    *) sed -n 's/^# //p' "$0" && exit 2 ;;
  esac
  shift 2
done
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

seconds_of() {  # seconds_of SOURCE [OPTION...]
  local source=$1
  shift
  for _ in 1 2 3 4 5; do
    TIMEFORMAT='%U %S'
    { time nvcc -std=c++20 -O3 -gencode="arch=compute_$arch,code=sm_$arch" "$@" \
      -c "$folder/$source.cu" -o "$folder/$source.o" > "$folder/log" 2>&1; } 2> "$folder/time" ||
      { cat "$folder/log" >&2 && return 1; }
    cat "$folder/time"
  done | awk '{print $1 + $2}' | sort -n | head -n 1
}

version_in() {  # version_in FOLDER: the number that CCCL gives itself there
  [ -z "$1" ] || sed -n 's/^#.*define CCCL_VERSION \([0-9]*\).*/\1/p' "$1/cuda/std/__cccl/version.h"
}

empty=$(seconds_of empty)
rung=$(seconds_of rung -I include)
cub=$(seconds_of cub)
newest=${cccl:+$(seconds_of cub -I "$cccl")}
printf '%-12s %6.2f s\n' empty "$empty" rung "$rung" cub "$cub" ${newest:+"newest CUB" "$newest"}

[ -z "$json" ] || MACHINE=$(python3 tools/report.py --machine-name) JSON=$json \
  NVCC=$(nvcc --version | sed -n 's/.*release.*, V//p') NEWEST_VERSION=$(version_in "$cccl") EMPTY=$empty RUNG=$rung CUB=$cub \
  NEWEST=$newest python3 - <<'script'
import datetime
import json
import os

env = os.environ
seconds = {"CUB": env["CUB"], "newest CUB": env["NEWEST"]}
point = {
    "family": "compile",
    "what": "block sum",
    "type": "f32",
    "shape": [256],
    "ours_us": round(float(env["RUNG"]) * 1e6),
    "empty_us": round(float(env["EMPTY"]) * 1e6),
    "bytes": 0,
    "limit_gbs": 0,
    "peers": {peer: round(float(s) * 1e6) for peer, s in seconds.items() if s},
}
result = {
    "machine": env["MACHINE"],
    "date": datetime.date.today().isoformat(),
    "command": "tools/compile_time.sh" + (" -c CCCL" if env["NEWEST"] else ""),
    "versions": {"nvcc": env["NVCC"]}
    | ({"newest CCCL": env["NEWEST_VERSION"]} if env["NEWEST"] else {}),
    "points": [point],
}
with open(env["JSON"], "w", encoding="utf-8") as file:
    json.dump(result, file, indent=1)
    file.write("\n")
script
