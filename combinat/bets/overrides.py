"""Other pays for a paytable, without a file: `Flush=6, Straight=9` gives a variant that is marked as one.

A bet as it is sent to another process or machine: the text of its file, and which paytable under which rules.
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
from combinat.bets.export import fields_of, own_awards_listed, read_own, written
from combinat.bets.load import parse
from combinat.bets.pay import Pay, parse_pay
from combinat.bets.paytable import BasedOn, Paytable, apply_settings, own_settings
from combinat.bets.schema import MAX_NAME, AwardFields, MetersFields
from combinat.bets.variants import at_soft_17
from combinat.exact.numbers import parse_number
from decks import InputError, did_you_mean
from decks.errors import quoted

_FORM = 'write pays as "Flush=6, Straight=9 to 1"'
_LONGEST_ID = 40


class UnknownAwardError(InputError):
    """A paytable has no award of that name; another may have one."""


def override_pays(paytable: Paytable, given: str | Mapping[str, object]) -> Paytable:
    """Give the paytable with other pays for some awards, under an id and a title that say so.

    Its file is the one that `combinat new --from ID --pays ...` writes, so that a sheet's fingerprint is of that. What
    is published is about the pays as they stand, so it is left behind.

    >>> from combinat.bets.catalog import find
    >>> other = override_pays(find("TRI-03"), "flush=6, Straight = 9:1")
    >>> other.id, other.title
    ('TRI-03+Flush-6+Straight-9', 'TriLux Bonus TRI-03, Flush 6 to 1, Straight 9 to 1')
    """
    pays = read_pays(paytable, given)
    fields = fields_of(paytable)
    (table,) = fields.paytable
    awards = [_paying(one, pays) for one in own_awards_listed(table, paytable)]
    paid = {parse_pay(str(one.pays)).meter for one in awards}
    meters = [system for one in table.meters if (system := _still_paid(one, paid)).levels]
    before = {one.name: one.pay for one in paytable.settlement.stated}
    said = ", ".join(f"{name} {pay} instead of {before[name]}" for name, pay in pays.items())
    changed = replace(
        table,
        id=_variant_id(paytable.id, pays),
        title=_variant_title(paytable.title, pays),
        awards=awards,
        meters=meters,
        notes=[f"A variant of {paytable.id}: {said}.", *table.notes],
    )
    found = read_own(written(replace(fields, paytable=[changed]), paytable), f"{paytable.id} with other pays")
    bet = replace(found.bet, origin=f"{paytable.bet.origin}, with other pays")
    other = paytable.based_on.differences if paytable.based_on else ()
    based_on = BasedOn(paytable.id, tuple(dict.fromkeys(("pays", *other))))
    return replace(found, bet=bet, variant=paytable.variant, based_on=based_on)


def pay_variants(
    paytables: Sequence[Paytable], pays: Sequence[str], *, beside: bool = False
) -> tuple[list[list[Paytable]], list[str]]:
    """Give for each paytable its variants, one with each of some pays, and a word about each that has none.

    A paytable that lacks an award of which the pays tell stands as it is, as long as another has it. If that is wanted,
    each stands beside its variants too.
    """
    found: list[list[Paytable]] = [[] for _ in paytables]
    for text in pays:
        refusals: list[UnknownAwardError] = []
        for paytable, variants in zip(paytables, found, strict=True):
            try:
                variants.append(override_pays(paytable, text))
            except UnknownAwardError as error:
                refusals.append(error)
        if len(refusals) == len(paytables):
            raise refusals[0]
    untouched = [paytable.id for paytable, variants in zip(paytables, found, strict=True) if pays and not variants]
    words = [f"{id} has no such award, so its pays stand as they are" for id in dict.fromkeys(untouched)]
    stands = [beside or not variants for variants in found]
    return [[one] * first + others for one, first, others in zip(paytables, stands, found, strict=True)], words


def variant_called(id: str, paytables: Sequence[Paytable], pays: Sequence[str]) -> Paytable:
    """Find the paytable or variant with an id again, among some paytables of which some pays are tried."""
    for paytable in paytables:
        if paytable.id == id:
            return paytable
    for paytable in paytables:
        for text in pays:
            with suppress(UnknownAwardError):
                if (variant := override_pays(paytable, text)).id == id:
                    return variant
    raise InputError(f"no paytable {quoted(id)}")


def read_pays(paytable: Paytable, given: str | Mapping[str, object]) -> dict[str, Pay]:
    """Read pays for awards of a paytable, each award by its name, in capitals or not, from a text or by names.

    A number alone is in the unit that the award is paid in now. Commas may stand in an award's name, and in a pay.

    >>> from combinat.bets.catalog import find
    >>> read_pays(find("BLZ-1-UP"), "Three 7s, same color=1,000 for 1, Three 7s=9")["Three 7s, same color"].gross
    <Polynomial 1000>
    """
    awards = {one.name.lower(): one for one in paytable.settlement.stated}
    pays: dict[str, Pay] = {}
    text = given if isinstance(given, str) else ", ".join(f"{name}={said}" for name, said in given.items())
    pairs: Iterable[tuple[str, str | Fraction]] = (
        name_pairs(given, list(awards))
        if isinstance(given, str)
        else ((str(one), two if isinstance(two, Fraction) else str(two)) for one, two in given.items())
    )
    for name, said in pairs:
        award = awards.get(" ".join(name.split()).lower())
        if award is None:
            names = [one.name for one in awards.values()]
            hint = did_you_mean(name, names) or f"; its awards are {', '.join(names)}"
            raise UnknownAwardError(f"pays {quoted(text)}: {paytable.id} has no award {quoted(name)}{hint}")
        if award.name in pays:
            raise InputError(f"pays {quoted(text)}: {quoted(award.name)} is given twice")
        pays[award.name] = _pay(award, said, text)
    return pays


def _pay(award: Award, said: str | Fraction, text: str) -> Pay:
    """Read one pay; a bare number in the unit of the award's own."""
    try:
        if isinstance(said, str) and parse_number(said) is None:
            return parse_pay(said)
        amount, per = (said, 1) if isinstance(said, str) else (said.numerator, said.denominator)
        if award.pay.meter is None:
            return parse_pay(f"{amount} {'for' if award.pay.is_for_one else 'to'} {per}")
    except InputError as error:
        raise InputError(f"pays {quoted(text)}: {award.name}: {error}") from None
    raise InputError(
        f"pays {quoted(text)}: {quoted(award.name)} pays {award.pay}; write '{amount} to {per}', '{amount} for {per}' "
        f"or a part of the meter, as in '50% of {award.pay.meter}'"
    )


def name_pairs(text: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Part `A=1, B=2` into names and pays; where a comma could end a pay or stand in a name, known names decide."""
    first, *rest = re.split(r"\s*=\s*", text.strip().strip(",;"))
    if not rest or not first:
        raise InputError(f"cannot read the pays {quoted(text)}; {_FORM}")
    name = first
    for piece in rest[:-1]:
        said, following = _split_pay_and_name(piece, names)
        if not said or not following:
            raise InputError(f"cannot read the pays {quoted(text)} after {quoted(name)}; {_FORM}")
        yield name, said
        name = following
    if not rest[-1]:
        raise InputError(f"cannot read the pays {quoted(text)}: no pay for {quoted(name)}; {_FORM}")
    yield name, rest[-1]


def _split_pay_and_name(piece: str, names: Sequence[str]) -> tuple[str, str]:
    """Part a pay from the name that follows it.

    >>> _split_pay_and_name("1,000 to 1, Three 7s, suited", ["three 7s, suited", "suited"])
    ('1,000 to 1', 'Three 7s, suited')
    """
    cuts = [found.span() for found in re.finditer(r"[,;]\s*", piece)]
    for start, end in cuts:  # the longest name first
        if " ".join(piece[end:].split()).lower() in names:
            return piece[:start].strip(), piece[end:].strip()
    for start, end in cuts:  # no name that is known: the pay ends before what is no digit
        if not piece[end : end + 1].isdigit() or piece[start] == ";":
            return piece[:start].strip(), piece[end:].strip()
    return (piece[: cuts[-1][0]].strip(), piece[cuts[-1][1] :].strip()) if cuts else (piece, "")


def _paying(award: AwardFields, pays: Mapping[str, Pay]) -> AwardFields:
    pay = pays.get(award.name or award.hand or "")
    return award if pay is None else replace(award, pays=pay_text(pay))


def pay_text(pay: Pay) -> str:
    """Write a pay so that it reads back, also one that is no finite decimal."""
    amount = pay.amount
    return f"{amount.numerator} {pay.unit[:-2]} {amount.denominator}" if "/" in str(pay) else str(pay)


def _still_paid(system: MetersFields, paid: set[str | None]) -> MetersFields:
    """Leave out the meters that no award pays from any more."""
    return replace(system, levels=[level for level in system.levels if level.name in paid])


def _variant_id(id: str, pays: Mapping[str, Pay]) -> str:
    """Name a variant by its pays, or where that is long by their number and a fingerprint."""
    changes = [re.sub(r"[^A-Za-z0-9.]+", "-", f"{name}-{_short(pay)}").strip("-") for name, pay in pays.items()]
    found = "+".join([id, *changes])
    if len(found) <= _LONGEST_ID:
        return found
    mark = hashlib.sha256("\n".join(f"{name}={pay}" for name, pay in sorted(pays.items())).encode()).hexdigest()[:8]
    end = f"+{len(pays)}-pay{'s' if len(pays) > 1 else ''}-{mark}"
    return f"{id[: _LONGEST_ID - len(end)]}{end}"


def _short(pay: Pay) -> str:
    return str(pay).removesuffix(" to 1").replace(",", "")


def _variant_title(title: str, pays: Mapping[str, Pay]) -> str:
    found = ", ".join([title, *(f"{name} {pay}" for name, pay in pays.items())])
    if len(found) <= MAX_NAME:
        return found
    end = f", {len(pays)} other pay{'s' if len(pays) > 1 else ''}"
    return f"{title[: MAX_NAME - len(end)]}{end}"


class PaytableRef(Struct, frozen=True):
    """A paytable that whoever has the same program can make again."""

    text: str
    origin: str
    id: str
    soft_17: str = ""
    settings: tuple[tuple[str, str], ...] = ()

    def __call__(self) -> Paytable:
        """Give the paytable."""
        return _made(self)


def sent(paytable: Paytable, soft_17: str = "", settings: Mapping[str, str] | None = None) -> PaytableRef:
    """Write down a paytable of a file, with the rules of the table that were chosen since.

    >>> from combinat.bets.catalog import find
    >>> sent(find("TRI-03"))() == find("TRI-03")
    True
    """
    own = own_settings(paytable, settings or {})
    return PaytableRef(paytable.bet.file, paytable.bet.origin, paytable.id, soft_17, tuple(sorted(own.items())))


@lru_cache(maxsize=64)
def _made(bet: PaytableRef) -> Paytable:
    paytables, problems = parse(bet.text, bet.origin)
    found = next((one for one in paytables if one.id == bet.id), None)
    if found is None:
        raise InputError(f"{bet.origin}: no paytable {bet.id}; {'; '.join(problems)}")
    found = at_soft_17(found, bet.soft_17) if bet.soft_17 else found
    return apply_settings(found, dict(bet.settings))
