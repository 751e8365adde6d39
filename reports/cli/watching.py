"""The commands about watching the cards: the effect of removal, and what counts are worth."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec.structs import replace

from combinat.exact.amounts import number_in
from combinat.study import Study, study
from decks import InputError, Shoe
from decks.errors import quoted
from reports.cli.arguments import Question, parse_digits, parse_format
from reports.cli.options import (
    DIGITS,
    AnyDecks,
    Decks,
    Digits,
    Format,
    Meter,
    OnePaytable,
    Removed,
    Up,
    bar_when_long,
    warn,
)
from reports.cli.printing import answer
from reports.cli.table import Table
from reports.cli.table_options import at_a_game, at_a_table

if TYPE_CHECKING:
    from combinat.advantage.conventions import Conventions
    from combinat.advantage.counts import Count

app = typer.Typer(pretty_exceptions_enable=False)


@app.command()
@at_a_table
def removal(
    paytable: OnePaytable,
    decks: Decks = None,
    removed: Removed = "",
    meter: Meter = [],  # noqa: B006  # typer reads the default, nobody writes to it
    up: Up = None,
    any_decks: AnyDecks = False,
    format: Format = "table",
    digits: Digits = DIGITS,
    *,
    table: Table,
) -> None:
    """Tell how the edge moves when one card of the shoe is gone, for every card, exactly."""
    from combinat.advantage.removal import removals
    from reports.answers.payload import answers_payload
    from reports.answers.removal import removal_document, removal_payload

    format, digits = parse_format(format), parse_digits(digits)
    question = Question([paytable], decks, removed, meter, any_decks, up, table)
    with bar_when_long("cards gone") as progress:
        found = [
            removals(one, lambda shoe, one=one: _again(one, shoe, question), progress)  # type: ignore[misc]
            for one in question.studies(warn)
        ]
    answer(
        lambda: removal_document(found),
        lambda: answers_payload(removal_payload(one) for every in found for one in every),
        format,
        digits,
    )


def _again(one: Study, shoe: Shoe, question: Question) -> Study:
    """Work a study out again at another shoe and the same table."""
    return study(one.paytable, shoe, one.analysis.meters, question.table, question.strategy)


@app.command("count")
@at_a_game
def count_(
    paytable: OnePaytable,
    decks: Decks = None,
    cut: Annotated[int | None, typer.Option(help="The cut card lies so many cards from the end.")] = None,
    tags: Annotated[
        str | None, typer.Option(help='What each card adds, such as "A=-2 2=1 10=-1"; others add 0.')
    ] = None,
    best: Annotated[
        int | None,
        typer.Option(help="Without --tags: find the best whole-number tags up to this level; 1 if left out."),
    ] = None,
    unbalanced: Annotated[bool, typer.Option("--unbalanced", help="With --best: the tags need not come to 0.")] = False,
    trigger: Annotated[
        str | None, typer.Option(help="Tell of this trigger depth by depth instead of the best one.")
    ] = None,
    conventions: Annotated[
        str | None, typer.Option(help="Customs: blackjack or baccarat; by the bet's game if left out.")
    ] = None,
    every: Annotated[
        str | None, typer.Option(help="A round begins every so many cards; 0 for all depths alike.")
    ] = None,
    depths: Annotated[str | None, typer.Option(help="Rounds begin just there, such as 52,104-110.")] = None,
    first: Annotated[int | None, typer.Option(help="Cards seen before the first round that counts.")] = None,
    burned: Annotated[int | None, typer.Option(help="Cards burned before the first round.")] = None,
    burned_seen: Annotated[int | None, typer.Option(help="How many of the burned cards are seen.")] = None,
    after_cut: Annotated[int | None, typer.Option(help="Rounds after the one in which the cut card comes.")] = None,
    true_count: Annotated[str | None, typer.Option(help="exact, floored, rounded, or running for no division.")] = None,
    divide_by: Annotated[str | None, typer.Option(help="Decks left: exact, to the nearest half or whole.")] = None,
    divisor: Annotated[
        str | None, typer.Option(help="Cards divided by: unseen, or physical, those in the shoe.")
    ] = None,
    start: Annotated[int | None, typer.Option(help="What the running count starts with.")] = None,
    suits: Annotated[
        bool, typer.Option("--suits", help="Count the fullest suit left less the emptiest, not tags.")
    ] = False,
    bound: Annotated[bool, typer.Option("--bound", help="Tell what no count can beat, exactly or as sampled.")] = False,
    samples: Annotated[int, typer.Option(help="Shoes to sample where the bound is not exact.")] = 2000,
    seed: Annotated[int, typer.Option(help="The seed of what is sampled.")] = 1,
    wager: Annotated[str | None, typer.Option(help="The largest wager, to tell what an hour wins.")] = None,
    rounds_per_hour: Annotated[str, typer.Option(help="Rounds in an hour.")] = "70",
    view: Annotated[str, typer.Option(help="Roles whose cards are seen when the bet is made, such as player,up.")] = "",
    removed: Removed = "",
    meter: Meter = [],  # noqa: B006  # typer reads the default, nobody writes to it
    any_decks: AnyDecks = False,
    format: Format = "table",
    digits: Digits = 6,
    *,
    table: Table,
) -> None:
    """Tell what it is worth to count cards: how often one bets, the edge then and what is won, for every trigger."""
    from combinat.advantage.bound import bound as perfect
    from combinat.advantage.conventions import CONVENTIONS, convention, usual_cut
    from combinat.advantage.counts import count, count_suits
    from combinat.advantage.removal import removals
    from combinat.advantage.tags import best_tags, betting_correlation, parse_tags
    from combinat.advantage.uses import check_listed
    from reports.answers.counts import Answer, counts_document, counts_payload
    from reports.answers.payload import answers_payload

    format, digits = parse_format(format), parse_digits(digits)
    question = Question([paytable], decks, removed, meter, any_decks, None, table)
    found = [Study(one.analysis) for one in question.studies(warn)]
    if tags is not None and (best is not None or unbalanced):
        raise InputError("--tags says what the tags are; it goes with neither --best nor --unbalanced")
    rounds_of_a_shoe = {"--cut": cut, "--every": every, "--first": first, "--burned": burned}
    rounds_of_a_shoe |= {"--burned-seen": burned_seen, "--after-cut": after_cut}
    if depths is not None and (other := [name for name, value in rounds_of_a_shoe.items() if value is not None]):
        raise InputError(f"--depths says where rounds begin; it does not go with {other[0]}")
    if len(found) > 1:
        many = ", ".join(f"{one.paytable.id} with {one.shoe}" for one in found[:4])
        raise InputError(f"a count is of one paytable and one deck count, not of {many}; name one with --decks")
    (one,) = found
    shoe, meters = one.shoe, one.analysis.meters
    if one.analysis.open_meters:
        raise InputError(f"{one.paytable.id} pays from meters; say what they show with --meter")
    check_listed(one.paytable)
    usual = one.paytable.bet.game.lower()
    base = convention(conventions if conventions is not None else usual if usual in CONVENTIONS else "blackjack")
    customs = _customs(
        base,
        round_cards=None if every is None else _number(every, "--every"),
        first=first,
        burned=burned,
        burned_seen=burned_seen,
        rounds_after_cut=after_cut,
        divisor=divisor,
        decks=divide_by,
        true_count=true_count,
        start=start,
    )
    places = None if depths is None else _whole_numbers(depths)
    lies = None if places is not None else usual_cut(customs, shoe.size) if cut is None else cut
    roles = [role.strip() for role in view.split(",") if role.strip()]
    if suits:
        if tags is not None or roles or best is not None:
            raise InputError("--suits is a count of its own; it goes with none of --tags, --best and --view")
        correlation, watched = None, count_suits(one.paytable, shoe, customs, lies, places, meters)
    else:
        (removal,) = removals(one, lambda other: study(one.paytable, other, meters))
        marks = (
            best_tags(removal, 1 if best is None else best, not unbalanced)
            if tags is None
            else parse_tags(tags, shoe.composition)
        )
        correlation = betting_correlation(marks, removal)
        watched = count(one.paytable, shoe, marks, customs, lies, places, meters, roles)
    information = []
    if roles:
        blind = count(one.paytable, shoe, marks, customs, lies, places, meters)
        gain = _best(watched) - _best(blind)
        information.append((f"seeing {' and '.join(roles)}", gain))
    if burned is not None and customs.burned > customs.burned_seen and places is None and not suits:
        seen = replace(customs, burned_seen=customs.burned)
        gain = _best(count(one.paytable, shoe, marks, seen, lies, None, meters, roles)) - _best(watched)
        information.append(("seeing the burned cards", gain))
    told = Answer(
        watched,
        lies,
        correlation,
        one.analysis.house_edge.constant,
        None if trigger is None else _number(trigger, "--trigger"),
        tuple(information),
        perfect(one.paytable, shoe, watched.rounds, samples, seed, meters, roles) if bound else None,
        None
        if wager is None
        else (_more_than_none(wager, "--wager"), _more_than_none(rounds_per_hour, "--rounds-per-hour")),
    )
    answer(lambda: counts_document(told), lambda: answers_payload([counts_payload(told)]), format, digits)


def _best(watched: Count) -> Fraction:
    """What the best trigger wins in 100 rounds."""
    return watched.best.per_hundred if watched.best else Fraction(0)


def _customs(base: Conventions, **typed: object) -> Conventions:
    """Change conventions where something was typed; burned cards that are said take the place of a card shown."""
    given = {name: value for name, value in typed.items() if value is not None}
    if "round_cards" in given:
        given["lengths"] = ()
    if "burned" in given:
        given["burns_by_first_card"] = False
    changed: Conventions = replace(base, **given)
    return changed


def _number(text: str, option: str) -> Fraction:
    negative = text.strip().startswith("-")
    value = number_in(text.strip().lstrip("+-"))
    if value is None:
        raise InputError(f"{option} {quoted(text)}: no number; write one, as in 5.4")
    return -value if negative else value


def _more_than_none(text: str, option: str) -> Fraction:
    value = _number(text, option)
    if value <= 0:
        raise InputError(f"{option} {quoted(text)}: must be more than nothing")
    return value


def _whole_numbers(text: str) -> list[int]:
    """Read depths written as numbers and spans."""
    found: list[int] = []
    for part in text.split(","):
        ends = [end.strip() for end in part.split("-")]
        if len(ends) > 2 or not all(end.isascii() and end.isdecimal() and len(end) < 6 for end in ends):
            raise InputError(f"--depths: no depth {quoted(part.strip())}; write whole numbers, as in 52,104-110")
        found += range(int(ends[0]), int(ends[-1]) + 1)
    if not found:
        raise InputError(f"--depths {quoted(text)}: no depth; write whole numbers, as in 52,104-110")
    return found
