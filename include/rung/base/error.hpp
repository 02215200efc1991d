// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The one exception type, and the codes that the C ABI returns for it.
#pragma once
#include <stdexcept>
#include <string>

namespace rung {

/// Values are those of the C ABI (rung.h).
enum class error_code : int {
  bad_argument = 1,  ///< shapes, axes, offsets, files that do not fit together
  bad_type = 2,      ///< this operator has no meaning for this type
  empty = 3,         ///< the extreme of no values
  overlap = 4,       ///< input and output share memory but are not the same array
  no_memory = 5,
  internal = 6,
  device = 7,  ///< the GPU, its driver or the virtual GPU stopped a kernel
  rank = 8,    ///< another rank failed, made another call, or did not come
};

/// What was asked for, what is wrong, where.
class error : public std::runtime_error {
 public:
  error(error_code code, const std::string& text) : std::runtime_error(text), code_(code) {}
  error_code code() const noexcept { return code_; }

 private:
  error_code code_;
};

[[noreturn]] inline void fail(error_code code, const std::string& text) { throw error(code, text); }

}  // namespace rung
