// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// See parse.hpp. The first word picks the set of options that CLI11 is given; files are the words
// that are neither options nor their values, and all words after "--". Values of options stay text
// here and are read by words.hpp, so that every complaint names the option and the word.

#include "parse.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <utility>

#include "files/error.hpp"
#include "help.hpp"
#include "operations.hpp"
#include "words.hpp"

namespace rung::cli {
namespace {

using files::error;

// Option values as written; empty means that the option was not given.
struct written {
  std::optional<std::string> axis, shape, dtype, accumulate, ddof, threads, device, devices, part;
};

void add_input_options(CLI::App& app, written& words) {
  app.add_option("--dtype", words.dtype, "type of raw values")->type_name("TYPE");
  app.add_option("--shape", words.shape, "shape of raw values")->type_name("3,4");
}

void add_work_options(CLI::App& app, request& ask, written& words, bool ddof) {
  app.add_option("--accumulate", words.accumulate, "wider type of the state and the result")
      ->type_name("TYPE");
  app.add_flag("--skip-nan", ask.skip_nan, "leave NaNs out");
  app.add_flag("--exact", ask.exact, "as if nothing was rounded before the result");
  if (ddof) app.add_option("--ddof", words.ddof, "divide by count - N")->type_name("N");
  app.add_option("--threads", words.threads, "threads to use; 0: all cores")->type_name("N");
  app.add_option("--device", words.device, "where to compute: cpu, cuda or auto")->type_name("cpu");
  app.add_option("--devices", words.devices, "GPUs that share the work")->type_name("all");
}

void add_print_options(CLI::App& app, request& ask) {
  app.add_flag("--json", ask.json, "print one JSON object");
}

void add_out_option(CLI::App& app, request& ask, const char* does) {
  app.add_option("--out", ask.out, does)->type_name("FILE");
}

void add_array_options(CLI::App& app, request& ask, written& words, const operation& op) {
  const char* axis = op.scan ? "the axis to run along" : "axes to reduce";
  app.add_option("--axis", words.axis, axis)->type_name(op.scan ? "-1" : "0,2");
  if (!op.scan) app.add_flag("--keepdims", ask.keepdims, "keep reduced axes with length 1");
  if (op.scan) app.add_flag("--exclusive", ask.exclusive, "leave each value out of its own entry");
  if (op.scan) app.add_flag("--reverse", ask.reverse, "scan from the end to the begin");
  app.add_option("--init", ask.start, "start from it, once, at the left")->type_name("VALUE");
  if (op.inputs == 1) {
    app.add_option("--segments", ask.segments, "offsets: entry s to s + 1 is a segment")
        ->type_name("FILE");
    app.add_option("--by", ask.by, "keys: runs of equal neighbours are segments")
        ->type_name("FILE");
    app.add_option("--group", ask.group, "keys: equal ones form a group wherever they stand")
        ->type_name("FILE");
    app.add_option("--keys", ask.keys, "write the key of every group to this .npy file")
        ->type_name("FILE");
  }
  add_work_options(app, ask, words, op.ddof);
  add_input_options(app, words);
  add_out_option(app, ask, "write the result to this .npy file");
  add_print_options(app, ask);
}

// CLI11 takes the next word for the value of "--axis="; with the halves apart it need not guess.
void split_empty_values(std::vector<std::string>& words) {
  for (std::size_t k = 0; k < words.size() && words[k] != "--"; ++k) {
    std::string& word = words[k];
    if (word.size() > 3 && word.starts_with("--") && word.find('=') == word.size() - 1) {
      word.pop_back();
      words.insert(words.begin() + static_cast<std::ptrdiff_t>(k) + 1, "");
      ++k;
    }
  }
}

void read_words(request& ask, const written& words) {
  if (words.axis) ask.axes = read_axes(*words.axis);
  if (words.shape) ask.told.shape = read_shape(*words.shape);
  if (words.dtype) ask.told.type = read_dtype("--dtype", *words.dtype);
  if (words.accumulate) ask.accumulate = read_dtype("--accumulate", *words.accumulate).type;
  if (words.ddof) ask.ddof = read_number("--ddof", *words.ddof);
  if (words.part) ask.part = read_slice(*words.part);
  if (words.device) ask.device = read_device(*words.device);
  if (words.devices) {
    if (words.device && ask.device != RUNG_CUDA) {
      throw error("--device '" + *words.device + "': contradicts --devices, which is for cuda");
    }
    ask.device = RUNG_CUDA, ask.gpus = read_devices(*words.devices);
  }
  if (words.threads) {
    const std::int64_t threads = read_integer("--threads", *words.threads);
    if (threads < 0 || threads > 65536) {
      throw error("--threads '" + *words.threads + "': is not between 0 (all cores) and 65536");
    }
    ask.threads = static_cast<std::int32_t>(threads);
  }
}

void check_files(const request& ask, const std::string& name, std::size_t wanted) {
  if (ask.inputs.size() < wanted) {
    throw error(name + ": " + (wanted == 2 ? "two FILEs are needed" : "no FILE was given"));
  }
  if (ask.inputs.size() > wanted) {
    throw error(name + ": '" + ask.inputs[wanted] + "' is one FILE too many");
  }
  if (wanted == 2 && ask.inputs[0] == "-" && ask.inputs[1] == "-") {
    throw error(name + ": standard input can be only one of the two FILEs");
  }
}

// Runs CLI11 and collects the files; the text of --help if that was asked for.
std::optional<std::string> run_parser(CLI::App& app, const std::string& name, request& ask,
                                      std::vector<std::string> words) {
  const auto mark = std::ranges::find(words, "--");
  const std::vector<std::string> verbatim(mark == words.end() ? mark : mark + 1, words.end());
  words.erase(mark, words.end());
  split_empty_values(words);
  std::ranges::reverse(words);  // CLI11 takes them from the back
  app.allow_extras();
  app.set_help_flag("-h,--help", "print this and exit");
  app.add_flag("--verbose", ask.verbose, "print time, GB/s and what ran on standard error");
  try {
    app.parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    return app.help();
  } catch (const CLI::ParseError& failure) {
    throw error(name + ": " + failure.what());
  }
  ask.inputs = app.remaining();
  for (const std::string& word : ask.inputs) {
    if (word.size() < 2 || word[0] != '-') continue;
    throw error(name + ": has no option '" + word + "'; rung " + name + " --help lists them");
  }
  ask.inputs.insert(ask.inputs.end(), verbatim.begin(), verbatim.end());
  return std::nullopt;
}

void check_cuts(const request& ask, const std::string& name) {
  if (int(ask.segments.has_value()) + ask.by.has_value() + ask.group.has_value() > 1) {
    throw error(name + ": only one of --segments, --by and --group can be given");
  }
  if (ask.keys && !ask.by && !ask.group) throw error("--keys: only --by and --group have keys");
  if (ask.cuts() && ask.reverse) throw error("--reverse: segments are scanned forwards");
  if (ask.cuts() && (ask.axes || ask.keepdims)) {
    throw error(name + ": segments lie in a one-dimensional array, without --axis and --keepdims");
  }
}

std::variant<request, std::string> parse_operation(const operation& op,
                                                   std::vector<std::string> words) {
  const std::string name(op.name);
  request ask;
  ask.what = op.scan ? verb::scan : verb::fold;
  ask.op = op.op;
  written texts;
  CLI::App app("Prints " + std::string(op.does) + ".",
               "rung " + name + (op.inputs == 2 ? " FILE FILE" : " FILE"));
  add_array_options(app, ask, texts, op);
  if (auto help = run_parser(app, name, ask, std::move(words))) return *help;
  read_words(ask, texts);
  check_files(ask, name, static_cast<std::size_t>(op.inputs));
  check_cuts(ask, name);
  if (op.scan && ask.axes && ask.axes->size() != 1) {
    throw error("--axis '" + *texts.axis + "': " + name + " runs along exactly one axis");
  }
  return ask;
}

std::variant<request, std::string> parse_partial(std::vector<std::string> words) {
  request ask;
  ask.what = verb::partial;
  if (words.empty()) throw error("partial: no OP was given");
  const bool help_only = words[0] == "--help" || words[0] == "-h";
  const operation* op = help_only ? find_operation("var") : find_operation(words[0]);
  if (op == nullptr) throw error("partial: there is no operation '" + words[0] + "'");
  if (op->scan || op->inputs != 1) {
    throw error("partial: " + words[0] + " is not a reduction of one array");
  }
  if (!help_only) words.erase(words.begin());
  ask.op = op->op;
  written texts;
  CLI::App app("Writes the partial of a file, or of a slice of it, for rung merge.",
               "rung partial OP FILE");
  app.add_option("--slice", texts.part, "positions in C order")->type_name("begin:end");
  add_work_options(app, ask, texts, op->ddof);
  add_input_options(app, texts);
  add_out_option(app, ask, "the file to write");
  if (auto help = run_parser(app, "partial", ask, std::move(words))) return *help;
  read_words(ask, texts);
  check_files(ask, "partial", 1);
  if (!ask.out) throw error("partial: --out FILE is needed");
  if (ask.part && ask.inputs[0] == "-") throw error("partial: --slice needs a file, not a stream");
  return ask;
}

std::variant<request, std::string> parse_merge(std::vector<std::string> words) {
  request ask;
  ask.what = verb::merge;
  CLI::App app("Joins partials of neighbouring slices and prints their value.",
               "rung merge FILE...");
  add_out_option(app, ask, "write the joined partial to this file");
  add_print_options(app, ask);
  if (auto help = run_parser(app, "merge", ask, std::move(words))) return *help;
  if (ask.inputs.empty()) throw error("merge: no FILE was given");
  return ask;
}

std::string info(const std::vector<std::string>& words) {
  if (words == std::vector<std::string>{"--help"} || words == std::vector<std::string>{"-h"})
    return "Prints what this build and this machine compute with.\nUsage: rung info\n";
  if (!words.empty()) throw error("info: takes nothing, but '" + words[0] + "' was given");
  return "rung " + std::string(version) + "\n" + rung_machine();
}

}  // namespace

std::variant<request, std::string> parse(std::vector<std::string> words) {
  if (words.empty()) throw error("no operation was given; rung --help lists them");
  const std::string first = words[0];
  words.erase(words.begin());
  if (first == "--help" || first == "-h" || first == "help") return std::string(help_text);
  if (first == "--version") return "rung " + std::string(version) + "\n";
  if (first == "info") return info(words);
  if (first == "partial") return parse_partial(std::move(words));
  if (first == "merge") return parse_merge(std::move(words));
  if (const operation* op = find_operation(first)) return parse_operation(*op, std::move(words));
  if (first.starts_with('-')) {
    throw error("'" + first + "' stands before the operation; write rung OP FILE [option...]");
  }
  throw error("there is no operation '" + first + "'; rung --help lists them");
}

}  // namespace rung::cli
