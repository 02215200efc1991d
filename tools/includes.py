#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Finds public headers that use a name of the standard library without its header.

    includes.py [FOLDER]...    default: include/rung

A header may rely on what the headers of this project that it includes include. tests/headers
compiles each header alone, but after the standard library's headers, to save minutes: this is the
other half of that test. Names that many standard headers declare are not looked at.
"""
import functools
import pathlib
import re
import sys

NAMES = {
    "algorithm": "clamp copy copy_n fill fill_n sort stable_sort upper_bound lower_bound rotate "
                 "reverse any_of all_of none_of find_if max_element min_element partition_point",
    "array": "array",
    "atomic": "atomic atomic_ref atomic_thread_fence memory_order_relaxed",
    "bit": "bit_cast popcount countr_zero countl_zero countr_one has_single_bit bit_width "
           "bit_floor bit_ceil endian",
    "chrono": "chrono",
    "cmath": "isfinite isnan isinf sqrt exp log log1p ldexp frexp fma floor ceil nearbyint scalbn "
             "ilogb signbit",
    "complex": "complex",
    "concepts": "same_as convertible_to integral signed_integral unsigned_integral floating_point "
                "derived_from invocable default_initializable",
    "condition_variable": "condition_variable",
    "cstdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t "
               "intptr_t",
    "cstdio": "printf snprintf fprintf",
    "cstdlib": "getenv malloc free abort aligned_alloc",
    "cstring": "memcpy memset memcmp memmove strcmp strlen",
    "deque": "deque",
    "exception": "exception_ptr current_exception rethrow_exception",
    "functional": "function reference_wrapper",
    "limits": "numeric_limits",
    "map": "map multimap",
    "memory": "unique_ptr shared_ptr make_unique make_shared weak_ptr addressof",
    "mutex": "mutex lock_guard unique_lock scoped_lock once_flag call_once",
    "numeric": "iota accumulate gcd lcm",
    "optional": "optional nullopt nullopt_t",
    "random": "mt19937 mt19937_64 uniform_int_distribution",
    "set": "set",
    "source_location": "source_location",
    "span": "span dynamic_extent",
    "sstream": "ostringstream istringstream stringstream",
    "stdexcept": "runtime_error logic_error invalid_argument out_of_range overflow_error",
    "string": "string to_string",
    "string_view": "string_view",
    "thread": "thread this_thread",
    "tuple": "tuple make_tuple tie apply tuple_size_v tuple_element_t",
    "unordered_map": "unordered_map",
    "variant": "variant visit holds_alternative",
    "vector": "vector",
}
HEADER_OF = {name: header for header, names in NAMES.items() for name in names.split()}
# What a standard header is bound to declare, too.
ALSO = {"string": {"string_view"}, "sstream": {"string", "string_view"},
        "stdexcept": {"string", "string_view", "exception"}, "exception": set(),
        "condition_variable": {"mutex"}, "fstream": {"string", "string_view"},
        "filesystem": {"string", "string_view"}, "random": {"string", "vector"}}
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:<([^>]+)>|"([^"]+)")', re.M)


@functools.cache
def standard_headers(path):
    """Of a file and what it includes of this project, whatever the conditions around."""
    found = set()
    reach(path, found, set())
    return found


def reach(path, found, seen):
    if path in seen or not path.is_file():
        return
    seen.add(path)
    for system, own in INCLUDE.findall(path.read_text()):
        if system.startswith("rung/"):
            reach((ROOT / "include" / system).resolve(), found, seen)
        elif system:
            found |= {system} | ALSO.get(system, set())
        else:
            for place in (path.parent, ROOT / "include", ROOT / "include/rung"):
                reach((place / own).resolve(), found, seen)


def missing_of(path):
    text = COMMENT.sub(lambda m: m[0] if m[0].startswith('"') and "include" in m[0] else " ",
                       path.read_text())
    used = {HEADER_OF[n] for n in re.findall(r"\bstd::(\w+)", text) if n in HEADER_OF}
    return sorted(used - standard_headers(path))


ROOT = pathlib.Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    folders = sys.argv[1:] or [ROOT / "include/rung"]
    paths = sorted(p.resolve() for f in folders for p in pathlib.Path(f).rglob("*")
                   if p.suffix in (".hpp", ".cuh", ".h"))
    broken = 0
    for path in paths:
        for header in missing_of(path):
            print(f"{path}: uses std names of <{header}>, which nothing that it includes includes")
            broken += 1
    print(f"{len(paths)} headers, {broken} standard headers missing")
    sys.exit(broken > 0 or not paths)
