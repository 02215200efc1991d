// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The C ABI of the runtime, with its error codes turned into exceptions, its options filled from a
// request, and its one owned object given an owner.
#pragma once

#include <rung/rung.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "number.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "request.hpp"

namespace rung::cli {

void check(int code);  // throws files::error with the library's text

// Options that point into the request and the progress bar; both must live longer.
class library_options {
 public:
  library_options(const request& ask, progress* bar);

  // Reads --init in the type of the state that the operation has for inputs of these types.
  void read_start(const request& ask, std::span<const rung_array> inputs);
  const rung_options* get() const { return &raw_; }

 private:
  rung_options raw_;
  std::optional<scalar> start_;
};

struct result_form {
  rung_type type = RUNG_F64;
  std::vector<std::int64_t> shape;
  std::int64_t bytes() const;
};

result_form form_of_result(rung_op op, const rung_array& a, const rung_array* b,
                           const library_options& options);

struct partial_deleter {
  void operator()(rung_partial* partial) const { rung_partial_free(partial); }
};
using partial_owner = std::unique_ptr<rung_partial, partial_deleter>;

partial_owner make_partial(rung_op op, rung_type type, const library_options& options,
                           std::int64_t begin);
partial_owner load_partial(std::span<const std::byte> saved, const std::string& file);

// Appends packed values of one type to a partial.
void append_values(rung_partial& partial, files::dtype type, std::span<std::byte> values);

// The value of a partial: type, shape (() or (2,) for minmax) and bytes.
struct partial_value {
  rung_type type = RUNG_F64;
  std::vector<std::int64_t> shape;
  alignas(16) std::array<std::byte, 32> bytes{};
};
partial_value value_of(const rung_partial& partial);

}  // namespace rung::cli
