// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Order 1 is frozen: results on 1, 2, 3 and 8 threads are those in golden.txt, bit for bit; so are
// all prefixes.
#include <gtest/gtest.h>
#include <rung/rung.h>

#include <cstring>
#include <fstream>
#include <rung/rung.hpp>
#include <sstream>

#include "inputs.hpp"

namespace {

using namespace rung;

struct record {
  std::string op, type, result, prefixes;
  std::int64_t n;
};

std::vector<record> read_records() {
  std::ifstream in(GOLDEN_FILE);
  std::vector<record> all;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#")) continue;
    record r;
    std::istringstream(line) >> r.op >> r.type >> r.n >> r.result >> r.prefixes;
    all.push_back(r);
  }
  return all;
}

std::string hex(const void* bytes, std::size_t n) {
  std::string s;
  char two[3];
  for (std::size_t i = 0; i < n; i++) {
    std::snprintf(two, sizeof two, "%02x", static_cast<const unsigned char*>(bytes)[i]);
    s += two;
  }
  return s;
}
std::string hex(std::uint64_t h) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(h));
  return text;
}

/// The result and the fingerprint of all prefixes, through the C interface.
template <class T>
void check(const record& r, rung_type type, int threads) {
  auto x = golden::values<T>(r.n, r.op == "prod");
  rung_op op;
  ASSERT_EQ(rung_op_from_name(r.op.c_str(), &op), RUNG_OK);
  rung_options o;
  rung_options_default(&o);
  o.threads = threads;
  const rung_array in{x.data(), type, 0, 1, &r.n, nullptr};
  rung_type result;
  std::int32_t rank;
  std::int64_t shape[17];
  ASSERT_EQ(rung_result(op, &in, nullptr, &o, &result, &rank, shape), RUNG_OK) << rung_last_error();
  std::byte bytes[16];
  const rung_array out{bytes, result, 0, 0, nullptr, nullptr};
  ASSERT_EQ(rung_reduce(op, &in, nullptr, &o, &out), RUNG_OK) << rung_last_error();
  EXPECT_EQ(hex(bytes, rung_type_size(result)), r.result)
      << r.op << " " << r.type << " " << r.n << ", " << threads << " threads";
  if (r.prefixes == "-") return;
  ASSERT_EQ(rung_op_from_name(("cum" + r.op).c_str(), &op), RUNG_OK);
  const rung_array scanned{x.data(), type, 0, 1, &r.n, nullptr};
  ASSERT_EQ(rung_scan(op, &in, &o, &scanned), RUNG_OK) << rung_last_error();
  golden::fingerprint prefixes;
  prefixes.add(x.data(), x.size() * sizeof(T));
  EXPECT_EQ(hex(prefixes.hash), r.prefixes)
      << "prefixes of " << r.op << " " << r.type << " " << r.n << ", " << threads << " threads";
}

/// The same through the C++ headers, for a type and operator that the C interface does not have.
template <class T>
void check_affine(const record& r, int threads) {
  const auto a = golden::values<T>(r.n, true), b = golden::values<T>(r.n, false);
  std::vector<affine_map<T>> x, y(a.size());
  for (std::size_t i = 0; i < a.size(); i++) x.push_back({a[i], b[i]});
  const affine_map<T> result = reduce(cpu.with_threads(threads), x, affine{});
  EXPECT_EQ(hex(&result, sizeof result), r.result) << r.n;
  inclusive_scan(cpu.with_threads(threads), x, y, affine{});
  golden::fingerprint prefixes;
  prefixes.add(y.data(), y.size() * sizeof(y[0]));
  EXPECT_EQ(hex(prefixes.hash), r.prefixes) << r.n;
}

TEST(Golden, OrderOneIsFrozen) {
  ASSERT_EQ(order_version, 1);
  const auto records = read_records();
  ASSERT_EQ(records.size(), 11u * (4 * 6 + 2 * 5) + 2 * 10);
  for (const record& r : records)
    for (int threads : {1, 2, 3, 8}) {
      if (r.op == "affine")
        r.type == "f32" ? check_affine<float>(r, threads) : check_affine<double>(r, threads);
      else if (r.type == "f16") check<f16>(r, RUNG_F16, threads);
      else if (r.type == "bf16") check<bf16>(r, RUNG_BF16, threads);
      else if (r.type == "f32") check<float>(r, RUNG_F32, threads);
      else if (r.type == "f64") check<double>(r, RUNG_F64, threads);
      else if (r.type == "c64") check<complex<float>>(r, RUNG_C64, threads);
      else if (r.type == "c128") check<complex<double>>(r, RUNG_C128, threads);
      else FAIL() << r.type;
    }
}

}  // namespace
