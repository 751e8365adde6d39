"""What is kept and what is shared: every cache has a limit, and the same rules are counted once."""

import ast
import re
from itertools import islice
from pathlib import Path

import pytest
from msgspec.structs import replace

from combinat.analysis.odds import odds
from combinat.bets import lookup
from combinat.bets.lookup import find
from combinat.bets.pay import parse_pay
from combinat.enumeration.dealer.experiment import DealerExperiment
from combinat.enumeration.experiment import parse_deal
from combinat.enumeration.fixed.experiment import FixedExperiment
from combinat.enumeration.fixed.fixed_deal import FixedDeal
from decks import Shoe, parse_cards

ROOT = Path(__file__).parents[2]
MODULES = sorted(path for room in ("decks", "combinat", "reports") for path in (ROOT / room).rglob("*.py"))
MAY_GROW = re.compile(r"cache|^\w.*=\s*(?:\{\}|\[\]|[\w.]+\(\))", re.MULTILINE)
"""What a module must have for anything in it to grow: a cache, or a table of its own that begins empty."""
EMPTY = ("dict", "list", "set", "defaultdict", "Counter", "OrderedDict")


def unlimited(tree):
    """Find what grows without end: a `cache`, an `lru_cache` whose limit is not written, a table of a module's own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for one in node.decorator_list:
                if called(one) in ("cache", "lru_cache"):  # without brackets, so without a limit
                    yield node.name
        if isinstance(node, ast.Call) and called(node.func) == "cache":
            yield ast.unparse(node)
        if isinstance(node, ast.Call) and called(node.func) == "lru_cache":
            limits = [*node.args, *(word.value for word in node.keywords if word.arg == "maxsize")]
            if not limits or (isinstance(limits[0], ast.Constant) and limits[0].value is None):
                yield ast.unparse(node)
    yield from growing_tables(tree)


def called(node):
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def growing_tables(tree):
    """Find tables of a module that begin empty and that a function fills, neither registering nor asking how full."""
    begun = set()
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            names = [node.target] if isinstance(node, ast.AnnAssign) else node.targets
            made = isinstance(node.value, ast.Call) and not node.value.args and called(node.value.func) in EMPTY
            if made or ast.unparse(node.value) in ("{}", "[]"):
                begun |= {name.id for name in names if isinstance(name, ast.Name)}
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and not function.name.startswith("register"):
            for name in sorted(begun):
                if written_to(function, name) and f"len({name})" not in ast.unparse(function):
                    yield name


def written_to(function, name):
    """Whether a function puts something into a table."""
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and called(node.value) == name:
            return True
        grows = isinstance(node, ast.Attribute) and node.attr in ("append", "add", "update", "setdefault")
        if grows and called(node.value) == name:
            return True
    return False


def test_every_file_of_the_catalog_is_kept_once_it_is_read():
    assert sum(len(lookup.files(shelf)) for shelf in lookup.shelves()) <= lookup._load.cache_info().maxsize


def test_no_cache_grows_without_a_limit():
    texts = {path: path.read_text(encoding="utf-8") for path in MODULES}
    found = {path: list(unlimited(ast.parse(text))) for path, text in texts.items() if MAY_GROW.search(text)}
    assert {path: caches for path, caches in found.items() if caches} == {}


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("@cache\ndef a(): ...", ["a"]),
        ("@lru_cache(maxsize=None)\ndef b(): ...", ["lru_cache(maxsize=None)"]),
        ("@functools.lru_cache\ndef c(): ...", ["c"]),
        ("d = lru_cache()(len)", ["lru_cache()"]),
        ("e = functools.cache(len)", ["functools.cache(len)"]),
        ("KNOWN = {}\ndef f(x):\n    KNOWN[x] = 1", ["KNOWN"]),
        ("KNOWN = []\ndef f(x):\n    KNOWN.append(x)", ["KNOWN"]),
        ("@lru_cache(maxsize=8)\ndef g(): ...", []),
        ("KNOWN = {}\ndef h(x):\n    if len(KNOWN) > 9:\n        KNOWN.clear()\n    KNOWN[x] = 1", []),
        ("KINDS = {}\ndef register(x):\n    KINDS[x] = 1", []),
    ],
)
def test_a_cache_without_a_limit_is_found(code, found):
    assert list(unlimited(ast.parse(code))) == found


def test_paytables_that_differ_only_in_pays_are_counted_once():
    one = replace(find("TRI-03"))  # what others asked of the catalog may have been let go since
    other = replace(one, awards=tuple(replace(award, pay=parse_pay("7 to 1")) for award in one.awards))
    assert other.experiment is one.experiment
    assert other.tally is one.tally


def test_rules_or_packs_that_differ_are_not_shared():
    one = find("TRI-03")
    assert replace(one, awards=one.awards[:-1]).experiment is not one.experiment
    assert replace(one, bet=replace(one.bet, roles_distinct=True)).experiment is not one.experiment


@pytest.mark.parametrize("deal", ["player:2, up:1", "dealer:h17"])
def test_odds_of_shoes_that_all_lack_cards_count_no_full_decks(deal, monkeypatch):
    for kind in (FixedExperiment, DealerExperiment, FixedDeal):
        monkeypatch.setattr(kind, "tally", None, raising=False)
    shoes = [Shoe(decks, removed=parse_cards("7h 7d")) for decks in (2, 6)]
    assert len(list(odds("has(7)", parse_deal(deal), shoes))) == 2


def test_a_ledger_of_millions_of_classes_begins_at_once():
    trial = find("BLZ-1-PC-PEEK").experiment
    first = list(islice(trial.outcomes(Shoe(6).composition), 1000))
    assert [one.award for one in first] == sorted(one.award for one in first)
    assert len({one.roles for one in first}) == 1000
