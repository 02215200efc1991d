// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans of the values of a grid inside one kernel, in the one order of their positions: (block,
// thread, item). The verbs are those of cluster/scan.cuh; here they are given a grid_group. Data
// flow: as reduce, but each block folds the trees of the blocks before its own, and scans its
// values after that. Cost: that of a reduction of the grid, a reduction of a block more for
// inclusive entries and for a total, and a scan of a block.
#pragma once
#include "../cluster/scan.cuh"
#include "group.cuh"
