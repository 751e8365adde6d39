"""The import order of packages and the promises of the design, checked by reading the source."""

import ast
import sys
import tomllib

import pytest

from tests.packages import ORDER, ROOT, SOURCES, imports, imports_by_package, module_name, nodes_of, package_of


def test_packages_import_only_packages_above_them():
    wrong = [
        f"{importing} imports {imported}: {', '.join(modules)}"
        for importing, edges in imports_by_package().items()
        for imported, modules in edges.items()
        if ORDER.index(imported) > ORDER.index(importing)
    ]
    assert wrong == []


def test_no_import_hides_a_cycle():
    """Imports for the type checker and those within functions count as much as those at the top."""
    names = {module_name(path): path for path in SOURCES}
    known = {name: {one for one in imports(path) if one in names and one != name} for name, path in names.items()}
    while free := [name for name, others in known.items() if not others]:
        for name in free:
            del known[name]
        known = {name: others - set(free) for name, others in known.items()}
    assert sorted(known) == []


def test_every_module_belongs_to_a_package():
    assert [path for path in SOURCES if package_of(module_name(path)) is None] == []


@pytest.mark.parametrize(
    ("module", "package"),
    [
        ("combinat", "combinat"),
        ("combinat.__main__", "combinat.__main__"),
        ("combinat.study", "combinat.study"),
        ("combinat.attic", None),
        ("combinat.attic.box", None),
        ("combinat.studying", None),
        ("reports", "reports"),
        ("reports.__main__", "reports"),
        ("reports.attic", None),
        ("combinat.enumeration.dealer.deal", "combinat.enumeration.dealer"),
        ("json", None),
    ],
)
def test_package_of_a_module(module, package):
    assert package_of(module) == package


def test_modules_imported_from_a_package_are_seen(tmp_path):
    file = tmp_path / "one.py"
    file.write_text(
        "import json\nfrom combinat import find, study\n"
        "def later():\n    from combinat.language import rules as r, words\n    from os import path\n"
    )
    expected = ["json", "combinat", "combinat.study", "combinat.language.rules", "combinat.language.words", "os"]
    assert list(imports(file)) == expected


def experiment_folders():
    """Return the folder of every experiment, relative to the root: each package within `combinat/enumeration`."""
    packages = (ROOT / "combinat" / "enumeration").glob("*/__init__.py")
    return sorted(package.parent.relative_to(ROOT).as_posix() for package in packages)


def test_every_experiment_folder_is_registered():
    from combinat.enumeration.experiment import _KINDS

    registered = {kind.module.rpartition(".")[0] for kind in _KINDS.values()}
    assert {folder.replace("/", ".") for folder in experiment_folders()} <= registered


def test_no_code_switches_on_experiment_type():
    """Only an experiment's own folder imports its modules; blackjack may import the dealer's finished hands."""
    folders = tuple(f"{folder}/" for folder in experiment_folders())
    packages = tuple(folder.replace("/", ".") for folder in folders)
    assert len(folders) >= 4
    for path in SOURCES:
        file = path.relative_to(ROOT).as_posix()
        if file.startswith(folders):
            continue
        imported = [name for name in imports(path) if f"{name}.".startswith(packages)]
        allowed = ["combinat.enumeration.dealer.finished_hands"] if file == "combinat/blackjack/exact/dealer.py" else []
        assert imported == allowed, file
        attributes = [node.attr for node in nodes_of(path) if isinstance(node, ast.Attribute)]
        assert not {"draw", "drawn", "hits_soft"} & set(attributes), file


def test_modules_are_named_as_texts_by_registries_only():
    """What is loaded by name is no edge that these tests see, so it is said who may: lists of what there is."""
    registries = {
        "combinat": "the names that the package offers",
        "combinat.enumeration.experiment": "experiments by their deals",
        "combinat.study": "options by their kinds, which `combinat.enumeration.decision` lists",
        "reports": "the name that the package offers",
        "reports.cli.lazy": "commands that load what the others do not need",
        "reports.render": "formats, each a module beside it",
    }
    loading = {module_name(path) for path in SOURCES if "importlib" in imports(path)}
    assert loading <= set(registries)


def outside(folder):
    """What the modules of a folder import that is not of the standard library, each with the module."""
    return [
        (path.name, name)
        for path in sorted(folder.glob("*.py"))
        for name in imports(path)
        if name.split(".")[0] not in sys.stdlib_module_names
    ]


def test_decks_need_the_standard_library_only():
    assert [one for one in outside(ROOT / "decks") if one[1].split(".")[0] != "decks"] == []


def test_second_method_needs_the_standard_library_and_itself_only():
    found = outside(ROOT / "combinat" / "verifier")
    assert [one for one in found if not one[1].startswith("combinat.verifier.")] == []


def test_no_float_and_no_rounding_on_the_way_to_a_figure():
    allowed = {
        ("decks/errors.py", 0.6),  # how alike two words must be to suggest one for the other
        # How far apart two actions must be for doubles to tell the better one; a bound of their error is far below it.
        ("combinat/blackjack/fast/strategy.py", 1e-9),
    }
    for path in SOURCES:
        if path.name == "plots.py":
            continue  # a picture's coordinates are no figures
        for node in nodes_of(path):
            if isinstance(node, ast.Constant) and isinstance(node.value, float):
                assert (str(path.relative_to(ROOT)), node.value) in allowed
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("float", "round"), f"{path}:{node.lineno}"


def test_dependencies_are_pinned_without_addresses():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert {*extras["studio"], *extras["cluster"]} <= set(extras["dev"])
    needed = [*project["dependencies"], *extras["dev"]]
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert "://" not in pinned
    names = {line.partition("==")[0].lower().replace("_", "-") for line in pinned.splitlines() if "==" in line}
    for need in needed:
        name = need.partition(">")[0].partition("<")[0].strip()
        assert name.lower() in names


@pytest.mark.usefixtures("unmeasured")
def test_heavy_libraries_load_only_where_they_are_needed():
    import subprocess

    code = (
        "import sys; from reports.cli import main as cli; sys.argv = ['combinat', 'show', 'TRI-03', '--decks', '6']\n"
        "try: cli.main()\nexcept SystemExit: pass\n"
        "heavy = ('sympy', 'mpmath', 'rich', 'pydantic', 'matplotlib', 'numpy', 'reports.cli.meters',"
        "'combinat.blackjack.game')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.splitlines()[-1] == "[]"


def only_narrows_a_type(test):
    """Whether an assert tells a reader and the type checker what something is, and does and checks nothing else."""
    match test:
        case ast.Call(func=ast.Name("isinstance"), args=[tested, _], keywords=[]):
            pass
        case ast.Compare(left=tested, ops=[ast.IsNot()], comparators=[ast.Constant(None)]):
            pass
        case _:
            return False
    return not any(isinstance(node, (ast.Call, ast.NamedExpr, ast.Await, ast.Yield)) for node in ast.walk(tested))


def test_assert_does_no_work_and_guards_no_figure():
    # With PYTHONOPTIMIZE=1 it is not there: what must be found out and told is raised instead.
    asserts = [(path, node) for path in SOURCES for node in nodes_of(path) if isinstance(node, ast.Assert)]
    assert [(path, ast.unparse(node)) for path, node in asserts if not only_narrows_a_type(node.test)] == []


def test_assert_that_does_work_is_seen():
    allowed = ["first is not None", "isinstance(trial.deal, Deal)", "isinstance(text, (str, bytes))"]
    refused = [
        "lay(0)",
        "go_on()",
        "rest == 0",
        "isinstance(next(rows), str)",
        "(x := found()) is not None",
        "a.b() is not None",
    ]
    answers = [only_narrows_a_type(ast.parse(text, mode="eval").body) for text in [*allowed, *refused]]
    assert answers == [True] * len(allowed) + [False] * len(refused)


def is_limited(call):
    """Whether a cache is told how much it may keep."""
    limits = [*call.args, *(one.value for one in call.keywords if one.arg == "maxsize")]
    return bool(limits) and not (isinstance(limits[0], ast.Constant) and limits[0].value is None)


def test_no_cache_is_without_a_limit():
    loose = []
    for path in SOURCES:
        nodes = nodes_of(path)
        called = [node for node in nodes if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "lru_cache"]
        limited = [id(node.func) for node in called if is_limited(node)]
        named = [node for node in nodes if isinstance(node, ast.Name) and node.id == "lru_cache"]
        imported = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module == "functools"]
        loose += [f"{path}: {node.lineno}" for node in named if id(node) not in limited]
        loose += [f"{path}: {node.lineno}" for node in imported if "cache" in [one.name for one in node.names]]
        whole = [one.name for node in nodes if isinstance(node, ast.Import) for one in node.names]
        loose += [f"{path}: functools" for name in whole if name == "functools"]
    assert loose == []


def test_what_is_kept_beside_functions_is_named_here():
    """A dictionary that begins empty and stays fills up; these are two registries, and one that drops its oldest."""
    kept = {
        (module_name(path), ast.unparse(node.target if isinstance(node, ast.AnnAssign) else node.targets[0]))
        for path in SOURCES
        for node in nodes_of(path)[0].body  # of the whole module
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Dict) and not node.value.keys
    }
    assert kept == {
        ("combinat.enumeration.decision", "_KINDS"),
        ("combinat.enumeration.experiment", "_KINDS"),
        ("combinat.verifier.counting", "KNOWN"),
    }


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("lru_cache(maxsize=8)", True),
        ("lru_cache(8)", True),
        ("lru_cache(maxsize=None)", False),
        ("lru_cache()", False),
    ],
)
def test_cache_without_a_limit_is_seen(text, answer):
    assert is_limited(ast.parse(text, mode="eval").body) is answer


EMPTY = ("dict", "list", "set", "defaultdict", "Counter", "OrderedDict")


def unlimited(nodes):
    """Find what grows without end: a `cache`, an `lru_cache` whose limit is not written, a table of a module's own."""
    for node in nodes:
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
    yield from growing_tables(nodes)


def called(node):
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def growing_tables(nodes):
    """Find tables of a module that begin empty and that a function fills, neither registering nor asking how full."""
    begun = set()
    for node in nodes[0].body:  # of the whole module
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            names = [node.target] if isinstance(node, ast.AnnAssign) else node.targets
            made = isinstance(node.value, ast.Call) and not node.value.args and called(node.value.func) in EMPTY
            if made or ast.unparse(node.value) in ("{}", "[]"):
                begun |= {name.id for name in names if isinstance(name, ast.Name)}
    for function in nodes if begun else ():
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


def test_no_cache_grows_without_a_limit():
    found = {path: list(unlimited(nodes_of(path))) for path in SOURCES}
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
    assert list(unlimited(list(ast.walk(ast.parse(code))))) == found
