// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What every source that is compiled once per instruction set includes first.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <hwy/cache_control.h>

#include "rung/cpu/generic.hpp"
#include "rung/cpu/generic_scan.hpp"
#include "rung/op.hpp"
#include "simd/memory.hpp"
#include "simd/moments_number.hpp"
