"""Figures per wager of an eligible hand: what follows from the stated probabilities, given each up card.

The hands of the player are not played again; with n(u) eligible hands of a round and probabilities a(u) of an award,
given the up card u and no dealer blackjack, both as stated: hands of a round Σ P(u)·n(u), share(u) = P(u)·n(u) / hands,
probability of the award Σ share(u)·a(u), return Σ a·g over the gross returns g.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from combinat.verifier.blackjack import NAMES, TABLE_KEYS, parse_rules, rules_text
from combinat.verifier.deal import Shoe
from combinat.verifier.rules import WORTH
from combinat.verifier.sheet import SheetError, Unchecked, field, parse_number

NOT_PLAYED = (
    "hands of a player beside the dealer's hand are not played again; what follows from these figures is checked"
)
CHART = "the printed strategy that the figures assume"


def eligibility_part(part: dict[str, Any], shoe: Shoe, deal: str, gross: list[Fraction]) -> dict[str, Any]:
    """Return the section on wagers of eligible hands."""
    rules = parse_rules(field(part, "table", dict))
    if rules.hits_soft_17 != deal.endswith("h17"):
        raise SheetError("'eligibility.table' has another rule for soft 17 than the deal")
    probabilities = up_cards(shoe)
    cases = field(part, "up_cards", list)
    if [row.get("up") for row in cases] != list(probabilities):
        raise SheetError("'eligibility.up_cards' must have every up card once")
    joint = [parse_number(row.get("hands_per_round")) * probabilities[row["up"]] for row in cases]
    hands = sum(joint, Fraction(0))
    shares = [each / hands for each in joint]
    awards = [[parse_number(value) for value in field(row, "awards", list)] for row in cases]
    if any(len(row) != len(gross) for row in awards):
        raise SheetError("'eligibility' has other awards than the sheet")
    means = [
        sum([share * row[at] for share, row in zip(shares, awards, strict=True)], Fraction(0))
        for at in range(len(gross))
    ]
    stated = Unchecked(NOT_PLAYED, is_amount)
    rows = [
        {"up": row["up"], "hands_per_round": stated, "share": share, "awards": [stated] * len(gross)}
        | figures(own, gross)
        for row, share, own in zip(cases, shares, awards, strict=True)
    ]
    total = {"up": None, "hands_per_round": hands, "share": Fraction(1), "awards": means} | figures(means, gross)
    return {
        "rules": rules_text(rules),
        "table": {key: part["table"].get(key) for key in TABLE_KEYS},
        "charts": Unchecked(CHART, lambda value: isinstance(value, list)),
        "total": total,
        "up_cards": rows,
    }


def up_cards(shoe: Shoe) -> dict[str, Fraction]:
    """Return the probability of each up card, given that the dealer has no blackjack."""
    counts = [sum([WORTH[rank] == value for rank, _ in shoe.types]) * shoe.decks for value in range(1, 11)]
    ways = []
    for value, cards in enumerate(counts, 1):
        blackjacks = counts[9] if value == 1 else counts[0] if value == 10 else 0
        ways.append(cards * (shoe.size - 1 - blackjacks))
    order = [*range(2, 11), 1]
    return {NAMES[value - 1]: Fraction(ways[value - 1], sum(ways)) for value in order if ways[value - 1]}


def figures(awards: list[Fraction], gross: list[Fraction]) -> dict[str, Fraction]:
    """Return the figures of a wager from the probabilities of its awards."""
    pairs = list(zip(awards, gross, strict=True))
    returned = sum([chance * back for chance, back in pairs], Fraction(0))
    hit = sum([chance for chance, back in pairs if back > 1], Fraction(0))
    return {"hit_frequency": hit, "return": returned, "house_edge": 1 - returned}


def is_amount(value: Any) -> bool:
    """Return whether a value is a number that is not negative."""
    return parse_number(value) >= 0
