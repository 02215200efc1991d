// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// An array read from a .npy file, or from raw values whose type and shape the user told. A regular
// file is mapped; a pipe, or a file whose values start at an address that their type does not
// allow, is read into memory. Nothing is converted: byte order and layout go on as facts.
#pragma once

#include <rung/rung.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "files/dtype.hpp"
#include "files/mapping.hpp"

namespace rung::files {

// What the user told about raw values with --dtype and --shape.
struct layout {
  std::optional<dtype> type;
  std::optional<std::vector<std::int64_t>> shape;
};

// Which file it is, under whatever name.
struct identity {
  dev_t device = 0;
  ino_t node = 0;
  std::string name;
};

class input {
 public:
  // Opens a file; "-" is standard input, raw. Throws an error that names what is wrong.
  static input open(const std::string& path, const layout& told);

  rung_array view() const;  // valid as long as this object lives; its data must not be written
  std::int64_t count() const;
  std::int64_t bytes() const { return bytes_; }
  bool packed() const;  // the values lie side by side in C order
  const std::string& name() const { return identity_.name; }
  const identity& file() const { return identity_; }

 private:
  void take(std::span<std::byte> all, const layout& told);
  void take_npy(std::span<std::byte> all, const layout& told);
  void take_raw(std::span<std::byte> all, const layout& told);
  void place(std::span<std::byte> all, std::size_t offset);

  identity identity_;
  mapping mapped_;
  std::vector<std::byte> owned_;
  std::byte* data_ = nullptr;
  dtype type_{RUNG_F64};
  std::vector<std::int64_t> shape_, strides_;
  std::int64_t bytes_ = 0;
};

// Copies `into.size()` bytes of values from position `first` in C order on, packed, unconverted.
void gather(const rung_array& from, std::int64_t first, std::span<std::byte> into);

// All bytes of a file of another kind than an array.
std::vector<std::byte> read_whole(const std::string& path, identity& file);

}  // namespace rung::files
