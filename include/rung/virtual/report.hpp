// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The text of a finding: who and where, what everybody waits for when nothing can progress, and
// what was launched. Texts are put together from pieces that own no memory: a fiber that stops is
// never unwound, so it must hold none.
#pragma once
#include "kernel_name.hpp"
#include "machine.hpp"

namespace rung::virtual_gpu {

/// Lanes by number: "lanes 0-3, 7".
struct lane_list {
  lane_mask lanes;
};
/// A mask in hexadecimal.
struct mask_text {
  lane_mask mask;
};
/// "block 0, warp 1, lane 5 (thread 37)".
struct name_of {
  const thread& t;
};
/// "at block/reduce.cuh:41 (shuffle_xor)".
struct place_of {
  const thread& t;
};
/// Why nothing can progress.
struct standstill {
  const machine& m;
  const char* why;
};
/// Who made a store to global memory, and where.
struct author_of {
  const machine& m;
  const stores::note& store;
};
/// The launch: kernel, sizes, seed.
struct launch_of {
  const machine& m;
};

inline void put(std::string& text, const char* piece) { text += piece; }
inline void put(std::string& text, const std::string& piece) { text += piece; }
template <class N>
  requires std::is_integral_v<N>
void put(std::string& text, N number) { text += std::to_string(number); }
inline void put(std::string& text, const place& where) { text += text_of(where); }
inline void put(std::string& text, dims d) {
  put(text, d.x);
  if (d.y == 1 && d.z == 1) return;
  put(text, " x ");
  put(text, d.y);
  if (d.z == 1) return;
  put(text, " x ");
  put(text, d.z);
}

template <class... Pieces>
void put_all(std::string& text, const Pieces&... pieces) {
  (put(text, pieces), ...);
}

inline void put(std::string& text, mask_text piece) {
  static constexpr char digits[] = "0123456789abcdef";
  text += "0x";
  for (int shift = 28; shift >= 0; shift -= 4) text += digits[piece.mask >> shift & 15];
}

inline void put(std::string& text, lane_list piece) {
  text += std::popcount(piece.lanes) == 1 ? "lane " : "lanes ";
  const auto has = [&](unsigned lane) {
    return lane < warp_size && (piece.lanes >> lane & 1) != 0;
  };
  const char* comma = "";
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if (!has(lane)) continue;
    put_all(text, comma, lane);
    comma = ", ";
    if (!has(lane + 1) || !has(lane + 2)) continue;
    while (has(lane + 1)) ++lane;
    put_all(text, "-", lane);
  }
}

inline void put(std::string& text, const name_of& piece) {
  const thread& t = piece.t;
  put_all(text, "block ", t.home->rank, ", warp ", t.team->rank, ", lane ", t.lane, " (thread ",
          t.rank, ")");
}

inline void put(std::string& text, const place_of& piece) {
  if (piece.t.where.line() == 0) put_all(text, "at ", piece.t.word);
  else put_all(text, "at ", piece.t.where, " (", piece.t.word, ")");
}

inline void put(std::string& text, const author_of& piece) {
  const auto threads = static_cast<unsigned>(piece.m.work().block.count());
  put_all(text, "block ",
          piece.m.first_block_of(piece.store.cluster) + piece.store.member / threads, ", thread ",
          piece.store.member % threads, " at ", piece.m.places.at(piece.store.at));
}

inline void put(std::string& text, const launch_of& piece) {
  const task& w = piece.m.work();
  put_all(text, "kernel ", kernel_name(w.kernel), ", grid ", w.grid, ", block ", w.block);
  if (w.options.cluster > 1) put_all(text, ", cluster ", w.options.cluster);
  put_all(text, ", scratch ", w.scratch_bytes, " bytes, seed ", piece.m.seed(), ", launch ",
          piece.m.launch_number());
}

/// One line per place at which threads of a warp stand. False if there are too many lines.
inline bool describe(const warp& w, std::string& text, unsigned& lines) {
  constexpr unsigned most_lines = 12;
  const auto head = [&](lane_mask lanes) {
    put_all(text, "\n  block ", w.home->rank, ", warp ", w.rank, ", ", lane_list{lanes}, ": ");
    return ++lines <= most_lines;
  };
  for (lane_mask rest = w.exists & ~w.gone; rest != 0;) {
    const int lane = std::countr_zero(rest);
    const thread& t = w.home->threads[w.first + unsigned(lane)];
    lane_mask same = 0;
    for (lane_mask others = rest; others != 0; others &= others - 1) {
      const thread& other = w.home->threads[w.first + unsigned(std::countr_zero(others))];
      if (other.where.line() == t.where.line() && other.word == t.word && other.state == t.state)
        same |= 1u << other.lane;
    }
    rest &= ~same;
    const bool room = head(same);
    put_all(text, t.state == standing::parked ? "waiting " : "", place_of{t});
    for (const meeting& open : w.meetings)
      if ((open.came >> lane & 1) != 0)
        put_all(text, ", mask ", mask_text{open.mask}, ", missing ",
                lane_list{open.mask & ~open.came});
    if (!room) return false;
  }
  if (w.gone == 0) return true;
  const bool room = head(w.gone);
  text += "has left the kernel";
  return room;
}

inline void put(std::string& text, const standstill& piece) {
  put_all(text, "nothing can progress: ", piece.why);
  unsigned lines = 0;
  bool room = true;
  for (const cluster* team : piece.m.running_clusters())
    for (const auto& home : team->blocks)
      for (const warp& w : home->warps) room = room && describe(w, text, lines);
  if (!room) text += "\n  and others";
  if (piece.m.clusters_left() != 0)
    put_all(text, "\n  ", piece.m.clusters_left() * piece.m.work().options.cluster,
            " blocks have not started: ", piece.m.residency(),
            " fit at the same time, and nothing promises more");
}

template <class... Pieces>
void machine::stop(const thread& t, const Pieces&... pieces) {
  {
    std::string text = "virtual GPU: ";
    put_all(text, pieces..., "\n  ", name_of{t}, " ", place_of{t}, "\n  ", launch_of{*this});
    failure_ = std::make_exception_ptr(error(error_code::device, text));
  }
  abandon();
}

}  // namespace rung::virtual_gpu
