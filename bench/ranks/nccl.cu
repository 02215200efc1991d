// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums, exact sums, prefix sums and sums of columns of f32 over the GPUs of one machine, through
// NCCL, a thread each: bench_ranks_nccl [--json FILE] [most GPUs [log2 of the most values]]. Every
// number of GPUs has the same totals, so strong scaling is a column of the table, and weak scaling
// a diagonal. Peers in the same run: CUB's sum of the part and ncclAllReduce, which is in another
// order; CUB's scan of each part, which is no scan of the whole. Values depend on their position;
// results have to be the same bits for any number of GPUs. Time: graphs of several calls on
// different parts of the input, of the slowest rank, the median; "value": as the host sees it.
#include "rung/ranks/nccl.hpp"

#include <barrier>
#include <cub/cub.cuh>

#include "../device/timing.cuh"
#include "rung/ranks/gpu_axis.cuh"
#include "rung/ranks/gpu_scan.cuh"
#include "rung/ranks/local.hpp"
#include "rung/ranks/peers.cuh"

namespace rung::bench {
namespace {

__global__ void fill_positions(float* x, std::int64_t n, std::int64_t first) {
  std::int64_t i = blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x;
  for (; i < n; i += std::int64_t(gridDim.x) * blockDim.x) {
    std::uint64_t z = std::uint64_t(first + i + 1) * 0xBF58476D1CE4E5B9ull;
    z ^= z >> 29, z *= 0x94D049BB133111EBull, z ^= z >> 32;
    x[i] = float(z & 0xffffff) / 16777216.0f - 0.5f;
  }
}
/// A hash of all entries and where they stand: that of parts is the xor of theirs.
__global__ void hash_entries(const float* y, std::int64_t n, std::int64_t first,
                             unsigned long long* hash) {
  unsigned long long mine = 0;
  std::int64_t i = blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x;
  for (; i < n; i += std::int64_t(gridDim.x) * blockDim.x) {
    std::uint64_t z = (std::uint64_t(first + i) << 32 ^ __float_as_uint(y[i])) * 0x9E3779B97F4A7C15;
    z ^= z >> 31, z *= 0x94D049BB133111EBull;
    mine ^= z ^ z >> 29;
  }
  atomicXor(hash, mine);
}

void must_nccl(ncclResult_t status) {
  if (status == ncclSuccess) return;
  std::fprintf(stderr, "nccl: %s\n", ncclGetErrorString(status));
  std::exit(1);
}

/// What the ranks of a run share.
struct team {
  std::barrier<> barrier;
  std::vector<double> times;
  std::vector<unsigned long long> hashes;
  explicit team(int size) : barrier(size), times(std::size_t(size)), hashes(std::size_t(size)) {}
};

class rank_bench {
 public:
  rank_bench(team& all, nccl& comm, ncclComm_t raw, std::int64_t most)
      : all_(all), comm_(comm), raw_(raw), peers_(comm) {
    must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream");
    room_ = most / comm.size() + 2 * 4096 + 256;
    if (room_ < min_room) room_ = min_room;
    must(cudaMalloc(&x_, std::size_t(room_) * 4), "memory");
    must(cudaMalloc(&y_, std::size_t(room_) * 4), "memory");
    must(cudaMalloc(&out_, 1 << 20), "memory");
    must(cudaMalloc(&temp_, temp_bytes), "memory");
  }
  ~rank_bench() {
    cudaFree(x_), cudaFree(y_), cudaFree(out_), cudaFree(temp_);
    cudaStreamDestroy(stream_);
  }

  /// All points of n values in all.
  void points(std::int64_t n, std::vector<point>& to, std::map<std::string, std::string>& bits,
              double read, double copy) {
    const int size = comm_.size(), me = comm_.rank();
    const std::int64_t begin = n / size * me, count = me + 1 == size ? n - begin : n / size;
    const device gpu(stream_);
    const auto even = ranks{comm_, gpu_part(gpu).even(n).checked(false)};
    const auto close = ranks{peers_, gpu_part(gpu).even(n).checked(false)};
    // Call i reads at an offset of its own, if there is room.
    const std::int64_t step = (count + 255) / 256 * 256;
    const std::int64_t slots = std::max<std::int64_t>(1, std::min<std::int64_t>(room_ / step, 32));
    const auto in = [&](int i) { return view<const float>(x_ + i % slots * step, {count}); };
    const auto out = [&](int i) { return view<float>(y_ + i % slots * step, {count}); };
    for (std::int64_t s = 0; s < slots; ++s)
      fill_positions<<<1024, 256, 0, stream_>>>(x_ + s * step, count, begin);
    const int calls = n >> 28 != 0 ? 3 : 20;
    const std::string gpus = ", " + std::to_string(size) + (size == 1 ? " GPU" : " GPUs");
    const auto add = [&](const std::string& what, double us, double bytes, double limit,
                         std::map<std::string, double> peers,
                         std::vector<std::int64_t> shape = {}) {
      if (me != 0) return;
      to.push_back({what + gpus, "f32", n, us, bytes, limit * size, std::move(peers), shape});
      print(to.back());
    };
    const auto same_bits = [&](const std::string& what, const std::string& now) {
      if (me != 0) return;
      const std::string key = what + " " + std::to_string(n);
      if (bits.count(key) == 0) bits[key] = now;
      if (bits[key] != now) {
        std::fprintf(stderr, "%s, %lld values: other bits with %d GPUs\n", what.c_str(),
                     static_cast<long long>(n), size);
        std::exit(1);
      }
    };
    const auto result_bits = [&] {
      std::uint32_t got = 0;
      must(cudaMemcpyAsync(&got, out_, 4, cudaMemcpyDeviceToHost, stream_), "result");
      comm_.wait(stream_);
      return std::to_string(got);
    };

    // ---- sums
    std::map<std::string, double> theirs_on_gpu;
    std::size_t bytes = temp_bytes;
    theirs_on_gpu["cub_and_allreduce"] = device_time(calls, [&](int i) {
      must(cub::DeviceReduce::Sum(temp_, bytes, in(i).data(), out_, count, stream_), "cub");
      if (size > 1) must_nccl(ncclAllReduce(out_, out_, 1, ncclFloat, ncclSum, raw_, stream_));
    });
    const auto plain = [&](int i) {
      if (size == 1) reduce(gpu, in(i), plus{}, into(out_));
      else reduce(even, in(i), plus{}, into(out_));
    };
    add("sum", device_time(calls, plain), double(n) * 4, read, theirs_on_gpu);
    same_bits("sum", result_bits());
    if (size > 1) {
      add("sum, peers",
          device_time(calls, [&](int i) { reduce(close, in(i), plus{}, into(out_)); }),
          double(n) * 4, read, theirs_on_gpu);
      same_bits("sum", result_bits());
      add("inclusive sum, peers",
          device_time(calls, [&](int i) { inclusive_scan(close, in(i), out(i), plus{}); }),
          double(n) * 8, copy, {});
      inclusive_scan(close, in(0), out(0), plus{});
      same_bits("inclusive sum", hash_of(out(0), begin));
    }
    if (n <= 1 << 24) {
      const double us = host_time([&] {
        if (size == 1) (void)reduce(gpu, in(0), plus{});
        else (void)reduce(even, in(0), plus{});
      });
      const double theirs = host_time([&] {
        must(cub::DeviceReduce::Sum(temp_, bytes, in(0).data(), out_, count, stream_), "cub");
        if (size > 1) must_nccl(ncclAllReduce(out_, out_, 1, ncclFloat, ncclSum, raw_, stream_));
        float value = 0;
        must(cudaMemcpyAsync(&value, out_, 4, cudaMemcpyDeviceToHost, stream_), "value");
        must(cudaStreamSynchronize(stream_), "value");
      });
      add("sum, value", us, double(n) * 4, read, {{"cub_and_allreduce", theirs}});
      if (size > 1) {
        add("sum, value, peers", host_time([&] { (void)reduce(close, in(0), plus{}); }),
            double(n) * 4, read, {{"cub_and_allreduce", theirs}});
        const ranks asks{comm_, gpu};
        add("sum, value, counts asked for", host_time([&] { (void)reduce(asks, in(0), plus{}); }),
            double(n) * 4, read, {});
      }
    }
    if (size > 1) {  // parts that begin anywhere
      std::vector<std::int64_t> cuts(std::size_t(size) + 1, n);
      for (int r = 0; r < size; ++r) cuts[std::size_t(r)] = r == 0 ? 0 : n / size * r - 777 * r;
      const std::int64_t part = cuts[std::size_t(me) + 1] - cuts[std::size_t(me)];
      const auto uneven = ranks{comm_, gpu_part(gpu).split(cuts).checked(false)};
      const view<const float> mine(x_, {part});
      const view<float> entries(y_, {part});
      fill_positions<<<1024, 256, 0, stream_>>>(x_, part, cuts[std::size_t(me)]);
      add("sum, unaligned",
          device_time(calls, [&](int) { reduce(uneven, mine, plus{}, into(out_)); }), double(n) * 4,
          read, {});
      same_bits("sum", result_bits());
      add("inclusive sum, unaligned",
          device_time(calls, [&](int) { inclusive_scan(uneven, mine, entries, plus{}); }),
          double(n) * 8, copy, {});
      same_bits("inclusive sum", hash_of(entries, cuts[std::size_t(me)]));
      fill_positions<<<1024, 256, 0, stream_>>>(x_, part, begin);
    }
    // ---- exact sums
    add("exact sum",
        device_time(calls,
                    [&](int i) {
                      if (size == 1) reduce(gpu, in(i), exact_plus{}, into(out_));
                      else reduce(even, in(i), exact_plus{}, into(out_));
                    }),
        double(n) * 4, read, {});
    same_bits("exact sum", result_bits());
    // ---- prefix sums
    bytes = temp_bytes;
    const double scan = device_time(calls, [&](int i) {
      must(cub::DeviceScan::InclusiveSum(temp_, bytes, in(i).data(), out(i).data(), count, stream_),
           "cub");
    });
    add("inclusive sum",
        device_time(calls,
                    [&](int i) {
                      if (size == 1) inclusive_scan(gpu, in(i), out(i), plus{});
                      else inclusive_scan(even, in(i), out(i), plus{});
                    }),
        double(n) * 8, copy, {{"cub_of_each_part", scan}});
    inclusive_scan(even, in(0), out(0), plus{});
    same_bits("inclusive sum", hash_of(out(0), begin));
    // ---- sums of 4096 columns, the rows split
    const std::int64_t columns = 4096, rows = n / columns;
    const std::int64_t first = rows / size * me, mine = me + 1 == size ? rows - first : rows / size;
    const view<const float> matrix(x_, {mine, columns});
    const view<float> sums(out_, {columns});
    fill_positions<<<1024, 256, 0, stream_>>>(x_, mine * columns, first * columns);
    const auto by_rows = ranks{comm_, gpu_part(gpu).even(rows).checked(false)};
    add("sum of columns",
        device_time(calls,
                    [&](int) {
                      if (size == 1) reduce(gpu, matrix, plus{}, axes{0}, into(sums));
                      else reduce(by_rows, matrix, plus{}, split_along{0}, axes{0}, into(sums));
                    }),
        double(n) * 4, read, {}, {rows, columns});
    same_bits("sum of columns", me == 0 ? std::to_string(own_hash(sums, 0)) : "");
  }

  static constexpr std::int64_t min_room = std::int64_t(1) << 26;

 private:
  static constexpr std::size_t temp_bytes = std::size_t(64) << 20;

  unsigned long long own_hash(const view<float>& y, std::int64_t first) {
    auto* const hash = reinterpret_cast<unsigned long long*>(static_cast<char*>(temp_));
    unsigned long long got = 0;
    must(cudaMemsetAsync(hash, 0, 8, stream_), "hash");
    hash_entries<<<1024, 256, 0, stream_>>>(y.data(), y.size(), first, hash);
    must(cudaMemcpyAsync(&got, hash, 8, cudaMemcpyDeviceToHost, stream_), "hash");
    comm_.wait(stream_);
    return got;
  }
  std::string hash_of(const view<float>& y, std::int64_t first) {
    all_.hashes[std::size_t(comm_.rank())] = own_hash(y, first);
    all_.barrier.arrive_and_wait();
    unsigned long long hash = 0;
    for (const auto h : all_.hashes) hash ^= h;
    all_.barrier.arrive_and_wait();
    return std::to_string(hash);
  }
  /// The slowest rank's.
  double slowest(double mine) {
    all_.times[std::size_t(comm_.rank())] = mine;
    all_.barrier.arrive_and_wait();
    const double most = *std::max_element(all_.times.begin(), all_.times.end());
    all_.barrier.arrive_and_wait();
    return most;
  }
  template <class F>
  double device_time(int calls, const F& f) {
    f(0);
    comm_.wait(stream_);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    must(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "capture");
    for (int i = 0; i < calls; ++i) f(i);
    must(cudaStreamEndCapture(stream_, &graph), "capture");
    must(cudaGraphInstantiate(&exec, graph, 0), "graph");
    cudaEvent_t start, end;
    cudaEventCreate(&start), cudaEventCreate(&end);
    std::vector<double> us;
    for (int r = 0; r < 10; ++r) {
      all_.barrier.arrive_and_wait();
      cudaEventRecord(start, stream_);
      must(cudaGraphLaunch(exec, stream_), "graph");
      cudaEventRecord(end, stream_);
      comm_.wait(stream_);
      float ms = 0;
      must(cudaEventElapsedTime(&ms, start, end), "time");
      const double all = slowest(double(ms) * 1e3 / calls);
      if (r > 0) us.push_back(all);
    }
    cudaEventDestroy(start), cudaEventDestroy(end);
    cudaGraphExecDestroy(exec), cudaGraphDestroy(graph);
    return median(us);
  }
  template <class F>
  double host_time(const F& f) {
    for (int i = 0; i < 20; ++i) f();
    std::vector<double> us;
    for (int i = 0; i < 101; ++i) {
      all_.barrier.arrive_and_wait();
      const auto start = std::chrono::steady_clock::now();
      f();
      us.push_back(
          std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
              .count());
    }
    return slowest(median(us));
  }

  team& all_;
  nccl& comm_;
  ncclComm_t raw_;
  rung::peers<nccl> peers_;
  cudaStream_t stream_ = nullptr;
  std::int64_t room_;
  float *x_ = nullptr, *y_ = nullptr, *out_ = nullptr;
  void* temp_ = nullptr;
};

}  // namespace

int bench_ranks(int argc, char** argv) {
  int gpus = 0, nccl_version = 0;
  must(cudaGetDeviceCount(&gpus), "GPUs");
  std::string file;
  if (argc > 2 && std::string(argv[1]) == "--json") file = argv[2], argc -= 2, argv += 2;
  if (argc > 1) gpus = std::min(gpus, std::atoi(argv[1]));
  const int log_most = argc > 2 ? std::atoi(argv[2]) : 31;
  ncclGetVersion(&nccl_version);

  void *from = nullptr, *to = nullptr;
  must(cudaMalloc(&from, std::size_t(room)), "memory"),
      must(cudaMalloc(&to, std::size_t(room)), "memory");
  const double read = read_limit(from, room, static_cast<float*>(to));
  const double copy = 2.0 * double(room) / copy_us(from, to, room) / 1e3;
  cudaFree(from), cudaFree(to);
  std::printf("one GPU reads %.0f GB/s, copies %.0f GB/s\n", read, copy);

  std::vector<point> points;
  std::map<std::string, std::string> bits;
  for (int size = 1; size <= gpus; size *= 2) {
    std::vector<ncclComm_t> comms(static_cast<std::size_t>(size));
    must_nccl(ncclCommInitAll(comms.data(), size, nullptr));
    team all(size);
    const std::int64_t most = std::int64_t(size) << log_most;
    run_local(size, [&](local& here) {
      must(cudaSetDevice(here.rank()), "the rank's GPU");
      nccl comm(comms[std::size_t(here.rank())], std::chrono::seconds(20));
      rank_bench one(all, comm, comms[std::size_t(here.rank())], most);
      for (const int log : {20, 21, 24, 25, 28, 29, 31, 32})
        if (log <= log_most || std::int64_t(1) << log == most)
          one.points(std::int64_t(1) << log, points, bits, read, copy);
    });
    for (const auto c : comms) ncclCommDestroy(c);
  }
  if (!file.empty())
    write_json(
        file, "ranks", "bench_ranks_nccl " + std::to_string(gpus),
        versions({{"nccl", std::to_string(nccl_version)}, {"cub", std::to_string(CUB_VERSION)}}),
        points);
  return 0;
}

}  // namespace rung::bench

int main(int argc, char** argv) { return rung::bench::bench_ranks(argc, argv); }
