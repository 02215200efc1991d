// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a result is written: a file that will appear when it is complete, or memory.
#pragma once

#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "files/dtype.hpp"
#include "files/error.hpp"
#include "files/npy.hpp"
#include "files/output.hpp"
#include "library.hpp"

namespace rung::cli {

class destination {
 public:
  destination(const request& ask, result_form form, std::span<const files::identity> inputs)
      : form_(std::move(form)) {
    const auto bytes = static_cast<std::size_t>(form_.bytes());
    if (ask.out) {
      file_.emplace(*ask.out, form_.type, form_.shape, inputs);
      array_ = file_->view();
      return;
    }
    try {
      memory_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
    } catch (const std::bad_alloc&) {
      throw files::error("there is no memory for a result of " + std::to_string(bytes) +
                         " bytes; --out FILE.npy needs none");
    }
    strides_ = files::packed_strides(form_.shape, files::type_size(form_.type), false);
    array_ = {.data = memory_.get(),
              .type = form_.type,
              .swapped = 0,
              .rank = static_cast<std::int32_t>(form_.shape.size()),
              .shape = form_.shape.data(),
              .strides = strides_.data()};
  }

  const rung_array* array() const { return &array_; }
  const result_form& form() const { return form_; }
  void commit() {
    if (file_) file_->commit();
  }

 private:
  result_form form_;
  std::optional<files::npy_output> file_;
  std::unique_ptr<std::byte[]> memory_;
  std::vector<std::int64_t> strides_;
  rung_array array_{};
};

}  // namespace rung::cli
