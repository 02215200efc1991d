#!/bin/bash
# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds the kernel tests and benches with nvcc into one folder, to be run on a machine that has a
# GPU but no toolkit: tools/gpu_build.sh [-o folder] [-a architecture] [-I include]... [program]...
# A program is a source without its ending: tests/warp/groups, bench/block/scan. Default: all.
set -euo pipefail
cd "$(dirname "$0")/.."

out=build/gpu
arch=90a
includes=()
while getopts o:a:I: option; do
  case $option in
    o) out=$OPTARG ;;
    a) arch=$OPTARG ;;
    I) includes+=(-I "$OPTARG") ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ ${#includes[@]} -gt 0 ] || includes=(-I include)
programs=("$@")
[ $# -gt 0 ] || programs=(
  tests/thread/verbs tests/warp/{groups,types_small,types_float,types_large}
  tests/block/{shapes,types,classic} bench/warp/{reduce,scan} bench/block/{reduce,scan})

mkdir -p "$out"
for program in "${programs[@]}"; do
  source=$program.cpp
  [ -f "$source" ] || source=$program.cu
  name=${program//\//_}
  libraries=()
  level=3
  [[ $program == bench/* ]] || { libraries=(-lgtest -lgtest_main); level=1; }
  echo "$name"
  nvcc -std=c++20 -O$level --fmad=false -gencode="arch=compute_$arch,code=sm_$arch" \
    -Xcompiler=-ffp-contract=off,-static-libstdc++,-static-libgcc -cudart=static \
    "${includes[@]}" -I tests -x cu "$source" -o "$out/$name" "${libraries[@]}"
done
