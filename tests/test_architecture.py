"""The import order of packages and other rules of the design, checked by reading the source."""

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
    """Imports for the type checker and within functions count too."""
    names = {module_name(path): path for path in SOURCES}
    imports_by_module = {
        name: {module for module in imports(path) if module in names and module != name} for name, path in names.items()
    }
    while free := [name for name, imported in imports_by_module.items() if not imported]:
        for name in free:
            del imports_by_module[name]
        imports_by_module = {name: imported - set(free) for name, imported in imports_by_module.items()}
    assert sorted(imports_by_module) == []


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


def test_import_checker_sees_modules_of_packages(tmp_path):
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
    """Only an experiment's own package imports its modules; blackjack may import the dealer's finished hands."""
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


def test_only_registries_name_modules_as_text():
    """Modules loaded by name are edges that these tests do not see, so only registries may do it."""
    registries = {
        "combinat": "the names that the package offers",
        "combinat.results.frames": "libraries of data frames, which are optional",
        "combinat.enumeration.experiment": "experiments by their deals",
        "combinat.requests.reports_hook": "the only import upward",
        "reports.cli.reference": "all requests and results, for the reference pages",
        "reports.cli.lazy": "commands that load modules which the others do not need",
        "reports.render": "formats, each a module beside it",
    }
    loading = {module_name(path) for path in SOURCES if "importlib" in imports(path)}
    assert loading <= set(registries)


def third_party_imports(folder):
    """Return the imports of a folder's modules from outside the standard library, each with the module."""
    return [
        (path.name, name)
        for path in sorted(folder.glob("*.py"))
        for name in imports(path)
        if name.split(".")[0] not in sys.stdlib_module_names
    ]


def test_decks_needs_only_the_standard_library():
    assert [entry for entry in third_party_imports(ROOT / "decks") if entry[1].split(".")[0] != "decks"] == []


def test_verifier_needs_only_the_standard_library():
    entries = third_party_imports(ROOT / "combinat" / "verifier")
    assert [entry for entry in entries if not entry[1].startswith("combinat.verifier.")] == []


def test_no_floats_in_exact_code():
    allowed = {
        ("decks/errors.py", 0.6),  # similarity of two words for a suggestion
        # Difference of two actions at which doubles decide; the bound of their error is far below it.
        ("combinat/blackjack/fast/strategy.py", 1e-9),
    }
    for path in SOURCES:
        if path.name in ("meter_plots.py", "frames.py"):
            continue  # coordinates of a picture are not figures; data frames hold floats unless asked for exact values
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
def test_heavy_libraries_load_only_where_needed():
    import subprocess

    code = (
        "import sys; from reports.cli import main as cli; sys.argv = ['combinat', 'show', 'TRI-03', '--decks', '6']\n"
        "try: cli.main()\nexcept SystemExit: pass\n"
        "heavy = ('sympy', 'mpmath', 'rich', 'pydantic', 'matplotlib', 'numpy', 'reports.cli.meters',"
        "'combinat.blackjack.game')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert process.stdout.splitlines()[-1] == "[]"


def only_narrows_a_type(test):
    """Return whether an assert only informs the reader and the type checker."""
    match test:
        case ast.Call(func=ast.Name("isinstance"), args=[tested, _], keywords=[]):
            pass
        case ast.Compare(left=tested, ops=[ast.IsNot()], comparators=[ast.Constant(None)]):
            pass
        case _:
            return False
    return not any(isinstance(node, (ast.Call, ast.NamedExpr, ast.Await, ast.Yield)) for node in ast.walk(tested))


def test_asserts_have_no_side_effects():
    # PYTHONOPTIMIZE=1 removes asserts, so errors are raised instead.
    asserts = [(path, node) for path in SOURCES for node in nodes_of(path) if isinstance(node, ast.Assert)]
    assert [(path, ast.unparse(node)) for path, node in asserts if not only_narrows_a_type(node.test)] == []


def test_assert_checker_sees_side_effects():
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


def test_module_level_dicts_are_known():
    """Empty dicts at module level may grow; the known ones are a registry and a cache with a limit."""
    empty_dicts = {
        (module_name(path), ast.unparse(node.target if isinstance(node, ast.AnnAssign) else node.targets[0]))
        for path in SOURCES
        for node in nodes_of(path)[0].body  # at module level
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Dict) and not node.value.keys
    }
    assert empty_dicts == {
        ("combinat.enumeration.experiment", "_KINDS"),
    }


EMPTY = ("dict", "list", "set", "defaultdict", "Counter", "OrderedDict")


def iter_unlimited_caches(nodes):
    """Yield caches without a limit: `cache`, `lru_cache` without `maxsize`, and growing module-level tables."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in node.decorator_list:
                if name_of(decorator) in ("cache", "lru_cache"):  # a bare decorator sets no limit
                    yield node.name
        if isinstance(node, ast.Call) and name_of(node.func) == "cache":
            yield ast.unparse(node)
        if isinstance(node, ast.Call) and name_of(node.func) == "lru_cache":
            limits = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "maxsize")]
            if not limits or (isinstance(limits[0], ast.Constant) and limits[0].value is None):
                yield ast.unparse(node)
    yield from iter_growing_tables(nodes)


def name_of(node):
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def iter_growing_tables(nodes):
    """Yield tables of a module that start empty and that a function fills without checking their size."""
    tables = set()
    for node in nodes[0].body:  # at module level
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            names = [node.target] if isinstance(node, ast.AnnAssign) else node.targets
            is_empty_container = (
                isinstance(node.value, ast.Call) and not node.value.args and name_of(node.value.func) in EMPTY
            )
            if is_empty_container or ast.unparse(node.value) in ("{}", "[]"):
                tables |= {name.id for name in names if isinstance(name, ast.Name)}
    for function in nodes if tables else ():
        if isinstance(function, ast.FunctionDef) and not function.name.startswith("register"):
            for name in sorted(tables):
                if adds_to(function, name) and f"len({name})" not in ast.unparse(function):
                    yield name


def adds_to(function, name):
    """Return whether a function adds to a table."""
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and name_of(node.value) == name:
            return True
        grows = isinstance(node, ast.Attribute) and node.attr in ("append", "add", "update", "setdefault")
        if grows and name_of(node.value) == name:
            return True
    return False


def test_caches_have_limits():
    caches_by_path = {path: list(iter_unlimited_caches(nodes_of(path))) for path in SOURCES}
    assert {path: caches for path, caches in caches_by_path.items() if caches} == {}


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
def test_unlimited_caches_are_recognized(code, found):
    assert list(iter_unlimited_caches(list(ast.walk(ast.parse(code))))) == found
