// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Texts fixed when the project is configured: docs/cli.md, and the project's version.
#pragma once

#include <string_view>

namespace rung::cli {

extern const std::string_view help_text;
extern const std::string_view version;

}  // namespace rung::cli
