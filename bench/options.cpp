// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <sys/utsname.h>
#include <tbb/version.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <thread>

#include "cpu/numpy_peer.hpp"

namespace bench {

options options::parse(int argc, char** argv) {
  options o;
  o.command = argv[0];
  for (int i = 1; i < argc; i++) o.command += std::string(" ") + argv[i];
  for (int i = 1; i < argc; i++) {
    const std::string name = argv[i];
    if (name == "--smoke") {
      o.rounds = 1;
      o.max_bytes = 1 << 19;
      o.slice = 0;
      continue;
    }
    const char* value = i + 1 < argc ? argv[++i] : nullptr;
    if (value && name == "--json") o.json = value;
    else if (value && name == "--only") o.only = value;
    else if (value && name == "--rounds") o.rounds = std::max(1, std::atoi(value));
    else if (value && name == "--max-bytes") o.max_bytes = std::atof(value);
    else {
      std::fprintf(stderr,
                   "usage: %s [--json FILE] [--only TEXT] [--rounds N] [--max-bytes N] [--smoke]\n",
                   argv[0]);
      std::exit(2);
    }
  }
  return o;
}

/// The value of the first line "key : value" of a file below /proc.
static std::string first_value(const char* file, const std::string& key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    const std::size_t colon = line.find(':');
    const std::size_t start = line.find_first_not_of(" \t", colon + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return "unknown";
}

std::string machine() {
  utsname u{};
  uname(&u);
  const double kib = std::atof(first_value("/proc/meminfo", "MemTotal").c_str());
  char text[512];
  std::snprintf(text, sizeof text, "%s (family %s model %s stepping %s), %u cores, %.0f GiB, %s",
                first_value("/proc/cpuinfo", "model name").c_str(),
                first_value("/proc/cpuinfo", "cpu family").c_str(),
                first_value("/proc/cpuinfo", "model\t").c_str(),
                first_value("/proc/cpuinfo", "stepping").c_str(),
                std::thread::hardware_concurrency(), kib / (1 << 20), u.sysname);
  return text;
}

std::string date() {
  const std::time_t t = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&t));
  return text;
}

std::map<std::string, std::string> versions() {
  std::map<std::string, std::string> v = {
      {"rung", BENCH_RUNG},
      {"compiler", "g++ " __VERSION__},
      {"tbb", TBB_VERSION_STRING},
  };
#ifdef BENCH_EIGEN
  v["eigen"] = BENCH_EIGEN;
#endif
  if (numpy_peer::available()) v["numpy"] = numpy_peer::get().version();
  return v;
}

}  // namespace bench
