// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// reduce of the values of a grid inside one kernel, in the one order of their positions: (block,
// thread, item). The verbs are those of cluster/reduce.cuh; here they are given a grid_group. Data
// flow: each block folds its values and posts the tree; all blocks wait for all trees, one per
// thread, or up to 4 where there are more blocks than threads, and fold them as the block rung
// does. Cost for C blocks: two reductions of a block, 2 barriers, one word of 8 bytes (16 per 12
// bytes of larger states) stored per block and C polled by each, which is one way through the
// second-level cache and back.
#pragma once
#include "../cluster/reduce.cuh"
#include "group.cuh"
