// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The header of a .npy file, versions 1, 2 and 3: magic, version, length, and a Python dict
// literal with exactly the keys descr, fortran_order and shape. The reader trusts nothing: every
// size is checked against the bytes that are there and against 64 bits before it is used.
// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "files/dtype.hpp"

namespace rung::files {

inline constexpr int max_rank = 16;

struct npy_header {
  std::string descr;  // as written; dtype_from_descr gives it a meaning
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::size_t data_offset = 0;  // where the values start in the file
};

// True if the bytes begin like a .npy file.
bool is_npy(std::span<const std::byte> start);

// Reads the header at the start of `bytes`; `file` begins every error text.
npy_header read_npy_header(std::span<const std::byte> bytes, const std::string& file);

// A version 1 header in C order, a multiple of 64 bytes long.
std::string write_npy_header(rung_type type, std::span<const std::int64_t> shape);

// Number of values of a shape, times `size` bytes; throws if a length is negative or 64 bits are
// not enough. A zero-length axis makes it 0, but the other axes must still fit.
std::int64_t count_bytes(std::span<const std::int64_t> shape, std::size_t size,
                         const std::string& file);

// Byte strides of packed values of that shape.
std::vector<std::int64_t> packed_strides(std::span<const std::int64_t> shape, std::size_t size,
                                         bool fortran_order);

}  // namespace rung::files
