// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What ranks with parts on GPUs ask of a communicator: to send messages that lie in the memory of
// GPUs. One that does so in stream order says how (all_gather_on, all_reduce_on; nccl.hpp,
// peers.cuh); for any other they go through host memory, and the stream is waited for.
#pragma once
#include "../device/device.cuh"
#include "call.hpp"

namespace rung::detail {

/// all[r] = the message of rank r, `each` bytes; this rank's is there already. In stream order.
/// Whether it comes from a kernel of this library, for which the next one need not wait to start.
template <class C>
bool gather_on(C& comm, stream_type stream, unsigned char* all, std::size_t each) {
  if (comm.size() == 1) return false;
  unsigned char* const mine = all + std::size_t(comm.rank()) * each;
  if constexpr (requires { bool(comm.all_gather_on(stream, mine, all, each)); }) {
    return comm.all_gather_on(stream, mine, all, each);
  } else if constexpr (requires { comm.all_gather_on(stream, mine, all, each); }) {
    comm.all_gather_on(stream, mine, all, each);
  } else {
    if (is_capturing(stream))
      fail(error_code::bad_argument,
           "rung: this communicator sends from host memory, which a graph cannot capture");
    std::vector<std::byte> own(each), gathered(each * std::size_t(comm.size()));
    copy_from_gpu_later(own.data(), mine, each, stream);
    synchronize(stream);
    comm.all_gather(own, gathered);
    copy_to_gpu_later(all, gathered.data(), gathered.size(), stream);
    synchronize(stream);
  }
  return false;
}
/// words = their sums over all ranks. In stream order.
template <class C>
void add_up_on(C& comm, stream_type stream, std::int64_t* words, std::size_t count) {
  if (comm.size() == 1) return;
  if constexpr (requires { comm.all_reduce_on(stream, words, count); }) {
    comm.all_reduce_on(stream, words, count);
  } else {
    if (is_capturing(stream))
      fail(error_code::bad_argument,
           "rung: this communicator sends from host memory, which a graph cannot capture");
    std::vector<std::int64_t> sums(count);
    copy_from_gpu_later(sums.data(), words, count * 8, stream);
    synchronize(stream);
    comm.all_reduce(sums);
    copy_to_gpu_later(words, sums.data(), count * 8, stream);
    synchronize(stream);
  }
}
/// Waits for the result of a call, no longer than the communicator waits for its ranks.
template <class C>
void take_result_of(C& comm, const device& gpu, void* result, std::size_t bytes) {
  if constexpr (requires { comm.watch(gpu.stream()); })
    gpu.take_result(result, bytes, comm.watch(gpu.stream()));
  else gpu.take_result(result, bytes);
}

}  // namespace rung::detail
