// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The machine vocabulary for the virtual GPU. base/gpu.cuh lists the words.
#pragma once
#include "copy.hpp"
#include "memory.hpp"
#include "sync.hpp"
#include "warp.hpp"
