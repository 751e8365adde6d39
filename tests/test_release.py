"""What a release holds, and that everything it brings along is pinned."""

import io
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import distribution, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PINS = {
    canonicalize_name(name): pinned
    for name, pinned in re.findall(
        r"^([\w.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE
    )
}
FOLDERS = ("decks", "combinat", "reports", "tests", "docs", ".ci")
FILES = (
    ".pre-commit-config.yaml",
    "conftest.py",
    "LICENSE",
    "MANIFEST.in",
    "Makefile",
    "constraints.txt",
    "pyproject.toml",
    "*.md",
)
BUILD = "import setuptools.build_meta as builder, sys; print(getattr(builder, sys.argv[1])(sys.argv[2]))"


def brought_along():
    """Every library that the program or its tests need here, directly or not."""
    waiting = [Requirement(text) for text in PROJECT["build-system"]["requires"]]
    waiting += [Requirement(text) for text in PROJECT["project"]["dependencies"]]
    waiting += [Requirement(text) for text in PROJECT["project"]["optional-dependencies"]["dev"]]
    found = set()
    for need in waiting:
        name = canonicalize_name(need.name)
        if (need.marker is None or need.marker.evaluate({"extra": ""})) and name not in found:
            found.add(name)
            waiting += map(Requirement, distribution(name).requires or ())
    return found


def test_every_library_is_pinned_to_the_version_that_is_tested():
    assert {name: version(name) for name in brought_along()} == {name: PINS.get(name) for name in brought_along()}


def test_the_pins_reach_the_build_too():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    installs = re.findall(r"^INSTALL := (.*)$", makefile, re.MULTILINE)
    assert len(installs) == 1
    assert installs[0].startswith("$(PINNED) ")
    assert "PIP_CONSTRAINT=constraints.txt" in makefile
    assert "PIP_BUILD_CONSTRAINT=constraints.txt" in makefile


def test_the_licence_is_stated():
    assert PROJECT["project"]["license"] == "MIT"
    assert "the combinat authors" in (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_every_python_that_is_named_can_be_tested():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    tested = re.search(r"^PYTHONS \?= (.*)$", makefile, re.MULTILINE)[1].split()
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    assert PROJECT["project"]["requires-python"] == f">={named[0]}"
    assert named == tested[: len(named)]


def test_the_changelog_is_sorted_by_version_and_has_the_one_that_is_released():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", changelog, re.MULTILINE)
    headings = headings[1:] if headings[0] == "Unreleased" else headings
    found = [re.fullmatch(r"(\d+)\.(\d+)\.(\d+)(?:, \d{4}-\d\d-\d\d)?", heading) for heading in headings]
    assert all(found), headings
    versions = [tuple(map(int, one.groups())) for one in found]
    assert versions == sorted(set(versions), reverse=True)
    assert ".".join(map(str, versions[0])) == PROJECT["project"]["version"]


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """What is kept, without what tests and editors leave behind."""
    folder = tmp_path_factory.mktemp("source")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for path in (path for pattern in FILES for path in ROOT.glob(pattern)):
        shutil.copy(path, folder)
    return folder


def built(what, source, folder):
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", BUILD, what, str(folder)], cwd=source, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return (folder / done.stdout.split()[-1]).read_bytes()


def files_in(folder, *names):
    return {str(path.relative_to(folder)) for name in names for path in (folder / name).rglob("*") if path.is_file()}


def test_every_file_of_a_package_is_named_as_its_data():
    """What is not Python is in a release only if the project names it; the whole suite makes one and looks."""
    named = PROJECT["tool"]["setuptools"]["package-data"]
    for path in (path for room in ("decks", "combinat", "reports") for path in (ROOT / room).rglob("*")):
        # What Python compiles while other tests run has names of its own until it is there.
        if path.is_file() and path.suffix != ".py" and path.parent.name != "__pycache__":
            owners = [parent for parent in path.parents if (parent / "__init__.py").exists()]
            package = ".".join(owners[0].relative_to(ROOT).parts)
            data = path.relative_to(owners[0])
            assert any(data.match(pattern) for pattern in named.get(package, [])), path


@pytest.mark.slow
def test_a_release_holds_everything_and_can_be_built_from_itself(source, tmp_path):
    expected = files_in(source, *FOLDERS) | {path.name for path in source.iterdir() if path.is_file()}
    with tarfile.open(fileobj=io.BytesIO(built("build_sdist", source, tmp_path / "sdist"))) as archive:
        archive.extractall(tmp_path / "unpacked")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    assert expected <= files_in(unpacked, ".")
    with zipfile.ZipFile(io.BytesIO(built("build_wheel", unpacked, tmp_path / "wheel"))) as wheel:
        names = set(wheel.namelist())
        (metadata,) = [wheel.read(name).decode() for name in names if name.endswith("dist-info/METADATA")]
    assert files_in(source, "decks", "combinat", "reports") <= names
    assert not any(name.startswith("tests/") for name in names)
    assert any(name.endswith("dist-info/licenses/LICENSE") for name in names)
    assert {"License-Expression: MIT", "Author: the combinat authors", "Requires-Python: >=3.11"} <= set(
        metadata.splitlines()
    )


def test_no_text_advises_installing_from_an_index():
    """The name is not registered on any index, so extras are installed from a checkout: `pip install '.[studio]'`."""
    paths = [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "combinat").rglob("*.py"),
    ]
    paths += [*(ROOT / "reports").rglob("*.py"), *(ROOT / "decks").rglob("*.py")]
    advice = re.compile(r"pip install(?: +-\S+(?: +\S+\.txt)?)* +['\"]?combinat\b")
    found = [path.name for path in paths if advice.search(path.read_text(encoding="utf-8"))]
    assert found == []
    assert advice.search("pip install 'combinat[studio]'")
    assert advice.search("pip install -U -c constraints.txt combinat")
