// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
// Includes every public header under the macros that other people's headers define: the library
// keeps off these names.
// Headers of others come first: they are not what is tested.

#include <bits/stdc++.h>
#if __has_include(<tbb/tbb.h>)
#include <tbb/tbb.h>
#endif
#if __has_include(<hwy/highway.h>)
#include <hwy/highway.h>
#endif
#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#define RUNG_COLLISION(...) static_assert(false, "a macro named like this is in scope")
// windows.h
#define small RUNG_COLLISION()
#define near RUNG_COLLISION()
#define far RUNG_COLLISION()
#define interface RUNG_COLLISION()
#define IN RUNG_COLLISION()
#define OUT RUNG_COLLISION()
#define ERROR RUNG_COLLISION()
// math.h, complex.h, termios.h, sys/sysmacros.h, test frameworks, loggers
#define I RUNG_COLLISION()
#define B0 RUNG_COLLISION()
#define major(x) RUNG_COLLISION(x)
#define minor(x) RUNG_COLLISION(x)
#define TEST(...) RUNG_COLLISION(__VA_ARGS__)
#define CHECK(...) RUNG_COLLISION(__VA_ARGS__)
#define ASSERT(...) RUNG_COLLISION(__VA_ARGS__)
#define LOG(...) RUNG_COLLISION(__VA_ARGS__)

#include "all_headers.hpp"
