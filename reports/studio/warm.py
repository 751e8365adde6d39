"""Loaded by the process that workers are forked from, so that a new one is warm at once."""

from __future__ import annotations

from combinat import cache
from combinat.bets.catalog import catalog
from reports.studio.answers import answer

cache.turn_off()  # workers keep nothing on disk and look up nothing there
answer("view", {"toml": next(catalog()).bet.file, "decks": "1-8"})
answer("words", {"deal": "player:2, up:1"})
