// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// A file that appears whole or not at all. The bytes are written to a nameless neighbour (a
// temporary name in the same folder) whose disk space is reserved first, so that a full disk is an
// error and not a crash; commit() gives it its name. Until then every way out removes it: an
// exception, and SIGINT, SIGTERM or SIGHUP (see interrupt.hpp).
#pragma once

#include <rung/rung.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "files/input.hpp"
#include "files/mapping.hpp"

namespace rung::files {

class output {
 public:
  // Reserves `size` bytes that will become `path`. No input may be that same file.
  output(const std::string& path, std::size_t size, std::span<const identity> inputs);
  output(const output&) = delete;
  output& operator=(const output&) = delete;
  ~output();

  std::span<std::byte> bytes() const { return mapped_.bytes(); }  // also after commit()
  void commit();

 private:
  std::string path_, temporary_;
  mapping mapped_;
  unsigned mode_ = 0;
};

// An output that is a .npy file, with its values as an array to write to.
class npy_output {
 public:
  npy_output(const std::string& path, rung_type type, std::vector<std::int64_t> shape,
             std::span<const identity> inputs);
  rung_array view() const;
  void commit() { file_.commit(); }

 private:
  rung_type type_;
  std::vector<std::int64_t> shape_, strides_;
  std::string header_;
  output file_;
};

// Throws if `path` is the very file that an input is read from, under whatever name.
void refuse_input_as_output(const std::string& path, std::span<const identity> inputs);

}  // namespace rung::files
