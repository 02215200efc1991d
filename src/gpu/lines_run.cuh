// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Lines of arrays in host memory, folded or scanned on the GPU, which holds all their values at a
// time. Data flow:
//   host --fill--> pinned --> GPU --load--> values, line by line --fold--> states --> pinned
//   --take-->
//                                           or --scan--> entries --store--> pinned --drain--> host
// Elements come in C order, whatever the lines are, and each goes to its place in its line; the
// entries of a scan go back the same way. While a chunk crosses the bus the host fills or drains
// another. Cost on the GPU: memory for every value as packed, and for a state per line; for an
// exclusive scan the entries beside the values.
#pragma once
#include "lines.cuh"
#include "run.cuh"
#include "store.cuh"

namespace rung::runtime {

/// Two chunks under way: each is used again when the GPU is through with it.
template <class Bring>
void in_turns(std::int64_t count, std::int64_t length, stream_type stream, const Bring& bring) {
  gpu_event done[2];
  for (std::int64_t k = 0; k * length < count; ++k) {
    if (k >= 2) done[k & 1].wait();
    bring(int(k & 1), k * length, std::min(length, count - k * length));
    done[k & 1].record(stream);
  }
  for (std::int64_t k = 0; k < 2 && k * length < count; ++k) done[k].wait();
}

/// All values, each at its place.
inline gpu_memory values_of_lines(const device& where, const gpu_lines_job& job) {
  const std::int64_t length = chunk_length(job);
  chunk_sizes size = sizes_of(job, 0);
  gpu_memory values(gpu_allocate(std::size_t(job.count) * size_of(code_of(job.held))));
  size.value = 0;  // they have their places
  chunk_input chunks[2] = {{size, length}, {size, length}};
  in_turns(job.count, length, where.stream(), [&](int turn, std::int64_t first, std::int64_t n) {
    chunks[turn].bring(job, size, first, n, where.stream(), where.stream());
    load_chunk(where, job, chunks[turn].elements, n, values.get(), {job.places, first});
  });
  return values;
}

template <class Offset>
RUNG_KERNEL(256)
void even_offsets(Offset length, std::int64_t count, global<Offset> offsets) {
  const std::int64_t threads = std::int64_t(grid_shape().x) * 256;
  for (std::int64_t i = std::int64_t(block_index().x) * 256 + thread_rank(); i < count;
       i += threads)
    offsets[i] = i * length;
}
inline std::int64_t blocks_for(std::int64_t threads) {
  return std::min<std::int64_t>((threads + 255) / 256, 4096);
}
inline gpu_memory offsets_of_lines(const device& where, const gpu_lines_job& job) {
  const std::int64_t count = job.lines + 1;
  gpu_memory offsets(gpu_allocate(std::size_t(count) * sizeof(std::int64_t)));
  auto* const to = static_cast<std::int64_t*>(offsets.get());
  if (job.length > 0) {
    launch(even_offsets<std::int64_t>, blocks_for(count), 256, 0, where.stream(), job.length, count,
           to);
    return offsets;
  }
  const std::int64_t length = std::min(count, job.chunk);
  const std::size_t bytes = std::size_t(length) * sizeof(std::int64_t);
  const pinned_memory pinned[2] = {pinned_memory(allocate_pinned(bytes)),
                                   pinned_memory(allocate_pinned(bytes))};
  in_turns(count, length, where.stream(), [&](int turn, std::int64_t first, std::int64_t n) {
    auto* const some = static_cast<std::int64_t*>(pinned[turn].get());
    job.fill_offsets(first, n, some);
    copy_to_gpu_later(to + first, some, std::size_t(n) * sizeof(std::int64_t), where.stream());
  });
  return offsets;
}

/// `count` things of `size` bytes to the host: make(turn, first, n) says where some of them are on
/// the GPU, take(first, n, memory) gets them.
template <class Make, class Take>
void take_in_turns(const device& where, std::int64_t count, std::size_t size, std::int64_t length,
                   const Make& make, const Take& take) {
  length = std::min(length, count);
  const pinned_memory back[2] = {pinned_memory(allocate_pinned(std::size_t(length) * size)),
                                 pinned_memory(allocate_pinned(std::size_t(length) * size))};
  gpu_event returned[2];
  const std::int64_t chunks = (count + length - 1) / length;
  const auto give = [&](std::int64_t k) {
    returned[k & 1].wait();
    take(k * length, std::min(length, count - k * length), back[k & 1].get());
  };
  for (std::int64_t k = 0; k < chunks; ++k) {
    const std::int64_t n = std::min(length, count - k * length);
    if (k >= 2) give(k - 2);
    copy_from_gpu_later(back[k & 1].get(), make(int(k & 1), k * length, n), std::size_t(n) * size,
                        where.stream());
    returned[k & 1].record(where.stream());
  }
  for (std::int64_t k = std::max<std::int64_t>(0, chunks - 2); k < chunks; ++k) give(k);
}

/// An exclusive scan's entries before the first value of each line that has one.
template <class P>
RUNG_KERNEL(256)
void put_first_entries(global<const std::int64_t> offsets, std::int64_t lines, P first,
                       global<P> entries) {
  const std::int64_t threads = std::int64_t(grid_shape().x) * 256;
  for (std::int64_t s = std::int64_t(block_index().x) * 256 + thread_rank(); s < lines;
       s += threads) {
    const std::int64_t begin = offsets[s], end = offsets[s + 1];
    if (begin < end) entries[begin] = first;
  }
}

inline void run_lines(const gpu_lines_job& job, const gpu_lines& kernels) {
  const gpu_stream stream;
  const device where(stream);
  const gpu_memory values = values_of_lines(where, job), offsets = offsets_of_lines(where, job);
  const auto* const begins = static_cast<const std::int64_t*>(offsets.get());
  const values_in_lines lines{values.get(), job.count, begins, job.lines, job.init, job.nothing};
  if (!job.scan) {
    const std::size_t size = kernels.state_size;
    const gpu_memory states(gpu_allocate(std::size_t(job.lines) * size));
    kernels.fold(where, lines, states.get());
    const auto* const first_state = static_cast<const std::byte*>(states.get());
    take_in_turns(
        where, job.lines, size, std::max<std::int64_t>(1, job.chunk / 4),
        [&](int, std::int64_t first, std::int64_t) {
          return first_state + std::size_t(first) * size;
        },
        job.take);
    return;
  }
  // Entry i stands in the place of value i, or, if the scan is exclusive, one further on.
  gpu_memory apart;
  const void* entries = values.get();
  if (!job.exclusive) {
    kernels.scan(where, lines, values.get());
  } else {
    apart.reset(gpu_allocate(std::size_t(job.count + 1) * size_of(code_of(job.held))));
    entries = apart.get();
    visit(job.held, [&](auto t) {
      using P = typename decltype(t)::type;
      P* const to = static_cast<P*>(apart.get());
      kernels.scan(where, lines, to + 1);
      launch(put_first_entries<P>, blocks_for(job.lines), 256, 0, where.stream(), begins, job.lines,
             kernels.first(job.init).template as<P>(), to);
    });
  }
  const std::int64_t length = chunk_length(job);
  const std::size_t size = size_of(job.result);
  const gpu_memory results[2] = {gpu_memory(gpu_allocate(std::size_t(length) * size)),
                                 gpu_memory(gpu_allocate(std::size_t(length) * size))};
  take_in_turns(
      where, job.count, size, length,
      [&](int turn, std::int64_t first, std::int64_t n) {
        store_chunk(where, job.held, job.result, entries, n, results[turn].get(),
                    {job.places, first});
        return results[turn].get();
      },
      job.drain);
}

}  // namespace rung::runtime
