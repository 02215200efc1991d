// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Inputs and outputs on disk: mapping, alignment, identity, and outputs that appear whole.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "cli/npy_bytes.hpp"
#include "files/error.hpp"
#include "files/input.hpp"
#include "files/npy.hpp"
#include "files/output.hpp"

namespace rung::files {
namespace {

namespace fs = std::filesystem;

class files : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "rung-files-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string path(const char* name) const { return (folder / name).string(); }

  std::string write(const char* name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  std::string npy(const char* name, const std::string& dict, std::size_t length = 0) const {
    std::string values(24, '\0');
    for (int k = 0; k < 6; ++k) {
      const auto value = static_cast<float>(k);
      std::memcpy(values.data() + 4 * k, &value, 4);
    }
    return write(name, npy_bytes(dict, 1, length) + values);
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
  }

  fs::path folder;
  const std::string c_order = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}";
  const std::string f_order = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}";
};

TEST_F(files, data_is_aligned_wherever_the_header_ends) {
  for (std::size_t length = 100; length < 104; ++length) {
    const input in = input::open(npy("a.npy", c_order, length), {});
    const rung_array view = in.view();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(view.data) % 4, 0U);
    EXPECT_EQ(static_cast<const float*>(view.data)[5], 5.0F);
    EXPECT_TRUE(in.packed());
    EXPECT_EQ(in.count(), 6);
  }
}

TEST_F(files, gathers_values_in_c_order) {
  const input in = input::open(npy("f.npy", f_order), {});
  EXPECT_FALSE(in.packed());
  for (std::int64_t first = 0; first < 6; ++first) {
    std::vector<float> got(static_cast<std::size_t>(6 - first));
    gather(in.view(), first, std::as_writable_bytes(std::span(got)));
    const float want[] = {0, 2, 4, 1, 3, 5};
    for (std::size_t k = 0; k < got.size(); ++k) {
      EXPECT_EQ(got[k], want[static_cast<std::size_t>(first) + k]);
    }
  }
}

TEST_F(files, refuses_raw_values_that_do_not_fit) {
  const std::string raw = write("raw", std::string(12, '\1'));
  EXPECT_EQ(input::open(raw, {dtype{RUNG_I32}, {}}).count(), 3);
  EXPECT_EQ(input::open(raw, {dtype{RUNG_I16}, {{2, 3}}}).count(), 6);
  EXPECT_THROW(input::open(raw, {}), error);
  EXPECT_THROW(input::open(raw, {dtype{RUNG_F64}, {}}), error);
  EXPECT_THROW(input::open(raw, {dtype{RUNG_I32}, {{4}}}), error);
  EXPECT_THROW(input::open(raw, {dtype{RUNG_I32}, {{2}}}), error);
  EXPECT_THROW(input::open(npy("a.npy", c_order), {dtype{RUNG_F32}, {{6}}}), error);
  EXPECT_THROW(input::open(folder, {}), error);
  EXPECT_THROW(input::open(path("none"), {}), error);
}

TEST_F(files, an_output_appears_whole_or_not_at_all) {
  {
    npy_output out(path("o.npy"), RUNG_F64, {3}, {});
    EXPECT_FALSE(fs::exists(path("o.npy")));
    EXPECT_EQ(entries(), 1U);
  }
  EXPECT_EQ(entries(), 0U);
  npy_output out(path("o.npy"), RUNG_F64, {3}, {});
  const double values[] = {1, 2, 3};
  std::memcpy(out.view().data, values, sizeof values);
  out.commit();
  EXPECT_EQ(entries(), 1U);
  const input back = input::open(path("o.npy"), {});
  EXPECT_EQ(std::memcmp(back.view().data, values, sizeof values), 0);
}

TEST_F(files, an_output_keeps_mode_and_link_of_what_it_replaces) {
  const std::string target = write("target.npy", "old");
  fs::permissions(target, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("target.npy", path("link.npy"));
  npy_output(path("link.npy"), RUNG_I8, {}, {}).commit();
  EXPECT_TRUE(fs::is_symlink(path("link.npy")));
  EXPECT_EQ(fs::file_size(target), 129U);
  EXPECT_EQ(fs::status(target).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(files, an_output_is_never_an_input) {
  const std::string name = npy("a.npy", c_order);
  fs::create_hard_link(name, path("hard.npy"));
  fs::create_symlink(name, path("soft.npy"));
  const input in = input::open(name, {});
  const identity inputs[] = {in.file()};
  for (const char* other : {"a.npy", "./a.npy", "hard.npy", "soft.npy"}) {
    EXPECT_THROW(npy_output(path(other), RUNG_F32, {2, 3}, inputs), error) << other;
  }
  EXPECT_EQ(entries(), 3U);
}

TEST_F(files, an_output_that_cannot_be_is_refused_at_once) {
  EXPECT_THROW(npy_output(path("no/o.npy"), RUNG_F32, {2}, {}), error);
  EXPECT_THROW(npy_output(folder.string(), RUNG_F32, {2}, {}), error);
  EXPECT_THROW(npy_output("/dev/null", RUNG_F32, {2}, {}), error);
  EXPECT_THROW(npy_output("", RUNG_F32, {2}, {}), error);
  EXPECT_THROW(npy_output(path("o.npy"), RUNG_F64, {std::int64_t{1} << 59}, {}), error);
  EXPECT_EQ(entries(), 0U);
}

}  // namespace
}  // namespace rung::files
