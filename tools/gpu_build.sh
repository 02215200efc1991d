#!/bin/bash
# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds the kernel tests, examples and benches with nvcc into one folder, to be run by
# tools/gpu_check.sh on a machine that has a GPU but no toolkit and none of this machine's
# libraries: tools/gpu_build.sh [-o folder] [-a architecture] [-I include]... [-c CCCL's include]
#                               [program]...
# A program is a source without its ending: tests/warp/groups, bench/block/scan. Default: all.
set -euo pipefail
cd "$(dirname "$0")/.."

out=build/gpu
arch=90a
includes=()
while getopts o:a:I:c: option; do
  case $option in
    o) out=$OPTARG ;;
    a) arch=$OPTARG ;;
    I) includes+=(-I "$OPTARG") ;;
    c) includes+=(-I "$OPTARG") ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
includes+=(-I include)
programs=("$@")
[ $# -gt 0 ] || programs=(
  tests/virtual/words tests/thread/verbs tests/warp/{groups,types_small,types_float,types_large}
  tests/block/{shapes,types_small,types_numbers,types_joined,types_large,classic,exact}
  tests/cluster/{shapes,types} tests/grid/{shapes,types,rounds,classic,classic_scan}
  tests/device/axis{,_scan,_calls} tests/device/reduce_{numbers,states,blocks,calls}
  tests/device/scan_{numbers,states,calls} tests/device/{segmented,segmented_scan,by_key,group,exact,exact_lines,exact_scan}
  examples/{01_thread,02_warp,03_block,04_cluster,05_grid,06_device,07_segments}
  bench/warp/{reduce,scan} bench/block/{reduce,scan,classic} bench/grid/{reduce,scan}
  bench/device/{axes,exact_scan,exact_lines} tests/ranks/gpu_parts)
if [ $# -eq 0 ] && echo '#include <nccl.h>' | nvcc -E -x cu - > /dev/null 2>&1; then
  programs+=(tests/ranks/nccl_test bench/ranks/nccl)
fi

mkdir -p "$out"
for program in "${programs[@]}"; do
  source=$program.cpp
  [ -f "$source" ] || source=$program.cu
  name=${program//\//_}
  libraries=()
  level=3
  [[ $program == bench/* ]] || level=1
  [[ $program != tests/* ]] || libraries=(-lgtest -lgtest_main)
  [[ $program != */*nccl* ]] || libraries+=(-lnccl --default-stream per-thread)
  seconds=$SECONDS
  nvcc -std=c++20 -O$level --fmad=false -gencode="arch=compute_$arch,code=sm_$arch" \
    -Xcompiler=-ffp-contract=off,-static-libstdc++,-static-libgcc -cudart=static \
    "${includes[@]}" -I tests -x cu "$source" -o "$out/$name" "${libraries[@]}"
  strip "$out/$name"
  echo "$name: $((SECONDS - seconds)) s, $(($(stat -c %s "$out/$name") / 1024)) KiB"
done
cp tools/gpu_check.sh tools/gpu_cli.sh "$out"
