// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Fuzzes the .npy reader: valid headers with seeded damage, headers put together from the words of
// the format, and plain noise. Whatever comes in, the reader either throws files::error or gives
// a header whose facts hold; under the sanitizers it also proves that nothing else is touched.
// RUNG_FUZZ_ROUNDS sets how many inputs each kind gets.

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "cli/npy_bytes.hpp"
#include "files/error.hpp"
#include "files/npy.hpp"

namespace rung::files {
namespace {

int rounds() {
  const char* text = std::getenv("RUNG_FUZZ_ROUNDS");
  return text != nullptr ? std::atoi(text) : 20000;
}

// True if the bytes were accepted. The copy has exactly their size, so that a read past the end
// is a read past an allocation.
bool probe(const std::string& bytes) {
  const std::vector<char> exact(bytes.begin(), bytes.end());
  try {
    const npy_header header = read_npy_header(std::as_bytes(std::span(exact)), "fuzz");
    EXPECT_LE(header.data_offset, exact.size());
    EXPECT_LE(header.shape.size(), std::size_t{max_rank});
    for (const std::int64_t extent : header.shape) EXPECT_GE(extent, 0);
    const dtype type = dtype_from_descr(header.descr, std::nullopt, "fuzz");
    const std::size_t size = type_size(type.type);
    const std::int64_t bytes_needed = count_bytes(header.shape, size, "fuzz");
    EXPECT_EQ(bytes_needed % static_cast<std::int64_t>(size), 0);
    packed_strides(header.shape, size, header.fortran_order);
    return true;
  } catch (const error& e) {
    EXPECT_NE(std::string(e.what()), "");
    return false;
  }
}

std::string seed_header(std::mt19937_64& random) {
  static const char* const texts[] = {
      "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }",
      "{'descr': '>c16', 'fortran_order': True, 'shape': (), }",
      "{'descr': '|b1', 'fortran_order': False, 'shape': (9223372036854775807,), }",
      "{'shape': (0, 5), 'descr': '<i8', 'fortran_order': True}",
      "{'descr': [('a', '<i4'), ('b', '<f8', (2,))], 'fortran_order': False, 'shape': (1,), }"};
  const auto pick = random();
  return npy_bytes(texts[pick % 5], static_cast<int>(pick / 5 % 3) + 1, pick / 16 % 2 * 200);
}

TEST(npy_fuzz, damaged_headers) {
  std::mt19937_64 random(20260101);
  int accepted = 0;
  for (int round = 0; round < rounds(); ++round) {
    std::string bytes = seed_header(random);
    for (auto hits = random() % 4; hits-- > 0;) {
      const std::size_t at = random() % bytes.size();
      switch (random() % 5) {
        case 0:
          bytes[at] = static_cast<char>(random());
          break;
        case 1:
          bytes.erase(at, random() % 8);
          break;
        case 2:
          bytes.insert(at, 1, static_cast<char>(random()));
          break;
        case 3:
          bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 40));
          break;
        case 4:
          bytes.resize(at);
          break;
      }
      if (bytes.empty()) break;
    }
    accepted += probe(bytes);
  }
  EXPECT_GT(accepted, rounds() / 20);  // else the seeds are no longer what the reader reads
}

TEST(npy_fuzz, words_of_the_format) {
  static const char* const words[] = {"{",
                                      "}",
                                      "(",
                                      ")",
                                      "[",
                                      "]",
                                      ",",
                                      ":",
                                      "'",
                                      "\"",
                                      " ",
                                      "\n",
                                      "'descr'",
                                      "'shape'",
                                      "'fortran_order'",
                                      "True",
                                      "False",
                                      "None",
                                      "'<f4'",
                                      "'>i8'",
                                      "'|V2'",
                                      "'<U7'",
                                      "3",
                                      "0",
                                      "-1",
                                      "18446744073709551616",
                                      "9223372036854775807",
                                      "1e9",
                                      "L",
                                      "\\",
                                      "\xff",
                                      "(3, 4)",
                                      "'descr': '<f4', ",
                                      "'fortran_order': False, ",
                                      "'shape': (3,), "};
  std::mt19937_64 random(20260102);
  for (int round = 0; round < rounds(); ++round) {
    std::string text = "{";
    for (auto count = random() % 24; count-- > 0;) text += words[random() % std::size(words)];
    probe(npy_bytes(text, static_cast<int>(random() % 3) + 1));
  }
}

TEST(npy_fuzz, noise) {
  std::mt19937_64 random(20260103);
  for (int round = 0; round < rounds(); ++round) {
    std::string bytes = round % 2 != 0 ? "\x93NUMPY" : "";
    if (round % 4 == 3) bytes += {static_cast<char>(random() % 4), '\0'};
    for (auto count = random() % 200; count-- > 0;) bytes += static_cast<char>(random());
    probe(bytes);
  }
}

}  // namespace
}  // namespace rung::files
