"""The answers to `submit` and `rebuild`."""

from __future__ import annotations

from collections.abc import Mapping

from combinat.requests.request import Notify
from combinat.requests.submit import Rebuild, Submit
from combinat.results.submit import DossierFileAnswer, RebuildAnswer, SubmitAnswer
from reports.publish.pdf_reader import describe_update
from reports.publish.signature_state import signature_states
from reports.sheet.identity import fingerprint
from reports.submission.archive import SUMS, check_target, read_dossier, write_dossier
from reports.submission.dossier import build_dossier, dossier_input, read_input
from reports.submission.profile import APPLICANT, Profile


def submit(request: Submit, notify: Notify) -> SubmitAnswer:
    """Build and write the dossier of a request."""
    output = request.output_path
    check_target(output)
    replaced = read_dossier(request.replaced_path) if request.replaced_path is not None else {}
    source = dossier_input(request, notify, replaced)
    dossier = build_dossier(source)
    write_dossier(output, dossier.contents)
    submission = dossier.submission
    return SubmitAnswer(
        output=str(output),
        jurisdiction=submission.profile.name,
        sheets=[sheet.name for sheet in submission.sheets],
        added_by_applicant=[item.text for item in submission.applicable_requirements() if APPLICANT in item.met_by],
        not_read=_unread_facts(submission.profile),
        files=[
            DossierFileAnswer(name=name, bytes=len(content), sha256=fingerprint(content))
            for name, content in dossier.contents.items()
        ],
    )


def _unread_facts(profile: Profile) -> list[str]:
    certification = ["wording of the certification"] if profile.certification.read == "not read" else []
    unread = [fact.clause or fact.text for fact in profile.wager_limit if fact.read in ("not read", "heading")]
    return [*certification, *unread]


def rebuild(request: Rebuild, _notify: Notify) -> RebuildAnswer:
    """Make a dossier again and compare it with its files."""
    if request.output_path is not None:
        check_target(request.output_path)
    contents = read_dossier(request.path)
    expected = build_dossier(read_input(contents)).contents
    differences, signed, other_files = _compare(contents, expected)
    if request.output_path is not None:
        write_dossier(request.output_path, expected)
    return RebuildAnswer(
        dossier=str(request.path),
        same=not differences,
        files=len(expected),
        differences=differences,
        signed=signed,
        other_files=other_files,
    )


def _compare(contents: Mapping[str, bytes], expected: Mapping[str, bytes]) -> tuple[list[str], list[str], list[str]]:
    """Return the differences of a dossier, its signed files, and its other files."""
    differences: list[str] = []
    signed: list[str] = []
    other_files: list[str] = []
    for name, content in expected.items():
        if name not in contents:
            differences.append(f"{name}: missing")
        elif _is_signed_copy(contents[name], content):
            differences += _describe_signed(name, contents[name], content, signed)
        elif contents[name] != content:
            differences.append(f"{name}: the bytes differ from those that are made from the dossier")
    for name, content in contents.items():
        if name in expected or name == SUMS:
            continue
        original = next((made for made in expected.values() if _is_signed_copy(content, made)), None)
        if original is None:
            other_files.append(name)
        else:
            differences += _describe_signed(name, content, original, signed)
    return differences, signed, other_files


def _is_signed_copy(content: bytes, original: bytes) -> bool:
    return original.startswith(b"%PDF-") and content != original and content.startswith(original)


def _describe_signed(name: str, content: bytes, original: bytes, signed: list[str]) -> list[str]:
    """Append the state of the signatures of a file to `signed`; return what is wrong with it."""
    states = signature_states(content)
    signed += [f"{name}: {state.text}" for state in states]
    problems = [*describe_update(original, content), *(state.text for state in states if state.is_broken)]
    return [f"{name}: {problem}" for problem in problems]
