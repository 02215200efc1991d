// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The classic scans of a block that texts teach beside the verb: Hillis-Steele, raking and
// Blelloch, f32 sums, one value per thread, 32 to 1024 threads. Every call ends with the barrier
// that lets its scratch be used again. block_classic [--json FILE]
#include "../warp/cycles.cuh"
#include "rung/block/classic.cuh"

namespace rung::bench {

template <int Threads, result Kind>
struct verb {
  static constexpr const char* name =
      Kind == result::inclusive ? "inclusive_scan" : "exclusive_scan";
  static constexpr bool is_ours = true;
  static constexpr auto computes = Kind;
  static constexpr int holder = -1;
  using storage = block_scratch<float>;
  static __device__ void call(float (&x)[1], storage& scratch) {
    const auto block = block_of<Threads>(scratch);
    if constexpr (Kind == result::inclusive) inclusive_scan(block, x, plus{});
    else exclusive_scan(block, x, plus{});
    __syncthreads();
  }
};

enum class textbook { hillis_steele, raking, blelloch };
template <int Threads, textbook Which>
struct classic_scan {
  static constexpr const char* name = Which == textbook::hillis_steele ? "hillis_steele"
                                      : Which == textbook::raking      ? "raking"
                                                                       : "blelloch";
  static constexpr bool is_ours = false;
  static constexpr auto computes =
      Which == textbook::blelloch ? result::exclusive : result::inclusive;
  static constexpr int holder = -1;
  using storage = shared<float[(Which == textbook::hillis_steele ? 2 : 1) * Threads]>;
  static __device__ void call(float (&x)[1], storage& s) {
    if constexpr (Which == textbook::hillis_steele)
      x[0] = classic::hillis_steele_scan<Threads>(x[0], plus{}, s);
    else if constexpr (Which == textbook::raking)
      x[0] = classic::raking_scan<Threads>(x[0], plus{}, s);
    else x[0] = classic::blelloch_scan<Threads>(x[0], 0.0f, plus{}, s);
    __syncthreads();
  }
};

template <int Threads>
void run(std::vector<point>& points) {
  measure<float, 1, Threads, verb<Threads, result::inclusive>,
          classic_scan<Threads, textbook::hillis_steele>, classic_scan<Threads, textbook::raking>>(
      points, "block", Threads, Threads);
  measure<float, 1, Threads, verb<Threads, result::exclusive>,
          classic_scan<Threads, textbook::blelloch>>(points, "block", Threads, Threads);
}

}  // namespace rung::bench

int main(int argc, char** argv) {
  using namespace rung::bench;
  return bench_main(argc, argv, [](std::vector<point>& points) {
    run<32>(points), run<64>(points), run<128>(points), run<256>(points), run<512>(points);
    run<1024>(points);
  });
}
