"""Contents of a release, and pinned dependencies."""

import ast
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import distribution, packages_distributions, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from combinat.version import VERSION

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PINS = {
    canonicalize_name(name): pinned
    for name, pinned in re.findall(
        r"^([\w.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE
    )
}
MAX_RELEASE_LINES = 60
FOLDERS = ("decks", "combinat", "reports", "tests", "docs", ".ci")
FILES = (
    ".pre-commit-config.yaml",
    "conftest.py",
    "LICENSE",
    "MANIFEST.in",
    "Makefile",
    "constraints.txt",
    "pyproject.toml",
    "setup.py",
    "*.lock",
    "*.md",
)
BUILD = "import setuptools.build_meta as builder, sys; print(getattr(builder, sys.argv[1])(sys.argv[2]))"


def required_libraries():
    """Return every library that the program or its tests need, directly or not."""
    requirements = [Requirement(text) for text in PROJECT["build-system"]["requires"]]
    requirements += [Requirement(text) for text in PROJECT["project"]["dependencies"]]
    requirements += [Requirement(text) for text in PROJECT["project"]["optional-dependencies"]["dev"]]
    names = set()
    for requirement in requirements:
        name = canonicalize_name(requirement.name)
        if (requirement.marker is None or requirement.marker.evaluate({"extra": ""})) and name not in names:
            names.add(name)
            requirements += map(Requirement, distribution(name).requires or ())
    return names


def test_libraries_are_pinned_to_the_tested_version():
    assert {name: version(name) for name in required_libraries()} == {
        name: PINS.get(name) for name in required_libraries()
    }


def locked(name):
    """Return the pins of a lock file: version and hashes by library."""
    text = (ROOT / name).read_text(encoding="utf-8")
    entries = re.findall(
        r"^([\w.-]+)(?:\[[\w,-]+\])?==(\S+)[^\n]*\\\n((?: +--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", text, re.MULTILINE
    )
    assert text.count("==") - text.count("== '") == len(entries), "a line of the lock file has another form"
    return {canonicalize_name(library): (pin, hashes.count("--hash")) for library, pin, hashes in entries}


def test_lock_files_pin_the_tested_versions_with_hashes():
    program, tools = locked("requirements.lock"), locked("requirements-dev.lock")
    assert {name: program[name][0] for name in program.keys() & PINS.keys()} == {
        name: PINS[name] for name in program.keys() & PINS.keys()
    }
    assert {name: tools[name][0] for name in PINS} == PINS
    only_elsewhere = {"colorama", "httpx2-jsfetch"}  # other platforms
    assert (program.keys() | tools.keys()) - PINS.keys() <= only_elsewhere
    assert {name: tools[name] for name in program if name in tools} == {name: program[name] for name in program}
    assert min(count for _, count in tools.values()) >= 1
    assert "setuptools" in program


def test_lock_files_name_no_place():
    for path in ROOT.glob("*.lock"):
        assert not re.search(r"https?://|file:|--index|--find-links|/", path.read_text(encoding="utf-8"))


def test_make_installs_from_the_lock_files():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "--require-hashes -r" in makefile
    assert "--no-deps --no-build-isolation" in makefile
    installs = re.findall(r"^\t(.*pip.* install .*|\$\(INSTALL\w*\).*)$", makefile, re.MULTILINE)
    assert installs == [
        "$(INSTALL_LOCKED) requirements.lock",
        "$(INSTALL_CHECKOUT)",
        "$(INSTALL_LOCKED) requirements-dev.lock",
        "$(INSTALL_CHECKOUT)",
    ]


IMPORTED_IF_PRESENT = {"pandas", "polars"}
"""Libraries of the user's own, for tables of results."""


def test_imported_libraries_are_declared():
    groups = [PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"].values()]
    names = {canonicalize_name(Requirement(text).name) for group in groups for text in group}
    installed = packages_distributions()
    imported = set()
    for path in (path for folder in ("decks", "combinat", "reports") for path in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                imported.add(node.module.split(".")[0])
    libraries = imported - sys.stdlib_module_names - {"decks", "combinat", "reports"} - IMPORTED_IF_PRESENT
    assert {canonicalize_name(installed[name][0]) for name in libraries} <= names


def test_license_is_stated():
    assert PROJECT["project"]["license"] == "MIT"
    assert "the combinat authors" in (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_every_listed_python_is_tested():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    tested = re.search(r"^PYTHONS \?= (.*)$", makefile, re.MULTILINE)[1].split()
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    assert PROJECT["project"]["requires-python"] == f">={named[0]}"
    assert named == tested[: len(named)]


def test_changelog_is_sorted_and_has_the_release():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", changelog, re.MULTILINE)
    headings = headings[1:] if headings[0] == "Unreleased" else headings
    matches = [re.fullmatch(r"(\d+)\.(\d+)\.(\d+)(?:, \d{4}-\d\d-\d\d)?", heading) for heading in headings]
    assert all(matches), headings
    versions = [tuple(map(int, match.groups())) for match in matches]
    assert versions == sorted(set(versions), reverse=True)
    assert ".".join(map(str, versions[0])) == VERSION


def test_notes_of_the_release_are_short():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    notes = re.search(rf"^## {re.escape(VERSION)}.*?(?=^## |\Z)", changelog, re.DOTALL | re.MULTILINE)[0]
    assert len(notes.splitlines()) <= MAX_RELEASE_LINES


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """Return the files of the repository, without those that tests and editors leave."""
    folder = tmp_path_factory.mktemp("source")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for path in (path for pattern in FILES for path in ROOT.glob(pattern)):
        shutil.copy(path, folder)
    return folder


def build_release(hook, source, folder):
    folder.mkdir()
    process = subprocess.run(
        [sys.executable, "-c", BUILD, hook, str(folder)], cwd=source, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr[-2000:]
    return (folder / process.stdout.split()[-1]).read_bytes()


def is_for_development(path):
    """Return whether a file in a package only serves to change the program: it is not in the wheel."""
    excluded = PROJECT["tool"]["setuptools"]["exclude-package-data"]
    return path.name in excluded.get(".".join(path.relative_to(ROOT).parts[:-1]), [])


def files_in(folder, *names):
    return {str(path.relative_to(folder)) for name in names for path in (folder / name).rglob("*") if path.is_file()}


def test_data_files_are_declared():
    """Only declared data files are in a release; `test_release_is_complete_and_builds_itself` builds one."""
    patterns_by_package = PROJECT["tool"]["setuptools"]["package-data"]
    for path in (
        path for package_folder in ("decks", "combinat", "reports") for path in (ROOT / package_folder).rglob("*")
    ):
        # Python's compiled files have temporary names while other tests run.
        if (
            path.is_file()
            and path.suffix != ".py"
            and path.parent.name != "__pycache__"
            and not is_for_development(path)
        ):
            owners = [parent for parent in path.parents if (parent / "__init__.py").exists()]
            package = ".".join(owners[0].relative_to(ROOT).parts)
            data = path.relative_to(owners[0])
            assert any(data.match(pattern) for pattern in patterns_by_package.get(package, [])), path


def check_bill_of_materials(bill):
    """The bill names every pinned library of the program, those without an extra as required."""
    assert (bill["bomFormat"], bill["metadata"]["component"]["version"]) == ("CycloneDX", VERSION)
    vendored = [part for part in bill["components"] if part["purl"].startswith("pkg:npm/")]
    assert [part["name"] for part in vendored] == ["codemirror"]
    assert all(part["licenses"] and part["hashes"] for part in vendored)
    scopes = {part["name"]: part["scope"] for part in bill["components"] if part not in vendored}
    assert scopes.keys() == locked("requirements.lock").keys()
    required = {canonicalize_name(Requirement(text).name) for text in PROJECT["project"]["dependencies"]}
    assert {name for name, scope in scopes.items() if scope == "required"} == required


@pytest.mark.slow
def test_release_is_complete_and_builds_itself(source, tmp_path):
    expected = files_in(source, *FOLDERS) | {path.name for path in source.iterdir() if path.is_file()}
    with tarfile.open(fileobj=io.BytesIO(build_release("build_sdist", source, tmp_path / "sdist"))) as archive:
        archive.extractall(tmp_path / "unpacked")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    assert expected <= files_in(unpacked, ".")
    with zipfile.ZipFile(io.BytesIO(build_release("build_wheel", unpacked, tmp_path / "wheel"))) as wheel:
        names = set(wheel.namelist())
        wheel_files = {name: wheel.read(name) for name in names if name.endswith(".json")}
        (metadata,) = [wheel.read(name).decode() for name in names if name.endswith("dist-info/METADATA")]
    modules = {name for name in files_in(source, "decks", "combinat", "reports") if not is_for_development(ROOT / name)}
    pages = {f"reports/manual/{path.relative_to(source / 'docs')}" for path in (source / "docs").rglob("*.md")}
    assert (tmp_path / "wheel" / f"combinat-{VERSION}.cdx.json").is_file()
    (bill,) = [name for name in names if name.endswith(f".dist-info/sboms/combinat-{VERSION}.cdx.json")]
    metadata_files = {name for name in names if f"combinat-{VERSION}.dist-info/" in name}
    assert modules | pages <= names
    assert names <= modules | pages | metadata_files, "the wheel has more than it needs"
    check_bill_of_materials(json.loads(wheel_files[bill]))
    assert any(name.endswith("dist-info/licenses/LICENSE") for name in names)
    assert {"License-Expression: MIT", "Author: the combinat authors", "Requires-Python: >=3.11"} <= set(
        metadata.splitlines()
    )


def test_no_text_suggests_installing_from_an_index():
    """The name is not registered on any index, so extras are installed from a checkout: `pip install '.[studio]'`."""
    paths = [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "combinat").rglob("*.py"),
    ]
    paths += [*(ROOT / "reports").rglob("*.py"), *(ROOT / "decks").rglob("*.py")]
    advice = re.compile(r"pip install(?: +-\S+(?: +\S+\.txt)?)* +['\"]?combinat\b")
    names = [path.name for path in paths if advice.search(path.read_text(encoding="utf-8"))]
    assert names == []
    assert advice.search("pip install 'combinat[studio]'")
    assert advice.search("pip install -U -c constraints.txt combinat")
