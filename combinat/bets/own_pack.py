"""The pack that a bet is dealt from, as a file names it or makes it up."""

from __future__ import annotations

from combinat.bets.fields import PackFields
from combinat.language.deal import Deal
from combinat.language.dealt_from import check_pack
from decks import Pack, changed_pack, pack_named


def read_pack(said: str | PackFields, deal: Deal | None) -> Pack:
    """Read a pack: its name, or what is left out and which jokers are added; refuse it if the deal cannot use it."""
    if isinstance(said, str):
        pack = pack_named(said)
    else:
        pack = changed_pack(pack_named(said.base), map(str, said.without), said.jokers, said.joker)
    if deal is not None:
        check_pack(deal, pack)
    return pack
