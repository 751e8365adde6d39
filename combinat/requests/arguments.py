"""Conversion of Python arguments (ids, paths, texts, numbers) to paytables, shoes, amounts and table rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from msgspec.structs import fields, replace

from combinat.bets.catalog import mark_if_variant, resolve_paytables
from combinat.bets.load import load_bet as load_file
from combinat.bets.overrides import override_pays
from combinat.bets.paytable import Paytable
from combinat.blackjack.rules import BlackjackRules, parse_blackjack_pays
from combinat.exact.numbers import parse_number
from decks import Card, InputError, Pack, Shoe, did_you_mean
from decks.cards import as_cards
from decks.errors import quote

if TYPE_CHECKING:
    from combinat.blackjack.rules import BlackjackRules

BetLike = str | PathLike[str] | Paytable
CardsLike = str | Card | Iterable[Card | str]
Amount = int | float | Fraction | Decimal | str
Meters = Mapping[str, Amount] | Amount
Pays = str | Mapping[str, object]


def load(bet: BetLike, pays: Pays | None = None) -> Paytable:
    """Return one paytable by its catalog id (ignoring case), its file, or as `file.toml:ID`.

    With `pays` it is a variant with other pays.

    >>> load("tri-03").title
    'TriLux Bonus TRI-03'
    >>> load("TRI-3")
    Traceback (most recent call last):
        ...
    decks.errors.InputError: unknown paytable 'TRI-3'; did you mean 'TRI-03'?
    """
    if pays is not None:
        if not isinstance(pays, (str, Mapping)):
            raise InputError(f"pays={quote(pays)}: write pays by award, such as {{'Flush': '6 to 1'}} or 'Flush=6'")
        if isinstance(pays, Mapping):
            plain_pays = {name: unwrap_numpy_scalar(pay) for name, pay in pays.items()}
            pays = {
                name: exact_amount(pay, f"the pay of {quote(name)}") if isinstance(pay, float) else pay
                for name, pay in plain_pays.items()
            }
        return override_pays(load(bet), pays)
    if isinstance(bet, Paytable):
        return mark_if_variant(bet)
    if not isinstance(bet, (str, PathLike)):
        raise InputError(f"no paytable {quote(bet)}; give an id such as 'TRI-03', a file, or a Paytable")
    paytables = resolve_paytables(bet) if isinstance(bet, str) else tuple(map(mark_if_variant, load_file(fspath(bet))))
    if len(paytables) > 1:
        ids = ", ".join(paytable.id for paytable in paytables)
        raise InputError(f"{bet} has several paytables; write '{bet}:ID' with one of {ids}, or use catalog('{bet}')")
    return paytables[0]


def shoe_for(paytable: Paytable, decks: int | Shoe | None, shoe: Shoe | None, removed: CardsLike) -> Shoe:
    """Return the shoe for a bet: `decks` packs of the bet, or a given shoe, less the `removed` cards."""
    resolved = shoe_argument(decks, shoe)
    if resolved is None:
        return Shoe(_deck_count(paytable, decks), paytable.bet.pack, as_cards(removed))  # type: ignore[arg-type]
    check_shoe_pack(paytable.id, paytable.bet.pack, resolved)
    return remove_cards(resolved, removed)


def shoe_argument(decks: int | Shoe | None, shoe: Shoe | None) -> Shoe | None:
    """Return the shoe passed as `decks` or `shoe`; `None` if only a number of decks or nothing is given."""
    if isinstance(decks, Shoe):
        if shoe is not None:
            raise InputError("decks and shoe are both a Shoe; give one of them")
        return decks
    if shoe is not None and not isinstance(shoe, Shoe):
        raise InputError(f"no shoe {quote(shoe)}; write decks=6, or shoe=Shoe(6, removed='7h 7d')")
    if shoe is not None and decks is not None and decks != shoe.decks:
        raise InputError(f"decks={decks} and a shoe of {shoe} contradict each other; give one of them")
    return shoe


def remove_cards(shoe: Shoe, removed: CardsLike) -> Shoe:
    """Return the shoe less the `removed` cards."""
    cards = as_cards(removed)
    return Shoe(shoe.decks, shoe.pack, (*shoe.removed, *cards)) if cards else shoe


def check_shoe_pack(bet_id: str, pack: Pack, shoe: Shoe) -> None:
    """Raise `InputError` if the shoe has another pack than the bet."""
    if shoe.pack != pack:
        raise InputError(f"{bet_id} is dealt from {pack.name} decks; write Shoe({shoe.decks}, '{pack.name}')")


def _deck_count(paytable: Paytable, decks: int | None) -> int:
    if isinstance(decks, (list, tuple, range, set)):
        raise InputError(f"decks must be one deck count at a time, got {quote(decks)}; call once for each")
    if decks is not None:
        return decks
    if len(paytable.decks) > 1:
        raise InputError(
            f"{paytable.id} is designed for {paytable.decks_text}; choose one, such as decks={paytable.decks[-1]}"
        )
    return paytable.decks[0]


def meter_amounts(meters: Meters | None, paytable: Paytable) -> dict[str, Fraction]:
    """Return meter values by name, from a mapping, or from one amount if there is only one meter."""
    if meters is None:
        return {}
    meter_names = {name.lower(): name for name in paytable.meters}
    if not isinstance(meters, Mapping):
        if len(meter_names) != 1:
            example = ", ".join(f"'{name}': amount" for name in paytable.meters)
            meters_text = f"has {len(meter_names)} meters; give {{{example}}}" if meter_names else "pays from no meter"
            raise InputError(f"meters={meters}: {paytable.id} {meters_text}")
        meters = {paytable.meters[0]: meters}
    amounts = {}
    for name, value in meters.items():
        if str(name).lower() not in meter_names:
            meters_text = f"its meters are {', '.join(paytable.meters)}" if meter_names else "it pays from no meter"
            hint = did_you_mean(str(name), paytable.meters) or f"; {meters_text}"
            raise InputError(f"{paytable.id} has no meter {quote(name)}{hint}")
        amounts[meter_names[str(name).lower()]] = exact_amount(value, f"the meter {quote(name)}")
    return amounts


def exact_amount(value: Amount, label: str) -> Fraction:
    """Convert an amount exactly; a float must equal its decimal form, as 0.5 does and 0.1 does not.

    >>> exact_amount("2,000.50", "the meter"), exact_amount(2000, "the meter"), exact_amount(0.5, "the meter")
    (Fraction(4001, 2), Fraction(2000, 1), Fraction(1, 2))
    """
    value = unwrap_numpy_scalar(value)
    if isinstance(value, str):
        number = parse_number(value.strip().lstrip("$"))
        if number is not None:
            return number
    elif isinstance(value, (float, Decimal)) and isfinite(value):
        if isinstance(value, Decimal) or Fraction(value) == Fraction(repr(value)):
            return Fraction(value)
        decimal_text = f"{Decimal(repr(value)):f}"
        raise InputError(
            f"{label}: the float {value} is not exact; write '{decimal_text}' or Decimal('{decimal_text}')"
        )
    elif isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return Fraction(value)
    raise InputError(f"{label}: {quote(value)} is not an amount; write a number, such as 25000")


def text_argument(value: Any, label: str) -> str:
    """Return a text, or an integer as text; raise `InputError` for anything else.

    >>> text_argument("B", "the revision"), text_argument(2, "the revision")
    ('B', '2')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise InputError(f"{label} must be a text, got {quote(value)}; write it in quotes")


def unwrap_numpy_scalar(value: Any) -> Any:
    """Convert a numpy scalar to a Python number; return any other value unchanged."""
    return value.item() if getattr(value, "shape", None) == () and hasattr(value, "item") else value


def table_rules(
    rules: BlackjackRules | Mapping[str, object] | None, hits_soft_17: bool | None
) -> BlackjackRules | None:
    """Return the blackjack rules from a `BlackjackRules` or a mapping of rule names; `None` if none are given."""
    if rules is None and hits_soft_17 is None:
        return None
    if rules is not None and not isinstance(rules, (Mapping, BlackjackRules)):
        raise InputError(f"rules={quote(rules)}: write blackjack rules by name, such as {{'double': '9-11'}}")
    if rules is None or isinstance(rules, Mapping):
        values = {name: unwrap_numpy_scalar(value) for name, value in dict(rules or {}).items()}
        for name in values:
            if name not in BlackjackRules.__struct_fields__:
                rule_names = BlackjackRules.__struct_fields__
                hint = did_you_mean(str(name), rule_names) or f"; the rules are {', '.join(rule_names)}"
                raise InputError(f"{quote(name)} is not a blackjack rule{hint}")
        if (pays := values.get("blackjack_pays")) is not None:
            values["blackjack_pays"] = (
                parse_blackjack_pays(pays) if isinstance(pays, str) else exact_amount(pays, "blackjack")
            )
        for field in fields(BlackjackRules):
            if field.name in values:
                check_rule(field.name, values[field.name], field.type)
        rules = BlackjackRules(**values)
    return rules if hits_soft_17 is None else replace(rules, hits_soft_17=hits_soft_17)


def check_rule(name: str, value: object, expected_type: type) -> None:
    """Raise `InputError` for a rule of the wrong type; otherwise the text "no" would count as true."""
    forms = {bool: "True or False", int: "an integer", str: "a text"}
    if not isinstance(value, expected_type) or (expected_type is int and isinstance(value, bool)):
        raise InputError(
            f"the blackjack rule {name} cannot be {quote(value)}; write {forms.get(expected_type, 'a number')}"
        )
