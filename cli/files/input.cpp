// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// See input.hpp. Order of work: open, get the bytes, find out what they are, check that they are
// all there, and only then say where the values lie.

#include "files/input.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "files/error.hpp"
#include "files/npy.hpp"

namespace rung::files {
namespace {

std::vector<std::byte> read_to_end(int from, const std::string& name) {
  std::vector<std::byte> all;
  std::size_t size = 0;
  do {
    all.resize(std::max(all.size() * 2, std::size_t{1} << 20));
    size += read_fully(from, std::span(all).subspan(size), name);
  } while (size == all.size());
  all.resize(size);
  return all;
}

descriptor open_file(const std::string& path, struct stat& status, identity& file) {
  descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (opened.get() < 0 || fstat(opened.get(), &status) != 0) {
    throw system_error(path + ": cannot be opened");
  }
  if (S_ISDIR(status.st_mode)) throw error(path + ": is a directory");
  file = {status.st_dev, status.st_ino, path};
  return opened;
}

// A complex number needs the alignment of one of its two parts.
std::size_t type_alignment(rung_type type) {
  const bool complex = type == RUNG_C64 || type == RUNG_C128;
  return complex ? type_size(type) / 2 : type_size(type);
}

}  // namespace

std::vector<std::byte> read_whole(const std::string& path, identity& file) {
  struct stat status;
  const descriptor from = open_file(path, status, file);
  return read_to_end(from.get(), path);
}

input input::open(const std::string& path, const layout& told) {
  input in;
  if (path == "-") {
    if (!told.type) throw error("standard input is read as raw values: say which with --dtype");
    in.identity_.name = "standard input";
    in.owned_ = read_to_end(STDIN_FILENO, in.name());
    in.take_raw(in.owned_, told);
    return in;
  }
  struct stat status;
  const descriptor file = open_file(path, status, in.identity_);
  if (S_ISREG(status.st_mode)) {
    in.mapped_ = mapping(file, static_cast<std::size_t>(status.st_size), false, path);
    in.take(in.mapped_.bytes(), told);
  } else {
    in.owned_ = read_to_end(file.get(), path);
    in.take(in.owned_, told);
  }
  return in;
}

void input::take(std::span<std::byte> all, const layout& told) {
  if (is_npy(all)) return take_npy(all, told);
  if (!told.type) {
    throw error(name() + (all.empty() ? ": is empty, so it" : ":") +
                " is not a .npy file; for raw values say --dtype and --shape");
  }
  take_raw(all, told);
}

void input::take_npy(std::span<std::byte> all, const layout& told) {
  npy_header header = read_npy_header(all, name());
  if (told.shape)
    throw error(name() + ": is a .npy file, which has a shape; --shape is for raw values");
  type_ = dtype_from_descr(header.descr, told.type, name());
  shape_ = std::move(header.shape);
  bytes_ = count_bytes(shape_, type_size(type_.type), name());
  strides_ = packed_strides(shape_, type_size(type_.type), header.fortran_order);
  const std::size_t have = all.size() - header.data_offset;
  if (have < static_cast<std::size_t>(bytes_)) {
    throw error(name() + ": is cut off: its header promises " + std::to_string(bytes_) +
                " bytes of values, but " + std::to_string(have) + " are there");
  }
  place(all, header.data_offset);
}

void input::take_raw(std::span<std::byte> all, const layout& told) {
  type_ = *told.type;
  const std::size_t size = type_size(type_.type);
  const std::string type(type_name(type_.type));
  if (all.size() % size != 0) {
    throw error(name() + ": " + std::to_string(all.size()) + " bytes are not a whole number of " +
                type + " values");
  }
  shape_ = told.shape.value_or(std::vector{static_cast<std::int64_t>(all.size() / size)});
  bytes_ = count_bytes(shape_, size, name());
  strides_ = packed_strides(shape_, size, false);
  if (all.size() != static_cast<std::size_t>(bytes_)) {
    throw error(name() + ": --shape needs " + std::to_string(bytes_) + " bytes of " + type +
                " values, but " + std::to_string(all.size()) + " are there");
  }
  place(all, 0);
}

void input::place(std::span<std::byte> all, std::size_t offset) {
  data_ = all.data() + offset;
  if (reinterpret_cast<std::uintptr_t>(data_) % type_alignment(type_.type) != 0) {
    owned_ = std::vector(data_, data_ + bytes_);
    mapped_ = mapping();
    data_ = owned_.data();
  } else if (mapped_.bytes().data() != nullptr) {
    madvise(mapped_.bytes().data(), mapped_.bytes().size(), MADV_SEQUENTIAL);  // a hint, may fail
  }
}

rung_array input::view() const {
  return {.data = data_,
          .type = type_.type,
          .swapped = type_.swapped,
          .rank = static_cast<std::int32_t>(shape_.size()),
          .shape = shape_.data(),
          .strides = strides_.data()};
}

std::int64_t input::count() const {
  return bytes_ / static_cast<std::int64_t>(type_size(type_.type));
}

bool input::packed() const {
  std::int64_t step = static_cast<std::int64_t>(type_size(type_.type));
  for (std::size_t axis = shape_.size(); axis-- > 0;) {
    if (shape_[axis] == 1) continue;
    if (strides_[axis] != step) return false;
    step *= shape_[axis];
  }
  return true;
}

void gather(const rung_array& from, std::int64_t first, std::span<std::byte> into) {
  if (into.empty()) return;
  const std::size_t size = type_size(from.type), rank = static_cast<std::size_t>(from.rank);
  std::vector<std::int64_t> index(rank);
  const std::byte* at = static_cast<const std::byte*>(from.data);
  for (std::size_t axis = rank; axis-- > 0; first /= from.shape[axis]) {
    index[axis] = first % from.shape[axis];
    at += index[axis] * from.strides[axis];
  }
  for (std::size_t done = 0; done < into.size(); done += size) {
    std::memcpy(into.data() + done, at, size);
    for (std::size_t axis = rank; axis-- > 0;) {  // the next position; the last axis turns fastest
      at += from.strides[axis];
      if (++index[axis] < from.shape[axis]) break;
      at -= from.strides[axis] * from.shape[axis];
      index[axis] = 0;
    }
  }
}

}  // namespace rung::files
