"""How likely one rule is, by itself or given another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from combinat.enumeration.experiment import experiment
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.tally import Counted
from combinat.language.deal import Deal
from combinat.language.parser import parse_rule
from decks import InputError, Shoe
from decks.errors import quoted


class Odds(Counted, frozen=True):
    """The ways of a rule among all hands, or among those that fit the rule it is given."""

    rule: str
    given: str | None
    deal: Deal
    shoe: Shoe
    apart: bool


def odds(text: str, deal: Deal, shoes: Iterable[Shoe], given: str | None = None) -> Iterator[Odds]:
    """Count the hands that fit a rule, for each of several shoes of one pack.

    >>> from combinat.language.deal import parse_deal
    >>> [str(one.probability) for one in odds("pair", parse_deal("player:2"), [Shoe(1), Shoe(8)])]
    ['1/17', '31/415']
    """
    shoes = tuple(shoes)
    rule = parse_rule(text, deal)
    condition = parse_rule(given, deal) if given is not None else None
    ladder = Ladder((rule,), condition)
    apart = any(one.roles for one in ladder.all_rules)
    trial = experiment(deal, shoes[0].pack, ladder, apart)
    tally = trial.tally()
    for shoe in shoes:
        ways = tally.at(shoe.decks) if shoe.is_full else trial.weigh(shoe.composition)
        if not ways.cycle:
            raise InputError(f"no hand of {shoe} fits the condition {quoted(given)}")
        yield Odds(ways.takes[0], ways.cycle, str(rule), str(condition) if condition else None, deal, shoe, apart)
