"""Warm up the fork server: modules and caches that every new worker inherits."""

from __future__ import annotations

from combinat import cache
from combinat.bets.catalog import iter_collection
from reports.studio.answers import answer_request

cache.disable()  # workers neither read nor write stored results
answer_request("view", {"toml": next(iter_collection()).bet.file, "decks": "1-8"})
answer_request("words", {"deal": "player:2, up:1"})
