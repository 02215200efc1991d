// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The frozen results of order 1 from the header-only library: its plain kernels on 1, 2, 3 and 8
// threads, and, for short inputs, fold itself.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include "golden/inputs.hpp"
#include "rung/cpu/reduce.hpp"
#include "rung/cpu/scan.hpp"
#include "rung/order.hpp"
#include "rung/ranks/local.hpp"
#include "rung/ranks/scan.hpp"

namespace rung::test {
namespace {

struct frozen {
  std::string result, prefixes;
};
/// golden.txt by "operation type length".
std::map<std::string, frozen> read_file() {
  std::ifstream in(GOLDEN_FILE);
  std::map<std::string, frozen> all;
  for (std::string text; std::getline(in, text);) {
    if (text.starts_with("#")) continue;
    std::istringstream words(text);
    std::string op, type, n;
    frozen f;
    words >> op >> type >> n >> f.result >> f.prefixes;
    all[op + " " + type + " " + n] = f;
  }
  return all;
}

template <class R>
std::string bytes_of(const R& r) {
  std::string s;
  char two[3];
  for (std::size_t i = 0; i < sizeof(R); i++) {
    std::snprintf(two, sizeof two, "%02x", reinterpret_cast<const unsigned char*>(&r)[i]);
    s += two;
  }
  return s;
}
template <class R>
std::string fingerprint_of(const std::vector<R>& all) {
  ::golden::fingerprint f;
  f.add(all.data(), all.size() * sizeof(R));
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(f.hash));
  return text;
}

/// The types whose arrays are also cut among ranks: all operators, and not all types, for time.
template <class T>
inline constexpr bool is_split = false;
template <>
inline constexpr bool is_split<float> = true;
template <>
inline constexpr bool is_split<complex<float>> = true;
template <>
inline constexpr bool is_split<affine_map<float>> = true;

class Golden : public testing::Test {
 protected:
  const std::map<std::string, frozen> file_ = read_file();
  std::size_t seen_ = 0;

  /// Every length of one operation over one type. as_written: a result as the file has it.
  template <class T, class Op, class Inputs, class AsWritten>
  void check(const std::string& name, const Op& op, const Inputs& inputs,
             const AsWritten& as_written) {
    for (const std::int64_t n : ::golden::sizes) {
      const auto line = file_.find(name + " " + std::to_string(n));
      if (line == file_.end()) {
        EXPECT_EQ(n, 0) << name;
        continue;
      }
      seen_++;
      const frozen& want = line->second;
      const std::vector<T> x = inputs(n);
      std::vector<result_t<Op, T>> scanned(x.size());
      const bool has_prefixes = want.prefixes != "-";
      for (const int threads : {1, 2, 3, 8}) {
        const auto where = cpu.with_threads(threads);
        EXPECT_EQ(bytes_of(as_written(reduce(where, x, op))), want.result) << line->first;
        if (!has_prefixes) continue;
        inclusive_scan(where, x, scanned, op);
        EXPECT_EQ(fingerprint_of(scanned), want.prefixes) << line->first;
      }
      if (n == 0 || n > 4097) continue;
      const std::span<const T> s(x);
      if constexpr (is_split<T>) {
        const std::size_t cuts[] = {0, ::golden::random_bits(seen_) % (x.size() + 1), x.size()};
        run_local(2, [&](local& comm) {
          const std::size_t begin = cuts[comm.rank()], count = cuts[comm.rank() + 1] - begin;
          const ranks where{comm, cpu.with_threads(1)};
          const auto mine = s.subspan(begin, count);
          EXPECT_EQ(bytes_of(as_written(reduce(where, mine, op))), want.result) << line->first;
          if (has_prefixes)
            inclusive_scan(where, mine, std::span(scanned).subspan(begin, count), op);
        });
        if (has_prefixes) {
          EXPECT_EQ(fingerprint_of(scanned), want.prefixes) << line->first;
        }
      }
      if (n > 1000) continue;
      EXPECT_EQ(bytes_of(as_written(result_of<Op, T>(op, *fold(op, s)))), want.result)
          << line->first;
      for (std::size_t i = 0; i < x.size(); i++)
        scanned[i] = result_of<Op, T>(op, *inclusive_entry(op, s, i));
      if (has_prefixes) {
        EXPECT_EQ(fingerprint_of(scanned), want.prefixes) << line->first;
      }
    }
  }

  template <class T>
  void check_type(const std::string& type) {
    using R = decltype([] {
      if constexpr (is_complex<T>) return decltype(T::re)();
      else return T();
    }());
    const auto plain = [](std::int64_t n) { return ::golden::values<T>(n, false); };
    const auto near_one = [](std::int64_t n) { return ::golden::values<T>(n, true); };
    const auto same = [](auto r) { return r; };
    check<T>("sum " + type, plus{}, plain, same);
    check<T>("prod " + type, multiplies{}, near_one, same);
    check<T>("mean " + type, mean{}, plain, same);
    check<T>("var " + type, moments{}, plain,
             [](const auto& m) { return convert<R>(canonical(m.variance())); });
    check<T>("norm " + type, norm{}, plain, [](double r) { return convert<R>(r); });
    if constexpr (!is_complex<T>) check<T>("logsumexp " + type, log_sum_exp{}, plain, same);
  }
  template <class T>
  void check_affine(const std::string& type) {
    const auto maps = [](std::int64_t n) {
      const auto a = ::golden::values<T>(n, true), b = ::golden::values<T>(n, false);
      std::vector<affine_map<T>> x;
      for (std::size_t i = 0; i < a.size(); i++) x.push_back({a[i], b[i]});
      return x;
    };
    check<affine_map<T>>("affine " + type, affine{}, maps, [](auto r) { return r; });
  }
};

TEST_F(Golden, HeadersGiveTheFrozenResults) {
  check_type<f16>("f16");
  check_type<bf16>("bf16");
  check_type<float>("f32");
  check_type<double>("f64");
  check_type<complex<float>>("c64");
  check_type<complex<double>>("c128");
  check_affine<float>("f32");
  check_affine<double>("f64");
  EXPECT_EQ(seen_, file_.size());
}

}  // namespace
}  // namespace rung::test
