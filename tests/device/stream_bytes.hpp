// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Arrays as bytes of either order, as files hold them.
#pragma once
#include <algorithm>
#include <cstring>
#include <vector>

#include "rung/op/facts.hpp"

namespace rung::tests {

template <class E>
std::vector<unsigned char> bytes_of(const std::vector<E>& x, bool swapped) {
  std::vector<unsigned char> bytes(x.size() * sizeof(E));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const E e = x[i];
    std::memcpy(bytes.data() + i * sizeof(E), &e, sizeof(E));
    const std::size_t unit = is_complex<E> ? sizeof(E) / 2 : sizeof(E);
    for (std::size_t part = 0; swapped && part < sizeof(E); part += unit)
      std::reverse(bytes.begin() + std::ptrdiff_t(i * sizeof(E) + part),
                   bytes.begin() + std::ptrdiff_t(i * sizeof(E) + part + unit));
  }
  return bytes;
}

}  // namespace rung::tests
