"""Every test works things out anew: none reads or fills the cache of the person who runs it."""

import os

os.environ["COMBINAT_NO_CACHE"] = "1"
