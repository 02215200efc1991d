// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
#include "numpy_peer.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace bench {

#ifdef BENCH_PYTHON

bool numpy_peer::available() { return true; }

numpy_peer::numpy_peer() {
  int down[2], up[2];
  if (pipe(down) != 0 || pipe(up) != 0) throw std::runtime_error("cannot make a pipe");
  process_ = fork();
  if (process_ < 0) throw std::runtime_error("cannot start Python");
  if (process_ == 0) {
    dup2(down[0], STDIN_FILENO);
    dup2(up[1], STDOUT_FILENO);
    for (int end : {down[0], down[1], up[0], up[1]}) close(end);
    execl(BENCH_PYTHON, BENCH_PYTHON, "-B", BENCH_NUMPY_PEER, nullptr);
    _exit(127);
  }
  close(down[0]);
  close(up[1]);
  to_ = fdopen(down[1], "w");
  from_ = fdopen(up[0], "r");
}

#else

bool numpy_peer::available() { return false; }
numpy_peer::numpy_peer() { throw std::runtime_error("no Python with numpy was found"); }

#endif

numpy_peer& numpy_peer::get() {
  static numpy_peer peer;
  return peer;
}

numpy_peer::~numpy_peer() {
  std::fclose(to_);  // end of input: it leaves
  std::fclose(from_);
  waitpid(process_, nullptr, 0);
}

std::string numpy_peer::ask(const std::string& line) {
  std::fprintf(to_, "%s\n", line.c_str());
  std::fflush(to_);
  char answer[256];
  if (!std::fgets(answer, sizeof answer, from_)) throw std::runtime_error("NumPy's process ended");
  std::string text = answer;
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

std::vector<candidate> numpy_candidates(const std::string& verb, const std::string& type,
                                        const std::vector<std::int64_t>& shape, int axis,
                                        const std::string& list) {
  if (!numpy_peer::available() || type == "bf16") return {};
  nlohmann::json request = {
      {"verb", verb}, {"type", type}, {"shape", shape}, {"axis", axis}, {"list", list}};
  return {{"NumPy", [request](std::size_t repeats) mutable {
             request["repeats"] = repeats;
             return numpy_peer::get().seconds(request);
           }}};
}

}  // namespace bench
