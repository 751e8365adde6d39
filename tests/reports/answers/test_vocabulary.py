"""Every word that `combinat words` offers for a deal can be used in a rule about that deal."""

import re

import pytest

from combinat import words
from combinat.analysis.odds import iter_rule_odds
from combinat.enumeration.experiment import example_deals, parse_deal
from combinat.language.checks import WITHOUT_ROLE
from combinat.language.parser import parse_rule
from combinat.requests.words import words_of_deal
from decks import Shoe
from reports.answers.vocabulary import vocabulary_document
from tests.slow_cases import slow_case

EXAMPLES = [str(deal) for deals in example_deals().values() for deal in deals]
DEALS = [*EXAMPLES, "player:1", "player:1, up:1", "player:3", "player:7", "player:3, dealer:3", "player:2, dealer:s17"]
DEALS += ["dealer:s17", "player:2, up:1, hole:1"]


def rules_of(entry):
    """Iterate over a rule for each group of cards that a word is offered for."""
    word = entry["word"]
    for group in entry["roles"]:
        prefix = "" if group == WITHOUT_ROLE else f"{group}."
        if entry["kind"] in ("best cards", "any cards"):
            yield f"{prefix}{word}.flush"
        elif word.endswith("(...)"):
            yield f"{prefix}{word[:-5]}(7)" + (" >= 1" if entry["kind"] == "number" else "")
        elif entry["kind"] == "number":
            yield f"{prefix}{word} >= 1"
        else:
            yield f"{prefix}{word}" if entry["kind"] == "fact" else f"{prefix}has({word})"


def rules_for(text):
    return [rule for entry in words(text).to_dict() for rule in rules_of(entry)]


@pytest.mark.parametrize("text", DEALS)
def test_every_offered_word_is_accepted_in_a_rule(text):
    deal = parse_deal(text)
    assert rules_for(text)
    for rule in rules_for(text):
        parse_rule(rule, deal)


@pytest.mark.parametrize("text", ["player:2, up:1", "player:1", slow_case("dealer:h17")])
def test_odds_of_every_offered_word_are_counted(text):
    for rule in rules_for(text):
        pack = "standard with 1 joker" if "joker" in rule else "standard"
        (odds,) = iter_rule_odds(rule, parse_deal(text), [Shoe(2, pack)])
        assert 0 <= odds.ways <= odds.cycle


@pytest.mark.parametrize("text", DEALS)
def test_examples_in_the_notes_are_rules_of_the_deal(text):
    deal = parse_deal(text)
    document = vocabulary_document(list(words_of_deal(deal)), text)
    for line in (document.subtitle, *document.notes):
        _, colon, example = line.partition(": ")
        for rule in re.split(r", (?=[a-z_.]+$)", example.rstrip(".")) if colon else ():
            is_number = any(
                entry["kind"] == "number" and rule.endswith(entry["word"]) for entry in words(str(deal)).to_dict()
            )
            parse_rule(f"{rule} >= 1" if is_number else rule, deal)


def test_roles_of_other_deals_are_not_offered(run):
    out = run("words", "--deal", "dealer:h17")[1]
    assert "player" not in out
    assert "dealer.suited" in out


def test_no_alias_repeats_its_word(run):
    for arguments in ([], ["--deal", "player:2, up:1"]):
        for line in run("words", *arguments)[1].splitlines():
            assert not re.match(r"(\S+)\s.*also written \1\b", line)
