"""Results of the Python API survive pickle, copy and deepcopy, and equal what they were made from."""

import copy
import inspect
import pickle
import pkgutil
from fractions import Fraction
from functools import lru_cache
from importlib import import_module

import pytest

import combinat.api
from combinat import (
    Blackjack,
    InputError,
    Shoe,
    analyze,
    catalog,
    compare,
    formula,
    judge,
    ledger,
    load,
    odds,
    par_sheet,
    sensitivity,
    verify,
)
from decks.cards import as_cards
from decks.errors import InputError as BaseError

METERED = "BLZ-1-UP"
MAKERS = {
    "Result": lambda: analyze("TRI-03", 6),
    "Result with a study": lambda: _studied(analyze("TRI-03", 6)),
    "Result of an option": lambda: analyze("HM-1", 2, strategy="basic", max_hands=1),
    "Result with meters": lambda: analyze(METERED, 6, meters={"meter": 5000}),
    "ResultTable": lambda: analyze("TRI-03", [6, 8]),
    "ComparisonResult": lambda: compare(["TRI-03", "TRI-04"], 6),
    "SensitivityResult": lambda: sensitivity("TRI-03", [6, 8], edge="3%..5%"),
    "AwardResult": lambda: analyze("TRI-03", 6)["Flush"],
    "LikelihoodResult": lambda: analyze("TRI-03", 6).losing,
    "MeterFormulas": lambda: analyze(METERED, 6).in_meters,
    "MeterFormulas of an award": lambda: analyze(METERED, 6)[0].in_meters,
    "Polynomial": lambda: analyze(METERED, 6).in_meters.house_edge,
    "Root": lambda: analyze("TRI-03", 6).standard_deviation,
    "Exact": lambda: analyze("TRI-03", 6).house_edge,
    "Distribution": lambda: analyze("TRI-03", 6).analysis.distribution,
    "NetDistribution": lambda: analyze("TRI-03", 6).distribution,
    "Distribution of plays": lambda: analyze(METERED, 6).analysis.distribution.plays(2),
    "PayVariants": lambda: analyze("TRI-03", 6).with_pays([[1, 2, 3, 4, 5], [1, 2, 3, 4, Fraction(1, 2)]]),
    "Column": lambda: analyze("TRI-03", 6).with_pays([[1, 2, 3, 4, 5]]).house_edges,
    "Odds": lambda: odds("suited", "player:2", 6, given="pair"),
    "LedgerAnswer": lambda: ledger("TRI-03", 6),
    "OutcomeAnswer": lambda: next(iter(ledger("TRI-03", 6))),
    "ClosedForm": lambda: formula("TRI-03"),
    "AwardFormula": lambda: formula("TRI-03").formulas[0],
    "Catalog": lambda: catalog().search("trilux"),
    "Paytable": lambda: load("TRI-03"),
    "Judgement": lambda: judge("TRI-03", "As Ks 9s"),
    "Blackjack": lambda: Blackjack(decks=1, hits_soft_17=False),
    "HandValue": lambda: Blackjack(decks=1).hand("6 5", "6"),
    "Shoe": lambda: Shoe(6, removed="Kh"),
    "Composition": lambda: Shoe(6).composition,
    "Card": lambda: as_cards("Kh")[0],
    "ReadySheet": lambda: par_sheet("TRI-02", 2),
    "Verdict": lambda: verify(par_sheet("TRI-02", 2)),
}
HASHABLE = (
    "SensitivityResult",
    "ComparisonResult",
    "Result",
    "AwardResult",
    "MeterFormulas",
    "ClosedForm",
    "Catalog",
    "Blackjack",
    "FractionArray",
    "ReadySheet",
)
COPIERS = {"pickle": lambda value: pickle.loads(pickle.dumps(value)), "copy": copy.copy, "deepcopy": copy.deepcopy}


@lru_cache(maxsize=None)
def made(name):
    return MAKERS[name]()


def _studied(result):
    assert result.study is not None
    return result


def public_classes():
    """Return the names of the classes that the modules of `combinat.api` define, errors aside."""
    modules = [import_module(f"combinat.api.{found.name}") for found in pkgutil.iter_modules(combinat.api.__path__)]
    return {
        name
        for module in modules
        for name, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == module.__name__
        if not issubclass(value, BaseException) and not getattr(value, "_is_protocol", False)
    }


def test_every_public_class_is_covered():
    assert public_classes() <= set(MAKERS)


@pytest.mark.parametrize("copier", COPIERS)
@pytest.mark.parametrize("name", MAKERS)
def test_copy_of_a_result_equals_it(name, copier):
    value = made(name)
    copied = COPIERS[copier](value)
    assert type(copied) is type(value)
    assert copied == value
    assert repr(copied) == repr(value)
    assert (copied == 1) is False
    if name in HASHABLE:
        assert hash(copied) == hash(value)


def test_copy_of_a_result_still_computes():
    result = pickle.loads(pickle.dumps(analyze(METERED, 6)))
    assert result.in_meters.house_edge == analyze(METERED, 6).in_meters.house_edge
    assert pickle.loads(pickle.dumps(result.in_meters)).house_edge == result.in_meters.house_edge
    assert pickle.loads(pickle.dumps(analyze("TRI-03", 6))).house_edge == analyze("TRI-03", 6).house_edge


def test_different_results_differ():
    assert analyze("TRI-03", 6) != analyze("TRI-03", 8)
    assert analyze("TRI-03", 6) != analyze("TRI-03", 6, pays={"Flush": 4})
    assert analyze("HM-1", 2, strategy="basic", max_hands=1) != analyze("HM-1", 2, max_hands=1)
    assert analyze("TRI-03", 6)[0] != analyze("TRI-03", 6)[1]
    assert analyze(METERED, 6).in_meters != analyze(METERED, 8, any_decks=True).in_meters
    assert odds("suited", "player:2", 6) != odds("suited", "player:2", 6, given="pair")
    assert Blackjack(decks=1) != Blackjack(decks=1, hits_soft_17=False)
    assert formula("TRI-03") != formula("TRI-01")
    assert catalog()[:1] != catalog()[:2]
    assert par_sheet("TRI-02", 2) != par_sheet("TRI-02", 2, revision="2")


def error_classes(kind=BaseError):
    """Return an error class and all its subclasses."""
    return {kind}.union(*map(error_classes, kind.__subclasses__()))


@pytest.mark.parametrize(
    "cause",
    [
        lambda: analyze(METERED, 6).house_edge,
        lambda: analyze("TRI-03", 6)["Flsh"],
        lambda: catalog()["TRI-99"],
        lambda: analyze("TRI-03", 6, pays={"Flsh": 4}),
        lambda: odds("suited", "player:2", 1, given="pair and not pair"),
        lambda: load("nothing.toml"),
    ],
)
def test_errors_survive_pickle_and_copy(cause):
    with pytest.raises(InputError) as caught:
        cause()
    for copier in COPIERS.values():
        copied = copier(caught.value)
        assert type(copied) is type(caught.value)
        assert str(copied) == str(caught.value)
        assert copied.args == caught.value.args


def test_every_error_class_is_restored_from_its_message():
    for kind in error_classes():
        error = kind.__new__(kind, "a message")
        copied = pickle.loads(pickle.dumps(error))
        assert (type(copied), copied.args) == (kind, ("a message",))


def test_every_paytable_of_the_catalog_survives_pickle():
    paytables = catalog()
    assert pickle.loads(pickle.dumps(paytables)) == paytables
