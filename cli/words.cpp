// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// See words.hpp. from_chars reads numbers: no locale, no leading blanks, exact or an error.

#include "words.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "files/error.hpp"

namespace rung::cli {
namespace {

using files::error;

std::string_view trimmed(std::string_view word) {
  while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
  while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
  return word;
}

[[noreturn]] void refuse(const std::string& option, std::string_view word, const char* why) {
  throw error(option + " '" + std::string(word) + "': " + why);
}

template <class T>
T read_from_chars(const std::string& option, std::string_view word, const char* why) {
  T value{};
  const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (code == std::errc::result_out_of_range) refuse(option, word, "is out of range");
  if (code != std::errc() || end != digits.data() + digits.size()) refuse(option, word, why);
  return value;
}

std::vector<std::int64_t> read_list(const std::string& option, std::string_view list) {
  std::vector<std::int64_t> values;
  list = trimmed(list);
  if (list.size() >= 2 && list.front() == '(' && list.back() == ')') {
    list = trimmed(list.substr(1, list.size() - 2));
    if (list.ends_with(',')) list.remove_suffix(1);  // Python's (5,)
  }
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    values.push_back(read_integer(option, trimmed(list.substr(0, comma))));
    if (comma == list.npos) break;
    list.remove_prefix(comma + 1);
    if (list.empty()) refuse(option, ",", "a number is missing after the last comma");
  }
  return values;
}

}  // namespace

std::int64_t read_integer(const std::string& option, std::string_view word) {
  return read_from_chars<std::int64_t>(option, word, "is not an integer");
}

double read_number(const std::string& option, std::string_view word) {
  const double value = read_from_chars<double>(option, word, "is not a number");
  if (!std::isfinite(value)) refuse(option, word, "is not a finite number");
  return value;
}

std::vector<std::int32_t> read_axes(const std::string& word) {
  std::vector<std::int32_t> axes;
  for (const std::int64_t axis : read_list("--axis", word)) {
    if (axis != static_cast<std::int32_t>(axis)) refuse("--axis", word, "is out of range");
    axes.push_back(static_cast<std::int32_t>(axis));
  }
  return axes;
}

std::vector<std::int64_t> read_shape(const std::string& word) {
  std::vector<std::int64_t> shape = read_list("--shape", word);
  for (const std::int64_t extent : shape) {
    if (extent < 0) refuse("--shape", word, "a length is negative");
  }
  if (shape.size() > 16) refuse("--shape", word, "has more than 16 axes");
  return shape;
}

slice read_slice(const std::string& word) {
  const std::size_t colon = word.find(':');
  if (colon == word.npos) refuse("--slice", word, "is not two positions with a colon between");
  const auto side = [](std::string_view text) -> std::optional<std::int64_t> {
    if (text.empty()) return std::nullopt;
    return read_integer("--slice", text);
  };
  return {side(std::string_view(word).substr(0, colon)),
          side(std::string_view(word).substr(colon + 1))};
}

rung_device read_device(const std::string& word) {
  if (word == "cpu") return RUNG_CPU;
  if (word == "cuda") return RUNG_CUDA;
  if (word == "auto") return RUNG_AUTO;
  refuse("--device", word, "is not one of cpu, cuda and auto");
}

std::vector<std::int32_t> read_devices(const std::string& word) {
  std::vector<std::int32_t> gpus;
  if (word == "all") return gpus;
  for (const std::int64_t gpu : read_list("--devices", word)) {
    if (gpu < 0 || gpu > 65535) refuse("--devices", word, "numbers of GPUs count from 0");
    gpus.push_back(static_cast<std::int32_t>(gpu));
  }
  if (gpus.empty()) refuse("--devices", word, "names no GPU; numbers, or all, are meant");
  return gpus;
}

files::dtype read_dtype(const std::string& option, const std::string& word) {
  const auto type = files::dtype_from_text(word);
  if (!type) {
    refuse(option, word,
           "is not a type; types are bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128");
  }
  return *type;
}

}  // namespace rung::cli
