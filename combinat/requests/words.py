"""The words of the rule language: the deals they apply to and the roles they can refer to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec.structs import replace

from combinat.enumeration.experiment import example_deals, parse_deal
from combinat.language.checks import (
    groups_for_best,
    groups_for_count,
    groups_for_match,
    groups_for_rank_list,
    groups_for_word,
    list_lengths,
    single_roles,
)
from combinat.language.deal import Deal
from combinat.language.poker import HAND_SIZES, MEANINGS
from combinat.language.words import CALLS, KINDS, REFERENCES, Kind
from combinat.requests.request import Notify, Option, Request
from combinat.results.words import WordAnswer, WordEntry

_RANKS = ("A", "K", "Q", "J", "10", "9", "8")
_RANK_LIST = "A-K-Q"
_SEVEN = frozenset({7})


def words_of_deal(deal: Deal) -> Iterator[WordEntry]:
    """Yield each word that a rule about `deal` can use."""
    vocabulary = deal.vocabulary
    entries = [
        WordEntry(word.name, "fact", word.meaning, groups_for_word(word, deal)) for word in vocabulary.facts.values()
    ]
    for name, meaning in MEANINGS.items():
        prefix, size = name.split()
        entries.append(WordEntry(name, f"{prefix} cards", meaning, groups_for_best(HAND_SIZES[size], deal)))
    for length in list_lengths(deal):
        ranks = "-".join(_RANKS[:length])
        entries.append(
            WordEntry(
                ranks, "fact", "the cards have just these ranks, in any order", groups_for_rank_list(deal, length)
            )
        )
    entries += [
        WordEntry(word.name, "number", word.meaning, groups_for_word(word, deal))
        for word in vocabulary.numbers.values()
    ]
    rank, card = Kind(ranks=_SEVEN), Kind(ranks=_SEVEN, suits=frozenset({1}))
    for name, text in CALLS.items():
        entries.append(
            WordEntry(f"{name}(...)", "number" if name == "count" else "fact", text, groups_for_count(rank, deal))
        )
    entries.append(WordEntry("7", "kind of card", "any card of that rank", groups_for_count(rank, deal)))
    entries.append(WordEntry("7d", "kind of card", "that card", groups_for_count(card, deal)))
    entries += [
        WordEntry(name, "kind of card", text, groups_for_count(kind, deal)) for name, (kind, text) in KINDS.items()
    ]
    for field, text in REFERENCES.items():
        for role in single_roles(deal):
            entries.append(
                WordEntry(
                    f"{role}.{field}" if field else role, "kind of card", text, groups_for_match(role, field, deal)
                )
            )
    return (entry for entry in entries if entry.roles)


def words_of_all_deals() -> list[WordEntry]:
    """Return the words of all deals, each with the deals that it applies to."""
    deals_by_entry: dict[WordEntry, dict[str, None]] = {}
    for name, deals in example_deals().items():
        for entry in (entry for deal in deals for entry in words_of_deal(deal)):
            word = _RANK_LIST if entry.word.startswith(_RANK_LIST[:2]) else entry.word  # one for lists of all lengths
            deals_by_entry.setdefault(WordEntry(word, entry.kind, entry.meaning), {})[name] = None
    return [replace(entry, deals=tuple(names)) for entry, names in deals_by_entry.items()]


class Words(Request[Sequence[WordEntry], WordAnswer], frozen=True):
    """List the words that rules can use, with their meanings."""

    deal: Annotated[
        str | None, Option("Include the words that only this deal has, such as baccarat or dealer:h17.")
    ] = None

    def answer(self, _notify: Notify) -> Sequence[WordEntry]:
        return words_of_all_deals() if self.deal is None else list(words_of_deal(parse_deal(self.deal)))

    def results(self, computed: Sequence[WordEntry]) -> Sequence[WordAnswer]:
        return [WordAnswer.of(entry) for entry in computed]
