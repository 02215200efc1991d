// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Command lines to requests: every option, negative values, odd file names, and refusals.

#include "parse.hpp"

#include <gtest/gtest.h>

#include "files/error.hpp"
#include "help.hpp"
#include "operations.hpp"

namespace rung::cli {
namespace {

using words = std::vector<std::string>;

request asked(words line) { return std::get<request>(parse(std::move(line))); }

std::string refusal(words line) {
  try {
    parse(std::move(line));
  } catch (const files::error& e) {
    return e.what();
  }
  return "";
}

TEST(parse, knows_every_operation) {
  EXPECT_EQ(operations().size(), 22U);
  for (const operation& op : operations()) {
    words line{std::string(op.name), "a.npy"};
    if (op.inputs == 2) line.push_back("b.npy");
    const request ask = asked(line);
    EXPECT_EQ(ask.op, op.op);
    EXPECT_EQ(ask.what, op.scan ? verb::scan : verb::fold);
    EXPECT_EQ(ask.inputs.size(), static_cast<std::size_t>(op.inputs));
    EXPECT_FALSE(ask.axes);
  }
}

TEST(parse, reads_the_options_of_a_reduction) {
  const request ask = asked({"var",       "--axis", "0,-2",         "a.npy",     "--keepdims",
                             "--ddof",    "1.5",    "--accumulate", "f64",       "--skip-nan",
                             "--threads", "3",      "--json",       "--verbose", "--init",
                             "-5",        "--out",  "o.npy",        "--device",  "cpu"});
  EXPECT_EQ(*ask.axes, (std::vector<std::int32_t>{0, -2}));
  EXPECT_TRUE(ask.keepdims && ask.skip_nan && ask.json && ask.verbose);
  EXPECT_EQ(ask.ddof, 1.5);
  EXPECT_EQ(ask.accumulate, RUNG_F64);
  EXPECT_EQ(ask.threads, 3);
  EXPECT_EQ(ask.start, "-5");
  EXPECT_EQ(ask.out, "o.npy");
  EXPECT_EQ(ask.inputs, words{"a.npy"});
}

TEST(parse, reads_devices) {
  EXPECT_EQ(asked({"sum", "a"}).device, RUNG_CPU);
  EXPECT_EQ(asked({"sum", "a", "--device", "cpu"}).device, RUNG_CPU);
  EXPECT_EQ(asked({"cumsum", "a", "--device=cuda"}).device, RUNG_CUDA);
  EXPECT_EQ(asked({"partial", "sum", "a", "--out", "p", "--device", "auto"}).device, RUNG_AUTO);
}

TEST(parse, reads_negative_and_empty_values) {
  EXPECT_EQ(*asked({"sum", "a", "--axis", "-1"}).axes, std::vector<std::int32_t>{-1});
  EXPECT_EQ(*asked({"sum", "a", "--axis=-1"}).axes, std::vector<std::int32_t>{-1});
  EXPECT_EQ(*asked({"sum", "a", "--axis", "(0, 2)"}).axes, (std::vector<std::int32_t>{0, 2}));
  EXPECT_TRUE(asked({"sum", "a", "--axis", ""}).axes->empty());
  EXPECT_TRUE(asked({"sum", "--axis=", "a"}).axes->empty());
  EXPECT_EQ(asked({"cumsum", "a", "--init", "-inf"}).start, "-inf");
  EXPECT_EQ(asked({"cumsum", "a", "--init=-1e-3"}).start, "-1e-3");
  EXPECT_TRUE(asked({"sum", "a", "--dtype", "f4", "--shape", ""}).told.shape->empty());
}

TEST(parse, takes_files_of_any_name) {
  EXPECT_EQ(asked({"sum", "sum"}).inputs, words{"sum"});
  EXPECT_EQ(asked({"sum", "[a,b]"}).inputs, words{"[a,b]"});
  EXPECT_EQ(asked({"sum", "-", "--dtype", ">f4"}).inputs, words{"-"});
  EXPECT_EQ(asked({"dot", "--", "-a", "--json"}).inputs, (words{"-a", "--json"}));
  EXPECT_EQ(asked({"sum", ""}).inputs, words{""});
}

TEST(parse, reads_raw_layouts) {
  const request ask = asked({"sum", "a", "--dtype", ">f4", "--shape", "3,4"});
  EXPECT_EQ(*ask.told.type, (files::dtype{RUNG_F32, true}));
  EXPECT_EQ(*ask.told.shape, (std::vector<std::int64_t>{3, 4}));
}

TEST(parse, reads_partial_and_merge) {
  const request part = asked({"partial", "max", "a", "--slice", "-5:", "--out", "p"});
  EXPECT_EQ(part.what, verb::partial);
  EXPECT_EQ(part.op, RUNG_MAX);
  EXPECT_EQ(part.part->begin, -5);
  EXPECT_FALSE(part.part->end);
  const request whole = asked({"merge", "p", "q", "r", "--json"});
  EXPECT_EQ(whole.what, verb::merge);
  EXPECT_EQ(whole.inputs.size(), 3U);
}

TEST(parse, gives_help_and_version) {
  EXPECT_EQ(std::get<std::string>(parse({"--help"})), help_text);
  EXPECT_NE(std::get<std::string>(parse({"--version"})).find(version), std::string::npos);
  for (const operation& op : operations()) {
    const auto text = std::get<std::string>(parse({std::string(op.name), "--help"}));
    EXPECT_NE(text.find("--axis"), std::string::npos);
    EXPECT_NE(help_text.find(op.name), std::string_view::npos);
  }
  EXPECT_NE(std::get<std::string>(parse({"partial", "--help"})).find("--slice"), std::string::npos);
}

TEST(parse, refuses_and_names_the_word) {
  const std::pair<words, const char*> cases[] = {
      {{}, "no operation"},
      {{"total", "a"}, "'total'"},
      {{"--json", "sum", "a"}, "'--json'"},
      {{"sum"}, "no FILE"},
      {{"sum", "a", "b"}, "'b'"},
      {{"dot", "a"}, "two FILEs"},
      {{"dot", "-", "-", "--dtype", "f4"}, "standard input"},
      {{"sum", "a", "--bogus"}, "'--bogus'"},
      {{"sum", "a", "--exclusive"}, "'--exclusive'"},
      {{"sum", "a", "--ddof", "1"}, "'--ddof'"},
      {{"cumsum", "a", "--keepdims"}, "'--keepdims'"},
      {{"cumsum", "a", "--axis", "0,1"}, "one axis"},
      {{"cumsum", "a", "--axis", ""}, "one axis"},
      {{"sum", "a", "--axis", "x"}, "'x'"},
      {{"sum", "a", "--axis", "0,"}, "--axis"},
      {{"sum", "a", "--axis", "0,,1"}, "--axis"},
      {{"sum", "a", "--axis", "99999999999"}, "out of range"},
      {{"sum", "a", "--axis"}, "--axis"},
      {{"sum", "a", "--axis", "0", "--axis", "1"}, "--axis"},
      {{"sum", "a", "--shape", "3,-4"}, "negative"},
      {{"sum", "a", "--dtype", "f3"}, "'f3'"},
      {{"sum", "a", "--threads", "-1"}, "'-1'"},
      {{"sum", "a", "--threads", "1.5"}, "'1.5'"},
      {{"sum", "a", "--device", "gpu"}, "'gpu'"},
      {{"var", "a", "--ddof", "nan"}, "'nan'"},
      {{"partial", "sum", "a"}, "--out"},
      {{"partial", "cumsum", "a", "--out", "p"}, "cumsum"},
      {{"partial", "dot", "a", "--out", "p"}, "dot"},
      {{"partial", "sum", "a", "--slice", "5", "--out", "p"}, "'5'"},
      {{"partial"}, "no OP"},
      {{"merge"}, "no FILE"}};
  for (const auto& [line, text] : cases) {
    EXPECT_NE(refusal(line).find(text), std::string::npos) << text << ": " << refusal(line);
  }
}

}  // namespace
}  // namespace rung::cli
