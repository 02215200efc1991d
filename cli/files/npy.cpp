// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// See npy.hpp. A header of version 1 has a 16-bit length, later ones 32 bits, all little-endian
// on every machine. A list where descr should be a string describes records, which have no fold.

#include "files/npy.hpp"

#include <algorithm>
#include <string_view>

#include "files/error.hpp"
#include "files/literal.hpp"

namespace rung::files {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64;

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void read_dict(literal_reader& in, npy_header& header, const std::string& file) {
  bool seen_descr = false, seen_order = false, seen_shape = false;
  const auto once = [&](bool& seen, const std::string& key) {
    if (seen) in.fail("the key '" + key + "' stands twice");
    seen = true;
  };
  in.expect('{');
  while (!in.accept('}')) {
    const std::string key = in.string();
    in.expect(':');
    if (key == "descr") {
      once(seen_descr, key);
      const char next = in.peek();
      if (next == '[' || next == '(' || next == '{') {
        throw error(file +
                    ": holds records of several fields, which are not supported; "
                    "save the field you need as an array of its own");
      }
      header.descr = in.string();
    } else if (key == "fortran_order") {
      once(seen_order, key);
      header.fortran_order = in.boolean();
    } else if (key == "shape") {
      once(seen_shape, key);
      header.shape = in.integers();
    } else {
      in.fail("unknown key '" + key + "'");
    }
    if (in.accept(',')) continue;
    in.expect('}');
    break;
  }
  if (!in.at_end()) in.fail("something follows the closing brace");
  if (!seen_descr || !seen_order || !seen_shape) {
    in.fail("it lacks descr, fortran_order or shape");
  }
}

}  // namespace

bool is_npy(std::span<const std::byte> start) { return as_text(start).starts_with(magic); }

npy_header read_npy_header(std::span<const std::byte> bytes, const std::string& file) {
  if (!is_npy(bytes)) throw error(file + ": is not a .npy file");
  const auto at = [&](std::size_t k) { return std::to_integer<std::size_t>(bytes[k]); };
  const error cut(file + ": is cut off inside the .npy header");
  if (bytes.size() < magic.size() + 2) throw cut;
  const std::size_t major = at(6), minor = at(7);
  if (major < 1 || major > 3 || minor != 0) {
    throw error(file + ": is of .npy version " + std::to_string(major) + "." +
                std::to_string(minor) + "; versions 1.0, 2.0 and 3.0 are known");
  }
  const std::size_t start = major == 1 ? 10 : 12;
  if (bytes.size() < start) throw cut;
  const std::size_t length =
      major == 1 ? at(8) | at(9) << 8 : at(8) | at(9) << 8 | at(10) << 16 | at(11) << 24;
  if (bytes.size() - start < length) throw cut;
  npy_header header;
  header.data_offset = start + length;
  literal_reader in(as_text(bytes.subspan(start, length)), file);
  read_dict(in, header, file);
  for (const std::int64_t extent : header.shape) {
    if (extent < 0) in.fail("a length is negative");
  }
  if (header.shape.size() > max_rank) {
    throw error(file + ": has " + std::to_string(header.shape.size()) +
                " axes; at most 16 are supported");
  }
  return header;
}

std::string write_npy_header(rung_type type, std::span<const std::int64_t> shape) {
  std::string text = "{'descr': '" + type_descr(type) + "', 'fortran_order': False, 'shape': (";
  for (std::size_t k = 0; k < shape.size(); ++k) {
    text += (k == 0 ? "" : ", ") + std::to_string(shape[k]);
  }
  text += shape.size() == 1 ? ",), }" : "), }";
  const std::size_t prefix = magic.size() + 4, used = prefix + text.size() + 1;
  text.append((alignment - used % alignment) % alignment, ' ');
  text += '\n';
  std::string header(magic);
  header +=
      {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return header + text;
}

std::int64_t count_bytes(std::span<const std::int64_t> shape, std::size_t size,
                         const std::string& file) {
  std::int64_t bytes = static_cast<std::int64_t>(size);
  bool empty = false;
  for (const std::int64_t extent : shape) {
    if (extent < 0) throw error(file + ": a length of its shape is negative");
    if (extent == 0) {
      empty = true;
    } else if (__builtin_mul_overflow(bytes, extent, &bytes)) {
      throw error(file + ": its shape needs more bytes than 64 bits can count");
    }
  }
  return empty ? 0 : bytes;
}

std::vector<std::int64_t> packed_strides(std::span<const std::int64_t> shape, std::size_t size,
                                         bool fortran_order) {
  std::vector<std::int64_t> strides(shape.size());
  std::int64_t step = static_cast<std::int64_t>(size);
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const std::size_t axis = fortran_order ? k : shape.size() - 1 - k;
    strides[axis] = step;
    step *= std::max<std::int64_t>(shape[axis], 1);  // count_bytes has shown that this fits
  }
  return strides;
}

}  // namespace rung::files
