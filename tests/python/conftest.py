# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""The same examples on every run: a test that fails once must fail again."""
import hypothesis
import numpy as np

hypothesis.settings.register_profile(
    "steady", derandomize=True, deadline=None, max_examples=40, database=None,
    suppress_health_check=list(hypothesis.HealthCheck))
hypothesis.settings.load_profile("steady")
np.seterr(all="ignore")
