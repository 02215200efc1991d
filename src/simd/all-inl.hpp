// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything that folds and scans, in reading order. An instruction set without vectors has the
// plain loops. Included once per instruction set, after hwy/highway.h.
#include "simd/tables-inl.hpp"
#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE
#include "simd/x86-inl.hpp"
//
#include "simd/vec-inl.hpp"
//
#include "simd/algebra-inl.hpp"
//
#include "simd/narrow-inl.hpp"
//
#include "simd/extremes-inl.hpp"
//
#include "simd/moments-inl.hpp"
//
#include "simd/norm-inl.hpp"
//
#include "simd/log_sum_exp-inl.hpp"
//
#include "simd/tree-inl.hpp"
//
#include "simd/segments-inl.hpp"
//
#include "simd/columns-inl.hpp"
//
#include "simd/places-inl.hpp"
//
#include "simd/scan_line-inl.hpp"
//
#include "simd/scan-inl.hpp"
//
#include "simd/scan_rows-inl.hpp"
#endif
