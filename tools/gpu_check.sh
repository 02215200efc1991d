#!/bin/bash
# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs what tools/gpu_build.sh has built, on a machine with a GPU:
#   gpu_check.sh [-s] [-b folder for results]      in the folder of the programs
# every test and example, and the command line's cases where a program `rung` lies there; with -s the small ones under compute-sanitizer's memcheck, racecheck,
# synccheck and initcheck; with -b the benches, each writing folder/NAME.json. Ends with a table,
# and with 1 if anything failed.
set -uo pipefail
cd "$(dirname "$0")"

sanitize=
results=
while getopts sb: option; do
  case $option in
    s) sanitize=1 ;;
    b) results=$OPTARG && mkdir -p "$results" ;;
    *) exit 2 ;;
  esac
done
log=$(mktemp)
trap 'rm "$log"' EXIT
failed=0

run() {  # run LABEL COMMAND...: its output is shown only if it fails
  local label=$1 seconds=$SECONDS verdict=passed
  shift
  if ! timeout 300 "$@" > "$log" 2>&1; then
    verdict=FAILED
    failed=$((failed + 1))
    grep -m 12 -E 'Failure|Uninitialized|Invalid|hazard|Barrier|=========     (at|by) ' "$log"
    tail -n 20 "$log"
  fi
  printf '%-44s %s %4d s\n' "$label" "$verdict" $((SECONDS - seconds))
}

follows() {  # follows TOOL PROGRAM: it understands how the program's threads wait for each other
  # racecheck follows barriers. Scans of many tiles meet through transfer barriers at which one lane
  # arrives for its warp, and through words in shared memory that are released and acquired. And a
  # cluster's barrier whose two halves stand apart gets lost: with the arrival moved beside the wait
  # racecheck finds nothing. The virtual GPU follows all of those.
  [[ $1$2 != racecheck*device_scan* && $1$2 != racecheck*cluster* ]]
}

loads() {  # its libraries are here (NCCL's may not be)
  ! ldd "./$1" 2> /dev/null | grep -q 'not found' || { echo "$1: left out, a library is missing"; false; }
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
for program in tests_* examples_*; do
  [ -x "$program" ] && loads "$program" || continue
  if [[ $program == tests_* ]]; then run "$program" "./$program" --gtest_brief=1
  else run "$program" "./$program"; fi
done

if [ -n "$sanitize" ]; then
  PATH=$PATH:/usr/local/cuda/bin:/usr/local/cuda/compute-sanitizer
  small=(tests_virtual_words tests_thread_verbs tests_warp_groups tests_block_classic
         examples_02_warp examples_03_block examples_04_cluster examples_05_grid)
  for tool in memcheck racecheck synccheck initcheck; do
    for program in "${small[@]}"; do
      [ -x "$program" ] || continue
      follows "$tool" "$program" || continue
      some=()  # initcheck does not see what bulk stores write
      [[ $tool$program != initcheck*words ]] || some=(--gtest_filter=-words.copies)
      run "$tool $program" compute-sanitizer --tool "$tool" --error-exitcode 1 \
        --report-api-errors no "./$program" "${some[@]}"
    done
    # The sweeps over shapes and types are large: the first type of each stands for it.
    for program in tests_{warp,block}_types_* tests_block_shapes tests_{cluster,grid}_types \
      tests_device_{reduce,scan}_{numbers,states} tests_device_axis{,_scan}; do
      follows "$tool" "$program" || continue
      [ ! -x "$program" ] || run "$tool $program" compute-sanitizer --tool "$tool" \
        --error-exitcode 1 --report-api-errors no "./$program" --gtest_filter='*/0.*'
    done
    for program in tests_device_{segmented,segmented_scan,by_key,group,exact,exact_scan}; do
      follows "$tool" "$program" || continue
      [ ! -x "$program" ] || run "$tool $program" compute-sanitizer --tool "$tool" \
        --error-exitcode 1 --report-api-errors no "./$program" \
        --gtest_filter='*floats:*calls:*sums:*few_groups:*sorted_ids*:*wrong_offsets_that*:*f32:*wild:*halves'
    done
  done
fi

if [ -x ./rung ]; then run "rung --device cuda" ./gpu_cli.sh ./rung; fi

if [ -n "$results" ]; then
  for program in bench_*; do
    [ -x "$program" ] && loads "$program" || continue
    run "$program" "./$program" --json "$results/${program#bench_}.json"
  done
fi
echo "$failed failed"
[ "$failed" -eq 0 ]
