// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything, in the order of the ladder.
#pragma once
#include "op.hpp"         // operators and their facts
#include "order.hpp"      // the one order: fold, the oracle
#include "partial.hpp"    // summaries of ranges that can be stored, sent and joined
#include "transform.hpp"  // functions of arrays, evaluated as they are read
#include "view.hpp"       // n-d strided arrays

#include "cpu/by_key.hpp"
#include "cpu/reduce.hpp"  // all cores, SIMD
#include "cpu/scan.hpp"
#include "cpu/segmented.hpp"
