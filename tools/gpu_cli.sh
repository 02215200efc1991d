#!/bin/bash
# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
#
# gpu_cli.sh PROGRAM: whether the command line gives the same bytes with --device cuda as without,
# for whole arrays, axes, segments, runs and groups of several types. Needs a GPU and nothing else:
# the files are random bytes, and what rung makes of them.
set -eu
rung=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cd "$work"
cases=0 failed=0

same() {  # same WORDS...: cuda and cpu
  cases=$((cases + 1))
  "$rung" "$@" --device cpu --out cpu.npy
  if ! "$rung" "$@" --device cuda --out cuda.npy || ! cmp cpu.npy cuda.npy; then
    echo "differs: rung $*"
    failed=$((failed + 1))
  fi
}

n=302400
head -c $((8 * n)) /dev/urandom > noise  # as floats: of every size, some NaN
for type in i16:2 f32:4 f64:8; do head -c $((n * ${type#*:})) noise > "${type%:*}"; done
tr -d '\020-\377' < noise | head -c 20000 > lengths
"$rung" cumsum lengths --dtype u8 --accumulate i64 --out begins.npy
tr -d '\004-\376' < noise | head -c 20000 > few
cat few few few few few few few few few few few few few few few few | head -c $n > letters
"$rung" max letters --dtype u8 --shape $n,1 --axis 1 --out keys.npy
for type in i16 f32 f64; do
  for words in sum argmin minmax std "count --skip-nan" logsumexp "cumsum --exclusive" cummax; do
    same $words $type --dtype $type --shape 60,70,72 --axis 1
    [[ $words == cum* ]] || same $words $type --dtype $type --shape 60,70,72 --axis 0,2
    for cut in segments by group; do
      file=keys.npy
      [ $cut != segments ] || file=begins.npy
      [ $type$cut == f32by ] || same $words $type --dtype $type --$cut $file
    done
    [ $type != i16 ] || break
  done
  same cumsum $type --dtype $type --shape 60,70,72 --axis 0 --reverse
  same cumprod $type --dtype $type
done
echo "$cases cases, $failed failed"
[ "$failed" -eq 0 ]
