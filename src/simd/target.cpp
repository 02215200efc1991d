// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The name of the instruction set that was chosen.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/target.cpp"
#include "simd/per_target.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rung::simd::HWY_NAMESPACE {
const char* target_name() { return hwy::TargetName(HWY_TARGET); }
}  // namespace rung::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rung::simd {
HWY_EXPORT(target_name);
const char* target_name() { return HWY_DYNAMIC_DISPATCH(target_name)(); }
}  // namespace rung::simd
#endif
