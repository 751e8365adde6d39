"""Ceilings on names and docstrings that a reader would have to guess at.

The word lists are blunt: they show where to look. A ceiling may be lowered, never raised.
"""

import ast
import re
from collections import Counter, defaultdict

from tests.packages import ROOT, SOURCES, nodes_of

VAGUE = frozenset(
    """
    one ones found many some own every other others said place places there here left known given taken asked told met
    kept more most least less half rest what who whose at alike apart several few back away wanted whole part parts
    times after before further seen held drawn gone each about inside outside again both either
    """.split()  # noqa: SIM905
)
IRREGULAR_PARTICIPLES = frozenset(
    """
    said told met kept taken left found held drawn gone seen known given made written chosen ridden dealt paid won lost
    sent begun laid spun shown broken
    """.split()  # noqa: SIM905
)
NOT_PARTICIPLES = frozenset(("need", "seed", "speed", "feed", "based", "embed", "unsupported"))
QUESTION_PREFIXES = frozenset(("is", "has", "can", "may", "was", "are"))
OPENINGS = ("Give", "Say", "Tell", "Let", "Put", "Take")
DIALECT = re.compile(
    r"\b(so many|told? apart|tells apart|anew|nobody|somebody|whoever|more than nothing|by itself|stands? on|"
    r"cards gone|without end|set back|of one's own|what is asked|held against|dear|twins?|second method|"
    r"turned around|how far|just so|comes? to|left out|all the same)\b",
    re.IGNORECASE,
)
FILES = SOURCES

MAX_VAGUE_BINDINGS = 0.015
MAX_PARTICIPLE_MODULES = 2
MAX_PARTICIPLE_FUNCTIONS = 0.05
MAX_REPEATED_NAMES = 25
MAX_NESTED_IMPORTS = 59
MAX_OPENINGS = 0.01
MAX_DIALECT = 20


def is_participle(name):
    words = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower().strip("_").split("_")
    if words[0] in QUESTION_PREFIXES:
        return False
    ends_in_ed = words[-1].endswith("ed") and len(words[-1]) > 4 and words[-1] not in NOT_PARTICIPLES
    return ends_in_ed or not IRREGULAR_PARTICIPLES.isdisjoint((words[0], words[-1]))


def functions():
    for path in FILES:
        for node in nodes_of(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield path, node


def docstrings():
    for path in FILES:
        for node in nodes_of(path):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module) and (text := ast.get_docstring(node)):
                yield path, text


def bindings():
    """Yield every name that is bound in a function or module: variables and parameters."""
    for path in FILES:
        for node in nodes_of(path):
            if isinstance(node, ast.arg) and node.arg not in ("self", "cls"):
                yield node.arg
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id


def test_few_bindings_carry_no_meaning():
    names = Counter(bindings())
    vague = {name: count for name, count in names.most_common() if name in VAGUE}
    assert sum(vague.values()) <= MAX_VAGUE_BINDINGS * names.total(), vague


def test_modules_are_not_named_by_participles():
    named = [path.relative_to(ROOT).as_posix() for path in FILES if is_participle(path.stem)]
    assert len(named) <= MAX_PARTICIPLE_MODULES, named


def test_few_functions_are_named_by_participles():
    names = [node.name for _, node in functions() if not node.name.startswith("__")]
    participles = [name for name in names if is_participle(name)]
    assert len(participles) <= MAX_PARTICIPLE_FUNCTIONS * len(names), participles


def test_few_public_names_are_defined_in_several_modules():
    """The verifier is not counted: it shares no code, so it defines the same things again."""
    modules = defaultdict(set)
    for path in [path for path in FILES if "combinat/verifier/" not in path.as_posix()]:
        for node in nodes_of(path)[0].body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                modules[node.name].add(path.relative_to(ROOT).as_posix())
    repeated = {name: paths for name, paths in modules.items() if len(paths) > 1}
    assert len(repeated) <= MAX_REPEATED_NAMES, repeated


def test_few_imports_stand_inside_functions():
    nested = {
        (path.name, inner.lineno)
        for path, function in functions()
        for inner in ast.walk(function)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    }
    assert len(nested) <= MAX_NESTED_IMPORTS, sorted(nested)


def test_docstrings_open_with_a_plain_verb():
    texts = list(docstrings())
    odd = [(path.name, text.splitlines()[0]) for path, text in texts if text.split()[0] in OPENINGS]
    assert len(odd) <= MAX_OPENINGS * len(texts), odd


def test_docstrings_are_plain_english():
    phrases = [(path.name, match[0]) for path, text in docstrings() for match in DIALECT.finditer(text)]
    assert len(phrases) <= MAX_DIALECT, phrases


def test_participles_are_recognized():
    assert [
        name for name in ("kept_play", "seed", "is_listed", "count", "override_pays", "found") if is_participle(name)
    ] == [
        "kept_play",
        "found",
    ]
