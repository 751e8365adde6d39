"""Whether a deal and its rules go with the pack that is dealt from."""

from __future__ import annotations

from collections.abc import Iterable

from combinat.language.deal import Deal
from combinat.language.tree import Count, Rule, parts
from combinat.language.words import JOKERS
from decks import InputError, Pack
from decks.errors import quoted


def check_pack(deal: Deal, pack: Pack) -> None:
    """Refuse a pack of which the deal cannot be counted."""
    if objection := deal.objection_to_pack(pack):
        raise InputError(objection)


def check_jokers(rules: Iterable[Rule], pack: Pack) -> None:
    """Refuse rules that ask for a joker which the pack has not.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> from combinat.language.parser import parse_rule
    >>> from decks import STANDARD
    >>> check_jokers([parse_rule("has(joker)", parse_deal("player:2"))], STANDARD)
    Traceback (most recent call last):
        ...
    decks.errors.InputError: the rule 'has(joker)' asks for a joker; the pack has none, 'standard with 1 joker' has
    """
    for rule in () if pack.jokers else rules:
        if any(isinstance(node, Count) and JOKERS in node.kinds for node in parts(rule.fact)):
            raise InputError(
                f"the rule {quoted(rule)} asks for a joker; the pack has none, '{pack.name} with 1 joker' has"
            )
