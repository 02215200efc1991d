// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// See output.hpp. fallocate finds out about a full disk or a quota before the first value is
// computed; a hole in the file would turn the same fact into SIGBUS in the middle of the work.

#include "files/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "files/error.hpp"
#include "files/interrupt.hpp"
#include "files/npy.hpp"

namespace rung::files {
namespace {

// The mode a new file would get; the umask can only be read by setting it.
unsigned new_file_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666U & ~mask;
}

// Gives a new file its size and its place on the disk; 0 or an error number. posix_fallocate would
// write zeros, possibly for hours, to file systems that cannot reserve; those are only asked.
int reserve(int file, std::size_t size) {
  while (fallocate(file, 0, 0, static_cast<off_t>(size)) != 0) {
    if (errno == EINTR) continue;
    if (errno != EOPNOTSUPP) return errno;
    struct statvfs room;
    if (fstatvfs(file, &room) != 0) return errno;
    if (size / room.f_frsize >= room.f_bavail) return ENOSPC;
    return ftruncate(file, static_cast<off_t>(size)) == 0 ? 0 : errno;
  }
  return 0;
}

}  // namespace

void refuse_input_as_output(const std::string& path, std::span<const identity> inputs) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return;
  for (const identity& in : inputs) {
    if (in.device == status.st_dev && in.node == status.st_ino) {
      throw error("--out " + path + ": is the same file as the input " + in.name +
                  "; write to another one");
    }
  }
}

output::output(const std::string& path, std::size_t size, std::span<const identity> inputs)
    : path_(path), mode_(new_file_mode()) {
  if (path.empty()) throw error("--out: the file name is empty");
  const std::string tried = "--out " + path + ": cannot be written";
  refuse_input_as_output(path, inputs);
  struct stat status;
  if (stat(path.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode)) throw error("--out " + path + ": is not a regular file");
    if (access(path.c_str(), W_OK) != 0) throw system_error(tried);
    mode_ = status.st_mode & 07777U;
  }
  std::error_code failed;  // a link keeps its place: the file that it names is replaced
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, failed);
  if (!failed && std::filesystem::is_symlink(path, failed)) path_ = target;
  temporary_ = std::filesystem::path(path_).replace_filename(".rung-XXXXXX");
  const descriptor file([&] {
    const signals_held held;  // a signal between the two lines would leave the file behind
    const int made = mkostemp(temporary_.data(), O_CLOEXEC);
    if (made >= 0) remember_for_removal(temporary_.c_str());
    return made;
  }());
  if (file.get() < 0) {
    temporary_.clear();
    throw system_error(tried);
  }
  try {
    if (const int code = reserve(file.get(), size)) {
      throw system_error(tried + ", it needs " + std::to_string(size) + " bytes", code);
    }
    mapped_ = mapping(file, size, true, "--out " + path);
    if (fchmod(file.get(), mode_) != 0) throw system_error(tried);
  } catch (...) {  // no destructor runs for an object that was never whole
    unlink(temporary_.c_str());
    forget_removal();
    throw;
  }
}

output::~output() {
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());
  forget_removal();
}

void output::commit() {
  if (rename(temporary_.c_str(), path_.c_str()) != 0) {
    throw system_error("--out " + path_ + ": cannot be written");
  }
  forget_removal();
  temporary_.clear();
}

npy_output::npy_output(const std::string& path, rung_type type, std::vector<std::int64_t> shape,
                       std::span<const identity> inputs)
    : type_(type),
      shape_(std::move(shape)),
      strides_(packed_strides(shape_, type_size(type), false)),
      header_(write_npy_header(type, shape_)),
      file_(path,
            header_.size() + static_cast<std::size_t>(count_bytes(shape_, type_size(type), path)),
            inputs) {
  std::memcpy(file_.bytes().data(), header_.data(), header_.size());
}

rung_array npy_output::view() const {
  return {.data = file_.bytes().data() + header_.size(),
          .type = type_,
          .swapped = 0,
          .rank = static_cast<std::int32_t>(shape_.size()),
          .shape = shape_.data(),
          .strides = strides_.data()};
}

}  // namespace rung::files
