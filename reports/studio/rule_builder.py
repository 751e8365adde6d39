"""The rule builder: words of the deal with example hands and probabilities, and a rule or a hand that is tried."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from combinat.analysis.odds import iter_rule_odds
from combinat.bets.paytable import Paytable
from combinat.enumeration.experiment import experiment
from combinat.enumeration.ladder import Ladder
from combinat.language.english import describe_rule
from combinat.language.parser import parse_rule
from combinat.requests.hands import Judge
from combinat.requests.words import words_of_deal
from combinat.results.judgement import JudgementAnswer
from decks import InputError, Shoe
from reports.page.model import Style
from reports.studio.page_json import cell_json
from reports.studio.panels import selected_paytable, selected_study

_DIGITS = 5
_MAX_CARDS = 5
"""Words of larger deals are listed without probabilities, which would take long."""
_FACT = "fact"
_COMMON_RULES = (
    *("all(red)", "all(black)", "all(face)", "all(tens)", "has(A)", "has(face)", "count(7) == 2", "count(face) == 2"),
    *("total == 20", "total == 21", "total <= 21", "high <= 9", "low >= 10", "points == 9"),
)
"""Rules with kinds of cards and numbers, to pick and then change."""
_COMMON_MEANING = "pick it, then change the kind of card or the number"


def words_panel(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return facts and common rules of the deal, each with an example and its probability."""
    study = selected_study(body)
    return {"words": list(_iter_words(study.paytable, study.shoe))}


def _iter_words(paytable: Paytable, shoe: Shoe) -> Iterator[dict[str, Any]]:
    deal = paytable.bet.deal
    sizes = [deal.size(positions) for _, positions in deal.disjoint_groups()]
    is_small = None not in sizes and sum(size or 0 for size in sizes) <= _MAX_CARDS
    for entry in words_of_deal(deal):
        if entry.kind != _FACT or "(" in entry.word:
            continue
        names = [entry.word] if any(" " in role for role in entry.roles) else []
        names += [
            f"{role}.{entry.word}"
            for role in entry.roles
            if role in deal.positions_by_role and len(deal.positions_by_role) > 1
        ]
        for word in names or [entry.word]:
            figures = _rule_figures(word, paytable, shoe) if is_small else {}
            if figures.get("probability") != "0%":
                yield {"word": word, "meaning": entry.meaning, **figures}
    for rule in _COMMON_RULES:
        try:
            parse_rule(rule, deal)
        except InputError:
            continue
        figures = _rule_figures(rule, paytable, shoe) if is_small else {}
        if figures.get("probability") != "0%":
            yield {"word": rule, "meaning": _COMMON_MEANING, **figures}


def rule_panel(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a rule in English with its probability and an example, and the award of a hand."""
    study = selected_study(body)
    answer: dict[str, Any] = {}
    if rule := str(body.get("rule") or "").strip():
        try:
            parsed = parse_rule(rule, study.paytable.bet.deal)
            answer = {
                "english": describe_rule(parsed, study.paytable.bet.deal),
                **_rule_figures(rule, study.paytable, study.shoe),
            }
        except InputError as error:
            answer = {"problem": str(error)}
    if hand := str(body.get("hand") or "").strip():
        answer["verdict"] = _verdict(selected_paytable(body), hand, study.shoe)
    return answer


def _rule_figures(rule: str, paytable: Paytable, shoe: Shoe) -> dict[str, Any]:
    """Return the probability of a rule and an example hand; empty if the rule does not apply to the deal."""
    bet = paytable.bet
    try:
        (odds,) = iter_rule_odds(rule, bet.deal, [shoe], None if bet.condition is None else str(bet.condition), _ignore)
    except (InputError, ValueError):
        return {}
    if not odds.ways:
        return {"probability": "0%", "one_in": "–", "example": None}
    ladder = Ladder((parse_rule(rule, bet.deal),))
    (example,) = experiment(bet.deal, bet.pack, ladder, odds.roles_distinct).examples(shoe.composition)
    return {
        "probability": cell_json(odds.probability, Style.PERCENT, _DIGITS)["text"],
        "one_in": cell_json(odds.one_in, Style.DECIMAL, 1)["text"],
        "example": None if example is None else " ".join(map(str, example.cards)),
    }


def _ignore(_: object) -> None:
    """Ignore a shoe without a possible hand."""


def _verdict(paytable: Paytable, hand: str, shoe: Shoe) -> dict[str, Any]:
    """Return which award a hand wins and why, or what each award misses."""
    try:
        judgement = JudgementAnswer.of(Judge(paytable, hand=hand, decks=shoe.decks, any_decks=True).answer(_ignore))
    except InputError as error:
        return {"text": str(error), "reasons": []}
    paid = [ruling for ruling in judgement.awards if ruling.paid]
    if paid:
        text = "; ".join(f"{ruling.name}, pays {ruling.pays_text}: {ruling.rule_in_words}" for ruling in paid)
        return {"text": text, "reasons": []}
    return {"text": "no award", "reasons": [f"{ruling.name}: {ruling.why}" for ruling in judgement.awards]}
