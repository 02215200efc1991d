// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The ways that texts teach to scan an array with many blocks, under their own names, to read, to
// time and to compare. In all of them a block holds a tile in shared memory, folds it, learns what
// stands left of the tile and behind it, and scans its values after that; they differ in how it
// learns. In the texts what stands left is a running sum. In the one order it is the fold of the
// aligned blocks of 2^k tiles that their number consists of, so trees of such blocks are handed
// over, not only prefixes: of the blocks that tile t completes, up to 2^(trailing ones of t) tiles,
// others need the largest only. That is one word per tile, as in a Fenwick tree. Sources: Blelloch
// (1990), Fenwick (1994); Yan et al., "StreamScan" (2013); Merrill and Garland, "Single-pass
// parallel prefix scan with decoupled look-back" (2016).
#pragma once
#include "../device/scan.cuh"

namespace rung {

namespace detail {

/// Scans a tile, all of the block. The first warp calls find(tree of the tile, left, next): `left`
/// is what stands left of everything, and becomes what stands left of the tile; `next` becomes what
/// stands behind it. Of a tile that is not whole, tree and next are any state.
template <int Packs, class Work, class Find>
RUNG_DEVICE void scan_classic_tile(const Work& w, std::int64_t tile, const Find& find) {
  using S = typename Work::S;
  one_tile<scan_kind<false, Work::start_type::given>, Packs, Work>::scan(
      w, tile, false, [] {}, [](const S&) {}, find);
}

template <int Packs, class Work>
constexpr std::size_t classic_tile_bytes(int warps) {
  return one_tile<scan_kind<false, Work::start_type::given>, Packs, Work>::bytes(warps);
}

/// The first of three kernels: trees of whole tiles, one per block.
template <int Packs, class Work>
RUNG_KERNEL(512)
void three_fold_tiles(Work w, global<typename Work::S> trees) {
  using S = typename Work::S;
  using tile_type = tile<Packs, 1, false, typename Work::source_type, typename Work::op_type>;
  auto& s = scratch<tile_scratch<S>>();
  wait_for_previous_launch();
  allow_next_launch();
  const std::int64_t t = block_index().x;
  tile_type{w.x, w.op}.fold_tile(t * warps_of_block() * tile_type::group, 0, s);
  block_barrier();
  if (warp_in_block() != 0) return;
  const S tree = tile_type::fold_warps(w.op, s.warps, 0, warps_of_block());
  if (lane() == 0) trees[t] = tree;
}

template <class S>
struct three_scratch {
  shared<S[32]> trees, begins;
  shared<S[32]> block, end;  ///< of 2^k chunks: the tree, and what stands behind it
};
/// The second, of one block: from the trees 0 .. count - 1 to what stands left of tiles 0 .. count,
/// a chunk of one tree per thread at a time. Behind a chunk stands what stands left of the largest
/// block that it completes, then that block: a binary counter.
template <class Work>
RUNG_KERNEL(1024)
void three_scan_trees(Work w, global<typename Work::S> trees, std::int64_t count) {
  using S = typename Work::S;
  auto& s = scratch<three_scratch<S>>();
  wait_for_previous_launch();
  allow_next_launch();
  const auto& op = w.op;
  const int warps = warps_of_block(), warp = warp_in_block();
  before<S> left = w.start(op);  // of the chunk; the first warp knows it
  for (unsigned chunk = 0; std::int64_t(chunk) * warps * warp_size <= count; ++chunk) {
    const std::int64_t i = std::int64_t(chunk) * warps * warp_size + rank_in_block();
    S tree{};
    if (i < count) tree = trees[i];
    const auto blocks = up_sweep<false>(warp_lanes<>(), tree, op);
    if (lane() == warp_size - 1) s.trees[warp] = blocks.own;
    block_barrier();
    if (warp == 0) {
      const auto of_warps = sweep_warps(s.trees, warps, op);
      const before<S> begin = of_warps.exclusive(op, left);
      if (lane() < warps) s.begins[lane()] = begin.state;
      S v = shuffle(of_warps.own, warps - 1);
      int k = 0;
      for (; (chunk >> k & 1) != 0; ++k) v = op(S(s.block[k]), v);
      const unsigned above = chunk & (chunk + 1);  // chunks left of that block
      left = {above != 0 ? S(op(S(s.end[lowest_bit(above)]), v)) : after(op, w.start(op), v), true};
      warp_barrier();
      if (lane() == 0) s.block[k] = v, s.end[k] = left.state;
      warp_barrier();
    }
    block_barrier();
    const bool some = w.start(op).some || chunk > 0 || warp > 0;
    const before<S> mine = blocks.exclusive(op, before<S>{S(s.begins[warp]), some});
    if (i <= count) trees[i] = mine.state;
  }
}

/// The third: the tiles, each after what stands left of it.
template <int Packs, class Work>
RUNG_KERNEL(512)
void three_scan_tiles(Work w, global<typename Work::S> prefixes, std::int64_t whole) {
  using S = typename Work::S;
  wait_for_previous_launch();
  allow_next_launch();
  const std::int64_t t = block_index().x;
  scan_classic_tile<Packs>(w, t, [&](const S&, before<S>& left, S& next) {
    if (t > 0) left = {S(prefixes[t]), true};
    if (t < whole) next = prefixes[t + 1];
  });
}

/// The largest block that tile t completes: its own tree, behind the blocks of 2^k tiles that stand
/// left of it for k < ones, which lanes k hold.
template <class S, class Op>
RUNG_DEVICE S complete_block(const S& mine, const S& block, int ones, const Op& op) {
  S all = mine;
  for (int k = 0; k < ones; ++k) all = op(S(shuffle(block, k)), all);
  return all;
}
/// The blocks of 2^k tiles that `bits` names, which lanes k hold, after `left`, largest first.
template <class S, class Op>
RUNG_DEVICE before<S> fold_blocks(before<S> left, const S& block, std::uint32_t bits,
                                  const Op& op) {
  while (bits != 0) {
    const int k = highest_bit(bits);
    left = {after(op, left, S(shuffle(block, k))), true};
    bits ^= 1u << k;
  }
  return left;
}

/// Waits for what stands behind tile t - 1, which posts that and its largest block. Behind tile t
/// stands what stands left of the largest block that it completes, and that block.
struct find_by_chain {
  template <class S, class Op>
  RUNG_DEVICE void operator()(const scan_words<S>& words, std::uint32_t stamp, std::uint32_t t,
                              const Op& op, const S& mine, before<S>& left, S& next) const {
    const int ones = lowest_bit(~t);
    const std::uint32_t above = t & (t + 1);  // tiles left of the block
    // Lanes: 0 .. ones - 1 ask for blocks, `ones` for what stands left of them, the last one for
    // what stands left of the tile.
    const bool is_block = lane() < ones, is_last = lane() == warp_size - 1;
    const bool asks = is_block || (lane() == ones && above != 0) || (is_last && t > 0);
    const std::uint32_t at = is_last ? t - 1 : t - (1u << lane());
    asked_for<S> word(is_block ? words.words : words.prefixes(), asks ? at : 0, asks);
    S x[1];
    word.take(stamp, x);
    warp_barrier();
    const before<S> start = left;
    const S block = complete_block(mine, x[0], ones, op);
    const S left_of_block = shuffle(x[0], ones);
    next = after(op, above != 0 ? before<S>{left_of_block, true} : start, block);
    const S behind_last = shuffle(x[0], warp_size - 1);
    if (t > 0) left = {behind_last, true};
    if (lane() == 0) {
      post(words.words, t, stamp, block);
      post(words.prefixes(), t, stamp, next);
    }
  }
};

/// Looks for the blocks that t consists of, one per lane, all at once; posts the largest that tile
/// t completes as soon as those that are part of it are there.
struct find_by_look_back {
  template <class S, class Op>
  RUNG_DEVICE void operator()(const scan_words<S>& words, std::uint32_t stamp, std::uint32_t t,
                              const Op& op, const S& mine, before<S>& left, S& next) const {
    const int ones = lowest_bit(~t);
    const std::uint32_t above = t & (t + 1);
    const bool asks = (t >> lane() & 1) != 0;
    const std::uint32_t end = t >> lane() << lane();  // of the lane's block
    asked_for<S> word(words.words, asks ? end - 1 : 0, asks);
    S x[1];
    while (!all_lanes(word.look(stamp) || lane() >= ones)) {
    }
    word.get(x);
    const S block = complete_block(mine, x[0], ones, op);
    if (lane() == 0) post(words.words, t, stamp, block);
    while (!all_lanes(word.look(stamp))) {
    }
    word.get(x);
    left = fold_blocks(left, x[0], above, op);
    next = after(op, left, block);
    left = fold_blocks(left, x[0], t ^ above, op);
  }
};

/// Blocks take tiles in the order of starting: whoever is waited for has started, whatever the
/// order of blocks, and if one block runs at a time.
template <class Find, int Packs, class Work>
RUNG_KERNEL(512)
void scan_by_tickets(Work w, scan_words<typename Work::S> words) {
  using S = typename Work::S;
  auto& s = scratch<one_tile_scratch<S>>();
  wait_for_previous_launch();
  allow_next_launch();
  if (rank_in_block() == 0) s.turn = atomic_add(words.turn[0], std::uint64_t(1));
  block_barrier();
  const std::uint64_t turn = s.turn;
  const std::uint32_t stamp = words.stamp_of(turn), t = std::uint32_t(turn);
  scan_classic_tile<Packs>(w, t, [&](const S& mine, before<S>& left, S& next) {
    Find{}(words, stamp, t, w.op, mine, left, next);
  });
  if (warp_in_block() == 0) words.leave(words.count_out(), stamp);
}

/// go(packs, work, values of a tile): after all checks, unless there is nothing to do.
template <class What, class R, class Op, class Init, class Go>
void with_classic_scan(const What& what, const view<R>& out, const Op& op, const Init& init,
                       int warps, const Go& go) {
  const auto given = device_source(what);
  using Source = typename std::remove_cvref_t<decltype(given)>::type;
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  static_assert(
      !requires { given.count; },
      "rung: the classic scans take their number of values from the host");
  static_assert(sizeof(S) <= 64, "rung: a scan on the device takes states of 64 bytes at most");
  check_operator<Op, T>();
  if (warps < 1 || warps > 16 || (warps & (warps - 1)) != 0)
    fail(error_code::bad_argument, "rung: a classic scan's tile is for 1, 2, 4, 8 or 16 warps");
  constexpr int N = Source::pack_size;
  using packs = std::integral_constant<int, (scan_packs<Source, S> > 1 ? 2 : 1)>;
  const scan_target<R> target = check_scan(given, out);
  if (given.size == 0) return;
  const auto with = [&](const auto& start) {
    using Start = std::remove_cvref_t<decltype(start)>;
    go(packs(),
       scan_work<Source, Op, count_given, Start, scan_output<Op, T, R, N>, no_total>{
           given.source, op, {given.size}, start, {target.first, target.backwards}, {}},
       std::int64_t(warps) * packs() * warp_size * N);
  };
  if constexpr (requires { init.place; }) with(start_of_scan<S>(init));
  else with(start_of_device<Op, Source>(init));
}

template <class Find, class What, class R, class Op, class Init>
void scan_with_tickets(const device& where, const What& what, const view<R>& out, const Op& op,
                       const Init& init, int warps) {
  with_classic_scan(
      what, out, op, init, warps, [&]<class Work>(auto packs, const Work& work, std::int64_t size) {
        using S = typename Work::S;
        const std::int64_t tiles = (work.count.n + size - 1) / size;
        launch_with({.early = where.overlaps()}, scan_by_tickets<Find, packs(), Work>, tiles,
                    warps * warp_size, classic_tile_bytes<packs(), Work>(warps), where.stream(),
                    work, scan_words_of<S, classic_scan_kind>(where, tiles));
      });
}

}  // namespace detail

/// The arguments of each are those of the device rung's inclusive_scan: out[i] = the fold of
/// what[0 .. i], after init (a state, or init_at) if given, in device memory, after what is already
/// on the stream. `out` may be the input itself. The call returns at once, throws rung::error
/// before anything is started, and can be captured into a graph. warps: a tile is two packs per
/// lane for each, 2048 values of 4 bytes for 8 of them; 1, 2, 4, 8 or 16. Not offered: exclusive
/// entries, a total, a number of values in device memory.
namespace classic {

/// Three launches, reduce-then-scan: trees of the tiles, one block's scan of the trees, a scan of
/// every tile after what stands left of it. No block waits for another, but each grid for the one
/// before. Cost: values are read twice and written once, 3 n; two launches; a block alone.
template <class What, class Out, class Op, class Init = std::nullopt_t>
void scan_three_kernels(const device& where, const What& what, Out&& out, const Op& op,
                        const Init& init = std::nullopt, int warps = 8) {
  rung::detail::with_classic_scan(
      what, rung::view(out), op, init, warps,
      [&]<class Work>(auto packs, const Work& work, std::int64_t size) {
        using namespace rung::detail;
        using S = typename Work::S;
        const launch_options options{.early = where.overlaps()};
        const std::int64_t n = work.count.n, whole = n / size, tiles = (n + size - 1) / size;
        const int threads = warps * warp_size;
        const std::size_t capacity = std::size_t(whole / 1024 + 1) * 1024;
        auto* const trees =
            static_cast<S*>(where.workspace(classic_trees_kind, capacity * sizeof(S)));
        if (whole > 0) {
          launch_with(options, three_fold_tiles<packs(), Work>, whole, threads,
                      sizeof(tile_scratch<S>), where.stream(), work, trees);
          launch_with(options, three_scan_trees<Work>, 1, 4 * threads > 1024 ? 1024 : 4 * threads,
                      sizeof(three_scratch<S>), where.stream(), work, trees, whole);
        }
        launch_with(options, three_scan_tiles<packs(), Work>, tiles, threads,
                    classic_tile_bytes<packs(), Work>(warps), where.stream(), work, trees, whole);
      });
}

/// One launch: tile t waits for what stands behind tile t - 1, and posts what stands behind itself,
/// in stamped words. Cost: values are read once and written once, 2 n; a chain of as many hops
/// through the second-level cache as there are tiles. Unlike the textbook's, a tile also posts a
/// block of trees, which later ones need to keep the one order.
template <class What, class Out, class Op, class Init = std::nullopt_t>
void scan_chained(const device& where, const What& what, Out&& out, const Op& op,
                  const Init& init = std::nullopt, int warps = 8) {
  rung::detail::scan_with_tickets<rung::detail::find_by_chain>(where, what, rung::view(out), op,
                                                               init, warps);
}

/// One launch: decoupled look-back. The textbook's tile posts its sum, walks back over its
/// neighbours and adds their sums, until one has posted a prefix; then it posts its own. How far it
/// walks, and so the order of the additions, differs from run to run. Here tile t looks at the
/// words of at most log2 t tiles, which t alone determines, and posts one word, which waits for
/// those of the words that are part of its block: no prefixes are posted. Cost: 2 n; a word per
/// tile written, log2 t / 2 read; log2 t hops for the tile that ends the longest block, one on
/// average.
template <class What, class Out, class Op, class Init = std::nullopt_t>
void scan_look_back(const device& where, const What& what, Out&& out, const Op& op,
                    const Init& init = std::nullopt, int warps = 8) {
  rung::detail::scan_with_tickets<rung::detail::find_by_look_back>(where, what, rung::view(out), op,
                                                                   init, warps);
}

}  // namespace classic
}  // namespace rung
