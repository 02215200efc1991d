// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Owners of two things of the system: a file descriptor and a mapped range of a file. Mapping an
// input costs no memory of its own, so a file may be larger than what the machine has.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace rung::files {

class descriptor {
 public:
  explicit descriptor(int number = -1) : number_(number) {}
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~descriptor();
  int get() const { return number_; }

 private:
  int number_;
};

class mapping {
 public:
  mapping() = default;
  // The first `size` bytes of a file, private to read, or shared to write. `file` is for errors.
  mapping(const descriptor& from, std::size_t size, bool writable, const std::string& file);
  mapping(mapping&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  mapping& operator=(mapping&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~mapping();
  std::span<std::byte> bytes() const { return {data_, size_}; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// Reads until `into` is full or the stream ends; returns the bytes read.
std::size_t read_fully(int descriptor, std::span<std::byte> into, const std::string& file);

}  // namespace rung::files
