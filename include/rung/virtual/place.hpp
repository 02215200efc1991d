// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Places in a kernel's source: where a thread is, as text and as a 16-bit number that the shadow
// memories can afford to keep per byte.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace rung::virtual_gpu {

using place = std::source_location;

/// "block/reduce.cuh:55": the file with its folder, and the line.
inline std::string text_of(const place& where) {
  std::string_view file = where.file_name();
  const auto slash = file.find_last_of('/');
  if (slash != file.npos && slash > 0) {
    const auto folder = file.find_last_of('/', slash - 1);
    file = file.substr(folder == file.npos ? 0 : folder + 1);
  }
  return std::string(file) + ":" + std::to_string(where.line());
}

/// Numbers for places. The same place keeps its number for the life of the table.
class place_table {
 public:
  std::uint16_t number(const place& where) {
    const auto key = std::bit_cast<std::uintptr_t>(where);
    auto& slot = recent_[(key >> 4) % recent_.size()];
    if (slot.key == key) return slot.number;
    const auto [found, fresh] = numbers_.try_emplace(key, std::uint16_t(places_.size()));
    if (fresh) places_.push_back(where);
    slot = {key, found->second};
    return found->second;
  }
  const place& at(std::uint16_t number) const { return places_[number]; }

 private:
  static_assert(sizeof(place) == sizeof(std::uintptr_t));
  struct entry {
    std::uintptr_t key = 1;
    std::uint16_t number = 0;
  };
  std::array<entry, 256> recent_;
  std::unordered_map<std::uintptr_t, std::uint16_t> numbers_;
  std::vector<place> places_;
};

}  // namespace rung::virtual_gpu
