"""Export a found paytable as a TOML file."""

from __future__ import annotations

from msgspec.structs import replace

from combinat.bets.export import extract_fields, format_derived_bet, list_award_fields, parse_single_paytable
from combinat.bets.overrides import format_pay
from combinat.bets.schema import MAX_ID, MAX_NAME, LevelFields, MetersFields, PaytableFields
from combinat.exact.numbers import format_decimal
from combinat.finder.model import RATE, SEED
from combinat.finder.ranking import Candidate


def format_file(candidate: Candidate, id: str = "") -> str:
    """Format a found paytable as a file that can be loaded, and check that the file has the same edges."""
    spec = candidate.model.spec
    original = spec.paytable
    fields = extract_fields(original)
    (table,) = fields.paytable
    pay_by_award = {award.name: award.pay for award in candidate.stated if award is not None}
    awards = [
        replace(award_fields, pays=format_pay(pay_by_award[name]) if pay_by_award[name] != pay else award_fields.pays)
        for award_fields in list_award_fields(table, original)
        if (name := award_fields.name or award_fields.hand or "") in pay_by_award
        for pay in [next(award.pay for award in spec.stated if award.name == name)]
    ]
    new_table = replace(
        table,
        id=id or f"MY-{original.id}"[:MAX_ID],
        title=f"My {original.title}"[:MAX_NAME],
        decks=list(spec.decks),
        awards=awards,
        meters=_meters(candidate, table),
    )
    hand_names = {award.hand for award in awards}
    fields = replace(
        fields,
        paytable=[new_table],
        hands={name: rule for name, rule in fields.hands.items() if name in hand_names},
    )
    text = format_derived_bet(fields, original)
    candidate.check(parse_single_paytable(text, new_table.id))
    return text


def _meters(candidate: Candidate, table: PaytableFields) -> list[MetersFields]:
    """Return the meter terms with the seeds and rates that were found."""
    values = {(kind, name): value for kind, name, value in candidate.meter_values}
    if not values:
        return table.meters
    names = candidate.model.spec.paytable.meters
    systems = table.meters or [MetersFields(levels=[LevelFields(name=name, seed=0) for name in names])]
    return [
        replace(
            system,
            levels=[
                replace(
                    level,
                    seed=format_decimal(values[SEED, level.name]) if (SEED, level.name) in values else level.seed,
                    rate=f"{format_decimal(values[RATE, level.name] * 100)}%"
                    if (RATE, level.name) in values
                    else level.rate,
                )
                for level in system.levels
            ],
            basis=None,
        )
        for system in systems
    ]
