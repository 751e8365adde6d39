"""Build steps beyond pyproject.toml: the pages of `combinat help`, and a software bill of materials in the wheel."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tomllib
from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
VENDORED = (("codemirror", "6", "MIT", "reports/studio/page/codemirror.js"),)
"""Libraries of others in the program's own files: name, version, license, file."""
PINNED = re.compile(r"^([\w.-]+)(?:\[[\w,-]+\])?==(\S+)", re.MULTILINE)


class BuildWithPages(build_py):
    """Copies the pages of the documentation into the package, where `combinat help` reads them."""

    def run(self) -> None:
        super().run()
        if getattr(self, "editable_mode", False):
            return  # `combinat help` reads docs/ of the checkout
        for page in sorted((ROOT / "docs").rglob("*.md")):
            target = Path(self.build_lib) / "reports" / "manual" / page.relative_to(ROOT / "docs")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(page, target)


class WheelWithSbom(bdist_wheel):
    """Adds a CycloneDX bill of materials to the wheel's metadata, where PEP 770 expects it, and writes it beside it."""

    def write_wheelfile(self, wheelfile_base: str, *arguments: str) -> None:
        super().write_wheelfile(wheelfile_base, *arguments)
        name, version = self.distribution.get_name(), self.distribution.get_version()
        text = json.dumps(bill_of_materials(name, version), indent=2) + "\n"
        folders = [Path(wheelfile_base) / "sboms"]
        if self.dist_dir is not None:  # an editable installation has none
            target = Path(self.dist_dir)
            folders.append(target.parent if target.name.startswith(".tmp-") else target)
        for folder in folders:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{name}-{version}.cdx.json").write_text(text, encoding="utf-8")


def bill_of_materials(name: str, version: str) -> dict[str, object]:
    """Return the pinned libraries of the program as CycloneDX data; those of extras are optional."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    required = {_canonical(re.split(r"[^\w.-]", text)[0]) for text in project["dependencies"]}
    lock = ROOT / "requirements.lock"
    pins = PINNED.findall(lock.read_text(encoding="utf-8")) if lock.is_file() else []
    libraries: list[dict[str, object]] = [
        {
            "type": "library",
            "bom-ref": f"pkg:pypi/{library}@{pin}",
            "name": library,
            "version": pin,
            "purl": f"pkg:pypi/{library}@{pin}",
            "scope": "required" if library in required else "optional",
        }
        for library, pin in pins
    ]
    libraries += [
        {
            "type": "library",
            "bom-ref": f"pkg:npm/{library}@{pin}",
            "name": library,
            "version": pin,
            "purl": f"pkg:npm/{library}@{pin}",
            "scope": "required",
            "licenses": [{"license": {"id": license_id}}],
            "hashes": [{"alg": "SHA-256", "content": hashlib.sha256((ROOT / path).read_bytes()).hexdigest()}],
        }
        for library, pin, license_id, path in VENDORED
    ]
    reference = f"pkg:pypi/{name}@{version}"
    component = {
        "type": "application",
        "bom-ref": reference,
        "name": name,
        "version": version,
        "purl": reference,
        "description": project["description"],
        "licenses": [{"license": {"id": project["license"]}}],
    }
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": component},
        "components": libraries,
        "dependencies": [
            {
                "ref": reference,
                "dependsOn": [library["purl"] for library in libraries if library["scope"] == "required"],
            }
        ],
    }


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    setup(cmdclass={"build_py": BuildWithPages, "bdist_wheel": WheelWithSbom})
