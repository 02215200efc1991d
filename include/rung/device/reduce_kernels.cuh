// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernels of the device rung's reduce: one launch per call. Data flow: every block folds
// a tile (tile.cuh) and posts its tree as a stamped word; the block that was the last to start
// folds the words as they come. It waits for blocks that have all started, so it never waits for
// one that cannot run, whatever the order of blocks. What is left after the last whole tile is
// posted as the aligned blocks that it consists of. Few values: one block, nothing posted. Cost:
// each value read once, one word per tile written and read.
#pragma once
#include "../grid/stamped.cuh"
#include "../tune/reduce.hpp"
#include "tile.cuh"

namespace rung {

namespace detail {

/// The result of a state, as an R.
template <class R, class Op, class T>
RUNG_DEVICE R result_as(const Op& op, const state_t<Op, T>& s) {
  const auto result = result_of<Op, T>(op, s);
  if constexpr (number<R> && number<std::remove_cvref_t<decltype(result)>>)
    return convert<R>(result);
  else return R(result);
}
/// What the kernel puts where: the result of the operator, or the state as it is.
template <class Op, class T, class R>
struct result_into {
  global<R> out;
  RUNG_DEVICE void operator()(const Op& op, const state_t<Op, T>& s) const {
    out[0] = result_as<R, Op, T>(op, s);
  }
  /// A result that is known already.
  template <class F>
  RUNG_DEVICE void put(const F& result) const {
    out[0] = convert<R>(canonical(result));
  }
};
template <class S>
struct state_into {
  global<S> out;
  template <class Op>
  RUNG_DEVICE void operator()(const Op&, const S& s) const {
    out[0] = s;
  }
};

/// To memory that the host looks at: in words of 8 bytes, which arrive whole, so that there is
/// nothing to wait for between them.
template <class S>
struct state_to_host {
  global<stamped_word<std::uint32_t>> words;
  std::uint32_t stamp;
  template <class Op>
  RUNG_DEVICE void operator()(const Op&, const S& s) const {
    constexpr int count = int((sizeof(S) + 3) / 4);
    std::uint32_t data[count] = {};
    __builtin_memcpy(data, &s, sizeof(S));
    RUNG_UNROLL
    for (int i = 0; i < count; ++i)
      store_relaxed<scope::system>(words[i], stamped_word<std::uint32_t>{{data[i]}, stamp});
  }
};

/// Its joins cost more than the exchanges: lanes fold as much as they can alone.
template <class Op, class T>
inline constexpr bool slow_joins = has_block_tree<Op, T, 4>;

/// The words of a round as an array of states that come one by one.
template <class S>
struct word_source {
  global<stamped_word<S>> words;
  std::uint32_t stamp;
  using value_type = S;
  static constexpr bool aligned = false;  // one way to read them all
  static constexpr int pack_size = 4;
  template <int N>
  RUNG_DEVICE pack<S, N> some_at(std::int64_t i, std::int64_t count) const {
    pack<S, N> states;
    asked_for<S, N>(words, i, count).take(stamp, states.values);
    return states;
  }
};
/// The words of one workspace.
template <class S>
struct reduce_words {
  global<std::uint64_t> turn;     ///< which round, and how many of its blocks have started
  global<stamped_word<S>> words;  ///< of what is left, one per level; of tiles of one group; tiles
  std::int64_t count;             ///< of all words that the workspace has

  static constexpr int rest = 0, singles = 32, tiles = 64;
  static constexpr std::size_t head = 128;
  static std::size_t bytes(std::int64_t capacity) {
    return head + std::size_t(capacity) * stamped_words<S> * sizeof(stamped_word<S>);
  }
  RUNG_DEVICE void put(std::int64_t i, std::uint32_t stamp, const S& s) const {
    post(words, i, stamp, s);
  }
  RUNG_DEVICE S get(std::int64_t i, std::uint32_t stamp) const { return wait_for(words, i, stamp); }
  RUNG_DEVICE word_source<S> of_tiles(std::uint32_t stamp) const {
    return {words + std::ptrdiff_t(tiles) * stamped_words<S>, stamp};
  }
  /// The next launch has a stamp of its own. When they have all been used, the words of the round
  /// that used the same one must be gone.
  RUNG_DEVICE void end_round(std::uint32_t stamp, int threads) const {
    if (stamp + 1 == 0) [[unlikely]] {
      const stamped_word<S> none{};
      for (std::int64_t i = rank_in_block(); i < count; i += threads) store_relaxed(words[i], none);
      stamp = 0;
    }
    if (rank_in_block() == 0) store_relaxed(turn[0], std::uint64_t(stamp) << 32);
  }
};

/// How the values are cut: tiles of 2^log_groups groups per warp, then tiles of one group per warp,
/// then the rest.
struct reduce_cut {
  std::int64_t count, tiles;
  int singles, rest;
  int log_size, log_groups;  ///< a tile of one group per warp has 2^log_size values
  RUNG_HD constexpr reduce_cut(std::int64_t n, int log_size, int log_groups)
      : count(n),
        tiles(n >> (log_size + log_groups)),
        singles(int(n >> log_size & ((1 << log_groups) - 1))),
        rest(int(n & ((std::int64_t(1) << log_size) - 1))),
        log_size(log_size),
        log_groups(log_groups) {}
  RUNG_HD constexpr std::int64_t blocks() const { return tiles + singles + (rest > 0); }
  RUNG_HD constexpr reduce_cut operator()() const { return *this; }
};
/// The same of a number of values in device memory.
struct reduce_cut_on_device {
  global<const std::int64_t> count;
  int log_size, log_groups;
  RUNG_DEVICE reduce_cut operator()() const {
    const std::int64_t n = count[0];
    return {n, log_size, log_groups};
  }
};

/// What stands left of all values: nothing, or an init.
template <class S>
struct no_start {
  template <class Op>
  RUNG_DEVICE before<S> operator()(const Op& op) const {
    return nothing(op, S{});
  }
  static constexpr bool given = false;
};
template <class S>
struct start_value {
  S state;
  template <class Op>
  RUNG_DEVICE before<S> operator()(const Op&) const {
    return {state, true};
  }
  static constexpr bool given = true;
};

template <class S>
struct reduce_scratch {
  tile_scratch<S> tile;
  shared<S[32]> singles;
  shared<S[18]> rest;
  shared<std::uint64_t> turn;
};

/// The fold of the first `whole` states of a warp's lanes after `start`, in lane `holder(whole)`.
RUNG_HD constexpr bool is_tree(int n) { return n > 0 && (n & (n - 1)) == 0; }
RUNG_HD constexpr int holder(int whole) { return whole < warp_size ? whole : warp_size - 1; }
template <class Blocks, class S, class Op>
RUNG_DEVICE before<S> left_of(const Blocks& blocks, int whole, const Op& op,
                              const before<S>& start) {
  if (whole < warp_size) return blocks.exclusive(op, start);
  return {after(op, start, blocks.own), true};
}
template <class S, class Op>
RUNG_DEVICE before<S> fold_first(const S& v, int whole, const Op& op, const before<S>& start) {
  return left_of(up_sweep<false>(warp_lanes<>(), v, op), whole, op, start);
}
/// What joins the aligned blocks of `count` that are smaller than 2^Levels.
template <int Levels, class S, class Rest, class Op>
RUNG_DEVICE before<S> fold_rest(before<S> left, Rest& rest, int count, const Op& op) {
  RUNG_UNROLL
  for (int k = Levels - 1; k >= 0; --k)
    if ((count >> k & 1) != 0) left = {after(op, left, S(rest[k])), true};
  return left;
}
template <class Out, class Op, class S, class Start>
RUNG_DEVICE void put_result(const Out& out, const Op& op, const before<S>& all, std::int64_t count,
                            const Start&) {
  if (count > 0 || Start::given) out(op, all.state);
  else if constexpr (has_empty<Op, S>) out(op, empty_state<S>(op));
}

/// What the first warp makes of what fold_end has put into the scratch, behind a barrier.
template <class Tile, class S, class Op, class Put>
RUNG_DEVICE void finish_block(tile_scratch<S>& s, int warps, int count, const Op& op,
                              const before<S>& start, const Put& put) {
  if constexpr (Tile::skips) {
    const S all = after(op, start, Tile::fold_any_warps(op, s.warps));
    if (lane() == 0) put(all);
  } else if (count == warps * Tile::group && is_tree(warps)) {
    const S all = after(op, start, Tile::fold_warps(op, s.warps, 0, warps));
    if (lane() == 0) put(all);
  } else {
    const int whole = count / Tile::group;
    const before<S> all = left_of(Tile::sweep_end(op, s, count), whole, op, start);
    if (lane() == holder(whole)) put(fold_rest<Tile::levels>(all, s.rest, count, op).state);
  }
}
/// Few values that may end anywhere, folded by one block.
template <class Tile, class Start, class Out>
RUNG_DEVICE void fold_ragged(const Tile& t, int count, const Start& start, const Out& out) {
  using S = typename Tile::S;
  auto& s = scratch<tile_scratch<S>>();
  t.fold_end(0, count, s);
  block_barrier();
  if (warp_in_block() != 0) return;
  finish_block<Tile>(s, warps_of_block(), count, t.op, start(t.op), [&](const S& all) {
    put_result(out, t.op, before<S>{all, true}, count, start);
  });
}
/// The same apart from code that it would hold up: what one block needs once in a launch is read
/// from memory that no block before has warmed up.
template <class Tile, class Source, class Op, class Start, class Out>
RUNG_DEVICE_CALL void fold_ragged_apart(Source x, Op op, int count, Start start, Out out) {
  fold_ragged(Tile{x, op}, count, start, out);
}

/// Few values: one block of as many warps as they fill.
template <int Rows, int Adjacent, class Source, class Op, class Start, class Out>
RUNG_KERNEL(Rows* Adjacent == 1 ? 1024 : 512)
void reduce_in_block(Source x, Op op, int count, Start start, Out out) {
  using tile_type = tile<Rows, Adjacent, false, Source, Op>;
  using S = typename tile_type::S;
  wait_for_previous_launch();
  allow_next_launch();
  auto& s = scratch<tile_scratch<S>>();
  const int warps = warps_of_block();
  if constexpr (tile_type::skips) {
    fold_ragged(tile_type{x, op}, count, start, out);
  } else if (Rows * Adjacent > 1 && count == warps * tile_type::group && is_tree(warps)) {
    tile_type{x, op}.fold_tile(0, 0, s);
    block_barrier();
    if (warp_in_block() != 0) return;
    const S all = after(op, start(op), tile_type::fold_warps(op, s.warps, 0, warps));
    if (lane() == 0) put_result(out, op, before<S>{all, true}, count, start);
  } else if constexpr (Rows * Adjacent > 1) {
    fold_ragged_apart<tile_type>(x, op, count, start, out);
  } else {
    fold_ragged(tile_type{x, op}, count, start, out);
  }
}

/// How many blocks put_rest posts of a tile that is not whole, the largest first.
template <class Tile>
RUNG_DEVICE int posted_blocks(int rest) {
  return Tile::skips ? rest > 0 : bit_count(unsigned(rest));
}
/// What up to 128 blocks posted, and the rest, folded by one warp.
template <class Tile, class S, class Op, class Start, class Out>
RUNG_DEVICE void finish_in_warp(const reduce_words<S>& from, const reduce_cut& cut,
                                std::uint32_t stamp, const Op& op, const Start& start,
                                const Out& out) {
  constexpr int each = 4;
  const int tiles = int(cut.tiles), whole = tiles / each;
  asked_for<S, each> words(from.words, from.tiles + lane() * each, tiles - lane() * each);
  const int rest_blocks = posted_blocks<Tile>(cut.rest);
  asked_for<S> of_rest(from.words, from.rest + lane(), lane() < rest_blocks);
  S x[each], rest[1];
  words.take(stamp, x);
  warp_barrier();
  before<S> all{reduce(this_thread, x, op), true};
  const int holds = is_tree(whole) && tiles % each == 0 ? 0 : holder(whole);
  if (is_tree(whole) && tiles % each == 0) {
    for (int k = 0; 1 << k < whole; ++k) all.state = meet<true>(op, all.state, all.state, k, 0);
    all.state = after(op, start(op), all.state);
  } else {
    all = fold_first(all.state, whole, op, start(op));
    if (tiles % each != 0) all = {fold_bits<1>(all, x, 0, tiles % each, op), true};
  }
  of_rest.take(stamp, rest);
  warp_barrier();
  for (int b = 0; b < rest_blocks; ++b) all = {after(op, all, shuffle(rest[0], b)), true};
  if (lane() == holds) put_result(out, op, all, cut.count, start);
}

/// `count` states folded after `left`, in lane `holds` of the first warp; all threads of the block
/// call.
template <class States, class S, class Op>
RUNG_DEVICE before<S> fold_states(tile_scratch<S>& s, const States& source, std::int64_t count,
                                  const Op& op, before<S> left, int& holds) {
  using tile_type = tile<1, 1, false, States, joining<Op>>;
  const joining<Op> join{op};
  const int warps = warps_of_block(), most = warps * tile_type::group;
  std::int64_t at = 0;
  if (count > most) {
    counter<S> rounds;  // of the first warp
    for (int half = 0; count - at >= most; at += most, half ^= warp_size / 2) {
      const S all =
          computed(tile_type{source, join}.fold_whole(at + warp_in_block() * tile_type::group, 0));
      if (lane() == 0) s.warps[half + warp_in_block()] = all;
      block_barrier();
      if (warp_in_block() == 0) rounds.push(tile_type::fold_warps(join, s.warps, half, warps), op);
    }
    left = rounds.fold(op, left);
    block_barrier();
  }
  tile_type{source, join}.fold_end(at, int(count - at), s);
  block_barrier();
  if constexpr (tile_type::skips) {
    holds = 0;
    return {after(op, left, tile_type::fold_any_warps(join, s.warps)), true};
  } else {
    const int whole = int(count - at) / tile_type::group;
    if (is_tree(whole) && int(count - at) % tile_type::group == 0) {
      holds = 0;
      return {after(op, left, tile_type::fold_warps(join, s.warps, 0, whole)), true};
    }
    holds = holder(whole);
    left = left_of(tile_type::sweep_end(join, s, int(count - at)), whole, op, left);
    return fold_rest<tile_type::levels>(left, s.rest, int(count - at), op);
  }
}

/// Everyone's states, folded by the whole block.
template <class Tile, class From, class S, class Op, class Start, class Out>
RUNG_DEVICE void finish_in_block(const From& from, const reduce_cut& cut, std::uint32_t stamp,
                                 reduce_scratch<S>& s, const Op& op, const Start& start,
                                 const Out& out) {
  const int last = warps_of_block() - 1;
  if (warp_in_block() == last && lane() < cut.singles)
    s.singles[lane()] = from.get(from.singles + lane(), stamp);
  const int rest_blocks = posted_blocks<Tile>(cut.rest);
  if (warp_in_block() == last && lane() < rest_blocks)
    s.rest[lane()] = from.get(from.rest + lane(), stamp);
  int holds;
  before<S> all = fold_states(s.tile, from.of_tiles(stamp), cut.tiles, op, start(op), holds);
  if (warp_in_block() != 0) return;
  if (cut.singles > 0) {
    all.state = shuffle(all.state, holds), all.some = shuffle(int(all.some), holds) != 0;
    all = fold_first(S(s.singles[lane() < cut.singles ? lane() : 0]), cut.singles, op, all);
    holds = holder(cut.singles);
  }
  if (lane() != holds) return;
  for (int b = 0; b < rest_blocks; ++b) all = {after(op, all, S(s.rest[b])), true};
  put_result(out, op, all, cut.count, start);
}

/// The tree of a power of two of warps, 16 at most.
template <int Most = 16, class S, std::size_t N, class Op>
RUNG_DEVICE S fold_warps(const shared<S[N]>& warps, int count, const Op& op) {
  if constexpr (Most == 1) return warps[0];
  else if (count == Most) return tree_of<S, Most>(warps, 0, op);
  else return fold_warps<Most / 2>(warps, count, op);
}

/// The blocks that a tile which is not whole consists of, to their places. The first warp calls.
template <class Tile, class To, class S, class Op>
RUNG_DEVICE void put_rest(const To& to, tile_scratch<S>& s, int count, std::uint32_t stamp,
                          const Op& op) {
  if constexpr (Tile::skips) {
    const S all = Tile::fold_any_warps(op, s.warps);
    if (lane() == 0) to.put(to.rest, stamp, all);
    return;
  }
  const auto blocks = Tile::sweep_end(op, s, count);
  const int warps = count / Tile::group;
  RUNG_UNROLL
  for (int k = 0; k < blocks.levels; ++k)
    if (lane() == warps && (warps >> k & 1) != 0)
      to.put(to.rest + bit_count(unsigned(warps) >> k) - 1, stamp, blocks.left[k]);
  if (lane() < Tile::levels && (count >> lane() & 1) != 0)
    to.put(to.rest + bit_count(unsigned(count) >> lane()) - 1, stamp, S(s.rest[lane()]));
}

/// A block's tile, folded and put where it is waited for. The stamp is asked for when the first
/// warp needs it.
template <class Tile, class To, class S, class Stamp>
RUNG_DEVICE void fold_and_put(const Tile& t, const To& to, const reduce_cut& cut,
                              std::int64_t block, tile_scratch<S>& s, Stamp&& stamp) {
  const std::int64_t size = std::int64_t(1) << cut.log_size;
  const bool whole = block < cut.tiles;
  std::int64_t left = 0;  // values that are left for a block without a long tile
  if (whole) [[likely]] {
    t.fold_tile(block << (cut.log_size + cut.log_groups), cut.log_groups, s);
  } else {
    const std::int64_t first = ((cut.tiles << cut.log_groups) + (block - cut.tiles))
                               << cut.log_size;
    left = cut.count - first;
    if (left > 0) t.fold_end(first, int(left < size ? left : size), s);
  }
  const std::uint32_t round = stamp();
  if (warp_in_block() != 0) return;
  if (whole || left >= size) [[likely]] {
    const std::int64_t place = whole ? to.tiles + block : to.singles + (block - cut.tiles);
    const S all = Tile::fold_warps(t.op, s.warps, 0, warps_of_block());
    if (lane() == 0) to.put(place, round, all);
  } else if (left > 0) {
    put_rest<Tile>(to, s, int(left), round, t.op);
  }
}

/// How the values are cut, which round it is, and which block of it this one is in the order of
/// starting.
struct reduce_turn {
  reduce_cut cut;
  std::uint64_t turn;
  RUNG_DEVICE static std::uint32_t stamp_of(std::uint64_t turn) {
    return std::uint32_t(turn >> 32) + 1;
  }
  RUNG_DEVICE std::uint32_t stamp() const { return stamp_of(turn); }
  RUNG_DEVICE bool is_last() const { return std::uint32_t(turn) + 1 == grid_shape().x; }
};
/// A block's turn is taken, and its tile folded and posted.
template <class Tile, class Cut, class S>
RUNG_DEVICE reduce_turn post_in_turn(const Tile& t, const reduce_words<S>& words, const Cut& how,
                                     reduce_scratch<S>& s) {
  std::uint64_t turn = 0;
  if (rank_in_block() == 0) turn = atomic_add(words.turn[0], std::uint64_t(1));
  const reduce_cut cut = how();
  fold_and_put(t, words, cut, block_index().x, s.tile, [&] {
    if (rank_in_block() == 0) s.turn = turn;  // it has come while the values did
    block_barrier();
    turn = s.turn;
    return reduce_turn::stamp_of(turn);
  });
  return {cut, turn};
}

/// Up to 128 tiles: one warp of the last block to start folds what they post. (The stamp read by a
/// load of its own, so that no block waits for its turn, was 0.2 us slower from 2^14 to 2^18.)
template <int Rows, int Adjacent, class Source, class Op, class Cut, class Start, class Out,
          class S>
RUNG_KERNEL(512)
void reduce_few_tiles(Source x, Op op, Cut how, reduce_words<S> words, Start start, Out out) {
  using tile_type = tile<Rows, Adjacent, false, Source, Op>;
  auto& s = scratch<reduce_scratch<S>>();
  wait_for_previous_launch();
  allow_next_launch();
  const reduce_turn mine = post_in_turn(tile_type{x, op}, words, how, s);
  if (warp_in_block() != 0 || !mine.is_last()) return;
  finish_in_warp<tile_type>(words, mine.cut, mine.stamp(), op, start, out);
  words.end_round(mine.stamp(), warp_size);
}

/// Any number of tiles. Blocks of a power of two of warps, 16 at most.
template <int Rows, int Adjacent, class Source, class Op, class Cut, class Start, class Out,
          class S>
RUNG_KERNEL(tune::warps_of_tiles(slow_joins<Op, typename Source::value_type>) * 32,
            tune::blocks_of_tiles(sizeof(S), slow_joins<Op, typename Source::value_type>))
void reduce_tiles(Source x, Op op, Cut how, reduce_words<S> words, Start start, Out out) {
  using tile_type = tile<Rows, Adjacent, true, Source, Op>;
  auto& s = scratch<reduce_scratch<S>>();
  wait_for_previous_launch();
  allow_next_launch();
  const reduce_turn mine = post_in_turn(tile_type{x, op}, words, how, s);
  if (!mine.is_last()) return;
  block_barrier();
  finish_in_block<tile_type>(words, mine.cut, mine.stamp(), s, op, start, out);
  block_barrier();
  words.end_round(mine.stamp(), int(block_shape().x));
}

}  // namespace detail
}  // namespace rung
