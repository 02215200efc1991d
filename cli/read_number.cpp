// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Text to values; see number.hpp. Everything goes through from_chars of the very type that is
// wanted, so 9223372036854775806 keeps its last digit and 0.1 is rounded once.

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "files/dtype.hpp"
#include "files/error.hpp"
#include "number.hpp"

namespace rung::cli {
namespace {

struct reader {
  const std::string& option;
  std::string_view word;
  rung_type type;

  [[noreturn]] void refuse(const std::string& why) const {
    throw files::error(option + " '" + std::string(word) + "': " + why);
  }

  // Reads one number from the front of `text` and returns what follows it.
  template <class T>
  std::string_view number(std::string_view text, T& value) const {
    const std::string name(files::type_name(type));
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code == std::errc::result_out_of_range) refuse("does not fit in " + name);
    if (code != std::errc()) refuse("is not a value of type " + name);
    return text.substr(static_cast<std::size_t>(end - text.data()));
  }

  template <class T>
  T whole() const {
    T value{};
    if (!number(word, value).empty())
      refuse("is not a value of type " + std::string(files::type_name(type)));
    return value;
  }

  // "(9+4j)", "9+4j", "4j" or "9".
  template <class T>
  std::array<T, 2> complex() const {
    std::string_view text = word;
    if (text.size() > 2 && text.front() == '(' && text.back() == ')') {
      text = text.substr(1, text.size() - 2);
    }
    T first{}, second{};
    std::string_view rest = number(text, first);
    if (rest.empty()) return {first, T{}};
    if (rest == "j") return {T{}, first};
    if (rest.front() == '+' || rest.front() == '-') rest = number(rest, second);
    if (rest != "j") refuse("is not a complex number such as (9+4j)");
    return {first, second};
  }

  bool boolean() const {
    if (word == "true" || word == "True" || word == "1") return true;
    if (word == "false" || word == "False" || word == "0") return false;
    refuse("is neither true nor false");
  }
};

template <class T>
void store(scalar& to, const T& value) {
  std::memcpy(to.bytes.data(), &value, sizeof value);
}

}  // namespace

rung_type state_type(rung_type result) {
  return result == RUNG_F16 || result == RUNG_BF16 ? RUNG_F32 : result;
}

scalar read_scalar(const std::string& option, std::string_view word, rung_type type) {
  const reader in{option, word, type};
  scalar value{.type = type, .bytes = {}};
  switch (type) {
    case RUNG_BOOL:
      store(value, static_cast<std::uint8_t>(in.boolean()));
      break;
    case RUNG_I8:
      store(value, in.whole<std::int8_t>());
      break;
    case RUNG_I16:
      store(value, in.whole<std::int16_t>());
      break;
    case RUNG_I32:
      store(value, in.whole<std::int32_t>());
      break;
    case RUNG_I64:
      store(value, in.whole<std::int64_t>());
      break;
    case RUNG_U8:
      store(value, in.whole<std::uint8_t>());
      break;
    case RUNG_U16:
      store(value, in.whole<std::uint16_t>());
      break;
    case RUNG_U32:
      store(value, in.whole<std::uint32_t>());
      break;
    case RUNG_U64:
      store(value, in.whole<std::uint64_t>());
      break;
    case RUNG_F32:
      store(value, in.whole<float>());
      break;
    case RUNG_F64:
      store(value, in.whole<double>());
      break;
    case RUNG_C64:
      store(value, in.complex<float>());
      break;
    case RUNG_C128:
      store(value, in.complex<double>());
      break;
    case RUNG_F16:
    case RUNG_TYPE_IS_32_BITS:
    case RUNG_BF16:
      in.refuse("has no spelling in that type; see state_type");
  }
  return value;
}

}  // namespace rung::cli
