// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// mpirun -n N rung OP FILE: every rank maps the file and folds its share of the positions to a
// partial; these are gathered, and the first rank merges them and reports. A rank that fails takes
// part in the exchange and says so, so that all end with exit code 2 and one line is printed.

#include <cstdio>
#include <cstdlib>
#include <rung/ranks/mpi.hpp>

#include "files/error.hpp"
#include "files/interrupt.hpp"
#include "files/output.hpp"
#include "operations.hpp"
#include "report.hpp"
#include "run.hpp"
#include "stream.hpp"

namespace rung::cli {
namespace {

void refuse_what_is_not_split(const request& ask) {
  const char* what = ask.what == verb::scan                                 ? "scans"
                     : ask.what == verb::partial || ask.what == verb::merge ? "partial and merge"
                     : ask.cuts()                                           ? "segments"
                     : ask.axes                                             ? "--axis"
                     : ask.start                                            ? "--init"
                     : ask.inputs.size() > 1                                ? "two inputs"
                     : ask.inputs[0] == "-"                                 ? "standard input"
                                                                            : nullptr;
  if (what) {
    throw files::error(std::string("several ranks reduce all values of one file; ") + what +
                       " are for one process");
  }
}

std::vector<std::byte> saved(const rung_partial& partial) {
  std::size_t size = 0;
  check(rung_partial_save(&partial, nullptr, &size));
  std::vector<std::byte> bytes(size);
  check(rung_partial_save(&partial, bytes.data(), &size));
  return bytes;
}

// What all ranks have saved, one behind the other.
std::vector<std::byte> gathered(mpi& comm, const host::rank_call<mpi>& call,
                                std::vector<std::byte> mine) {
  std::size_t most = 0;
  const auto size = [&](int rank) {
    return static_cast<std::size_t>(call.range(rank).end - call.range(rank).begin);
  };
  for (int r = 0; r < comm.size(); ++r) most = std::max(most, size(r));
  mine.resize(most);
  std::vector<std::byte> each(most * static_cast<std::size_t>(comm.size())), all;
  comm.all_gather(mine, each);
  for (int r = 0; r < comm.size(); ++r) {
    const std::byte* const from = each.data() + static_cast<std::size_t>(r) * most;
    all.insert(all.end(), from, from + size(r));
  }
  return all;
}

void reduce_shares(const request& ask, mpi& comm) {
  const stopwatch watch;
  result done;
  std::vector<files::identity> inputs;
  std::vector<std::byte> mine;
  std::size_t rank_of_input = 0;
  done.op = operation_of(ask.op).name;
  host::rank_call call(comm, done.op);
  call.attempt([&] {
    refuse_what_is_not_split(ask);
    const files::input in = files::input::open(ask.inputs[0], ask.told);
    inputs.push_back(in.file());
    call.compare(in.name() + " of " + std::to_string(in.count()) + " values");
    if (ask.out) files::refuse_input_as_output(*ask.out, inputs);
    done.inputs = in.count(), done.bytes = in.bytes();
    rank_of_input = static_cast<std::size_t>(in.view().rank);
    const auto cut = [&](int rank) {
      return static_cast<std::int64_t>(static_cast<__int128>(in.count()) * rank / comm.size());
    };
    const std::int64_t begin = cut(comm.rank()), end = cut(comm.rank() + 1);
    const library_options options(ask, nullptr);
    const partial_owner partial = make_partial(ask.op, in.view().type, options, begin);
    append_slice(*partial, in, begin, end);
    mine = saved(*partial);
  });
  call.agree(static_cast<std::int64_t>(mine.size()));
  const std::vector<std::byte> all = gathered(comm, call, std::move(mine));
  if (comm.rank() != 0) return;

  partial_owner whole;
  for (int r = 0; r < comm.size(); ++r) {
    const auto range = call.range(r);
    const auto bytes = std::span(all).subspan(static_cast<std::size_t>(range.begin),
                                              static_cast<std::size_t>(range.end - range.begin));
    partial_owner part = load_partial(bytes, "the partial of rank " + std::to_string(r));
    if (whole) check(rung_partial_merge(whole.get(), part.get()));
    else whole = std::move(part);
  }
  partial_value value = value_of(*whole);
  done.seconds = watch.seconds();
  report_value(ask, done, value, rank_of_input, inputs);
}

}  // namespace

std::optional<int> job_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
    if (const char* text = std::getenv(name)) return std::atoi(text);
  }
  return {};
}

void run_ranks(const request& ask) {
  MPI_Init(nullptr, nullptr);
  std::exception_ptr failure;
  {
    mpi comm;
    try {
      if (comm.size() == 1) run(ask);
      else reduce_shares(ask, comm);
    } catch (...) {
      failure = std::current_exception();
    }
    if (comm.is_lost()) {
      std::fprintf(stderr, "%s\n", host::failure_text(failure).c_str());
      MPI_Abort(MPI_COMM_WORLD, files::exit_error);
    }
  }
  MPI_Finalize();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace rung::cli
