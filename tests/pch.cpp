// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
// The one source of test_pch, a program without tests that owns the precompiled GoogleTest header.
