"""Number of Hypothesis examples: few in `make test`, many in `make test-all`."""

import os

from hypothesis import HealthCheck, settings

SHARE = 8  # ratio of examples in `make test-all` to those in `make test`
FEWEST = 4

# Running time depends on the load of the machine, so it fails no test.
TIMELESS = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
# In CI the examples are always the same, so that a result is reproducible; at a desk they are random.
IS_DECIDING = "COMBINAT_SAME_EXAMPLES" in os.environ

settings.register_profile("quick", max_examples=12, **TIMELESS)
settings.register_profile("thorough", max_examples=100, print_blob=True, derandomize=IS_DECIDING, **TIMELESS)


def tries(thorough, quick=None, **more):
    """Return settings for a property: `thorough` examples in `make test-all`, fewer in `make test`.

    The profile is that of pytest's `--hypothesis-profile`; the default is the quick one.
    """
    quick = max(thorough // SHARE, min(thorough, FEWEST)) if quick is None else quick
    wanted = thorough if settings.get_current_profile_name() == "thorough" else quick
    return settings(max_examples=wanted, **{**TIMELESS, **more})
