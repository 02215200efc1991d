// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Family segments: sums and minima of segments of one length, of lengths that differ, and sums by
// id, each of 2^24 values, beside NumPy's add.reduceat, minimum.reduceat and bincount.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include "../harness.hpp"
#include "buffer.hpp"
#include "limits.hpp"
#include "numpy_peer.hpp"
#include "ours.hpp"

using offset_list = std::vector<std::int64_t>;

/// A file that another process reads the offsets or ids from.
class list_file {
 public:
  list_file(const std::string& name, const offset_list& list)
      : path_(std::filesystem::temp_directory_path() / ("rung-bench-" + name)) {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(list.data()), std::streamsize(list.size() * 8));
  }
  ~list_file() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// Offsets of `count` values, the next length being next().
template <class Next>
static offset_list cut(std::int64_t count, Next next) {
  offset_list offsets{0};
  while (offsets.back() < count)
    offsets.push_back(std::min(count, offsets.back() + std::max<std::int64_t>(1, next())));
  return offsets;
}
static std::map<std::string, offset_list> mixes(std::int64_t n) {
  std::map<std::string, offset_list> all;
  std::mt19937_64 bits(1);
  std::lognormal_distribution<double> lognormal(4, 2);
  std::uniform_real_distribution<double> even(1e-7, 1);
  all["lognormal"] = cut(n, [&] { return std::int64_t(lognormal(bits)); });
  all["power law"] = cut(n, [&] { return std::int64_t(std::pow(even(bits), -1.0)); });
  all["one long, many of 16"] =
      cut(n, [&, first = true]() mutable { return std::exchange(first, false) ? n / 2 : 16; });
  all["1 to 32"] = cut(n, [&] { return std::int64_t(1 + bits() % 32); });
  return all;
}

template <class T>
static void add_segments(bench::family& family, const bench::buffer& in, const bench::buffer& out,
                         std::int64_t n, const std::string& mix, const offset_list& offsets) {
  using S = bench::sum_type<T>;
  const std::string type = bench::type_name<T>();
  const auto count = std::int64_t(offsets.size()) - 1;
  const double bytes =
      double(n * std::int64_t(sizeof(T)) + count * std::int64_t(sizeof(S)) + (count + 1) * 8);
  const T* x = in.fill<T>(std::size_t(n));
  const list_file file("offsets", offsets);
  for (const std::string verb : {"sum", "min"}) {
    const std::string what = verb + " of segments, " + mix;
    if (!family.wants(what, type, bytes)) continue;
    family.add({what,
                type,
                {n, count},
                bytes,
                bench::repeat([&] {
                  if (verb == "sum") bench::our_segment_sums(x, n, offsets, out.as<S>());
                  else bench::our_segment_minima(x, n, offsets, out.as<S>());
                }),
                bench::numpy_candidates(verb + ".reduceat", type, {n}, -1, file.path()),
                bench::read_limits(x, std::size_t(bytes))});
  }
}

static void add_by_id(bench::family& family, const bench::buffer& in, const bench::buffer& out,
                      std::int64_t n, std::int64_t groups) {
  const double bytes = double(n * 16 + groups * 8);
  const std::string what = "sum by id, " + std::to_string(groups) + " groups";
  if (!family.wants(what, "f64", bytes)) return;
  std::mt19937_64 bits(2);
  offset_list ids(static_cast<std::size_t>(n));
  for (auto& id : ids) id = std::int64_t(bits() % std::uint64_t(groups));
  const double* x = in.fill<double>(std::size_t(n));
  const list_file file("ids", ids);
  family.add({what,
              "f64",
              {n, groups},
              bytes,
              bench::repeat([&] { bench::our_sums_by_id(x, ids, out.as<double>(), groups); }),
              bench::numpy_candidates("bincount", "f64", {n}, -1, file.path()),
              bench::read_limits(x, std::size_t(n * 16))});
}

int main(int argc, char** argv) {
  const bench::options options = bench::options::parse(argc, argv);
  bench::family family("segments", options);
  const std::int64_t most = std::int64_t(1) << 24,
                     n = std::min(most, std::int64_t(options.max_bytes / 8));
  // The limits read as many bytes as values, offsets and results have together.
  const bench::buffer in(std::size_t(n) * 24), out(std::size_t(n) * 8 + 64);
  const auto each_type = [&](const std::string& mix, const offset_list& offsets) {
    add_segments<float>(family, in, out, n, mix, offsets);
    add_segments<double>(family, in, out, n, mix, offsets);
    add_segments<std::int32_t>(family, in, out, n, mix, offsets);
    add_segments<std::int64_t>(family, in, out, n, mix, offsets);
  };
  for (std::int64_t length : {1, 4, 16, 64, 256, 1024, 4096, 1 << 16, 1 << 20, 1 << 22})
    if (length < n) each_type(std::to_string(length), cut(n, [=] { return length; }));
  for (const auto& [name, offsets] : mixes(n)) each_type(name, offsets);
  for (const std::int64_t groups : {16, 4096}) add_by_id(family, in, out, n / 4, groups);
  family.write();
}
