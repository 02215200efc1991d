// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Launches on the virtual GPU: the kernel runs to its end before launch() returns, one launch at a
// time in the process. A finding in the kernel is thrown from launch() as rung::error.
#pragma once
#include <tuple>

#include "words.hpp"

namespace rung {
inline namespace on_virtual_gpu {

/// Streams have no meaning here: every launch has ended when launch() returns.
using stream_type = struct virtual_stream*;

/// Starts `kernel` on the stream with grid x block threads and `scratch_bytes` bytes of scratch per
/// block, and throws if it cannot start. Arguments are converted to the kernel's parameter types.
template <class... Parameters, class... Arguments>
void launch_with(const launch_options& options, void (*kernel)(Parameters...), dims grid,
                 dims block, std::size_t scratch_bytes, stream_type, Arguments&&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments),
                "launch: as many arguments as the kernel has parameters");
  struct call {
    void (*kernel)(Parameters...);
    std::tuple<std::remove_cv_t<Parameters>...> values;
  };
  const call it{kernel, {Parameters(std::forward<Arguments>(arguments))...}};
  const virtual_gpu::task work{[](const void* argument) {
                                 const call& c = *static_cast<const call*>(argument);
                                 std::apply([&](const auto&... values) { c.kernel(values...); },
                                            c.values);
                               },
                               &it,
                               reinterpret_cast<const void*>(kernel),
                               grid,
                               block,
                               scratch_bytes,
                               options};
  virtual_gpu::start(work);
}
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dims grid, dims block, std::size_t scratch_bytes,
            stream_type stream, Arguments&&... arguments) {
  launch_with({}, kernel, grid, block, scratch_bytes, stream,
              std::forward<Arguments>(arguments)...);
}

/// How many blocks of a kernel may run at the same time: as many as were chosen, otherwise some.
template <class... Parameters>
unsigned most_resident_blocks(void (*)(Parameters...), dims, std::size_t) {
  const unsigned chosen = virtual_gpu::current_settings().resident_blocks;
  return chosen != 0 ? chosen : 5;
}

/// Waits for everything on the stream; throws what a kernel did wrong.
inline void synchronize(stream_type = nullptr) {}

/// Why no kernel can run on this machine; here one always can.
inline std::string gpu_problem() { return {}; }

/// Memory of the virtual GPU, full of poison.
inline void* gpu_allocate(std::size_t bytes) { return virtual_gpu::allocations::all().make(bytes); }
inline void gpu_free(void* memory) noexcept { virtual_gpu::allocations::all().release(memory); }

inline void check_copy(const char* what, const void* memory, std::size_t bytes) {
  if (bytes == 0) return;
  const auto* home = virtual_gpu::allocations::all().find(memory);
  if (home == nullptr || !home->contains(memory, bytes))
    fail(error_code::device, std::string("virtual GPU: ") + what + " of " + std::to_string(bytes) +
                                 " bytes outside of an allocation");
}
inline void copy_to_gpu(void* to, const void* from, std::size_t bytes) {
  check_copy("copy_to_gpu", to, bytes);
  if (bytes != 0) std::memmove(to, from, bytes);
}
inline void copy_from_gpu(void* to, const void* from, std::size_t bytes) {
  check_copy("copy_from_gpu", from, bytes);
  if (bytes != 0) std::memmove(to, from, bytes);
}

}  // namespace on_virtual_gpu
}  // namespace rung
