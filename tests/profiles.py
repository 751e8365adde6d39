"""How many examples a property is tried on: few in the quick suite, many in the whole one."""

import os

from hypothesis import HealthCheck, settings

SHARE = 8  # the whole suite tries so many times more examples than the quick one
FEWEST = 4

# How long something takes says how busy the machine is, and not whether a property holds.
TIMELESS = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
# Where it decides, whether a state of the program passes is no matter of luck; at a desk new examples come each time.
IS_DECIDING = "COMBINAT_SAME_EXAMPLES" in os.environ

settings.register_profile("quick", max_examples=12, **TIMELESS)
settings.register_profile("thorough", max_examples=100, print_blob=True, derandomize=IS_DECIDING, **TIMELESS)


def tries(thorough, quick=None, **more):
    """Settings for a property that is tried on so many examples by `make test-all`, on fewer by `make test`.

    The profile is that of pytest's `--hypothesis-profile`; without it a property is tried quickly.
    """
    quick = max(thorough // SHARE, min(thorough, FEWEST)) if quick is None else quick
    wanted = thorough if settings.get_current_profile_name() == "thorough" else quick
    return settings(max_examples=wanted, **{**TIMELESS, **more})
