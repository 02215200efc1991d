// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// A result for people: a scalar on one line, an array in brackets with its columns aligned. An
// array of more than 1000 values shows the first and last three of every longer axis.

#include <algorithm>
#include <functional>

#include "files/dtype.hpp"
#include "files/npy.hpp"
#include "number.hpp"
#include "report.hpp"

namespace rung::cli {
namespace {

constexpr std::int64_t show_all = 1000, edge = 3;
constexpr std::size_t line_width = 78;

struct picture {
  const result& done;
  std::vector<std::int64_t> strides;
  bool shortened;
  std::size_t width = 0;

  std::string word(const std::byte* at) const {
    std::string text;
    append_value(text, at, done.type, spelling::text);
    return text;
  }

  // Calls visit(k) for every index of an axis that is shown, and gap() where some are left out.
  void each(std::size_t axis, const std::function<void(std::int64_t)>& visit,
            const std::function<void()>& gap) const {
    const std::int64_t extent = done.shape[axis];
    const bool cut = shortened && extent > 2 * edge;
    for (std::int64_t k = 0; k < extent; ++k) {
      if (cut && k == edge) {
        gap();
        k = extent - edge;
      }
      visit(k);
    }
  }

  void measure(std::size_t axis, const std::byte* at) {
    if (axis == done.shape.size()) {
      width = std::max(width, word(at).size());
      return;
    }
    each(
        axis, [&](std::int64_t k) { measure(axis + 1, at + k * strides[axis]); }, [] {});
  }

  void draw_row(std::string& to, const std::byte* at) const {
    const std::size_t axis = done.shape.size() - 1;
    std::size_t column = axis + 1;
    const auto put = [&](const std::string& text, std::size_t wide) {
      if (to.back() != '[') {
        if (column + 1 + wide >= line_width) {
          (to += '\n').append(axis + 1, ' ');
          column = axis + 1;
        } else {
          to += ' ';
          ++column;
        }
      }
      to.append(wide - std::min(wide, text.size()), ' ') += text;
      column += wide;
    };
    each(
        axis, [&](std::int64_t k) { put(word(at + k * strides[axis]), width); },
        [&] { put("...", 3); });
  }

  void draw(printer& to, std::size_t axis, const std::byte* at) const {
    to.text() += '[';
    if (axis + 1 == done.shape.size()) {
      draw_row(to.text(), at);
    } else {
      const std::size_t deeper = done.shape.size() - axis - 1;
      const auto separate = [&] {
        if (to.text().back() != '[') to.text().append(deeper, '\n').append(axis + 1, ' ');
      };
      each(
          axis,
          [&](std::int64_t k) {
            separate();
            draw(to, axis + 1, at + k * strides[axis]);
          },
          [&] {
            separate();
            to.text() += "...";
          });
    }
    to.text() += ']';
  }
};

}  // namespace

void print_text(printer& to, const result& done) {
  std::int64_t count = 1;
  for (const std::int64_t extent : done.shape) count *= extent;
  picture shown{done, files::packed_strides(done.shape, files::type_size(done.type), false),
                count > show_all};
  if (done.shape.empty()) {
    to.text() += shown.word(done.values);
  } else if (count == 0) {
    to.text() += "[]";
  } else {
    shown.measure(0, done.values);
    shown.draw(to, 0, done.values);
  }
  to.text() += '\n';
}

}  // namespace rung::cli
