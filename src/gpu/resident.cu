// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls whose arrays lie in GPU memory (resident.hpp): the stream's queue, then the device rung's
// own kernels where there are some for the operation and type (fast.hpp), otherwise the way that
// serves all (resident_run.cuh).
#include <map>
#include <mutex>

#include "../exact.hpp"
#include "fast.hpp"
#include "resident_run.cuh"

namespace rung::runtime {
namespace {

struct fast_entry {
  rung_op op;
  rung_type type;
  fast_function* run;
};
constexpr fast_entry fast_table[] = {
    {RUNG_SUM, RUNG_F32, fast_sum_f32},       {RUNG_MEAN, RUNG_F32, fast_sum_f32},
    {RUNG_SUM, RUNG_F64, fast_sum_f64},       {RUNG_MEAN, RUNG_F64, fast_sum_f64},
    {RUNG_SUM, RUNG_F16, fast_sum_f16},       {RUNG_MEAN, RUNG_F16, fast_sum_f16},
    {RUNG_SUM, RUNG_BF16, fast_sum_bf16},     {RUNG_MEAN, RUNG_BF16, fast_sum_bf16},
    {RUNG_SUM, RUNG_I32, fast_sum_i32},       {RUNG_SUM, RUNG_I64, fast_sum_i64},
    {RUNG_MIN, RUNG_F32, fast_min_f32},       {RUNG_MAX, RUNG_F32, fast_max_f32},
    {RUNG_ARGMIN, RUNG_F32, fast_argmin_f32}, {RUNG_ARGMAX, RUNG_F32, fast_argmax_f32},
    {RUNG_VAR, RUNG_F32, fast_spread_f32},    {RUNG_STD, RUNG_F32, fast_spread_f32},
    {RUNG_NORM, RUNG_F32, fast_norm_f32},     {RUNG_LOGSUMEXP, RUNG_F32, fast_logsumexp_f32},
    {RUNG_CUMSUM, RUNG_F32, fast_cumsum_f32}, {RUNG_CUMSUM, RUNG_F64, fast_cumsum_f64},
    {RUNG_CUMSUM, RUNG_F16, fast_cumsum_f16}, {RUNG_CUMSUM, RUNG_BF16, fast_cumsum_bf16},
    {RUNG_CUMSUM, RUNG_I32, fast_cumsum_i32}, {RUNG_CUMSUM, RUNG_I64, fast_cumsum_i64},
};
constexpr fast_entry exact_table[] = {{RUNG_SUM, RUNG_F32, fast_exact_f32},
                                      {RUNG_SUM, RUNG_F64, fast_exact_f64},
                                      {RUNG_SUM, RUNG_F16, fast_exact_f16},
                                      {RUNG_SUM, RUNG_BF16, fast_exact_bf16}};

/// Not arrays that begin between two elements, which no library makes.
bool are_aligned(const resident_call& call) {
  const std::size_t size = rung_type_size(call.types[0].type), to = rung_type_size(call.how.result);
  return reinterpret_cast<std::uintptr_t>(call.in[0].data) % size == 0 &&
         reinterpret_cast<std::uintptr_t>(call.out[0].data) % to == 0;
}
/// Throws where there are none: exact states are too large for the other way.
fast_function* find_exact(const resident_call& call) {
  const kernel_op op = call.how.kernel;
  const bool served = (op == kernel_op::exact_plus || op == kernel_op::exact_mean) &&
                      call.offsets == nullptr && call.init == nullptr &&
                      call.how.result == call.types[0].type && !rung_op_is_scan(call.how.op);
  for (const fast_entry& f : exact_table)
    if (served && f.type == call.types[0].type && are_aligned(call)) return f.run;
  fail(
      error_code::bad_argument,
      "rung: in GPU memory, exact are sums and means of f16, bf16, f32 and f64 along axes, without "
      "an initial value, another accumulator, or NaNs left out; all else that is exact takes "
      "arrays in host memory");
}
/// Null: there are no own kernels for this call.
fast_function* find_fast(const resident_call& call) {
  if (is_exact(call.how.kernel)) return find_exact(call);
  if (!call.is_plain || call.offsets != nullptr || call.exclusive) return nullptr;
  for (const fast_entry& f : fast_table) {
    if (f.op != call.how.op || f.type != call.types[0].type) continue;
    return are_aligned(call) && call.in[0].shape.size() > 0 ? f.run : nullptr;
  }
  return nullptr;
}

/// Makes a GPU the current one for a while.
class current_gpu {
 public:
  explicit current_gpu(std::int32_t gpu) {
    check(cudaGetDevice(&before_), "rung: GPU");
    number_ = gpu < 0 ? before_ : gpu;
    if (number_ != before_) check(cudaSetDevice(number_), "rung: GPU");
  }
  current_gpu(const current_gpu&) = delete;
  ~current_gpu() {
    if (number_ != before_) cudaSetDevice(before_);
  }
  int number() const { return number_; }

 private:
  int before_ = 0, number_ = 0;
};

/// The first call of a program may be one that is captured into a graph, whose mode forbids what
/// has to be made for it.
class relaxed_capture {
 public:
  relaxed_capture() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  relaxed_capture(const relaxed_capture&) = delete;
  ~relaxed_capture() { cudaThreadExchangeStreamCaptureMode(&mode_); }

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

/// Workspaces from a pool of rung's own, which keeps some memory between calls: that of CUDA's own
/// pool goes back at every synchronisation, and takes long to get again.
class pool_memory : public device_memory {
 public:
  explicit pool_memory(int gpu) {
    const relaxed_capture meanwhile;
    cudaMemPoolProps how{};
    how.allocType = cudaMemAllocationTypePinned;
    how.location = {cudaMemLocationTypeDevice, gpu};
    check(cudaMemPoolCreate(&pool_, &how), "rung: memory pool");
    std::uint64_t kept = std::uint64_t(256) << 20;
    check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &kept),
          "rung: memory pool");
  }
  void* allocate(std::size_t bytes, stream_type stream) override {
    void* memory = nullptr;
    check(cudaMallocFromPoolAsync(&memory, bytes, pool_, stream),
          ("rung: allocation of " + std::to_string(bytes) + " bytes of GPU memory").c_str());
    return memory;
  }

 private:
  cudaMemPool_t pool_ = nullptr;
};

/// A stream and its workspaces; one call at a time puts its work there.
struct queue {
  std::mutex busy;
  device where;
  queue(stream_type stream, device_memory* memory) : where(stream, memory) {}
};
struct gpu_state {
  pool_memory memory;
  stream_type own = nullptr;
  std::map<stream_type, std::unique_ptr<queue>> queues;
  explicit gpu_state(int gpu) : memory(gpu) {}
};
/// Never freed: CUDA may have ended before the program's last destructors.
struct all_gpus {
  std::mutex busy;
  std::map<int, gpu_state> states;
  static all_gpus& get() {
    static all_gpus* const all = new all_gpus;
    return *all;
  }
  gpu_state& state(int gpu) { return states.try_emplace(gpu, gpu).first->second; }
};

void expect_usable() {
  static const std::string refusal = gpu_refusal();
  if (!refusal.empty()) fail(error_code::device, "rung: an array in GPU memory: " + refusal);
}

template <class F>
void on_stream(std::int32_t gpu, void* stream, const F& f) {
  expect_usable();
  const current_gpu here(gpu);
  const auto s = static_cast<stream_type>(stream);
  all_gpus& all = all_gpus::get();
  queue* q = nullptr;
  {
    const std::lock_guard lock(all.busy);
    gpu_state& state = all.state(here.number());
    auto& slot = state.queues[s];
    if (!slot) slot = std::make_unique<queue>(s, &state.memory);
    q = slot.get();
  }
  const std::lock_guard lock(q->busy);
  f(q->where);
}

template <class F>
void with_gpu(std::int32_t gpu, const F& f) {
  expect_usable();
  const current_gpu here(gpu);
  all_gpus& all = all_gpus::get();
  const std::lock_guard lock(all.busy);
  f(all.state(here.number()));
}

}  // namespace

void reduce_resident(const resident_call& call) {
  on_stream(call.gpu, call.stream, [&](const device& where) {
    if (fast_function* const run = find_fast(call)) return run(where, call);
    const kernel_op op = call.how.kernel;
    run_resident_fold(where, call,
                      {find_gpu_fold(op, call.how.held), find_gpu_lines(op, call.how.held),
                       find_finish(op, call.how.held)});
  });
}
void scan_resident(const resident_call& call) {
  on_stream(call.gpu, call.stream, [&](const device& where) {
    if (fast_function* const run = find_fast(call)) return run(where, call);
    run_resident_scan(where, call, find_gpu_lines(call.how.kernel, call.how.held));
  });
}
void recurrence_resident(const recurrence_call& call) {
  on_stream(call.common.gpu, call.common.stream, [&](const device& where) {
    visit(call.held, [&](auto t) {
      using P = typename decltype(t)::type;
      using part = std::conditional_t<std::is_same_v<P, std::uint64_t>, std::int64_t, P>;
      run_resident_recurrence<part>(where, call, find_affine_scan(call.held));
    });
  });
}

void* own_stream(std::int32_t gpu) {
  void* stream = nullptr;
  with_gpu(gpu, [&](gpu_state& state) {
    if (state.own == nullptr)
      check(cudaStreamCreateWithFlags(&state.own, cudaStreamNonBlocking), "rung: stream");
    stream = state.own;
  });
  return stream;
}
void hold_back(std::int32_t gpu, void* first, void* then) {
  const current_gpu here(gpu);
  gpu_event passed;
  passed.record(static_cast<stream_type>(first));
  passed.hold_back(static_cast<stream_type>(then));
}
void* allocate_resident(std::int32_t gpu, std::size_t bytes, void* stream) {
  void* memory = nullptr;
  with_gpu(gpu, [&](gpu_state& state) {
    memory = state.memory.allocate(bytes == 0 ? 1 : bytes, static_cast<stream_type>(stream));
  });
  return memory;
}
void free_resident(std::int32_t, void* memory, void* stream) noexcept {
  stream_free(memory, static_cast<stream_type>(stream));
}
void* mark(std::int32_t gpu, void* stream) {
  const current_gpu here(gpu);
  auto event = std::make_unique<gpu_event>();
  event->record(static_cast<stream_type>(stream));
  return event.release();
}
bool has_passed(void* mark) noexcept {
  auto* const event = static_cast<gpu_event*>(mark);
  if (!event->has_passed()) return false;
  delete event;
  return true;
}

}  // namespace rung::runtime
