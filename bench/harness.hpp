// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures one point: ours, its peers and the machine's limits for the same bytes, all in one run.
// Every candidate is calibrated to a few milliseconds, then runs once per round; each round starts
// with another candidate, so that drift of the machine meets all of them alike. Reported is the
// median over the rounds. Results are printed as they come and written as bench/results/ has them.
#pragma once
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "options.hpp"

namespace bench {

/// Seconds that this many repetitions take, clock and caller included.
using timer = std::function<double(std::size_t repeats)>;

struct candidate {
  std::string name;
  timer seconds;
};

/// A loop that only moves memory: `bytes` per repetition, counted as the point counts them.
struct limit {
  std::string name;
  double bytes;
  timer seconds;
};

struct point {
  std::string what, type;  // "sum axis 0", "f32"
  std::vector<std::int64_t> shape;
  double bytes;  // each input read once plus each output written once
  timer ours;
  std::vector<candidate> peers;
  std::vector<limit> limits;  // limit_gbs is the best of them
};

double now();

/// A timer of f(), called in a loop.
template <class F>
timer repeat(F f) {
  return [f](std::size_t repeats) {
    const double start = now();
    for (std::size_t i = 0; i < repeats; i++) f();
    return now() - start;
  };
}

/// Makes the compiler believe that the value is used and that all memory may have changed.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

/// All points of one family, measured when added and written at the end.
class family {
 public:
  family(std::string name, options o);
  bool wants(const std::string& what, const std::string& type, double bytes) const;
  void add(const point& p);
  void write() const;

 private:
  std::string name_;
  options options_;
  nlohmann::json points_ = nlohmann::json::array();
};

}  // namespace bench
