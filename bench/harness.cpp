// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
#include "harness.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace bench {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

namespace {

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  const std::size_t half = v.size() / 2;
  return v.size() % 2 ? v[half] : (v[half - 1] + v[half]) / 2;
}

/// How many repetitions last for a slice: grown from one, so that slow candidates run few times.
std::size_t calibrate(const timer& seconds, double slice) {
  seconds(1);  // faults pages in, starts threads
  std::size_t repeats = 1;
  for (double t = seconds(1); t < slice; t = seconds(repeats)) {
    const double grow = std::clamp(1.2 * slice / std::max(t, 1e-9), 2.0, 100.0);
    repeats = std::size_t(double(repeats) * grow);
  }
  return repeats;
}

/// Median seconds per repetition of each timer, interleaved; see the header.
std::vector<double> measure(const std::vector<timer>& timers, int rounds, double slice) {
  const std::size_t n = timers.size();
  std::vector<std::size_t> repeats(n);
  for (std::size_t k = 0; k < n; k++) repeats[k] = calibrate(timers[k], slice);
  std::vector<std::vector<double>> seconds(n);
  for (int round = 0; round < rounds; round++)
    for (std::size_t j = 0; j < n; j++) {
      const std::size_t k = (j + std::size_t(round)) % n;
      seconds[k].push_back(timers[k](repeats[k]) / double(repeats[k]));
    }
  std::vector<double> medians(n);
  for (std::size_t k = 0; k < n; k++) medians[k] = median(seconds[k]);
  return medians;
}

std::string text(const std::vector<std::int64_t>& shape) {
  std::string s;
  for (std::int64_t n : shape) {
    if (!s.empty()) s += " x ";
    s += std::to_string(n);
  }
  return s;
}

}  // namespace

family::family(std::string name, options o) : name_(std::move(name)), options_(std::move(o)) {
  std::printf(
      "%s: median of %d interleaved rounds, GB/s (each input read once, each output written "
      "once)\n",
      name_.c_str(), options_.rounds);
}

bool family::wants(const std::string& what, const std::string& type, double bytes) const {
  return bytes <= options_.max_bytes &&
         (what + " " + type).find(options_.only) != std::string::npos;
}

void family::add(const point& p) {
  std::vector<timer> timers = {p.ours};
  for (const candidate& peer : p.peers) timers.push_back(peer.seconds);
  for (const limit& l : p.limits) timers.push_back(l.seconds);
  const std::vector<double> seconds = measure(timers, options_.rounds, options_.slice);

  nlohmann::json peers = nlohmann::json::object();
  std::string columns;
  char cell[128];
  std::size_t k = 1;
  for (const candidate& peer : p.peers) {
    peers[peer.name] = seconds[k] * 1e6;
    std::snprintf(cell, sizeof cell, "  %s %.1f", peer.name.c_str(), p.bytes / seconds[k] / 1e9);
    columns += cell;
    k++;
  }
  double best = 0;
  std::string best_name = "none";
  for (const limit& l : p.limits) {
    const double gbs = l.bytes / seconds[k++] / 1e9;
    if (gbs > best) best = gbs, best_name = l.name;
  }
  std::printf("%s %s %s: %.3f us, %.1f GB/s, limit %.1f (%s)\n   %s\n", p.what.c_str(),
              p.type.c_str(), text(p.shape).c_str(), seconds[0] * 1e6, p.bytes / seconds[0] / 1e9,
              best, best_name.c_str(), columns.c_str());
  std::fflush(stdout);
  points_.push_back({{"family", name_},
                     {"what", p.what},
                     {"type", p.type},
                     {"shape", p.shape},
                     {"ours_us", seconds[0] * 1e6},
                     {"bytes", p.bytes},
                     {"limit_gbs", best},
                     {"peers", peers}});
}

void family::write() const {
  if (options_.json.empty()) return;
  const nlohmann::ordered_json all = {{"machine", machine()},
                                      {"date", date()},
                                      {"command", options_.command},
                                      {"versions", versions()},
                                      {"points", points_}};
  const std::filesystem::path path(options_.json);
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path());
  std::ofstream out(path);
  out << all.dump(1) << "\n";
  if (!out.flush()) throw std::runtime_error("cannot write " + options_.json);
  std::printf("wrote %s\n", options_.json.c_str());
}

}  // namespace bench
