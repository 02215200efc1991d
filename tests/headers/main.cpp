// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
// What is tested here is that this program compiles and links; see CMakeLists.txt.

#include <cstdio>

int main() { std::printf("%d public headers compile alone and link together\n", HEADER_COUNT); }
