// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// bench_simd [FAMILY...] [--size BYTES]... [--target NAME] [--rounds N]
// The SIMD kernels alone, one and two threads (each on its half), beside what memory can do,
// measured in turn with them: medians in GB/s. Families: sum scan ops scan_ops rows trees loads.
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "simd/kernels.hpp"
#include "simd/limits.hpp"

namespace {
using namespace rung::simd;
using std::size_t;

/// One line of a table: bytes moved per byte of input, and the work on [offset, offset + n) bytes.
struct item {
  std::string name;
  double traffic;
  std::function<void(size_t offset, size_t n)> work;
  int threads = 1;
};

struct arena {
  std::byte *in, *out;
};
constexpr size_t most = size_t(1) << 30;

std::byte* huge_pages() {
  const size_t page = size_t(2) << 20, bytes = most + 4 * page;
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) std::abort();
  auto at = (reinterpret_cast<std::uintptr_t>(p) + page - 1) / page * page;
  madvise(reinterpret_cast<void*>(at), most + page, MADV_HUGEPAGE);
  return reinterpret_cast<std::byte*>(at);
}

double seconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

void run_once(const item& i, size_t n, size_t repeats) {
  const auto part = [&](size_t t) {
    const size_t share = n / size_t(i.threads);
    for (size_t r = 0; r < repeats; r++) i.work(t * share, share);
  };
  std::vector<std::thread> others;
  for (int t = 1; t < i.threads; t++) others.emplace_back(part, size_t(t));
  part(0);
  for (auto& t : others) t.join();
}

void table(const std::string& title, const std::vector<item>& items,
           const std::vector<size_t>& sizes, int rounds) {
  std::vector<std::vector<double>> medians(items.size());
  for (const size_t n : sizes) {
    const size_t repeats =
        std::max<size_t>(1, (n >= (16 << 20) ? size_t(64) << 20 : size_t(16) << 20) / n);
    std::vector<std::vector<double>> rates(items.size());
    for (int r = 0; r <= rounds; r++)
      for (size_t k = 0; k < items.size(); k++) {
        const double start = seconds();
        run_once(items[k], n, repeats);
        const double rate = items[k].traffic * double(n * repeats) / (seconds() - start) / 1e9;
        if (r > 0) rates[k].push_back(rate);
      }
    for (size_t k = 0; k < items.size(); k++) {
      std::sort(rates[k].begin(), rates[k].end());
      medians[k].push_back(rates[k][rates[k].size() / 2]);
    }
  }
  std::printf("%-28s", title.c_str());
  for (const size_t n : sizes) std::printf("%9zuK", n >> 10);
  std::printf("   GB/s, %s\n", target_name());
  for (size_t k = 0; k < items.size(); k++) {
    std::printf("%-28s", items[k].name.c_str());
    for (const double m : medians[k]) std::printf("%10.1f", m);
    std::printf("\n");
  }
  std::fflush(stdout);
}

void add(std::vector<item>& items, const std::string& name, double traffic,
         std::function<void(size_t, size_t)> work, bool both = true) {
  items.push_back({name + " 1T", traffic, work, 1});
  if (both) items.push_back({name + " 2T", traffic, work, 2});
}
void add_limits(std::vector<item>& items, arena a, bool copies) {
  if (!copies)
    add(items, "read", 1, [=](size_t o, size_t n) { rung::bench::read_only(a.in + o, n); });
  if (copies) {
    add(items, "copy", 2,
        [=](size_t o, size_t n) { rung::bench::copy_only(a.in + o, a.out + o, n, false); });
    add(items, "copy past the cache", 2,
        [=](size_t o, size_t n) { rung::bench::copy_only(a.in + o, a.out + o, n, true); });
  }
}

struct typed {
  const char* name;
  element type;
  packed to;
};
constexpr typed plain_types[] = {{"f32", element::f32, packed::f32},
                                 {"f64", element::f64, packed::f64},
                                 {"i64", element::i64, packed::i64},
                                 {"c64", element::c64, packed::c64},
                                 {"c128", element::c128, packed::c128}};
constexpr typed narrow_types[] = {{"f16", element::f16, packed::f32},
                                  {"bf16", element::bf16, packed::f32},
                                  {"i32", element::i32, packed::i64}};

/// Trees of 256 KiB where the values lie, one after the other.
void add_fold(std::vector<item>& items, const std::string& name, kernel_op op, packed type, arena a,
              bool both = true) {
  const auto* k = find_fold(op, type);
  if (!k) return;
  add(
      items, name, 1,
      [=](size_t o, size_t n) {
        alignas(64) std::byte state[128];
        const size_t chunk = std::min(n, n >= (4 << 20) ? size_t(1) << 20 : size_t(256) << 10);
        for (size_t i = 0; i < n; i += chunk)
          k->tree(nullptr, a.in + o + i, chunk / k->value_size, 0, state);
      },
      both);
}
void add_scan(std::vector<item>& items, const std::string& name, kernel_op op, packed type,
              bool exclusive, arena a, size_t shift_in, size_t shift_out, bool both = true) {
  const auto* k = find_scan(op, type);
  const auto* f = find_fold(op, type);
  if (!k) return;
  add(
      items, name, 2,
      [=](size_t o, size_t n) {
        const rung::host::carry c{.exclusive = exclusive, .stream = n >= (4 << 20)};
        k->line(nullptr, a.in + o + shift_in, n / f->value_size, a.out + o + shift_out, c);
      },
      both);
}

void sums(arena a, const std::vector<size_t>& sizes, int rounds) {
  std::vector<item> items;
  add_limits(items, a, false);
  for (const auto& t : plain_types)
    add_fold(items, std::string("sum ") + t.name, kernel_op::plus, t.to, a);
  for (const auto& t : narrow_types) {
    const auto* k = find_fold(kernel_op::plus, t.to);
    const load_plan plan = find_load({t.type, false}, t.to);
    add(items, std::string("sum ") + t.name, 1,
        [=](size_t o, size_t n) {  // 16 KiB of values at a time
          alignas(64) std::byte values[16384], state[64];
          const size_t m = 16384 / k->value_size, e = plan.sides[0].size;
          for (size_t i = 0; i + m * e <= n; i += m * e) {
            const rung::host::place p{a.in + o + i, 0, std::ptrdiff_t(e)};
            plan.kernel.load(&plan, &p, 1, m, values, std::ptrdiff_t(m));
            k->tree(nullptr, values, m, 0, state);
          }
        });
  }
  table("sum", items, sizes, rounds);
}

void scans(arena a, const std::vector<size_t>& sizes, int rounds) {
  std::vector<item> items;
  add_limits(items, a, true);
  for (const auto& t : plain_types)
    add_scan(items, std::string("scan ") + t.name, kernel_op::plus, t.to, false, a, 0, 0);
  add_scan(items, "exclusive f32", kernel_op::plus, packed::f32, true, a, 0, 0, false);
  add_scan(items, "scan f32, input + 4", kernel_op::plus, packed::f32, false, a, 4, 0, false);
  add_scan(items, "scan f32, output + 4", kernel_op::plus, packed::f32, false, a, 0, 4, false);
  for (const auto& t : narrow_types) {
    const auto* k = find_scan(kernel_op::plus, t.to);
    const auto* f = find_fold(kernel_op::plus, t.to);
    const element result = t.to == packed::i64 ? element::i64 : t.type;
    const load_plan plan = find_load({t.type, false}, t.to);
    const store_plan store = find_store(t.to, {result, false});
    const double traffic = 1 + double(store.size) / double(plan.sides[0].size);
    add(items, std::string("scan ") + t.name, traffic, [=](size_t o, size_t n) {
      alignas(64) std::byte values[16384], state[64];
      const size_t m = 16384 / f->value_size, e = plan.sides[0].size;
      const size_t inputs = std::min(n / e, most / 2 / store.size);
      for (size_t i = 0; i + m <= inputs; i += m) {
        const rung::host::place p{a.in + o + i * e, 0, std::ptrdiff_t(e)};
        const rung::host::place q{a.out + o / e * store.size % (most / 2) + i * store.size, 0,
                                  std::ptrdiff_t(store.size)};
        plan.kernel.load(&plan, &p, 1, m, values, std::ptrdiff_t(m));
        f->tree(nullptr, values, m, 0, state);
        k->line(nullptr, values, m, values, {.before = state});
        store.kernel.store(&store, values, std::ptrdiff_t(m), 1, m, &q, 1);
      }
    });
  }
  table("scan", items, sizes, rounds);
}

void operators(arena a, const std::vector<size_t>& sizes, int rounds) {
  constexpr const char* names[] = {
      "plus",    "multiplies",     "minimum", "maximum",     "minimum_number", "maximum_number",
      "min_max", "min_max_number", "arg_min", "arg_max",     "arg_min_number", "arg_max_number",
      "moments", "moments_number", "norm",    "log_sum_exp", "bit_or",         "bit_and"};
  std::vector<item> items;
  add_limits(items, a, false);
  for (int op = 0; op <= int(kernel_op::bit_and); op++)
    for (const auto& t : plain_types)
      add_fold(items, std::string(names[op]) + " " + t.name, kernel_op(op), t.to, a, false);
  table("operators", items, sizes, rounds);
}
void scan_operators(arena a, const std::vector<size_t>& sizes, int rounds) {
  constexpr std::pair<const char*, kernel_op> ops[] = {
      {"multiplies", kernel_op::multiplies},
      {"minimum", kernel_op::minimum},
      {"maximum_number", kernel_op::maximum_number},
      {"log_sum_exp", kernel_op::log_sum_exp}};
  std::vector<item> items;
  add_limits(items, a, true);
  for (const auto& [name, op] : ops)
    for (const auto& t : plain_types) {
      if (op == kernel_op::log_sum_exp) continue;  // its states are larger than the values
      add_scan(items, std::string(name) + " " + t.name, op, t.to, false, a, 0, 0, false);
    }
  table("scans of operators", items, sizes, rounds);
}

/// Down the columns of a C-order array, and along its short rows.
void rows(arena a, const std::vector<size_t>& sizes, int rounds) {
  std::vector<item> items;
  add_limits(items, a, false);
  for (const auto& t : {plain_types[0], plain_types[1], plain_types[3]})
    for (const size_t width : {1, 2, 3, 4, 7, 8, 16, 20, 64, 1000, 4096}) {
      const auto* k = find_fold(kernel_op::plus, t.to);
      add(
          items, std::string("columns ") + t.name + " x " + std::to_string(width), 1,
          [=](size_t o, size_t n) {
            static thread_local std::vector<std::byte> states(4096 * 16);
            const size_t row = width * k->value_size,
                         height = std::min<size_t>(
                             n / row, std::max<size_t>(size_t(256) << 10, row * 16) / row);
            size_t high = 1;
            while (high * 2 <= height) high *= 2;
            for (size_t r = 0; r + high <= n / row; r += high)
              k->tree_rows(nullptr, a.in + o + r * row, std::ptrdiff_t(width), high, width, 0,
                           states.data());
          },
          false);
    }
  table("columns", items, sizes, rounds);
  items.clear();
  add_limits(items, a, true);
  for (const auto& t : {plain_types[0], plain_types[1], plain_types[3]})
    for (const size_t width : {1, 3, 4, 8, 16, 20, 64, 1000, 4096}) {
      const auto* k = find_scan(kernel_op::plus, t.to);
      const size_t size = size_of(t.to);
      add(
          items, std::string("scan columns ") + t.name + " x " + std::to_string(width), 2,
          [=](size_t o, size_t n) {
            const size_t row = width * size,
                         height = std::max<size_t>(size_t(256) << 10, row * 16) / row;
            for (size_t r = 0; r < n / row; r += height)
              k->rows(nullptr, a.in + o + r * row, std::ptrdiff_t(width),
                      std::min(height, n / row - r), width, a.out + o + r * row,
                      std::ptrdiff_t(width), {.stream = n >= (4 << 20)});
          },
          false);
    }
  table("scan columns", items, sizes, rounds);
}
void trees(arena a, const std::vector<size_t>& sizes, int rounds) {
  std::vector<item> items;
  add_limits(items, a, false);
  for (const auto& t : {plain_types[0], plain_types[1], plain_types[3]})
    for (const size_t length : {1, 2, 4, 8, 16, 32, 64, 128, 256}) {
      const auto* k = find_fold(kernel_op::plus, t.to);
      add(
          items, std::string("rows of ") + std::to_string(length) + " " + t.name, 1,
          [=](size_t o, size_t n) {
            static thread_local std::vector<std::byte> states(65536);
            const size_t row = length * k->value_size, count = 65536 / row;
            for (size_t i = 0; i < n; i += count * row)
              k->trees(nullptr, a.in + o + i, length, std::min(count, (n - i) / row),
                       states.data());
          },
          false);
    }
  table("short rows", items, sizes, rounds);
  items.clear();
  add_limits(items, a, true);
  for (const auto& t : {plain_types[0], plain_types[1], plain_types[3]})
    for (const size_t length : {1, 2, 4, 8, 16, 32, 64, 128, 256}) {
      const auto* k = find_scan(kernel_op::plus, t.to);
      const size_t row = length * size_of(t.to);
      add(
          items, std::string("scan rows of ") + std::to_string(length) + " " + t.name, 2,
          [=](size_t o, size_t n) {
            k->lines(nullptr, a.in + o, length, n / row, a.out + o, false, nullptr);
          },
          false);
    }
  table("scan short rows", items, sizes, rounds);
}
void loads(arena a, const std::vector<size_t>& sizes, int rounds) {
  struct one {
    const char* name;
    element from;
    packed to;
  };
  constexpr one list[] = {
      {"f32", element::f32, packed::f32},      {"f64", element::f64, packed::f64},
      {"f16 f32", element::f16, packed::f32},  {"bf16 f32", element::bf16, packed::f32},
      {"i32 i64", element::i32, packed::i64},  {"u8 i64", element::u8, packed::i64},
      {"f32 f64", element::f32, packed::f64},  {"i64 f64", element::i64, packed::f64},
      {"c64 c128", element::c64, packed::c128}};
  std::vector<item> items;
  add_limits(items, a, false);
  for (const auto& l : list)
    for (const char* how : {"rows", "transposed", "every second", "swapped"}) {
      const load_plan plan = find_load({l.from, std::string(how) == "swapped"}, l.to);
      const auto e = std::ptrdiff_t(plan.sides[0].size);
      const std::string way = how;
      add(
          items, std::string(l.name) + " " + how, 1,
          [=](size_t o, size_t n) {
            alignas(64) static thread_local std::byte values[16384];
            const size_t m = 16384 / plan.value_size, columns = 32, high = m / columns;
            const auto c = std::ptrdiff_t(columns), h = std::ptrdiff_t(high);
            const size_t bytes = m * size_t(e) * (way == "every second" ? 2 : 1);
            for (size_t i = 0; i + bytes <= n; i += bytes) {
              rung::host::place p{a.in + o + i, c * e, e};
              if (way == "transposed") p = {p.data, e, h * e};
              if (way == "every second") p = {p.data, c * e * 2, e * 2};
              plan.kernel.load(&plan, &p, high, columns, values, c);
            }
          },
          false);
    }
  table("loads into L1", items, sizes, rounds);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> families;
  std::vector<size_t> sizes;
  int rounds = 5;
  for (int i = 1; i < argc; i++) {
    const std::string arg = argv[i];
    if (arg == "--size" && i + 1 < argc) sizes.push_back(std::strtoull(argv[++i], nullptr, 0));
    else if (arg == "--rounds" && i + 1 < argc) rounds = std::atoi(argv[++i]);
    else if (arg == "--target" && i + 1 < argc) {
      i++;
      for (const std::int64_t t : targets())
        if (use_target(t); std::string(target_name()) == argv[i]) break;
    } else families.push_back(arg);
  }
  if (sizes.empty())
    sizes = {size_t(16) << 10, size_t(256) << 10, size_t(1) << 20, size_t(64) << 20, most};
  if (families.empty()) families = {"sum", "scan"};
  const arena a{huge_pages(), huge_pages()};
  for (size_t i = 0; i < most / 4; i++) {  // small numbers as f32, and no NaN as any other type
    const float x = float(i * 2654435761u >> 8 & 0xffff) / 65536.0f + 1.0f;
    std::memcpy(a.in + 4 * i, &x, 4);
  }
  std::memset(a.out, 0, most);
  for (const std::string& f : families) {
    if (f == "sum") sums(a, sizes, rounds);
    else if (f == "scan") scans(a, sizes, rounds);
    else if (f == "ops") operators(a, sizes, rounds);
    else if (f == "scan_ops") scan_operators(a, sizes, rounds);
    else if (f == "rows") rows(a, sizes, rounds);
    else if (f == "trees") trees(a, sizes, rounds);
    else if (f == "loads") loads(a, sizes, rounds);
    else return std::fprintf(stderr, "bench_simd: no family %s\n", f.c_str()), 2;
  }
}
