"""The probability of a rule, unconditional or given another rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from combinat.enumeration.experiment import experiment
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.tally import NoHandError
from combinat.exact.distribution import Likelihood
from combinat.language.deal import Deal, check_jokers, check_pack_for_deal
from combinat.language.parser import parse_rule
from decks import Shoe


class RuleOdds(Likelihood, frozen=True):
    """The ways of a rule among all hands, or among those that match `condition`."""

    rule: str
    condition: str | None
    deal: Deal
    shoe: Shoe
    roles_distinct: bool
    counts_hands: bool
    """Whether the ways count hands."""


def iter_rule_odds(
    text: str,
    deal: Deal,
    shoes: Iterable[Shoe],
    given: str | None = None,
    skip: Callable[[NoHandError], None] | None = None,
) -> Iterator[RuleOdds]:
    """Yield the ways of a rule for each of several shoes of one pack.

    A shoe with no hand that matches `given` raises `NoHandError`, or is skipped after passing the error to `skip`.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> [str(odds.probability) for odds in iter_rule_odds("pair", parse_deal("player:2"), [Shoe(1), Shoe(8)])]
    ['1/17', '31/415']
    """
    shoes = tuple(shoes)
    rule = parse_rule(text, deal)
    condition = parse_rule(given, deal) if given is not None else None
    ladder = Ladder((rule,), condition)
    check_pack_for_deal(deal, shoes[0].pack)
    check_jokers(ladder.all_rules, shoes[0].pack)
    roles_distinct = any(ladder_rule.roles for ladder_rule in ladder.all_rules)
    rule_experiment = experiment(deal, shoes[0].pack, ladder, roles_distinct)
    tally = rule_experiment.tally() if any(shoe.is_full for shoe in shoes) else None
    for shoe in shoes:
        award_counts = tally.at(shoe.decks) if tally and shoe.is_full else rule_experiment.count(shoe.composition)
        if not award_counts.cycle:
            error = NoHandError(given, shoe, tally if shoe.is_full else None)
            if skip is None:
                raise error
            skip(error)
            continue
        yield RuleOdds(
            ways=award_counts.wins[0],
            cycle=award_counts.cycle,
            rule=str(rule),
            condition=str(condition) if condition else None,
            deal=deal,
            shoe=shoe,
            roles_distinct=roles_distinct,
            counts_hands=rule_experiment.counts_hands,
        )
