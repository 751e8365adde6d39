"""Record or compare golden data: `python -m tests.golden record` and `python -m tests.golden compare`.

Golden data are the SHA-256 of every par sheet of every collection in every format with a fixed date, and of the answers
of every command in `commands.txt`. `compare` lists each file whose bytes differ; `compare --numbers` compares only the
numbers in JSON, CSV and workbooks, for changes that reword texts. `--only PART` takes one part: a collection or
`commands`. `--keep FOLDER` keeps what was written, to look at a difference.
"""

import argparse
import hashlib
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.golden.projection import PROJECTIONS

HERE = Path(__file__).parent
COLLECTIONS = ("main", "baccarat", "poker", "public")
COMMANDS = "commands"
DATE = "2026-01-31"
INDEX_FILES = ("index.html", "manifest.json")
JSON_ANSWER = ["--format", "json"]
NO_JSON = ("check", "ledger", "new", "schema")
"""Commands whose answer is text."""


def run_program(arguments, folder):
    """Run the program in a folder and return its standard output; a diff that finds differences exits with 1."""
    environment = {**os.environ, "COMBINAT_NO_CACHE": "1", "PYTHONPATH": str(HERE.parents[1])}
    done = subprocess.run(
        [sys.executable, "-m", "combinat", *arguments], cwd=folder, env=environment, stdout=subprocess.PIPE
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"exit code {done.returncode}: combinat {shlex.join(arguments)}")
    return done.stdout


def write_collection(collection, folder):
    """Write every par sheet of a collection and return {file name: content}."""
    run_program(["parsheets", "--collection", collection, "--date", DATE, "--output", str(folder)], HERE)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def answer_commands(folder):
    """Answer every command of `commands.txt` and return {command: answer}, as JSON wherever a command can."""
    answers = {}
    for line in (HERE / "commands.txt").read_text(encoding="utf-8").splitlines():
        words = shlex.split(line)
        has_json = words[0] not in NO_JSON
        content = run_program([*words, *(JSON_ANSWER if has_json else [])], HERE / "bets")
        name = line.replace(" ", "_").replace("/", "_") + (".json" if has_json else ".txt")
        (folder / name).write_bytes(content)
        answers[name] = content
    return answers


def digest(content):
    return hashlib.sha256(content if isinstance(content, bytes) else content.encode()).hexdigest()


def project(name, content):
    """Return the numbers-only projection of a file, or `None` if its format has none."""
    if name in INDEX_FILES:
        return None
    projection = PROJECTIONS.get(Path(name).suffix)
    return projection and projection(content)


def hash_part(part, folder):
    """Return {file name: (digest of bytes, digest of numbers or "-")} for a collection or for the commands."""
    contents = answer_commands(folder) if part == COMMANDS else write_collection(part, folder)
    hashes = {}
    for name, content in contents.items():
        numbers = project(name, content)
        hashes[name] = (digest(content), "-" if numbers is None else digest(numbers))
    return hashes


def load_hashes(part):
    lines = (HERE / f"{part}.sha256").read_text(encoding="utf-8").splitlines()
    return {name: (exact, numbers) for exact, numbers, name in (line.split(" ", 2) for line in lines)}


def save_hashes(part, hashes):
    lines = [f"{exact} {numbers} {name}\n" for name, (exact, numbers) in sorted(hashes.items())]
    (HERE / f"{part}.sha256").write_text("".join(lines), encoding="utf-8")


def find_differences(expected, actual, numbers_only):
    """List files that are missing, new or different."""
    column = 1 if numbers_only else 0
    missing = [f"missing: {name}" for name in expected if name not in actual]
    new = [f"new: {name}" for name in actual if name not in expected]
    common = [name for name in expected if name in actual]
    return missing + new + [f"differs: {name}" for name in common if expected[name][column] != actual[name][column]]


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=("record", "compare"))
    parser.add_argument("--numbers", action="store_true", help="compare numbers only")
    parser.add_argument("--only", choices=(*COLLECTIONS, COMMANDS), help="one part instead of all")
    parser.add_argument("--keep", type=Path, help="folder that keeps what was written")
    arguments = parser.parse_args()
    differences = []
    for part in [arguments.only] if arguments.only else [COMMANDS, *COLLECTIONS]:
        with tempfile.TemporaryDirectory() as temporary:
            folder = (arguments.keep or Path(temporary)).resolve() / part
            folder.mkdir(parents=True, exist_ok=True)
            hashes = hash_part(part, folder)
        if arguments.action == "record":
            save_hashes(part, hashes)
            print(f"{part}: {len(hashes)} files recorded")
        else:
            found = find_differences(load_hashes(part), hashes, arguments.numbers)
            print(f"{part}: {len(hashes)} files, {len(found)} differences", *found, sep="\n  ")
            differences += found
    sys.exit(bool(differences))


if __name__ == "__main__":
    main()
