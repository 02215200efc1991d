// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernels of the device rung's scans: one launch per call, each value read once and written
// once. Few tiles: every block posts its tree and reads those before it (one hop), its values in
// registers; a block that waits in vain for one that does not run folds that tile itself. Many: the
// first block to start makes prefixes (scan_carry.cuh); the others take tiles in order of asking,
// fold tile i + Ahead, and finish tile i, which waits in shared memory; nobody waits for a block
// that has not started. Sources: Merrill and Garland, "Single-pass parallel prefix scan with
// decoupled look-back" (2016); Smith, Levien, Owens, "Decoupled fallback" (2025).
#pragma once
#include "reduce_kernels.cuh"
#include "scan_carry.cuh"
#include "stage.cuh"

namespace rung {

namespace detail {

/// n, from the host or from device memory.
struct count_given {
  std::int64_t n;
  RUNG_HD std::int64_t operator()() const { return n; }
};
struct count_on_device {
  global<const std::int64_t> n;
  RUNG_DEVICE std::int64_t operator()() const { return n[0]; }
};
/// An init that lies in device memory.
template <class S>
struct start_on_device {
  global<const S> place;
  template <class Op>
  RUNG_DEVICE before<S> operator()(const Op&) const {
    return {place[0], true};
  }
  static constexpr bool given = true;
};

/// The words of one workspace.
template <class S>
struct scan_words {
  global<std::uint64_t> turn;  ///< [0] which round, and how many blocks or tiles have been taken;
                               ///< [1] how many blocks have ended
  global<stamped_word<S>> words;
  std::int64_t capacity;  ///< in states: half for trees, half for prefixes

  static constexpr std::size_t head = 128;
  static std::size_t bytes(std::int64_t capacity) {
    return head + std::size_t(capacity) * stamped_words<S> * sizeof(stamped_word<S>);
  }
  RUNG_DEVICE global<stamped_word<S>> at(std::int64_t i) const {
    return words + std::ptrdiff_t(i * stamped_words<S>);
  }
  RUNG_DEVICE global<stamped_word<S>> prefixes() const { return at(capacity / 2); }
  static RUNG_DEVICE std::uint32_t stamp_of(std::uint64_t turn) {
    return std::uint32_t(turn >> 32) + 1;
  }
  /// The next launch has a stamp of its own. When they have all been used, the words of the round
  /// that used the same one must be gone. One warp calls.
  RUNG_DEVICE void end_round(std::uint32_t stamp) const {
    if (stamp + 1 == 0) [[unlikely]] {
      const stamped_word<S> none{};
      for (std::int64_t i = lane(); i < capacity * stamped_words<S>; i += warp_size)
        store_relaxed(words[i], none);
      stamp = 0;
    }
    warp_barrier();
    if (lane() == 0) {
      store_relaxed(turn[1], std::uint64_t(0));
      store_relaxed(turn[0], std::uint64_t(stamp) << 32);
    }
  }
};

/// What all scan kernels are given.
template <class Source, class Op, class Count, class Start, class Out, class Total>
struct scan_work {
  using source_type = Source;
  using op_type = Op;
  using start_type = Start;
  using total_type = Total;
  using S = state_t<Op, typename Source::value_type>;
  Source x;
  Op op;
  Count count;
  Start start;
  Out out;
  Total total;
};

/// The total of no values.
template <class Work>
RUNG_DEVICE void put_total_of_nothing(const Work& w) {
  using S = typename Work::S;
  if constexpr (Work::start_type::given) w.total(w.op, w.start(w.op).state);
  else if constexpr (has_empty<typename Work::op_type, S>) w.total(w.op, empty_state<S>(w.op));
}

/// Entries of a warp's part of a tile, put where they belong; the total of everything, if it ends
/// here.
template <class Rows, class Work, class S>
RUNG_DEVICE void finish_warp(const Rows& rows, const Work& w,
                             const pack<typename Rows::T, Rows::N> (&packs)[Rows::rows],
                             const typename Rows::sweeps& swept, std::int64_t first, std::int64_t n,
                             const before<S>& left, const S& next) {
  constexpr bool total = Work::total_type::wanted;
  if (first >= n) {
    if constexpr (total)
      if (first == n && lane() == 0) {
        if (n == 0) put_total_of_nothing(w);
        else w.total(w.op, left.state);
      }
    return;
  }
  // All entries, then all results: what lies between two branches runs at once.
  constexpr int N = Rows::N;
  typename decltype(w.out)::packed results[Rows::rows];
  const std::int64_t mine = first + lane() * N;
  rows.entries(
      packs, swept, first, left, next, [&](int r, const auto& entries, const before<S>& before_me) {
        results[r] = w.out.results(w.op, entries);
        if constexpr (total) {
          const std::int64_t count = n - mine - r * Rows::row;
          if (n - first < Rows::size && count >= 0 && count < N)
            w.total(w.op, rows.up_to(packs[r], mine + r * Rows::row, before_me, int(count)));
        }
      });
  if (n - first >= Rows::size) [[likely]] {
    w.out.put_rows(mine, results);
  } else {
    RUNG_UNROLL
    for (int r = 0; r < Rows::rows; ++r)
      w.out.put_some(mine + r * Rows::row, results[r], n - mine - r * Rows::row);
  }
}

// ---------------------------------------------------------------- few tiles

template <class S>
struct few_scratch {
  shared<S[32]> trees;
  shared<S[33]> begins;
  shared<std::uint64_t> turn;
};
inline constexpr int most_few_tiles = 128;
/// Everybody looks at everybody's trees: at one of so many copies of them, which lie in different
/// parts of the second-level cache.
inline constexpr int few_copies = 4;
template <class S>
RUNG_DEVICE void post_copies(global<stamped_word<S>> words, int tile, std::uint32_t stamp,
                             const S& tree) {
  if (lane() < few_copies) post(words, lane() * most_few_tiles + tile, stamp, tree);
}

/// The tree of a tile whose block has not been heard of, for everybody. Not inlined: hardly ever
/// needed, and instructions that are skipped take time to fetch, too.
template <int Rows, class Source, class Op, class S>
RUNG_DEVICE_CALL void fold_for_another(Source source, Op op, global<stamped_word<S>> words,
                                       int tile_number, int log_warps, std::uint32_t stamp) {
  using tile_type = tile<Rows, 1, false, coherent<Source>, Op>;
  const coherent<Source> x{source};
  const S tree = tile_type{x, op}.fold_whole(
      std::int64_t(tile_number) * tile_type::group << log_warps, log_warps);
  post_copies(words, tile_number, stamp, S(shuffle(tree, 0)));  // its block, too: the same bits
  warp_barrier();
}

/// Waits for the trees of tiles before `tile`, four per lane. Where one does not come, its block
/// may not be running: then this warp folds that tile, and posts its tree. Patience: looks; -1: any
/// number of them.
template <int Rows, class Work, class S>
RUNG_DEVICE void take_or_fold(const Work& w, global<stamped_word<S>> words, int tile, int log_warps,
                              std::uint32_t stamp, int patience, S (&x)[4]) {
  const int mine = lane() * 4;
  asked_for<S, 4> trees(words, tile % few_copies * most_few_tiles + mine, tile - mine);
  for (int waited = 0; !all_lanes(trees.look(stamp)); ++waited) {
    if (waited < patience || patience < 0) continue;
    waited = 0;
    int missing = tile;  // the first
    RUNG_UNROLL
    for (int i = 3; i >= 0; --i)
      if (mine + i < tile && !trees.is_here(i, stamp)) missing = mine + i;
    missing = redux_min(missing);
    if (missing != tile)  // otherwise it has just come
      fold_for_another<Rows>(w.x, w.op, words, missing, log_warps, stamp);
  }
  trees.get(x);
}

/// What stands left of a tile and behind it: from the trees of all tiles up to it, four per lane,
/// and what stands left of everything.
template <class S, class Op>
RUNG_DEVICE void find_prefixes(const S (&x)[4], int tile, const Op& op, before<S>& left, S& next) {
  const auto blocks = up_sweep<false>(warp_lanes<>(), reduce(this_thread, x, op), op);
  const before<S> mine = blocks.exclusive(op, left);
  const auto at = [&](int t) {
    return shuffle(reduce_at_most<4>(this_thread, x, t % 4, op, mine), t / 4);
  };
  if (tile + 1 < most_few_tiles) next = at(tile + 1);
  else next = after(op, left, shuffle(blocks.own, warp_size - 1));
  if (tile > 0) left = {at(tile), true};
}

/// Up to 128 tiles, one per block, of a power of two of warps, 16 at most. Values stay in
/// registers. In place no block may read another's tile: then tiles are taken in the order of
/// starting, and who has started needs no patience.
template <class Kind, int Rows, class Work>
RUNG_KERNEL(512, 1)
void scan_few_tiles(Work w, scan_words<typename Work::S> words, int patience, bool in_place) {
  using Source = typename Work::source_type;
  using Op = typename Work::op_type;
  using S = typename Work::S;
  using rows_type = scan_rows<Kind, Rows, coherent<Source>, Op>;
  auto& s = scratch<few_scratch<S>>();
  const coherent<Source> x{w.x};
  const rows_type rows{x, w.op};
  const int warps = warps_of_block(), warp = warp_in_block();
  const bool alone = grid_shape().x == 1;
  wait_for_previous_launch();
  allow_next_launch();

  // The stamp is known from a look at the turns; the block's own is taken later, when nobody waits.
  std::uint64_t turn = 0;
  int tile = int(block_index().x);
  if (!alone && rank_in_block() == 0) {
    if (in_place) turn = atomic_add(words.turn[0], std::uint64_t(1));
    else turn = load_relaxed(words.turn[0]);
  }
  if (in_place && !alone) {
    if (rank_in_block() == 0) s.turn = turn;
    block_barrier();
    tile = int(std::uint32_t(s.turn));
  }
  const std::int64_t n = w.count();
  const std::int64_t first = (std::int64_t(tile) * warps + warp) * rows_type::size;
  const auto t = rows.folding();
  pack<typename Source::value_type, rows_type::N> packs[Rows]{};
  RUNG_UNROLL
  for (int r = 0; r < Rows; ++r) {
    const std::int64_t left = n - first - r * rows_type::row;
    if (left > 0)
      packs[r] = t.read_each(first + r * rows_type::row,
                             left < rows_type::row ? int(left) : rows_type::row);
  }
  const auto swept = rows.sweep(packs, first);
  const S tree = tree_of<S, Rows>(swept.trees, 0, w.op);  // if values are missing, nobody uses it
  if (lane() == 0) s.trees[warp] = tree;
  block_barrier();

  const std::int64_t end = (std::int64_t(tile) + 1) * warps * rows_type::size;
  std::uint32_t stamp = 0;
  if (warp == 0) {
    before<S> left = w.start(w.op);
    S next{};
    const auto blocks =
        up_sweep<false>(warp_lanes<>(), S(s.trees[lane() < warps ? lane() : 0]), w.op);
    if (!alone) {
      stamp = words.stamp_of(shuffle(turn, 0));
      const int log_warps = floor_log2(unsigned(warps));
      S x[4];
      const S mine = fold_warps(s.trees, warps, w.op);
      if (n >= end) post_copies(words.words, tile, stamp, mine);
      if (!in_place && lane() == 0) turn = atomic_add(words.turn[0], std::uint64_t(1));
      if (end - n <= std::int64_t(warps) * rows_type::size) {  // something to do, or a total to put
        take_or_fold<Rows>(w, words.words, tile, log_warps, stamp, in_place ? -1 : patience, x);
        RUNG_UNROLL
        for (int i = 0; i < 4; ++i)
          if (lane() * 4 + i >= tile) x[i] = mine;
        find_prefixes(x, tile, w.op, left, next);
      }
    } else {
      next = after(w.op, left, fold_warps(s.trees, warps, w.op));
    }
    const before<S> mine = blocks.exclusive(w.op, left);
    if (lane() < warps) s.begins[lane()] = mine.state;
    if (lane() == 0) s.begins[warps] = next;
    if constexpr (Work::total_type::wanted)
      if (n == end && lane() == 0) w.total(w.op, next);
  }
  block_barrier();
  const bool some = Kind::has_init || first > 0 || w.start(w.op).some;
  finish_warp(rows, w, packs, swept, first, n, before<S>{S(s.begins[warp]), some},
              S(s.begins[warp + 1]));
  if (warp == 0 && !alone && std::uint32_t(shuffle(turn, 0)) + 1 == grid_shape().x)
    words.end_round(stamp);
}

// ---------------------------------------------------------------- many tiles

template <class S, int Slots>
struct tiles_scratch {
  shared<transfer_barrier[Slots]> folded;  ///< all warps have folded a tile
  shared<transfer_barrier[Slots]> ready;   ///< its tree is posted, and what stands left is known
  shared<S[Slots][16]> trees;              ///< of the warps
  shared<S[Slots][17]> begins;             ///< what stands left of each warp, and behind the tile
  shared<std::uint32_t[16]> tiles;         ///< the block's tiles, in turn
  shared<std::uint64_t> first;             ///< the first turn that the block took
};
/// Warps beside those that fold and scan: one posts trees, one takes what stands left.
inline constexpr int courier_warps = 2;

/// The way of a block's tiles. Stages: tiles of a block in shared memory; Ahead: those of them that
/// are folded and wait for what stands left of them. Warps fold and scan their parts of the tiles
/// and meet nobody: two couriers stand between them and the other blocks.
template <class Kind, int Rows, int Stages, int Ahead, class Work>
struct tile_pipeline {
  using Source = typename Work::source_type;
  using Op = typename Work::op_type;
  using S = typename Work::S;
  using rows_type = scan_rows<Kind, Rows, Source, Op>;
  using stage_type = stage<rows_type::size, Source>;
  static constexpr int slots = Ahead + 1;
  using scratch_type = tiles_scratch<S, slots>;
  static constexpr std::size_t head = (sizeof(scratch_type) + 15) / 16 * 16;
  static_assert(Stages > Ahead && Ahead > 0 && Stages + Ahead + 1 <= 16);
  static constexpr std::size_t bytes(int warps) {
    const std::size_t stages = std::size_t(Stages) * std::size_t(warps) * stage_type::bytes;
    return head + (stages > sizeof(chain_scratch<S>) ? stages : sizeof(chain_scratch<S>));
  }

  const Work& w;
  const scan_words<S>& words;
  scratch_type& s;
  std::int64_t n, whole, tiles;  // values; tiles with all of theirs; tiles
  std::uint32_t stamp;
  int warps, warp;  // that fold; this one
  bool in_place;

  RUNG_DEVICE rows_type rows() const { return {w.x, w.op}; }
  RUNG_DEVICE std::int64_t tile(int k) const { return std::uint32_t(s.tiles[k % 16]); }
  RUNG_DEVICE std::int64_t first_of(std::int64_t t) const {
    return (t * warps + warp) * rows_type::size;
  }
  /// Where the warp's part of a stage lies.
  RUNG_DEVICE std::uint32_t stage_at(int place) const {
    return std::uint32_t(head) + std::uint32_t((place * warps + warp) * int(stage_type::bytes));
  }
  RUNG_DEVICE std::uint32_t take_tile() const {
    return std::uint32_t(atomic_add(words.turn[0], std::uint64_t(1))) - 1;
  }
  static constexpr std::uint32_t no_tile = 0xffffffffu;

  /// A slot of tile k = 0, 1, ..., and how often it has been used.
  struct ring {
    int slot = 0;
    unsigned parity = 0;
    RUNG_DEVICE void next() {
      if (++slot == slots) slot = 0, parity ^= 1;
    }
  };

  // ---- warps that fold and scan

  RUNG_DEVICE void load(int k, int place) const {
    const std::int64_t t = tile(k), first = first_of(t);
    if (t < tiles && first < n) stage_type::load(w.x, stage_at(place), first, n, !in_place);
    copy_async_commit();
  }
  /// The tree of the warp's part of tile k; some state, if values are missing.
  RUNG_DEVICE void fold(int k, int place, int slot) const {
    const std::int64_t t = tile(k), first = first_of(t);
    if (t >= tiles) return;
    S tree{};
    if (n - first >= rows_type::size) {
      pack<typename Source::value_type, rows_type::N> packs[Rows];
      stage_type::get(w.x, stage_at(place), first, packs);
      tree = computed(rows().fold([&](int r) { return packs[r]; }, first));
    }
    if (lane() == 0) {
      s.trees[slot][warp] = tree;
      arrive_transfer(s.folded[slot]);
    }
  }
  RUNG_DEVICE void finish(int k, int place, int slot) const {
    const std::int64_t t = tile(k), first = first_of(t);
    const bool some = Kind::has_init || t > 0 || warp > 0 || w.start(w.op).some;
    pack<typename Source::value_type, rows_type::N> packs[Rows]{};
    if (first < n) stage_type::get(w.x, stage_at(place), first, packs);
    finish_warp(rows(), w, packs, rows().sweep(packs, first), first, n,
                before<S>{S(s.begins[slot][warp]), some}, S(s.begins[slot][warp + 1]));
  }
  RUNG_DEVICE void fold_and_scan() const {
    constexpr int at_first = Stages - Ahead;  // not all at once: memory is slow to get going
    for (int k = 0; k < at_first; ++k) load(k, k);
    for (int k = 0; k < Ahead; ++k) {
      copy_async_wait<at_first - 1>();
      warp_barrier();
      fold(k, k, k);
      load(k + at_first, k + at_first);
    }
    ring here;
    int place = 0, place_ahead = Ahead, slot_ahead = Ahead;
    for (int k = 0; tile(k) < tiles; ++k) {
      wait_transfer<scope::block>(s.ready[here.slot], here.parity);
      finish(k, place, here.slot);
      warp_barrier();
      load(k + Stages, place);
      copy_async_wait<Stages - Ahead>();
      warp_barrier();
      fold(k + Ahead, place_ahead, slot_ahead);
      slot_ahead = here.slot;
      here.next();
      place = place + 1 == Stages ? 0 : place + 1;
      place_ahead = place_ahead + 1 == Stages ? 0 : place_ahead + 1;
    }
    copy_async_wait<0>();
  }

  // ---- couriers

  /// Posts the trees of tiles, and asks for the block's next tiles.
  RUNG_DEVICE void post_trees(bool takes_more) const {
    ring here;
    for (int k = 0; tile(k) < tiles; ++k) {
      std::uint32_t later = no_tile;
      if (takes_more && lane() == 0) later = take_tile();  // comes while others fold
      wait_transfer<scope::block>(s.folded[here.slot], here.parity);
      const S tree = fold_warps(s.trees[here.slot], warps, w.op);
      if (lane() == 0) {
        if (tile(k) < whole) post(words.words, tile(k), stamp, tree);
        s.tiles[(k + Stages) % 16] = later;
      }
      warp_barrier();
      if (lane() == 0) arrive_transfer(s.ready[here.slot]);
      here.next();
    }
  }
  /// Finds what stands left of every warp's part of a tile.
  RUNG_DEVICE void take_prefixes() const {
    ring here;
    for (int k = 0; tile(k) < tiles; ++k) {
      const std::int64_t t = tile(k);
      asked_for<S, 2> word(words.prefixes(), t, whole == 0 ? 0 : t < whole ? 2 : 1);
      wait_transfer<scope::block>(s.folded[here.slot], here.parity);
      const S v = s.trees[here.slot][lane() < warps ? lane() : 0];
      const auto blocks = up_sweep<false>(as_measured<S>(warp_lanes<>()), v, w.op);
      S x[2];
      word.take(stamp, x);
      warp_barrier();
      before<S> left = w.start(w.op);
      if (t > 0) left = {x[0], true};
      S begin = blocks.exclusive(w.op, left).state;
      if (lane() == warps && t < whole) begin = x[1];
      if (lane() <= warps) s.begins[here.slot][lane()] = begin;
      warp_barrier();
      if (lane() == 0) arrive_transfer(s.ready[here.slot]);
      here.next();
    }
  }

  /// All threads of the block; `turn` is its first. A block has no right to more than `quota` tiles
  /// before others have theirs, where that is no more than it can hold.
  RUNG_DEVICE void run(std::uint64_t turn, int quota) const {
    if (rank_in_block() == 0) {
      std::uint32_t mine[Stages];
      mine[0] = std::uint32_t(turn) - 1;
      RUNG_UNROLL
      for (int k = 1; k < Stages; ++k) mine[k] = k < quota ? take_tile() : no_tile;
      RUNG_UNROLL
      for (int k = 0; k < Stages; ++k) s.tiles[k] = mine[k];
      for (int i = 0; i < slots; ++i) {
        init_transfer(s.folded[i], unsigned(warps));
        init_transfer(s.ready[i], courier_warps);
      }
    }
    block_barrier();
    if (warp < warps) fold_and_scan();
    else if (warp == warps) post_trees(quota > Stages);
    else take_prefixes();
  }
};

/// Any number of tiles; blocks of a power of two of warps, 16 at most, and couriers; two blocks or
/// more.
template <class Kind, int Rows, int Stages, int Ahead, class Work>
RUNG_KERNEL(512 + courier_warps * warp_size, 1)
void scan_tiles(Work w, scan_words<typename Work::S> words, int quota, bool in_place) {
  using pipeline = tile_pipeline<Kind, Rows, Stages, Ahead, Work>;
  using S = typename Work::S;
  auto& s = scratch<typename pipeline::scratch_type>();
  wait_for_previous_launch();
  allow_next_launch();
  if (rank_in_block() == 0) s.first = atomic_add(words.turn[0], std::uint64_t(1));
  const std::int64_t n = w.count();
  block_barrier();
  const std::uint64_t turn = s.first;
  const int warps = warps_of_block() - courier_warps;
  const std::int64_t size = std::int64_t(warps) * pipeline::rows_type::size;
  const std::int64_t whole = n / size, tiles = (n + size - 1) / size;
  const std::uint32_t stamp = words.stamp_of(turn);
  if (std::uint32_t(turn) == 0) {
    carry_maker<S, typename Work::op_type, typename Work::total_type>{
        words.words, words.prefixes(), whole, stamp, w.op, w.total, whole * size == n}
        .run(scratch<chain_scratch<S>>(pipeline::head), w.start(w.op));
    if constexpr (Work::total_type::wanted)
      if (n == 0 && rank_in_block() == 0) put_total_of_nothing(w);
  } else {
    pipeline{w, words, s, n, whole, tiles, stamp, warps, warp_in_block(), in_place}.run(turn,
                                                                                        quota);
  }
  block_barrier();
  if (warp_in_block() != 0) return;
  std::uint64_t ended = 0;
  if (lane() == 0) ended = atomic_add(words.turn[1], std::uint64_t(1));
  if (shuffle(ended, 0) + 1 == grid_shape().x) words.end_round(stamp);
}

}  // namespace detail
}  // namespace rung
