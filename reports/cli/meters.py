"""The commands about meters."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec.structs import replace

from combinat.analysis.analysis import Analysis
from combinat.bets.catalog import resolve_paytables
from combinat.bets.meters import parse_amount
from combinat.bets.paytable import Paytable
from combinat.bets.variants import MeterOverrides, build_system
from combinat.exact.numbers import parse_number
from combinat.meters.explain import RATES, SEEDS, Goal, explain_hold
from combinat.meters.hold import MeterFigures
from combinat.study import Study
from decks import InputError, parse_deck_counts
from decks.errors import quote
from reports.answers.meters import (
    break_even_document,
    explain_document,
    explain_payload,
    hold_formula_document,
    meter_document,
    meter_payload,
    unknown_break_even_document,
    unknown_meter_payload,
)
from reports.answers.studies import study_payload
from reports.cli import arguments
from reports.cli.arguments import parse_digits, parse_format, parse_meters
from reports.cli.options import DIGITS, AnyDecks, Decks, Digits, Format, Meter, OneOrMore, OnePaytable, Removed, warn
from reports.cli.output import echo, json_answer, print_answer, text_answer
from reports.cli.pace_options import Days, PlaysPerDay, pace_of
from reports.cli.trial import PayOverrides
from reports.cli.trying import FORM, MONEY, Pays, Rates, Seeds, Wager
from reports.render.plots import plot_meters
from reports.tables.meters import MeterOptions

if TYPE_CHECKING:
    from combinat.meters.hold import MeterFigures
    from reports.tables.meters import MeterOptions

app = typer.Typer(
    help="What meters do: hold, break-even, waiting times, published holds.",
    no_args_is_help=True,
    add_completion=False,
)

Reserves = Annotated[list[str], typer.Option("--reserve", help=f"What part of each wager is set aside: 2%, or {FORM}")]
Caps = Annotated[list[str], typer.Option("--cap", help=f"Where a meter stops growing, {MONEY}: 50000, or {FORM}")]
RatesAfterCap = Annotated[
    list[str], typer.Option("--rate-after-cap", help=f"What goes in beyond the cap: 2%, or {FORM}")
]
SeedPaidBy = Annotated[str | None, typer.Option(help="Who pays the seed: house or reserve.")]
NotDeducted = Annotated[bool, typer.Option("--not-deducted", help="Awards of a part of a meter leave it as it is.")]
HouseJackpot = Annotated[bool, typer.Option("--house-jackpot", help="The seed is a posted prize and does not grow.")]
AllPays = Annotated[bool, typer.Option("--all-pays-deducted", help="Fixed pays come out of the meter too.")]


def _analyze_one(paytable: str, decks: str | None, removed: str, any_decks: bool, pays: list[str]) -> Analysis:
    """Analyze one paytable at one deck count, by default the last of its design."""
    trial = PayOverrides(tuple(pays))
    studies = arguments.StudyRequest([paytable], decks, removed, any_decks=any_decks, trial=trial).studies(warn)
    if len(studies) > 1 and (decks is not None or len({study.paytable.id for study in studies}) > 1):
        raise InputError("meters are shown for one paytable and one deck count at a time; name them")
    return studies[-1].analysis


def _analyze_each(paytable: str, decks: str | None, removed: str, any_decks: bool, pays: list[str]) -> list[Analysis]:
    """Analyze one paytable at each requested deck count, by default the last of its design."""
    trial = PayOverrides(tuple(pays))
    studies = arguments.StudyRequest([paytable], decks, removed, any_decks=any_decks, trial=trial).studies(warn)
    if len({study.paytable.id for study in studies}) > 1:
        raise InputError("break-even amounts are shown for one paytable at a time; name it, as in file.toml:ID")
    return [study.analysis for study in (studies if decks is not None else studies[-1:])]


@app.command("show")
def meter_show(
    paytable: OnePaytable,
    decks: Decks = None,
    removed: Removed = "",
    seed: Seeds = [],  # noqa: B006  # typer reads the defaults, nobody writes to them
    rate: Rates = [],  # noqa: B006
    reserve: Reserves = [],  # noqa: B006
    cap: Caps = [],  # noqa: B006
    rate_after_cap: RatesAfterCap = [],  # noqa: B006
    wager: Wager = None,
    seed_paid_by: SeedPaidBy = None,
    not_deducted: NotDeducted = False,
    house_jackpot: HouseJackpot = False,
    all_pays_deducted: AllPays = False,
    meter: Meter = [],  # noqa: B006
    pays: Pays = [],  # noqa: B006
    plays_per_day: PlaysPerDay = None,
    days: Days = None,
    floor: Annotated[
        str | None, typer.Option(help="An amount that a meter paying everything should not go below.")
    ] = None,
    plays: Annotated[int | None, typer.Option(help="Plays to follow such a meter for.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw return and jackpots into this .svg or .png file.")] = None,
    any_decks: AnyDecks = False,
    format: Format = "table",
    digits: Digits = DIGITS,
) -> None:
    """Show the long-run hold, the return by meter, and what the meters do from hit to hit."""
    format, digits = parse_format(format), parse_digits(digits)
    analysis = _analyze_one(paytable, decks, removed, any_decks, pays)
    values = {"seed": seed, "rate": rate, "reserve": reserve, "cap": cap, "rate_after_cap": rate_after_cap}
    system = build_system(
        analysis.paytable,
        analysis.shoe.decks,
        MeterOverrides(values, wager, seed_paid_by, not_deducted, house_jackpot, all_pays_deducted),
    )
    if system is None:
        print_answer(lambda: hold_formula_document(analysis), lambda: [study_payload(Study(analysis))], format, digits)
        return
    figures = MeterFigures(analysis, system)
    question = MeterOptions(
        meters=parse_meters(meter, [analysis.paytable]),
        pace=pace_of(plays_per_day, days),
        floor=None if floor is None else parse_amount(floor, "floor"),
        plays=plays,
    )
    document = meter_document(figures, question)
    if plot is not None and figures.has_closed_form:
        plot_meters(figures, question, plot)
    print_answer(lambda: document, lambda: [meter_payload(figures, question)], format, digits)


@app.command("break-even")
def meter_break_even(
    paytable: OnePaytable,
    decks: Decks = None,
    removed: Removed = "",
    seed: Seeds = [],  # noqa: B006
    rate: Rates = [],  # noqa: B006
    wager: Wager = None,
    meter: Meter = [],  # noqa: B006
    pays: Pays = [],  # noqa: B006
    any_decks: AnyDecks = False,
    format: Format = "table",
    digits: Digits = DIGITS,
) -> None:
    """Show at which amount each meter gives the player an even bet, the others at their average or as given.

    Several deck counts give one answer each. Example: combinat meter break-even BLZ-1-UP --decks 6,8
    """
    format, digits = parse_format(format), parse_digits(digits)
    documents, payloads = [], []
    for analysis in _analyze_each(paytable, decks, removed, any_decks, pays):
        system = build_system(
            analysis.paytable, analysis.shoe.decks, MeterOverrides({"seed": seed, "rate": rate}, wager)
        )
        question: MeterOptions = MeterOptions(meters=parse_meters(meter, [analysis.paytable]))
        if system is None or (not rate and analysis.paytable.system_for(analysis.shoe.decks) is None):
            at_wager = replace(analysis, stated_wager=system.wager) if system else analysis
            documents.append(partial(unknown_break_even_document, at_wager, question))
            payloads.append(partial(unknown_meter_payload, at_wager, question))
        else:
            figures: MeterFigures = MeterFigures(analysis, system)
            documents.append(partial(break_even_document, figures, question))
            payloads.append(partial(meter_payload, figures, question))
    if format == "json":
        echo(json_answer(payload() for payload in payloads), end="")
        return
    for text in [text_answer(document(), format, digits) for document in documents]:  # all or none
        echo(text, end="")


@app.command("explain")
def meter_explain(
    paytables: OneOrMore,
    hold: Annotated[
        str | None, typer.Option(help="The hold as printed, such as 24.78; left out, the catalog's.")
    ] = None,
    hit_frequency: Annotated[str | None, typer.Option(help="The hit frequency as printed, such as 14.82.")] = None,
    decks: Annotated[str | None, typer.Option("--decks", "-d", help="Deck counts to try; left out, 1-8.")] = None,
    together: Annotated[
        bool, typer.Option("--together", help="Explain all paytables by one rate and one list of seeds.")
    ] = False,
    rates: Annotated[str | None, typer.Option(help="Rates to try in percent: 10-30, or 20,22.5.")] = None,
    seeds: Annotated[str | None, typer.Option(help="Seeds to try: 1000,1500,2000.")] = None,
    most: Annotated[int, typer.Option(help="How many explanations to show.")] = 5,
    format: Format = "table",
    digits: Digits = DIGITS,
) -> None:
    """Find round contribution rates and seeds that give a published hold to its printed digits, simplest first."""
    format, digits = parse_format(format), parse_digits(digits)
    counts = parse_deck_counts(decks) if decks is not None else None
    goals = [
        _goal(resolved, hold, hit_frequency, counts)
        for argument in paytables
        for resolved in resolve_paytables(argument)
    ]
    grid = (RATES if rates is None else _rate_grid(rates), SEEDS if seeds is None else _seed_grid(seeds))
    goal_groups = [goals] if together else [[goal] for goal in goals]
    answers = [(group, explain_hold(group, *grid)) for group in goal_groups]
    if format == "json":
        echo(json_answer(explain_payload(group, explanations) for group, explanations in answers), end="")
        return
    for group, explanations in answers:
        echo(text_answer(explain_document(group, explanations, most), format, digits), end="")


def _goal(paytable: Paytable, hold: str | None, hits: str | None, decks: tuple[int, ...] | None) -> Any:
    printed = {figure.figure: figure.text for figure in paytable.published}
    hold_text = hold or printed.get("hold")
    if hold_text is None:
        raise InputError(f"{paytable.id}: no hold is published in the catalog; give --hold, as in --hold 24.78")
    return Goal(paytable, hold_text, hits or printed.get("hit_frequency"), decks)


def _rate_grid(text: str) -> tuple[Fraction, ...]:
    """Parse rates in percent: single values, or the integers of a range."""
    rates: set[Fraction] = set()
    prefix = f"--rates {quote(text)}"
    for item in text.split(","):
        first, dash, last = (end.strip() for end in item.replace("%", "").partition("-"))
        low, high = parse_number(first), parse_number(last) if dash else None
        if low is None or (dash and (high is None or low.denominator * high.denominator > 1)):
            raise InputError(f"{prefix}: cannot read {quote(item)}; write percentages, as in 10-30 or 20,22.5")
        top = low if high is None else high
        if max(low, top) > 100:
            raise InputError(f"{prefix}: {quote(item)} is more than the whole wager; rates are 0 to 100 percent")
        if top < low:
            raise InputError(f"{prefix}: {quote(item)} runs backwards; write {last}-{first}")
        rates.update(
            [low / 100] if high is None else (Fraction(percent, 100) for percent in range(int(low), int(top) + 1))
        )
    return tuple(sorted(rates))


def _seed_grid(text: str) -> tuple[Fraction, ...]:
    return tuple(sorted({parse_amount(item, "seed") for item in text.split(",")}))
