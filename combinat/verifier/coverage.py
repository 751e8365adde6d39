"""What was checked, how many figures and by what, and what was not, and why: the list that a sheet prints too."""

from __future__ import annotations

from typing import Any, NamedTuple

from combinat.verifier.compare import Verdict


class Part(NamedTuple):
    """Figures that are worked out in one way."""

    name: str
    by: str
    keys: tuple[str, ...]


PARTS = (
    Part(
        "counts",
        "a recount of the deals, or of the ranks of the hands, by the rules of the sheet",
        ("cards", "designed", "ordered_by_role", "cycle", "awards", "all_matches", "losing_hands", "up_cards"),
    ),
    Part(
        "figures of the wager",
        "sums over the awards",
        (
            *("house_edge", "return", "expected_value", "fixed_return", "hit_frequency", "push_rate", "mean_win"),
            *("variance", "standard_deviation", "skewness", "excess_kurtosis", "plays_per_hit", "favors_player"),
            *("edge_per_resolved_bet", "return_without_top_award", "house_edge_without_option"),
            *("return_without_option", "expected_value_without_option", "variance_without_option"),
            "standard_deviation_without_option",
        ),
    ),
    Part("wheels", "every prize with every stop, and the probability of its award", ("wheels",)),
    Part("bases", "the basis of each figure", ("basis", "bases")),
    Part(
        "hold and meters",
        "the terms of the meter, by the plays since its last reset",
        ("hold", "meter", "settled_meters", "results"),
    ),
    Part("volatility", "standard deviations times quantiles of the normal distribution", ("volatility_index",)),
    Part(
        "many plays",
        "Panjer's recursion for sums of plays; the normal curve by its series",
        ("outlook",),
    ),
    Part("other decks", "the same hands counted for each number of decks", ("deck_sensitivity",)),
    Part(
        "other pays",
        "the edge with one unit more and less, and with rounded pays",
        ("pay_sensitivity", "wrong_unit", "misranked", "rounding"),
    ),
    Part(
        "the option",
        "the hands of blackjack, those of splits too, dealt and played in rows of physical cards",
        ("option", "variance_bounds", "standard_deviation_bounds"),
    ),
    Part("best play", "the round played again, spot by spot", ("play", "decisions")),
    Part("pace of play", "the probabilities of none, one, two and more hits", ("pace",)),
    Part("house jackpot", "the return as a linear function of the prize", ("posted_jackpot",)),
    Part("two winners in a round", "winning hands dealt to seat after seat", ("rounds",)),
    Part("several spots", "a hand dealt to one spot, and then to another", ("spots",)),
    Part(
        "card counting", "the bet counted again from the shoe without each card; states of the tags", ("card_counting",)
    ),
    Part("exposure", "what each award pays, against the thresholds", ("exposure",)),
    Part("jurisdiction tests", "the figures compared with each requirement", ("jurisdiction_tests",)),
    Part("derivation", "patterns of repeated cards, or lengths of drawn hands, counted again", ("derivation",)),
    Part("claims", "published digits, flags and checks compared with the figures", ("published", "flags", "checks")),
    Part("fingerprint", "SHA-256 of the data", ("data_sha256",)),
)
INPUTS = (
    "the inputs: deal, shoe, rules, pays, terms of the meters, and requirements of tests",
    "all other figures are computed from them; compare them with the bet's file, whose SHA-256 is on the sheet",
)
REASONS = {
    "card_counting.basis": "what the section stands on",
    "card_counting.removal.effects[].house_edge of a bet whose winnings ride": (
        "hands are not played again from a shoe without each card; that the changes come to nothing is looked at"
    ),
    "card_counting.counts[].tags": "which tags are the best is not looked for again; their correlation is worked out",
    "card_counting.counts[].by_cut[].trigger": "that no other trigger wins more is not looked for again",
    "card_counting.counts[].by_cut[].edge": "edges at a count are worked out by one method",
    "card_counting.counts[].by_cut[].won_per_shoe": "edges at a count are worked out by one method",
    "card_counting.counts[].by_cut[].frequency of counts with more than three different tags": (
        "their states are too many to list"
    ),
    "card_counting.counts[].level": "a name",
    "card_counting.counts[].basis": "a name",
    "card_counting.counts[].conventions": "a name",
    "card_counting.counts[].by_cut[].cut": "what was said about the table",
    "card_counting.counts": "the bet is not counted without a card, or its effects go by meters",
    "card_counting.no_counts": "text",
    "card_counting.rounds_per_hour": "what was said about the table",
    "card_counting.wager": "what was said about the table",
    "card_counting.break_even_meters": "counts are worked out by one method",
    "card_counting.perfect_play": "counts are worked out by one method, and samples are not drawn again",
    "card_counting.removal.strategy_recomputed": "how the effects were worked out",
    "card_counting.removal.mean_change": "zero, or less where the strategy is recomputed; checked when it was made",
    "card_counting.removal.effects[].cards": "cards in one row; the edge without the first is counted",
    "identification": "names, dates and hashes, which no figure of the sheet determines",
    "input_files": "the bet's file; python -m combinat.plain compares the sheet with it",
    "paytable": "a name",
    "title": "a name",
    "bet": "a name",
    "variant": "the origin of the paytable",
    "requires": "a requirement of the casino",
    "example": "the origin of the paytable",
    "notes": "text",
    "terms": "text, and edges of other bets",
    "eligibility": "the player's hands are not recounted",
    "sources": "text",
    "meter.basis": "text; checked only for presence",
    "awards[].rule_in_words": "text; the hands are counted by the rule itself",
    "play.charts[].caption": "text",
    "deck_sensitivity while a sheet is being made; the command that checks its file looks at every row": (
        "best play with each number of decks takes long"
    ),
    "deck_sensitivity[].headline while a sheet is being made; the command that checks its file looks at every row": (
        "best play with each number of decks takes long"
    ),
    "card_counting while a sheet is being made; the command that checks its file looks at every row": (
        "best play without each card takes long"
    ),
    "derivation[].steps[].hands": "how coups are put into classes is a matter of taste; their ways are counted again",
    "spots of hands of which the winning ones are not listed": (
        "two spots of four cards or more, or from a deck with a joker or without a suit, are not dealt again"
    ),
}
OTHERWISE = "not checked by the verifier"


def coverage(verdict: Verdict) -> dict[str, list[dict[str, Any]]]:
    """Say what was checked, how many figures by what, and what was not, and why."""
    known = {key for part in PARTS for key in part.keys}
    checked = [
        {"part": part.name, "figures": sum([verdict.by_part[key] for key in part.keys]), "by": part.by}
        for part in PARTS
    ]
    others = sum([many for key, many in verdict.by_part.items() if key not in known and key != "verification"])
    if others:
        checked.append({"part": "other figures", "figures": others, "by": "the same means"})
    left_out = [{"key": INPUTS[0], "reason": INPUTS[1]}]
    otherwise = verdict.not_reached.reason if verdict.not_reached else OTHERWISE
    left_out += [{"key": name, "reason": REASONS.get(name, otherwise)} for name in verdict.not_checked]
    return {"checked": [row for row in checked if row["figures"]], "not_checked": left_out}
