"""Keys of requests that need the same count: changing only pays does not change the count of a bet."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

_FIELDS_WITHOUT_CARDS = re.compile(r"""\b(pays|seed|rate|reserve|cap)\s*=\s*("[^"\n]*"|'[^'\n]*'|[\w.]+)""")
CACHEABLE_KINDS = frozenset({"view", "figures", "variants", "meters", "rule", "money", "outlook", "wagers"})
"""Kinds of requests that spend most of their time on the count of their bet."""


def count_key(kind: str, body: Mapping[str, Any]) -> str:
    """Return a key of the count that a request needs, to choose a worker that has it cached; a wrong guess is harmless.

    >>> five, six, pair = ({"toml": text} for text in ("suited pays = 5", "suited pays = 6", "pair"))
    >>> count_key("view", five) == count_key("variants", six), count_key("view", five) == count_key("view", pair)
    (True, False)
    >>> count_key("option", five)  # the count is a small part of its time
    ''
    """
    if kind not in CACHEABLE_KINDS:
        return ""
    key_fields = (_FIELDS_WITHOUT_CARDS.sub("", str(body.get("toml"))), body.get("paytable"), body.get("removed"))
    return sha256(repr(key_fields).encode("utf-8", "replace")).hexdigest()
