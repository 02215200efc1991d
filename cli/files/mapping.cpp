// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// See mapping.hpp.

#include "files/mapping.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "files/error.hpp"

namespace rung::files {

descriptor::~descriptor() {
  if (number_ >= 0) close(number_);
}

mapping::mapping(const descriptor& from, std::size_t size, bool writable, const std::string& file) {
  if (size == 0) return;  // mmap refuses to map nothing
  const int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  void* at = mmap(nullptr, size, protection, writable ? MAP_SHARED : MAP_PRIVATE, from.get(), 0);
  if (at == MAP_FAILED) throw system_error(file + ": cannot be mapped into memory");
  data_ = static_cast<std::byte*>(at);
  size_ = size;
}

mapping::~mapping() {
  if (data_ != nullptr) munmap(data_, size_);
}

std::size_t read_fully(int descriptor, std::span<std::byte> into, const std::string& file) {
  constexpr std::size_t most = std::size_t{1} << 30;  // read() takes less than 2^31 at once
  std::size_t done = 0;
  while (done < into.size()) {
    const ssize_t got = read(descriptor, into.data() + done, std::min(into.size() - done, most));
    if (got == 0) break;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw system_error(file + ": cannot be read");
    done += static_cast<std::size_t>(got);
  }
  return done;
}

}  // namespace rung::files
