"""Disk cache of solved games: the chosen action and the values of the actions for each matchup.

A game is stored in up to three entries: all action values (exact engine), the chosen actions (fast engine), and bounds
of second moments.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from msgspec.structs import asdict

from combinat import cache
from combinat.blackjack.hands import FIRST_HANDS, INDEXES, Hand
from combinat.blackjack.rules import Action, BlackjackRules
from combinat.exact.interval import Interval

Matchup = tuple[Hand, int]
"""A first hand and an up card."""


class ActionValues(NamedTuple):
    """The value of each action on a hand, and the action that the strategy chooses."""

    values: dict[Action, Fraction]
    action: Action


class CachedChoice(NamedTuple):
    """The chosen action, its value, and the maximum number of bets if it is a split."""

    action: Action
    value: Fraction
    bets: int


def key(counts: Hand, rules: BlackjackRules, strategy: str, decks: int) -> dict[str, Any]:
    """Return everything that the choices of a game depend on.

    The pay of a blackjack is not part of it, and the number of decks only for charts.

    >>> three_to_two = key((4,) * 9 + (16,), BlackjackRules(), "best", 1)
    >>> three_to_two == key((4,) * 9 + (16,), BlackjackRules(blackjack_pays=Fraction(6, 5)), "best", 2)
    True
    """
    table = {name: value for name, value in asdict(rules).items() if name != "blackjack_pays"}
    strategy_key = {"strategy": strategy} | ({} if strategy == "best" else {"decks": decks})
    return {"what": "blackjack, every first hand", "counts": list(counts), "rules": table} | strategy_key


def read_choices(game_key: dict[str, Any]) -> dict[Matchup, ActionValues]:
    """Return the stored choices of a game, empty if there are none."""
    try:
        return {
            _parse_matchup(name): _parse_choice(*text.split(" "))
            for name, text in (cache.read_entry(game_key) or {}).items()
        }
    except (AttributeError, IndexError, TypeError, ValueError, ZeroDivisionError):
        return {}  # damaged, or written by another version


def write_choices(game_key: dict[str, Any], choices: dict[Matchup, ActionValues]) -> None:
    """Store the choices of a game."""
    cache.write_entry(
        game_key, {_format_matchup(*matchup): _format_choice(choice) for matchup, choice in choices.items()}
    )


def read_fast_choices(game_key: dict[str, Any]) -> dict[Matchup, CachedChoice]:
    """Return the stored choices of matchups solved by the fast engine, empty if there are none."""
    try:
        stored_choices = cache.read_entry(game_key | _FAST_CHOICES_KEY) or {}
        return {
            _parse_matchup(name): CachedChoice(Action(text[0]), _parse_fraction(text[1]), int(text[2]))
            for name, text in stored_choices.items()
        }
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, ZeroDivisionError):
        return {}


def write_fast_choices(game_key: dict[str, Any], choices: dict[Matchup, CachedChoice]) -> None:
    """Store choices of matchups solved by the fast engine."""
    texts = {
        _format_matchup(*matchup): [choice.action, _format_fraction(choice.value), choice.bets]
        for matchup, choice in choices.items()
    }
    cache.write_entry(game_key | _FAST_CHOICES_KEY, texts)


def read_second_moments(game_key: dict[str, Any]) -> dict[Matchup, Interval[Fraction]]:
    """Return the stored bounds of second moments, empty if there are none."""
    try:
        stored_moments = cache.read_entry(game_key | _SECOND_MOMENTS_KEY) or {}
        return {
            _parse_matchup(name): Interval(_parse_fraction(text[0]), _parse_fraction(text[1]))
            for name, text in stored_moments.items()
        }
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, ZeroDivisionError):
        return {}


def write_second_moments(game_key: dict[str, Any], bounds_by_matchup: dict[Matchup, Interval[Fraction]]) -> None:
    """Store bounds of second moments."""
    texts = {
        _format_matchup(*matchup): [_format_fraction(bound) for bound in bounds]
        for matchup, bounds in bounds_by_matchup.items()
    }
    cache.write_entry(game_key | _SECOND_MOMENTS_KEY, texts)


_FAST_CHOICES_KEY = {"what": "blackjack, what is done with first hands"}
_SECOND_MOMENTS_KEY = {"what": "blackjack, mean squares of every first hand"}


def _format_matchup(hand: Hand, up: int) -> str:
    return f"{FIRST_HANDS.index(hand)}-{up}"


def _parse_matchup(name: str) -> Matchup:
    hand_index, up = map(int, name.split("-"))
    return FIRST_HANDS[hand_index], INDEXES[up]


def _format_choice(choice: ActionValues) -> str:
    """Format a choice: the action, then each action with its value, numbers in hexadecimal.

    >>> text = _format_choice(ActionValues({Action.STAND: Fraction(-1, 2), Action.HIT: Fraction(1, 26)}, Action.HIT))
    >>> text, _parse_choice(*text.split(" ")).values[Action.HIT]
    ('hit stand=-1/2 hit=1/1a', Fraction(1, 26))
    """
    values = (f"{action}={_format_fraction(value)}" for action, value in choice.values.items())
    return " ".join((choice.action, *values))


def _parse_choice(action: str, *values: str) -> ActionValues:
    parsed = {}
    for text in values:
        name, _, value = text.partition("=")
        parsed[Action(name)] = _parse_fraction(value)
    return ActionValues(parsed, Action(action))


def _format_fraction(value: Fraction) -> str:
    return f"{value.numerator:x}/{value.denominator:x}"


def _parse_fraction(text: str) -> Fraction:
    numerator, _, denominator = text.partition("/")
    return Fraction(int(numerator, 16), int(denominator, 16))
