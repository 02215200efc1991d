// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// NumPy as a peer: a Python process that holds an array of the point's type and shape and times the
// operation when asked, so that NumPy's rounds are interleaved with everybody else's.
#pragma once
#include <cstdio>
#include <string>
#include <vector>

#include "../harness.hpp"

namespace bench {

class numpy_peer {
 public:
  static bool available();   // a Python with numpy was found when this was configured
  static numpy_peer& get();  // starts the process on first use
  ~numpy_peer();

  std::string version() { return ask("{}"); }
  double seconds(const nlohmann::json& request) { return std::stod(ask(request.dump())); }

 private:
  numpy_peer();
  std::string ask(const std::string& line);

  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
  int process_ = 0;
};

/// NumPy's `sum` or `cumsum`, along an axis or of the whole array (axis -1), `sum.reduceat` or
/// `min.reduceat` by offsets, or `bincount` by ids, which are 64-bit integers in a file; none if
/// NumPy is absent or lacks the type.
std::vector<candidate> numpy_candidates(const std::string& verb, const std::string& type,
                                        const std::vector<std::int64_t>& shape, int axis = -1,
                                        const std::string& list = "");

}  // namespace bench
