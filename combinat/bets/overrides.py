"""Pay overrides such as `Flush=6, Straight=9`, and references to paytables for other processes.

An override makes a variant of a paytable whose id, title and notes name the changed pays. A `PaytableRef` is a small
serializable recipe (the text of the file, the id and the table rules) from which a worker rebuilds a paytable.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from combinat.bets.award import Award
from combinat.bets.export import extract_fields, format_derived_bet, list_award_fields, parse_single_paytable
from combinat.bets.load import parse_bet
from combinat.bets.pay import Pay, parse_pay
from combinat.bets.paytable import BasedOn, Paytable, applicable_settings, apply_settings
from combinat.bets.schema import MAX_ID, MAX_NAME, AwardFields, MetersFields
from combinat.bets.variants import apply_soft_17
from combinat.exact.numbers import parse_number
from decks import InputError, did_you_mean
from decks.errors import one_line, quote

_PAYS_FORMAT_HINT = 'write pays as "Flush=6, Straight=9 to 1"'


class UnknownAwardError(InputError):
    """Raised if a paytable has no award of that name; another paytable may have it."""


def override_pays(paytable: Paytable, overrides: str | Mapping[str, object]) -> Paytable:
    """Return a variant of the paytable with other pays for some awards, named in its id and title.

    Its file is the one that `combinat new --from ID --pays ...` writes, so that a sheet's fingerprint refers to that.
    Published figures apply only to the original pays, so they are dropped.

    >>> from combinat.bets.catalog import get_paytable
    >>> other = override_pays(get_paytable("TRI-03"), "flush=6, Straight = 9:1")
    >>> other.id, other.title
    ('TRI-03+Flush-6+Straight-9', 'TriLux Bonus TRI-03, Flush 6 to 1, Straight 9 to 1')
    """
    pays = parse_pay_overrides(paytable, overrides)
    fields = extract_fields(paytable)
    (table,) = fields.paytable
    awards = [_with_new_pay(award, pays) for award in list_award_fields(table, paytable)]
    paid_meters = {parse_pay(str(award.pays)).meter for award in awards}
    meters = [
        reduced_system for system in table.meters if (reduced_system := _drop_unpaid_meters(system, paid_meters)).levels
    ]
    old_pays = {award.name: award.pay for award in paytable.settlement.stated_awards}
    changes = ", ".join(f"{name} {pay} instead of {old_pays[name]}" for name, pay in pays.items())
    changed_table = replace(
        table,
        id=_variant_id(paytable.id, pays),
        title=_variant_title(paytable.title, pays),
        awards=awards,
        meters=meters,
        notes=[f"A variant of {paytable.id}: {changes}.", *table.notes],
    )
    variant = parse_single_paytable(
        format_derived_bet(replace(fields, paytable=[changed_table]), paytable), f"{paytable.id} with other pays"
    )
    bet = replace(variant.bet, origin=f"{paytable.bet.origin}, with other pays")
    differences = paytable.based_on.differences if paytable.based_on else ()
    based_on = BasedOn(paytable.id, tuple(dict.fromkeys(("pays", *differences))))
    return replace(variant, bet=bet, variant=paytable.variant, based_on=based_on)


def pay_variants(
    paytables: Sequence[Paytable], pays: Sequence[str | Mapping[str, object]], *, with_original: bool = False
) -> tuple[list[list[Paytable]], list[str]]:
    """Return for each paytable its variants, one for each text of `pays`, and a note about each without variants.

    A paytable that lacks an award named in `pays` is returned unchanged, as long as another paytable has that award.
    With `with_original`, each paytable precedes its variants.
    """
    variants_by_paytable: list[list[Paytable]] = [[] for _ in paytables]
    for text in pays:
        errors: list[UnknownAwardError] = []
        for paytable, variants in zip(paytables, variants_by_paytable, strict=True):
            try:
                variants.append(override_pays(paytable, text))
            except UnknownAwardError as error:
                errors.append(error)
        if len(errors) == len(paytables):
            raise errors[0]
    unchanged_ids = [
        paytable.id for paytable, variants in zip(paytables, variants_by_paytable, strict=True) if pays and not variants
    ]
    notes = [f"{id} has no such award, so its pays are unchanged" for id in dict.fromkeys(unchanged_ids)]
    keeps_original = [with_original or not variants for variants in variants_by_paytable]
    return [
        [original] * is_kept + paytable_variants
        for original, is_kept, paytable_variants in zip(paytables, keeps_original, variants_by_paytable, strict=True)
    ], notes


def find_variant(id: str, paytables: Sequence[Paytable], pays: Sequence[str]) -> Paytable:
    """Return the paytable with this id, among `paytables` and their variants with `pays`."""
    for paytable in paytables:
        if paytable.id == id:
            return paytable
    for paytable in paytables:
        for text in pays:
            with suppress(UnknownAwardError):
                if (variant := override_pays(paytable, text)).id == id:
                    return variant
    raise InputError(f"unknown paytable {quote(id)}")


def parse_pay_overrides(paytable: Paytable, overrides: str | Mapping[str, object]) -> dict[str, Pay]:
    """Parse pays for awards of a paytable, from a text or a mapping; award names ignore case.

    A bare number is in the unit of the award's current pay. Commas are allowed in award names and in pays.

    >>> from combinat.bets.catalog import get_paytable
    >>> pays = parse_pay_overrides(get_paytable("BLZ-1-UP"), "Three 7s, same color=1,000 for 1, Three 7s=9")
    >>> pays["Three 7s, same color"].gross
    <Polynomial 1000>
    """
    awards = {known_award.name.lower(): known_award for known_award in paytable.settlement.stated_awards}
    pays: dict[str, Pay] = {}
    text = (
        overrides if isinstance(overrides, str) else ", ".join(f"{name}={value}" for name, value in overrides.items())
    )
    pairs: Iterable[tuple[str, str | Fraction]] = (
        split_pay_overrides(overrides, list(awards))
        if isinstance(overrides, str)
        else (
            (str(award_name), pay if isinstance(pay, Fraction) else str(pay)) for award_name, pay in overrides.items()
        )
    )
    for name, value in pairs:
        award = awards.get(one_line(name).lower())
        if award is None:
            names = [known_award.name for known_award in awards.values()]
            hint = did_you_mean(name, names) or f"; its awards are {', '.join(names)}"
            raise UnknownAwardError(f"pays {quote(text)}: {paytable.id} has no award {quote(name)}{hint}")
        if award.name in pays:
            raise InputError(f"pays {quote(text)}: {quote(award.name)} is given twice")
        pays[award.name] = _parse_pay_override(award, value, text)
    return pays


def _parse_pay_override(award: Award, value: str | Fraction, text: str) -> Pay:
    """Parse one pay; a bare number is in the unit of the award's current pay. `text` is cited in errors."""
    try:
        if isinstance(value, str) and parse_number(value) is None:
            return parse_pay(value)
        amount, per_amount = (value, 1) if isinstance(value, str) else (value.numerator, value.denominator)
        if award.pay.meter is None:
            return parse_pay(f"{amount} {'for' if award.pay.is_for_one else 'to'} {per_amount}")
    except InputError as error:
        raise InputError(f"pays {quote(text)}: {award.name}: {error}") from None
    raise InputError(
        f"pays {quote(text)}: {quote(award.name)} pays {award.pay}; write '{amount} to {per_amount}', "
        f"'{amount} for {per_amount}' or a share of the meter, such as '50% of {award.pay.meter}'"
    )


def split_pay_overrides(text: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Split `A=1, B=2` into names and pays; `names` resolve commas that may end a pay or belong to a name."""
    first_name, *pieces = re.split(r"\s*=\s*", text.strip().strip(",;"))
    if not pieces or not first_name:
        raise InputError(f"cannot read the pays {quote(text)}; {_PAYS_FORMAT_HINT}")
    name = first_name
    for piece in pieces[:-1]:
        pay, next_name = _split_pay_and_name(piece, names)
        if not pay or not next_name:
            raise InputError(f"cannot read the pays {quote(text)} after {quote(name)}; {_PAYS_FORMAT_HINT}")
        yield name, pay
        name = next_name
    if not pieces[-1]:
        raise InputError(f"cannot read the pays {quote(text)}: no pay for {quote(name)}; {_PAYS_FORMAT_HINT}")
    yield name, pieces[-1]


def _split_pay_and_name(piece: str, names: Sequence[str]) -> tuple[str, str]:
    """Split a pay from the name that follows it.

    >>> _split_pay_and_name("1,000 to 1, Three 7s, suited", ["three 7s, suited", "suited"])
    ('1,000 to 1', 'Three 7s, suited')
    """
    cuts = [match.span() for match in re.finditer(r"[,;]\s*", piece)]
    for start, end in cuts:  # the longest name first
        if one_line(piece[end:]).lower() in names:
            return piece[:start].strip(), piece[end:].strip()
    for start, end in cuts:  # no known name: the pay ends before a non-digit
        if not piece[end : end + 1].isdigit() or piece[start] == ";":
            return piece[:start].strip(), piece[end:].strip()
    return (piece[: cuts[-1][0]].strip(), piece[cuts[-1][1] :].strip()) if cuts else (piece, "")


def _with_new_pay(award: AwardFields, pays: Mapping[str, Pay]) -> AwardFields:
    pay = pays.get(award.name or award.hand or "")
    return award if pay is None else replace(award, pays=format_pay(pay))


def format_pay(pay: Pay) -> str:
    """Format a pay so that it can be parsed back, even if it is not a finite decimal."""
    amount = pay.amount
    return f"{amount.numerator} {pay.unit.removesuffix(' 1')} {amount.denominator}" if "/" in str(pay) else str(pay)


def _drop_unpaid_meters(system: MetersFields, paid_meters: set[str | None]) -> MetersFields:
    """Remove the meters that no award pays from any more."""
    return replace(system, levels=[level for level in system.levels if level.name in paid_meters])


def _variant_id(id: str, pays: Mapping[str, Pay]) -> str:
    """Return the id of a variant: with its pays or, if that is too long, their number and a fingerprint."""
    changes = [
        re.sub(r"[^A-Za-z0-9.]+", "-", f"{name}-{_format_short_pay(pay)}").strip("-") for name, pay in pays.items()
    ]
    variant_id = "+".join([id, *changes])
    if len(variant_id) <= MAX_ID:
        return variant_id
    fingerprint = hashlib.sha256("\n".join(f"{name}={pay}" for name, pay in sorted(pays.items())).encode()).hexdigest()[
        :8
    ]
    suffix = f"+{len(pays)}-pay{'s' if len(pays) > 1 else ''}-{fingerprint}"
    return f"{id[: MAX_ID - len(suffix)]}{suffix}"


def _format_short_pay(pay: Pay) -> str:
    return str(pay).removesuffix(" to 1").replace(",", "")


def _variant_title(title: str, pays: Mapping[str, Pay]) -> str:
    variant_title = ", ".join([title, *(f"{name} {pay}" for name, pay in pays.items())])
    if len(variant_title) <= MAX_NAME:
        return variant_title
    suffix = f", {len(pays)} other pay{'s' if len(pays) > 1 else ''}"
    return f"{title[: MAX_NAME - len(suffix)]}{suffix}"


class PaytableRef(Struct, frozen=True):
    """A serializable reference to a paytable, from which another process can rebuild it."""

    text: str
    origin: str
    id: str
    soft_17: str = ""
    settings: tuple[tuple[str, str], ...] = ()

    def __call__(self) -> Paytable:
        """Return the paytable."""
        return _rebuild_paytable(self)


def make_reference(paytable: Paytable, soft_17: str = "", settings: Mapping[str, str] | None = None) -> PaytableRef:
    """Return a reference to a paytable of a file, under the table rules `soft_17` and `settings`.

    >>> from combinat.bets.catalog import get_paytable
    >>> make_reference(get_paytable("TRI-03"))() == get_paytable("TRI-03")
    True
    """
    applicable = applicable_settings(paytable, settings or {})
    return PaytableRef(paytable.bet.file, paytable.bet.origin, paytable.id, soft_17, tuple(sorted(applicable.items())))


@lru_cache(maxsize=64)
def _rebuild_paytable(ref: PaytableRef) -> Paytable:
    paytables, problems = parse_bet(ref.text, ref.origin)
    paytable = next((candidate for candidate in paytables if candidate.id == ref.id), None)
    if paytable is None:
        raise InputError(f"{ref.origin}: unknown paytable {ref.id}; {'; '.join(problems)}")
    paytable = apply_soft_17(paytable, ref.soft_17) if ref.soft_17 else paytable
    return apply_settings(paytable, dict(ref.settings))
