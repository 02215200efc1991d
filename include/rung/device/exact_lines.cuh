// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact sums of many lines: along axes, by segments, by keys. Data flow: a warp collects a line in
// a window of levels (exact_window.cuh) and makes its result. Lines of more than 2^13 values go on
// a list: all warps collect pieces of them and add their limbs to the line's by atomics of
// integers, and then a warp makes each result. Sums have no order, so nobody waits. Cost: the
// values once, moments twice; per line some hundred instructions of one lane.
#pragma once
#include "exact.cuh"

namespace rung::detail {

/// What one walk over a line's values adds up: each of them as a Value, into a State.
template <class Value, class State>
struct exact_walk {
  struct source {
    using value_type = Value;
    static constexpr int pack_size = 1;
  };
  using state = State;
  using collector = window_collector<State, source>;
  static constexpr int limbs = collector::limbs;
  template <class T>
  static RUNG_DEVICE Value value_of(const T& x) {
    if constexpr (std::is_same_v<T, Value>) return x;
    else return Value{x};
  }
};
/// No second walk.
struct no_walk {
  static constexpr int limbs = 0;
};
template <class Op, class T>
struct exact_walks {
  using state = state_t<Op, T>;
  static auto sum_of(const state& s) {
    if constexpr (requires { s.sum; }) return s.sum;
    else return s;
  }
  static constexpr bool squares = sums_squares<Op>;
  using first = exact_walk<std::conditional_t<squares, exact_square<T>, T>,
                           decltype(sum_of(std::declval<const state&>()))>;
  using second = no_walk;
  static RUNG_DEVICE state state_of(const typename first::state& sum, std::int64_t n) {
    state s;
    sum_to_state(sum, n, s);
    return s;
  }
};
template <class T>
struct exact_walks<exact_moments, T> {
  using state = exact_moments_state<T>;
  using first = exact_walk<T, exact_state<T>>;
  using second = exact_walk<exact_square<T>, exact_state<exact_product<T>>>;
};

/// The limbs of a line in a warp's scratch.
template <class Walks>
struct line_limbs {
  static constexpr int first_limbs = Walks::first::limbs, second_limbs = Walks::second::limbs;
  static constexpr bool walks_twice = second_limbs > 0;
  /// On the list: limbs, and a word for what was seen, of each walk.
  static constexpr int words = first_limbs + 1 + (walks_twice ? second_limbs + 1 : 0);
  block_limbs<first_limbs> first;
  block_limbs<walks_twice ? second_limbs : 1> second;

  /// f(limbs, the walk, its first word on the list)
  template <class F>
  RUNG_DEVICE void each(const F& f) {
    f(first, typename Walks::first(), 0);
    if constexpr (walks_twice) f(second, typename Walks::second(), first_limbs + 1);
  }
  RUNG_DEVICE void clear() {
    warp_barrier();
    each([](auto& to, auto walk, int) {
      for (int i = lane(); i < decltype(walk)::limbs; i += warp_size) to.limb[i] = 0;
      if (lane() == 0) to.seen = 0;
    });
    warp_barrier();
  }
  /// The state of n values, for one lane.
  RUNG_DEVICE typename Walks::state state_of(std::int64_t n) const {
    using A = typename Walks::first::state;
    const A a = state_of_limbs<A, 0>(first.limb, first.seen);
    if constexpr (walks_twice) {
      using B = typename Walks::second::state;
      return {a, state_of_limbs<B, 0>(second.limb, second.seen), n};
    } else {
      return Walks::state_of(a, n);
    }
  }
};

/// Segments as lines, with a begin and an end each.
template <class Source, class O, class Out>
struct segments_as_lines {
  using value_type = typename Source::value_type;
  Source x;
  global<const O> begins, ends;
  std::int64_t values;
  counted_values segments;  ///< how many
  Out out;

  struct line {
    std::int64_t begin, length;
  };
  RUNG_DEVICE std::int64_t count() const { return segments(); }
  /// Wrong offsets are moved into the array.
  RUNG_DEVICE line at(std::int64_t i) const {
    const auto inside = [&](std::int64_t at) { return at < 0 ? 0 : at > values ? values : at; };
    const std::int64_t begin = inside(std::int64_t(load_read_only(begins[i]))),
                       end = inside(std::int64_t(load_read_only(ends[i])));
    return {begin, end > begin ? end - begin : 0};
  }
  RUNG_DEVICE value_type value(const line& l, std::int64_t i) const {
    return x.template some_at<1>(l.begin + i, 1)[0];
  }
  template <class Op, class S>
  RUNG_DEVICE void put(const Op& op, std::int64_t i, const line& l, const S& s) const {
    out(op, i, l.begin, s);
  }
};
/// Values begin .. end - 1 of a line, by one warp, to its limbs.
template <class Walk, int Limbs, class Lines>
RUNG_DEVICE void collect_line(block_limbs<Limbs>& to, const Lines& lines,
                              const typename Lines::line& l, std::int64_t begin, std::int64_t end) {
  using collector = typename Walk::collector;
  using V = typename collector::T;
  constexpr int packs = collector::packs, trip = warp_size * packs;
  collector c{to, {}};
  for (std::int64_t first = begin; first < end; first += trip) {
    typename collector::values v[packs];
    RUNG_UNROLL
    for (int j = 0; j < packs; ++j) {
      const std::int64_t i = first + j * warp_size + lane();
      v[j][0] = i < end ? Walk::value_of(lines.value(l, i)) : V(doubles_of<V>::nothing());
    }
    if (first == begin) c.start(v);
    const bool left = !c.add(v);
    if (any_lane(left)) c.add_rest(left, v);
    if (++c.window.trips >= c.window.most_trips) c.window.move_to(to);
  }
  c.window.move_to(to);
  const unsigned saw = redux_or(c.seen);
  if (lane() == 0) to.seen = std::uint32_t(to.seen) | saw;
}

/// The list of long lines, as many as it has room for.
struct long_lines {
  struct entry {
    std::int64_t line, first_piece;
  };
  static constexpr int log_piece = 13, pieces_bits = 40;
  static constexpr std::int64_t piece = std::int64_t(1) << log_piece;
  static constexpr std::size_t head = 128;
  global<std::uint64_t> taken;  ///< [0] entries and their pieces, [1] blocks; zeros between calls
  global<entry> entries;
  global<std::uint64_t> words;  ///< of every entry
  std::int64_t room;

  static std::size_t bytes(std::int64_t room, int words_of_each) {
    return head + std::size_t(room) * (sizeof(entry) + std::size_t(words_of_each) * 8);
  }
  static RUNG_DEVICE std::int64_t pieces_of(std::int64_t length) {
    return (length + piece - 1) >> log_piece;
  }
  static RUNG_DEVICE std::int64_t low(std::uint64_t w) {
    return std::int64_t(w & ((std::uint64_t(1) << pieces_bits) - 1));
  }
  RUNG_DEVICE std::int64_t count() const {
    const auto n = std::int64_t(taken[0] >> pieces_bits);
    return n < room ? n : room;
  }
  RUNG_DEVICE std::int64_t pieces() const { return low(taken[0]); }
  /// One more line, with words that are zero; false: wrong offsets have more than there is room
  /// for. The whole warp calls.
  RUNG_DEVICE bool add(std::int64_t line, std::int64_t length, int words_of_each) const {
    if (room == 0) return false;
    const auto mine = std::uint64_t(1) << pieces_bits | std::uint64_t(pieces_of(length));
    std::uint64_t before = 0;
    if (lane() == 0) before = atomic_add(taken[0], mine);
    before = shuffle(before, 0);
    const auto e = std::int64_t(before >> pieces_bits);
    if (e >= room) return false;
    if (lane() == 0) entries[e] = entry{line, low(before)};
    for (int i = lane(); i < words_of_each; i += warp_size) words[e * words_of_each + i] = 0;
    return true;
  }
  /// The entry that has this piece.
  RUNG_DEVICE std::int64_t entry_of(std::int64_t at) const {
    std::int64_t first = 0;
    for (std::int64_t n = count(); n > 1;) {
      const std::int64_t half = n / 2;
      const entry e = entries[first + half];
      if (e.first_piece <= at) first += half, n -= half;
      else n = half;
    }
    return first;
  }
};

inline constexpr int line_threads = 256;
template <class Walks>
RUNG_DEVICE line_limbs<Walks>& limbs_of_warp() {
  return scratch<line_limbs<Walks>>(std::size_t(warp_in_block()) * sizeof(line_limbs<Walks>));
}
RUNG_DEVICE std::int64_t warp_of_grid() {
  return std::int64_t(block_index().x) * (line_threads / warp_size) + warp_in_block();
}
RUNG_DEVICE std::int64_t warps_of_grid() {
  return std::int64_t(grid_shape().x) * (line_threads / warp_size);
}
template <class Op, class Lines, class Start, class S>
RUNG_DEVICE void put_line(const Lines& lines, const Op& op, const Start& start, std::int64_t i,
                          const typename Lines::line& l, S s) {
  if constexpr (Start::given) s = op(start(op).state, s);
  else if (l.length == 0) s = empty_state<S>(op);
  lines.put(op, i, l, s);
}

/// Every line but those that go on the list.
template <class Lines, class Op, class Start>
RUNG_KERNEL(line_threads)
void sum_lines(const RUNG_CONSTANT Lines lines, const RUNG_CONSTANT Op op,
               const RUNG_CONSTANT Start start, long_lines rest) {
  using walks = exact_walks<Op, typename Lines::value_type>;
  wait_for_previous_launch();
  allow_next_launch();
  auto& limbs = limbs_of_warp<walks>();
  const std::int64_t count = lines.count();
  for (std::int64_t i = warp_of_grid(); i < count; i += warps_of_grid()) {
    const auto l = lines.at(i);
    if (l.length > long_lines::piece && rest.add(i, l.length, line_limbs<walks>::words)) continue;
    limbs.clear();
    limbs.each(
        [&](auto& to, auto walk, int) { collect_line<decltype(walk)>(to, lines, l, 0, l.length); });
    warp_barrier();
    if (lane() == 0) put_line(lines, op, start, i, l, limbs.state_of(l.length));
  }
}
/// Pieces of the lines on the list, neighbours by one warp.
template <class Lines, class Op>
RUNG_KERNEL(line_threads)
void sum_pieces(const RUNG_CONSTANT Lines lines, const RUNG_CONSTANT Op, long_lines rest) {
  using walks = exact_walks<Op, typename Lines::value_type>;
  wait_for_previous_launch();
  allow_next_launch();
  auto& limbs = limbs_of_warp<walks>();
  const std::int64_t pieces = rest.pieces(), warps = warps_of_grid(),
                     each = (pieces + warps - 1) / warps, first = warp_of_grid() * each,
                     last = first + each < pieces ? first + each : pieces;
  if (first >= last) return;
  std::int64_t e = rest.entry_of(first);
  for (std::int64_t at = first; at < last && e < rest.count(); ++e) {
    const long_lines::entry mine = rest.entries[e];
    if (mine.line >= lines.count()) return;  // never, but where wrong offsets overflow the counts
    const auto l = lines.at(mine.line);
    const std::int64_t behind = mine.first_piece + long_lines::pieces_of(l.length),
                       until = behind < last ? behind : last,
                       begin = (at - mine.first_piece) << long_lines::log_piece,
                       end = (until - mine.first_piece) << long_lines::log_piece;
    limbs.clear();
    limbs.each([&](auto& to, auto walk, int word) {
      using walk_type = decltype(walk);
      collect_line<walk_type>(to, lines, l, begin, end < l.length ? end : l.length);
      warp_barrier();
      const auto words = rest.words + std::ptrdiff_t(e * line_limbs<walks>::words + word);
      for (int i = lane(); i < walk_type::limbs; i += warp_size) {
        const std::uint64_t value = to.limb[i];
        if (value != 0) atomic_add(words[i], value);
      }
      if (lane() == 0) atomic_or(words[walk_type::limbs], std::uint64_t(std::uint32_t(to.seen)));
    });
    at = until;
  }
}
/// Results of the lines on the list, which is empty then.
template <class Lines, class Op, class Start>
RUNG_KERNEL(line_threads)
void finish_long_lines(const RUNG_CONSTANT Lines lines, const RUNG_CONSTANT Op op,
                       const RUNG_CONSTANT Start start, long_lines rest) {
  using walks = exact_walks<Op, typename Lines::value_type>;
  wait_for_previous_launch();
  allow_next_launch();
  auto& limbs = limbs_of_warp<walks>();
  const std::int64_t count = rest.count();
  for (std::int64_t e = warp_of_grid(); e < count; e += warps_of_grid()) {
    warp_barrier();
    limbs.each([&](auto& to, auto walk, int word) {
      constexpr int n = decltype(walk)::limbs;
      const auto words = rest.words + std::ptrdiff_t(e * line_limbs<walks>::words + word);
      for (int i = lane(); i < n; i += warp_size) to.limb[i] = std::uint64_t(words[i]);
      if (lane() == 0) to.seen = std::uint32_t(std::uint64_t(words[n]));
    });
    warp_barrier();
    const long_lines::entry mine = rest.entries[e];
    if (mine.line >= lines.count()) break;
    const auto l = lines.at(mine.line);
    if (lane() == 0) put_line(lines, op, start, mine.line, l, limbs.state_of(l.length));
  }
  block_barrier();
  if (rank_in_block() != 0) return;
  if (atomic_add<order::acq_rel>(rest.taken[1], std::uint64_t(1)) + 1 != grid_shape().x) return;
  store_relaxed(rest.taken[0], std::uint64_t(0));
  store_relaxed(rest.taken[1], std::uint64_t(0));
}

/// most_long: how many lines may have more than a piece of values.
template <class Lines, class Op, class Start>
void launch_exact_lines(const device& where, const Lines& lines, const Op& op, const Start& start,
                        std::int64_t most_lines, std::int64_t most_long) {
  using walks = exact_walks<Op, typename Lines::value_type>;
  constexpr int warps = line_threads / warp_size;
  constexpr std::size_t scratch = warps * sizeof(line_limbs<walks>);
  const auto go = [&](auto kernel, std::int64_t lines_or_pieces, const auto&... arguments) {
    const std::int64_t most = most_resident_blocks(kernel, line_threads, scratch);
    const std::int64_t wanted = (lines_or_pieces + warps - 1) / warps;
    launch_with({.early = where.overlaps()}, kernel, std::clamp<std::int64_t>(wanted, 1, 4 * most),
                line_threads, scratch, where.stream(), arguments...);
  };
  if (most_lines == 0) return;
  long_lines rest{nullptr, nullptr, nullptr, most_long};
  if (most_long > 0) {
    constexpr int words = line_limbs<walks>::words;
    auto* const memory = static_cast<unsigned char*>(
        where.workspace(exact_lines_kind, long_lines::bytes(most_long, words)));
    auto* const entries = memory + long_lines::head;
    rest = {reinterpret_cast<std::uint64_t*>(memory), reinterpret_cast<long_lines::entry*>(entries),
            reinterpret_cast<std::uint64_t*>(entries +
                                             std::size_t(most_long) * sizeof(long_lines::entry)),
            most_long};
  }
  go(sum_lines<Lines, Op, Start>, most_lines, lines, op, start, rest);
  if (most_long == 0) return;
  go(sum_pieces<Lines, Op>, std::int64_t(1) << 30, lines, op, rest);
  go(finish_long_lines<Lines, Op, Start>, most_long, lines, op, start, rest);
}
}  // namespace rung::detail
