"""Identify the exact program: only workers with the same code and libraries return the same bytes."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from msgspec import Struct

from combinat.version import VERSION

_PACKAGES = ("decks", "combinat", "reports")


class Program(Struct, frozen=True):
    """Version of the program, a hash of its code and data, and the versions of its libraries."""

    version: str
    code: str
    libraries: tuple[tuple[str, str], ...]

    def difference_from(self, build: Program) -> str:
        """Describe how another program differs from this one; an empty string if it does not.

        >>> here = Program("0.1.0", "1f2e3d4c5b", (("numpy", "2.1.0"),))
        >>> here.difference_from(Program("0.1.0", "1f2e3d4c5b", (("numpy", "2.0.0"),)))
        'numpy is 2.0.0 there and 2.1.0 here'
        """
        theirs = {"combinat": build.version, **dict(build.libraries)}
        for name, version_here in (("combinat", self.version), *self.libraries):
            if theirs.get(name) != version_here:
                return f"{name} is {theirs.get(name, 'missing')} there and {version_here} here"
        if build.code != self.code:
            return (
                f"the code of combinat {build.version} has the hash {build.code[:12]} there and {self.code[:12]} here"
            )
        return ""


@lru_cache(maxsize=1)
def current_program() -> Program:
    """Return the program of this process."""
    library_names = [re.split(r"[^\w.-]", text)[0] for text in requires("combinat") or () if "extra ==" not in text]
    libraries = []
    for name in sorted(library_names):
        try:
            libraries.append((name, version(name)))
        except PackageNotFoundError:
            libraries.append((name, "missing"))
    return Program(VERSION, _hash_code(Path(__file__).parents[2]), tuple(libraries))


def _hash_code(root: Path) -> str:
    """Hash every file of the program."""
    digest = hashlib.sha256()
    files = (path for package in _PACKAGES for path in (root / package).rglob("*") if "__pycache__" not in path.parts)
    for path in sorted(path for path in files if path.is_file()):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()
