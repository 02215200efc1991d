// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// No exception leaves a C function: guarded(f) runs f and gives its error code.
#pragma once
#include <new>

#include "calls.hpp"

namespace rung::runtime {

/// The text that rung_last_error() shows in this thread.
std::string& last_error_text();
/// *a, or an error that names what is NULL.
const rung_array& required(const rung_array* a, const char* name);

template <class F>
int guarded(F&& f) noexcept {
  try {
    f();
    return RUNG_OK;
  } catch (const error& e) {
    last_error_text() = e.what();
    return int(e.code());
  } catch (const std::bad_alloc&) {
    last_error_text() = "rung: out of memory";
    return RUNG_NO_MEMORY;
  } catch (const std::exception& e) {
    last_error_text() = std::string("rung: ") + e.what();
    return RUNG_INTERNAL;
  }
}

}  // namespace rung::runtime
