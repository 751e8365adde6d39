"""Pydantic models of the HTTP requests; OpenAPI descriptions are generated from them."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from reports.render.formats import sheet_formats

_MAX_BETS = 20
_MAX_TEXT = 300_000
Small = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]
"""An integer of moderate size; its range is checked where it is used."""


class Shape(BaseModel):
    """A JSON object with only these keys."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Bet(Shape):
    """A bet: a catalog id, or the text of a bet's file. Files of the server are never read."""

    id: str | None = Field(None, max_length=80, description="Catalog id, such as TRI-03.")
    toml: str | None = Field(None, max_length=_MAX_TEXT, description="The text of a bet's file.")
    paytable: str | None = Field(None, max_length=80, description="Id of one paytable of the text. Default: all.")
    name: str | None = Field(None, max_length=80, description="Name of the text in messages.")


class Blackjack(Shape):
    """The blackjack table of a bet whose winnings can be parlayed; the defaults are the default table."""

    hits_soft_17: bool | None = None
    double_after_split: bool = True
    double: str = Field("any", max_length=40)
    hands: Small | None = None
    resplit_aces: bool = False
    hit_split_aces: bool = False
    blackjack: str = Field("3:2", max_length=20)
    surrender: bool = False
    strategy: str = Field("best", max_length=40)


class _WithMeters(Shape):
    meters: list[str] = Field([], max_length=50, description="Meter amounts: 25000, or Mega=50000.")


class _Shoe(_WithMeters):
    removed: str = Field("", max_length=4000, description="Removed cards, such as 7h 7d Ks.")


class _Table(Shape):
    blackjack: Blackjack | None = None
    settings: dict[str, str | Small] = Field({}, max_length=50, description="Settings of the game, by key.")


class _Overrides(Shape):
    pays: list[str] = Field([], max_length=50, description="Pay overrides: Flush=6, Straight=9 to 1.")
    seed: list[str] = Field([], max_length=50, description="Seed overrides: 2000, or Mega=2000.")
    rate: list[str] = Field([], max_length=50, description="Contribution rate overrides: 24%, or Mega=24%.")
    wager: str | None = Field(None, max_length=40, description="Override of the fixed wager.")


class Studies(_Shoe, _Table, _Overrides):
    """Bets and shoes."""

    bets: list[Bet] = Field(min_length=1, max_length=_MAX_BETS)
    decks: str | None = Field(None, max_length=100, description="6, or 1,2,4-8. Default: those of the design.")
    any_decks: bool = Field(False, description="Allow deck counts that a paytable is not designed for.")
    up: str | None = Field(None, max_length=20, description="The dealer's up card; all figures are conditional on it.")


class Wager(Shape):
    """A bet and its stake."""

    bet: Bet
    stake: str = Field("1", max_length=40)


class Joint(_Shoe):
    """Wagers on the same cards, at one spot or at several."""

    wagers: list[Wager] = Field(min_length=1, max_length=_MAX_BETS)
    decks: str | None = Field(None, max_length=100)
    any_decks: bool = False
    spots: Small = 1
    blackjack: Blackjack | None = None


Choices = str | dict[str, str]


class _Requirements(Shape):
    """Allowed pays and required figures, in the notation of `combinat design`."""

    pays: Choices = Field("", description='Allowed pays: "Flush=1..50, Pair=1|2|out", or "*=1..50" for all awards.')
    edge: Choices = Field(
        "",
        description='Limits of the edge: "4.0%..4.5%", or by deck count {"6": "4%..5%"}. Required unless there is a '
        "target, or an order other than closest with limits of other figures.",
    )
    hit_frequency: str = Field("", max_length=80)
    standard_deviation: str = Field("", max_length=80)
    top_share: str = Field("", max_length=80)
    share: Choices = Field("", description='Limits of shares of the return: "Flush=..40%", or "*=..50%".')
    top_pay: str = Field("", max_length=80)
    min_ratio: str = Field("", max_length=40, description="Minimum ratio of each pay to the next lower one.")
    nice: str = Field("", max_length=2000, description='The pays that "nice" stands for.')
    min_difference: str = Field("", max_length=40)
    max_count_gain: str = Field("", max_length=40, description="Units per 100 rounds.")
    falling: bool | None = Field(
        None,
        description="True: each award pays less than the one above it. False: any order. Default: no award pays more "
        "than one above it, except where the bet itself does so.",
    )
    order: str = Field("closest", max_length=40)
    target: str | None = Field(None, max_length=40)
    seed: Choices = Field("", description="Allowed seeds of a meter: 1000..5000 step 500.")
    rate: Choices = Field("", description="Allowed contribution rates of a meter: 10%..20%.")
    best: int = Field(10, ge=1, le=200, description="Maximum number of results.")


class Design(_Requirements):
    """A search for paytables that meet requirements."""

    bet: Bet
    decks: str | None = Field(
        None, max_length=100, description="Deck counts at which the requirements hold. Default: those of the design."
    )
    meter: Choices = Field("", description="Fixed amount of a meter.")


class _CountOptions(Shape):
    """Options of a card count, as of `combinat count`."""

    tags: str | None = Field(None, max_length=400, description="Tags: A=-2 2=1 10=-1. Default: the best tags.")
    best: int | None = Field(None, ge=1, le=20, description="Without tags: highest level of the best tags. Default: 1.")
    unbalanced: bool = Field(False, description="The best tags may be unbalanced.")
    cut: Small | None = Field(None, description="Cut-card position, in cards from the end of the shoe.")
    trigger: str | None = Field(None, max_length=40, description="Trigger to report by depth. Default: the best one.")
    conventions: str | None = Field(
        None, max_length=40, description="blackjack, baccarat or lucky 9. Default: by the game."
    )
    every: str | None = Field(None, max_length=40, description="Cards per round; 0 for a round at every depth.")
    depths: str | None = Field(None, max_length=400, description="Depths at which rounds begin: 52,104-110.")
    first: Small | None = Field(None, description="Cards seen before the first round.")
    burned: Small | None = Field(None, description="Cards burned before the first round.")
    burned_seen: Small | None = Field(None, description="Number of burn cards that are seen.")
    after_cut: Small | None = Field(None, description="Rounds after the one in which the cut card appears.")
    true_count: str | None = Field(None, max_length=20, description="exact, floored, rounded or running.")
    divide_by: str | None = Field(None, max_length=20, description="Rounding of remaining decks: exact, half, whole.")
    divisor: str | None = Field(None, max_length=20, description="Cards to divide by: unseen or physical.")
    start: Small | None = Field(None, description="Initial running count.")
    suits: bool = Field(False, description="Count suits (the longest less the shortest) instead of tags.")
    view: str = Field("", max_length=100, description="Roles whose cards are exposed when the bet is made: player,up.")
    wager_alone: bool = Field(False, description="Count the wager alone, without parlays.")
    bound: bool = Field(False, description="Also report the upper bound for perfect play.")
    samples: int | None = Field(None, ge=0, le=10_000_000, description="Shoes to sample if the bound is not exact.")
    until: str | None = Field(None, max_length=20, description="Relative half-width at which sampling stops: 0.1%.")
    chunk: int | None = Field(None, ge=1, le=10_000_000, description="Shoes per chunk of the sample.")
    wager: str | None = Field(None, max_length=40, description="Largest wager, for the win per hour.")
    rounds_per_hour: str = Field("70", max_length=40)


class Count(_CountOptions, _Shoe, _Table):
    """The value of a card count, for bets at shoes."""

    bets: list[Bet] = Field(min_length=1, max_length=_MAX_BETS)
    decks: str | None = Field(None, max_length=100, description="6, or 1,2,4-8. Default: those of the design.")
    any_decks: bool = Field(False, description="Allow deck counts that a paytable is not designed for.")
    seed: int = Field(1, ge=0, lt=2**63, description="Seed of the sample.")


class Check(Shape):
    """Bets to check."""

    bets: list[Bet] = Field(min_length=1, max_length=_MAX_BETS)


class Odds(Shape):
    """A rule whose probability is requested."""

    rule: str = Field(max_length=4000, description="Rule, such as: suited and straight.")
    deal: str = Field("player:2, up:1", max_length=200, description="Deal: roles and numbers of cards.")
    decks: str = Field("1,2,4-8", max_length=100)
    given: str | None = Field(None, max_length=4000, description="Condition: count only hands that meet this rule.")
    removed: str = Field("", max_length=4000)
    pack: str = Field("standard", max_length=100)


class Sheet(_WithMeters, _Table, _Overrides):
    """A par sheet, as one file."""

    bet: Bet
    decks: Small | None = Field(None, description="Default: the largest deck count of the design.")
    format: str = Field("pdf", max_length=20, description=f"One of {', '.join(sheet_formats())}.")
    document: str = Field("", max_length=200)
    revision: str = Field("1", max_length=200)
    date: str | None = Field(None, max_length=40)
    prepared_by: str = Field("", max_length=200)
    reviewed_by: str = Field("", max_length=200)
    jurisdiction: str = Field("", max_length=200)
    history: list[str] = Field([], max_length=50, description="Earlier revisions: 1; 2026-01-31; first issue.")
    max_wager: str = Field("", max_length=40, description="Largest wager of the table, if it is stated.")
    rounds_per_hour: str | None = Field(None, max_length=40, description="Adds a section on card counting.")
    digits: int = Field(10, ge=0, le=100)
    paper: str = Field("", max_length=20, description="a4 or letter; by default that of the jurisdiction.")
    posted_jackpot: bool = False
    other_decks: bool = Field(False, description="Compute the option at the other deck counts too; slow.")


class View(_Shoe):
    """The state of the page: the bet's text, one of its paytables, and the deck counts."""

    toml: str = Field(max_length=_MAX_TEXT)
    paytable: str | None = Field(None, max_length=80)
    decks: str = Field("", max_length=100)
    at: Small | None = Field(None, description="The selected deck count.")


class Variant(Shape):
    """A kept variant."""

    name: str = Field("", max_length=80)
    note: str = Field("", max_length=2000)
    toml: str = Field(max_length=_MAX_TEXT)
    paytable: str | None = Field(None, max_length=80)
    meters: list[str] = Field([], max_length=50)


class Variants(View):
    """Variants to compare with the bet, and the target band of the edge."""

    variants: list[Variant] = Field(min_length=1, max_length=_MAX_BETS)
    target: str = Field("", max_length=80)


class TriedRule(View):
    """A rule of the rule builder, and a hand to try."""

    rule: str = Field("", max_length=4000)
    hand: str = Field("", max_length=400)


class SavedProject(Shape):
    """The state of the page that a project file holds."""

    name: str = Field("", max_length=80)
    notes: str = Field("", max_length=20_000)
    toml: str = Field(max_length=_MAX_TEXT)
    paytable: str | None = Field(None, max_length=80)
    decks: str = Field("", max_length=100)
    target: str = Field("", max_length=80)
    locks: list[str] = Field([], max_length=200)
    variants: list[Variant] = Field([], max_length=_MAX_BETS)


class OpenedProject(Shape):
    """The text of a project file, or of a bet."""

    text: str = Field(max_length=900_000)


class Money(View):
    """The table of the money view."""

    rounds: str = Field(max_length=40)
    spots: str = Field(max_length=40)
    wager: str = Field(max_length=40)
    hours: str = Field(max_length=40)
    lease: str = Field(max_length=40)


class RackCard(View):
    """The format of a rack card."""

    format: str = Field("pdf", max_length=20)


class Wagers(View):
    """Other wagers on the cards of the bet."""

    stake: str = Field("1", max_length=40)
    others: list[Wager] = Field([], max_length=_MAX_BETS)
    spots: Small = 1


class Finder(_Requirements, View):
    """A search for pays of the page's bet."""

    for_decks: str | None = Field(None, max_length=100)


class Counting(_CountOptions, View):
    """A card count for the page's bet."""


class Meters(View):
    """Meter terms that override those of the text."""

    seed: list[str] = Field([], max_length=50)
    rate: list[str] = Field([], max_length=50)
    reserve: list[str] = Field([], max_length=50)
    cap: list[str] = Field([], max_length=50)
    rate_after_cap: list[str] = Field([], max_length=50)
    wager: str = Field("", max_length=40)


class Option(View):
    """The blackjack table for parlays."""

    blackjack: Blackjack | None = None


class Refusal(BaseModel):
    """An error in one line."""

    error: str
