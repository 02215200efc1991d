// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The keyword arguments of a call as the C interface takes them.
#pragma once
#include "array.hpp"

namespace rung::python {

class call_options {
 public:
  rung_options raw;

  call_options() { rung_options_default(&raw); }
  call_options(const call_options&) = delete;

  /// None: all axes; an integer, or a sequence of integers.
  void set_axis(nb::handle axis);
  /// None, or anything that rung._general.type_code understands.
  void set_accumulate(nb::handle type);
  /// None, a Python number, or a NumPy scalar or 0-d array, whose type is kept.
  void set_initial(nb::handle value);
  void set_threads(int threads) { raw.threads = threads; }
  /// Throws TypeError if the initial value has a part that a result of this type cannot hold.
  void expect_initial_fits(rung_type result) const;

 private:
  std::array<std::int32_t, 17> axes_;
  alignas(16) std::array<std::byte, 16> initial_;
};

}  // namespace rung::python
