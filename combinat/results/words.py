"""The answer to `words`."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from combinat.results.answer import ANSWER_FORMAT, Answer


class WordEntry(Struct, frozen=True):
    """A word with its kind and meaning, and what it applies to: the roles of one deal, or some of all deals."""

    word: str
    kind: str
    meaning: str
    roles: tuple[str, ...] = ()
    deals: tuple[str, ...] = ()


class WordAnswer(Answer, frozen=True, kw_only=True):
    """A word that rules can use."""

    format: str = ANSWER_FORMAT
    word: str
    kind: str
    meaning: str
    deals: Annotated[list[str] | UnsetType, Meta(description="The deals that have the word.")] = UNSET
    roles: Annotated[
        list[str] | UnsetType, Meta(description="Where one deal was asked for: the roles that the word can refer to.")
    ] = UNSET

    @classmethod
    def of(cls, entry: WordEntry) -> WordAnswer:
        """Build the answer from the entry of a word."""
        return cls(
            word=entry.word,
            kind=entry.kind,
            meaning=entry.meaning,
            deals=list(entry.deals) or UNSET,
            roles=list(entry.roles) or UNSET,
        )
