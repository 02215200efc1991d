// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Linear recurrences along many lines: scans of maps x -> a x + b, on the GPU.

#include "lines.cuh"

namespace rung::runtime {

lines_function find_affine_scan(packed part) {
  switch (part) {
    case packed::f32:
      return scan_lines<affine, affine_map<float>>;
    case packed::f64:
      return scan_lines<affine, affine_map<double>>;
    case packed::i64:
    case packed::u64:  // the same bits
      return scan_lines<affine, affine_map<std::int64_t>>;
    case packed::c64:
      return scan_lines<affine, affine_map<complex<float>>>;
    case packed::c128:
      return scan_lines<affine, affine_map<complex<double>>>;
  }
  fail(error_code::internal, "rung: no such packed type");
}

}  // namespace rung::runtime
