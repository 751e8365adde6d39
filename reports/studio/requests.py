"""Pydantic models of the HTTP requests; OpenAPI descriptions are generated from them."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

_MOST_BETS = 20
_TEXT = 300_000
Small = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]
"""A whole number that any program can hold; what it may be is said where it is used."""


class Shape(BaseModel):
    """A JSON object with just these keys."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Bet(Shape):
    """A bet: an id of the catalog, or the text of a bet's file. Files of the server's machine are never read."""

    id: str | None = Field(None, max_length=80, description="A paytable of the catalog, such as TRI-03.")
    toml: str | None = Field(None, max_length=_TEXT, description="The text of a bet's file.")
    paytable: str | None = Field(None, max_length=80, description="One paytable of the text; left out, all of them.")
    name: str | None = Field(None, max_length=80, description="What messages call the text.")


class Blackjack(Shape):
    """The blackjack table around a bet whose winnings can ride; left out, the usual one."""

    hits_soft_17: bool | None = None
    double_after_split: bool = True
    double: str = Field("any", max_length=40)
    hands: Small | None = None
    resplit_aces: bool = False
    hit_split_aces: bool = False
    blackjack: str = Field("3:2", max_length=20)
    surrender: bool = False
    strategy: str = Field("best", max_length=40)


class _Metered(Shape):
    meters: list[str] = Field([], max_length=50, description="What meters show: 25000, or Mega=50000.")


class _Shoe(_Metered):
    removed: str = Field("", max_length=4000, description="Cards already out of the shoe, such as 7h 7d Ks.")


class _Table(Shape):
    blackjack: Blackjack | None = None
    settings: dict[str, str | Small] = Field({}, max_length=50, description="Settings of a game that has some.")


class _Tried(Shape):
    pays: list[str] = Field([], max_length=50, description="Other pays to try, as: Flush=6, Straight=9 to 1.")
    seed: list[str] = Field([], max_length=50, description="Other seeds of meters to try: 2000, or Mega=2000.")
    rate: list[str] = Field([], max_length=50, description="Other rates of meters to try: 24%, or Mega=24%.")
    wager: str | None = Field(None, max_length=40, description="Another fixed wager to try.")


class Studies(_Shoe, _Table, _Tried):
    """Which bets, at which shoes."""

    bets: list[Bet] = Field(min_length=1, max_length=_MOST_BETS)
    decks: str | None = Field(None, max_length=100, description="6, or 1,2,4-8; left out, those of the design.")
    any_decks: bool = Field(False, description="Allow deck counts that a paytable is not designed for.")
    up: str | None = Field(None, max_length=20, description="The dealer's up card; all figures are given that.")


class Wager(Shape):
    """A bet of a round and what is staked on it."""

    bet: Bet
    stake: str = Field("1", max_length=40)


class Joint(_Shoe):
    """Wagers on the same cards, at one spot or at several."""

    wagers: list[Wager] = Field(min_length=1, max_length=_MOST_BETS)
    decks: str | None = Field(None, max_length=100)
    any_decks: bool = False
    spots: Small = 1
    blackjack: Blackjack | None = None


Choices = str | dict[str, str]


class _Wanted(Shape):
    """What may be paid and what must hold, in the words of `combinat design`."""

    pays: Choices = Field("", description='What awards may pay: "Flush=1..50, Pair=1|2|out", or "*=1..50" for all.')
    edge: Choices = Field(
        "",
        description='Limits of the edge: "4.0%..4.5%", or by deck counts {"6": "4%..5%"}. Needed unless there is a '
        "target, or another order than closest and limits of other figures.",
    )
    hit_frequency: str = Field("", max_length=80)
    standard_deviation: str = Field("", max_length=80)
    top_share: str = Field("", max_length=80)
    top_at_least: str | None = Field(None, max_length=80)
    falling: bool | None = Field(
        None,
        description="Whether each award pays less than the one above it (true), or pays come in any order (false). By "
        "default no award pays more than one above it, except where the bet itself has it so.",
    )
    order: str = Field("closest", max_length=40)
    target: str | None = Field(None, max_length=40)
    seed: Choices = Field("", description="What a meter's seed may be: 1000..5000 step 500.")
    rate: Choices = Field("", description="What a meter's rate may be: 10%..20%.")
    best: int = Field(10, ge=1, le=200, description="How many to give.")


class Design(_Wanted):
    """Which paytables of a bet do what is asked."""

    bet: Bet
    decks: str | None = Field(
        None, max_length=100, description="Deck counts that it must serve; left out, the design's."
    )
    meter: Choices = Field("", description="What a meter shows; then it does not grow.")


class _Counting(Shape):
    """How cards are counted, in the words of `combinat count`; what is left out is as usual."""

    tags: str | None = Field(
        None, max_length=400, description="What each card adds: A=-2 2=1 10=-1; left out, the best."
    )
    best: int | None = Field(
        None, ge=1, le=20, description="Without tags, up to which level the best ones are looked for; 1 if left out."
    )
    unbalanced: bool = Field(False, description="The best tags need not come to 0.")
    cut: Small | None = Field(None, description="Cards behind the cut card.")
    trigger: str | None = Field(None, max_length=40, description="Told depth by depth instead of the best one.")
    conventions: str | None = Field(
        None, max_length=40, description="blackjack, baccarat or lucky 9; left out, by the game."
    )
    every: str | None = Field(None, max_length=40, description="A round begins every so many cards.")
    depths: str | None = Field(None, max_length=400, description="Rounds begin just there: 52,104-110.")
    first: Small | None = Field(None, description="Cards seen before the first round that counts.")
    burned: Small | None = Field(None, description="Cards burned before the first round.")
    burned_seen: Small | None = Field(None, description="How many of the burned cards are seen.")
    after_cut: Small | None = Field(None, description="Rounds after the one in which the cut card comes.")
    true_count: str | None = Field(None, max_length=20, description="exact, floored, rounded or running.")
    divide_by: str | None = Field(None, max_length=20, description="Decks left: exact, half or whole.")
    divisor: str | None = Field(None, max_length=20, description="Cards divided by: unseen or physical.")
    start: Small | None = Field(None, description="What the running count starts with.")
    suits: bool = Field(False, description="Count the fullest suit left less the emptiest, not tags.")
    view: str = Field("", max_length=100, description="Roles whose cards are seen when the bet is made: player,up.")
    wager_alone: bool = Field(False, description="Take winnings that could ride; count the wager alone.")
    bound: bool = Field(False, description="Tell what no count can beat, exactly or as sampled.")
    samples: int | None = Field(None, ge=0, le=10_000_000, description="Shoes to sample where the bound is not exact.")
    until: str | None = Field(None, max_length=20, description="Sample until the interval is so narrow: 0.1%.")
    chunk: int | None = Field(None, ge=1, le=10_000_000, description="Shoes that are sampled in one go.")
    wager: str | None = Field(None, max_length=40, description="The largest wager, to tell what an hour wins.")
    rounds_per_hour: str = Field("70", max_length=40)


class Count(_Counting, _Shoe, _Table):
    """What a count of the cards is worth, for bets at shoes."""

    bets: list[Bet] = Field(min_length=1, max_length=_MOST_BETS)
    decks: str | None = Field(None, max_length=100, description="6, or 1,2,4-8; left out, those of the design.")
    any_decks: bool = Field(False, description="Allow deck counts that a paytable is not designed for.")
    seed: int = Field(1, ge=0, lt=2**63, description="The seed of what is sampled.")


class Check(Shape):
    """Which bets are to be looked through."""

    bets: list[Bet] = Field(min_length=1, max_length=_MOST_BETS)


class Odds(Shape):
    """How likely a rule is."""

    rule: str = Field(max_length=4000, description="What the cards must be, such as: suited and straight.")
    deal: str = Field("player:2, up:1", max_length=200, description="Who gets how many cards.")
    decks: str = Field("1,2,4-8", max_length=100)
    given: str | None = Field(None, max_length=4000, description="Count only among hands that fit this rule.")
    removed: str = Field("", max_length=4000)
    pack: str = Field("standard", max_length=100)


class Sheet(_Metered, _Table, _Tried):
    """A par sheet, as one file."""

    bet: Bet
    decks: Small | None = Field(None, description="Left out, the most decks of the design.")
    format: str = Field("pdf", max_length=20, description="pdf, xlsx, html, markdown, csv, json or latex.")
    document: str = Field("", max_length=200)
    revision: str = Field("1", max_length=200)
    date: str | None = Field(None, max_length=40)
    prepared_by: str = Field("", max_length=200)
    reviewed_by: str = Field("", max_length=200)
    jurisdiction: str = Field("", max_length=200)
    history: list[str] = Field([], max_length=50, description="Earlier revisions: 1; 2026-01-31; first issue.")
    max_wager: str = Field("100", max_length=40)
    rounds_per_hour: str | None = Field(None, max_length=40, description="With it, the sheet tells of watching cards.")
    digits: int = Field(10, ge=0, le=100)
    paper: str = Field("a4", max_length=20)
    house_jackpot: bool = False
    other_decks: bool = Field(False, description="Work an option out with the other deck counts too, which takes long.")


class View(_Shoe):
    """What the page is at: the bet's text, one of its paytables, and the deck counts to show."""

    toml: str = Field(max_length=_TEXT)
    paytable: str | None = Field(None, max_length=80)
    decks: str = Field("", max_length=100)
    at: Small | None = Field(None, description="The deck count whose awards are shown.")


class Pin(Shape):
    """A variant that is kept beside the bet."""

    name: str = Field("", max_length=80)
    toml: str = Field(max_length=_TEXT)
    paytable: str | None = Field(None, max_length=80)
    meters: list[str] = Field([], max_length=50)


class Pins(View):
    """Variants to be put beside the bet."""

    pins: list[Pin] = Field(min_length=1, max_length=_MOST_BETS)


class Wagers(View):
    """Other bets of the round that the page's own is part of."""

    stake: str = Field("1", max_length=40)
    others: list[Wager] = Field([], max_length=_MOST_BETS)
    spots: Small = 1


class Finder(_Wanted, View):
    """What the page wants to have found."""

    for_decks: str | None = Field(None, max_length=100)


class Watched(_Counting, View):
    """How cards are counted that the page is at."""


class Meters(View):
    """How meters are to be run, where it is otherwise than the text says."""

    seed: list[str] = Field([], max_length=50)
    rate: list[str] = Field([], max_length=50)
    reserve: list[str] = Field([], max_length=50)
    cap: list[str] = Field([], max_length=50)
    rate_after_cap: list[str] = Field([], max_length=50)
    wager: str = Field("", max_length=40)


class Option(View):
    """The table on which winnings may ride."""

    blackjack: Blackjack | None = None


class Refusal(BaseModel):
    """Why there is no answer, in one line."""

    error: str
