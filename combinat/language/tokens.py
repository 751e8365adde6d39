"""The pieces of a rule: words, numbers, ranks, cards and signs, with where they stand."""

from __future__ import annotations

import re

from msgspec import Struct

from combinat.language.deal import Deal
from combinat.language.hints import ACE
from combinat.language.words import CALLS, KINDS, OPERATORS
from decks import InputError, Rank, Suit, suggestion
from decks.errors import quoted

_PIECE = re.compile(r"\s*(?:(\w+(?:-\w+)*)|([=!<>]=|[<>+(),.-])|(\S))")
_LETTERS = str.maketrans({suit.symbol: suit.letter for suit in Suit})
_RANKS = frozenset({*map(str, Rank), "T"})


class Token(Struct, frozen=True):
    """A piece of the rule: what sort of piece, its text, and where it starts."""

    sort: str
    text: str
    at: int


def error_at(rule: str, what: str, at: int, hint: str = "") -> InputError:
    """Make the error that quotes a rule and points at a place in it."""
    column = f" at column {at + 1}" if at < len(rule) else " at its end"
    return InputError(f"{what} in the rule {quoted(rule)}{column}{hint}")


def tokens_of(rule: str, deal: Deal) -> list[Token]:
    """Cut a rule into its pieces, the last one standing for its end."""
    tokens: list[Token] = []
    for match in _PIECE.finditer(rule.rstrip().translate(_LETTERS)):
        word, sign, other = match.groups()
        if other:
            hint = "; write == to compare" if other == "=" else "; words need no quotes" if other in "'\"" else ""
            raise error_at(rule, f"cannot read {quoted(other)}", match.start(3), hint)
        tokens.append(Token("sign", sign, match.start(2)) if sign else _word(rule, word, match.start(1), deal))
    return [*tokens, Token("end", "", len(rule))]


def _word(rule: str, word: str, at: int, deal: Deal) -> Token:
    """Tell what sort of word a word is."""
    if word.isascii() and word.isdecimal():
        return Token("number", word, at)
    if word in _RANKS:
        return Token("rank", word, at)
    if word[:-1] in _RANKS and word[-1] in "cdhs":
        return Token("card", word, at)
    if "-" in word and all(part in _RANKS for part in word.split("-")):
        return Token("ranks", word, at)
    if word.isidentifier() and word.islower() and word.isascii() and word[0] != "_":
        return Token("name", word, at)
    vocabulary = deal.vocabulary
    hint = suggestion(word, [*vocabulary.facts, *vocabulary.numbers, *CALLS, *KINDS, *OPERATORS, *deal.groups])
    if "-" in word:
        is_list = all(part in _RANKS or part == "1" for part in word.split("-"))
        hint = ACE if is_list else "; put spaces around a minus sign"
    raise error_at(rule, f"cannot read {quoted(word)}", at, hint)
