// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The values of options that are more than one number or name: lists, slices and types. Each
// reader throws files::error with the option and the word in its text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "files/dtype.hpp"
#include "request.hpp"

namespace rung::cli {

std::int64_t read_integer(const std::string& option, std::string_view word);
double read_number(const std::string& option, std::string_view word);
std::vector<std::int32_t> read_axes(const std::string& word);   // "0,2", "-1", "" for none
std::vector<std::int64_t> read_shape(const std::string& word);  // "3,4", "(3, 4)", "" for 0-d
slice read_slice(const std::string& word);                      // "5:9", ":9", "5:"
rung_device read_device(const std::string& word);
std::vector<std::int32_t> read_devices(const std::string& word);  // "0,1", "all": an empty list
files::dtype read_dtype(const std::string& option, const std::string& word);

}  // namespace rung::cli
