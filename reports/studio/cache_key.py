"""Keys of requests that need the same count: changing only pays does not change the count of a bet."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

_OF_NO_CARD = re.compile(r"""\b(pays|seed|rate|reserve|cap)\s*=\s*("[^"\n]*"|'[^'\n]*'|[\w.]+)""")
QUICK = frozenset({"view", "pins", "meters", "long run", "wagers"})
"""Kinds of requests whose time is mostly the count of their bet."""


def count_key(kind: str, body: Mapping[str, Any]) -> str:
    """Return a key of the count that a request needs, to choose a worker that has it cached; a wrong guess is harmless.

    >>> five, six, pair = ({"toml": text} for text in ("suited pays = 5", "suited pays = 6", "pair"))
    >>> count_key("view", five) == count_key("pins", six), count_key("view", five) == count_key("view", pair)
    (True, False)
    >>> count_key("option", five)  # takes long whatever is counted
    ''
    """
    if kind not in QUICK:
        return ""
    parts = (_OF_NO_CARD.sub("", str(body.get("toml"))), body.get("paytable"), body.get("removed"))
    return sha256(repr(parts).encode("utf-8", "replace")).hexdigest()
