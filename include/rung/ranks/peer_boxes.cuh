// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernel of peers.cuh: a rank's message to its box on every other GPU, and theirs from the
// boxes here. One block; data flow: memory --stamped words, stores of the system--> the other GPUs;
// looks at the own boxes until all words carry the stamp of this call --> memory. Cost: one way
// through NVLink, 8 bytes for 4.
#pragma once
#include "../grid/stamped.cuh"

namespace rung::detail {

using box_word = stamped_word<std::uint32_t>;
inline constexpr int most_peers = 16, exchange_threads = 512;
/// Where the boxes of every GPU lie: two for each rank, used in turn.
struct peer_boxes {
  global<box_word> of[most_peers];
  std::int64_t words;  ///< of a box
  int rank, size;
  /// A box of rank `from` on the GPU of rank `on`.
  RUNG_DEVICE global<box_word> box(int on, int from, std::uint32_t stamp) const {
    return of[on] + std::ptrdiff_t((int(stamp & 1) * size + from) * words);
  }
};

/// all[r] = the message of rank r, `words` words each. The stamp of a call is the count of calls,
/// which is the same on all ranks. A rank begins call k + 2, which uses the boxes of call k again,
/// after it has what others sent in call k + 1, which they did after they had emptied those boxes.
template <class Word>
RUNG_KERNEL(exchange_threads)
void exchange_with_peers(global<Word> all, int words, peer_boxes boxes, global<std::uint32_t> calls,
                         global<const std::uint32_t> stop) {
  wait_for_previous_launch();
  allow_next_launch();
  const std::uint32_t before = calls[0], stamp = before + 1 == 0 ? 2 : before + 1;
  const int me = int(thread_index().x), others = words * (boxes.size - 1);
  const auto other = [&](int i) { return i / words + (i / words >= boxes.rank ? 1 : 0); };
  for (int i = me; i < others; i += exchange_threads)
    store_relaxed<scope::system>(
        boxes.box(other(i), boxes.rank, stamp)[i % words],
        box_word{{all[std::int64_t(boxes.rank) * words + i % words]}, stamp});
  for (int i = me; i < others; i += exchange_threads) {
    const auto from = boxes.box(boxes.rank, other(i), stamp) + i % words;
    box_word got = load_relaxed<scope::system>(from[0]);
    for (unsigned looks = 1; got.stamp != stamp; ++looks) {
      if (looks % 1024 == 0 && load_relaxed<scope::system>(stop[0]) != 0) return;
      got = load_relaxed<scope::system>(from[0]);
    }
    all[std::int64_t(other(i)) * words + i % words] = got.data[0];
  }
  block_barrier();
  if (me == 0) calls[0] = stamp;
}

}  // namespace rung::detail
