"""Warm up the fork server: modules and caches that every new worker inherits."""

from __future__ import annotations

from combinat import cache
from combinat.bets.catalog import catalog
from reports.studio.answers import answer

cache.turn_off()  # workers keep nothing on disk and look up nothing there
answer("view", {"toml": next(catalog()).bet.file, "decks": "1-8"})
answer("words", {"deal": "player:2, up:1"})
