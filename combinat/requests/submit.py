"""The dossier of a submission, its rebuild, and the signature of a PDF file."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Annotated

from combinat.requests.par_sheet import SheetRequest
from combinat.requests.reports_hook import ask_reports
from combinat.requests.request import Group, Notify, Option, Request
from combinat.results.submit import RebuildAnswer, SignAnswer, SubmitAnswer
from decks import InputError
from decks.errors import quote

PathLikeText = str | PathLike[str]
PASSPHRASE_VARIABLE = "COMBINAT_PASSPHRASE"  # noqa: S105  # the name of a variable
"""The environment variable that may hold the passphrase of a certificate."""


class Submit(SheetRequest[SubmitAnswer, SubmitAnswer], frozen=True, kw_only=True):
    """Write the dossier of a submission to a regulator.

    It has the sheets, rules of play, clause matrix, change log, and the means to check it. The dossier is complete
    or not written at all. An existing folder or file is replaced only if it is an unchanged dossier.
    """

    to: Annotated[str, Option("Jurisdiction profile, such as washington or generic, or a TOML file.")] = "generic"
    replaces: Annotated[
        PathLikeText | None,
        Option("Earlier dossier, a folder or a ZIP file, that this one is compared with.", group=Group.DOCUMENT),
    ] = None
    applicant: Annotated[
        str,
        Option(
            'Applicant for the cover, such as "Acme Gaming LLC, 1 Main Street, Reno".',
            group=Group.DOCUMENT,
            default="not stated",
        ),
    ] = ""
    output: Annotated[PathLikeText, Option("Folder or ZIP file to write.", ("--output", "-o"), group=Group.OUTPUT)] = (
        "submission"
    )

    @property
    def output_path(self) -> Path:
        """The folder or ZIP file to write."""
        return _path(self.output, "output")

    @property
    def replaced_path(self) -> Path | None:
        """The earlier dossier; `None` for a first submission."""
        return None if self.replaces is None else _path(self.replaces, "replaces")

    def answer(self, notify: Notify) -> SubmitAnswer:
        answer: SubmitAnswer = ask_reports(self, notify)
        return answer

    def results(self, computed: SubmitAnswer) -> Sequence[SubmitAnswer]:
        return [computed]


class Rebuild(Request[RebuildAnswer, RebuildAnswer], frozen=True):
    """Make a dossier again, and compare the bytes.

    It is made from the bets in it alone. Signed PDF files are compared up to the signature. The exit code is 0 if
    all files are the same, 1 if one differs, and 2 if the dossier cannot be rebuilt, for example because another
    version of the program made it.
    """

    dossier: Annotated[PathLikeText, Option("Dossier: a folder or a ZIP file.", is_argument=True)]
    output: Annotated[
        PathLikeText | None,
        Option(
            "Folder or ZIP file for the rebuilt dossier.",
            ("--output", "-o"),
            group=Group.OUTPUT,
            default="only compare",
        ),
    ] = None

    @property
    def path(self) -> Path:
        """The dossier."""
        return _path(self.dossier, "dossier")

    @property
    def output_path(self) -> Path | None:
        """Where the rebuilt dossier is written; `None` if it is only compared."""
        return None if self.output is None else _path(self.output, "output")

    def answer(self, notify: Notify) -> RebuildAnswer:
        answer: RebuildAnswer = ask_reports(self, notify)
        return answer

    def results(self, computed: RebuildAnswer) -> Sequence[RebuildAnswer]:
        return [computed]


class Sign(Request[Sequence[SignAnswer], SignAnswer], frozen=True):
    """Sign a PDF file of a sheet or a dossier.

    The signature is a PAdES signature by a certificate, with a stamp in the signature block. Sign last: a signed
    file has other bytes than the one that combinat rebuild makes. The passphrase of the certificate is asked for,
    or read from a file or from the variable COMBINAT_PASSPHRASE.
    """

    file: Annotated[PathLikeText, Option("PDF file, such as sheets/TRI-03-6D.pdf.", is_argument=True)]
    certificate: Annotated[PathLikeText, Option("Certificate with its key, a PKCS #12 file such as signer.p12.")] = ""
    passphrase_file: Annotated[
        PathLikeText | None,
        Option(
            "File that holds the passphrase of the certificate.",
            default=f"the variable {PASSPHRASE_VARIABLE}, otherwise asked for",
        ),
    ] = None
    passphrase: Annotated[str | None, Option("Passphrase of the certificate.")] = None
    role: Annotated[
        str, Option("Line of the signature block: prepared or reviewed.", default="prepared", group=Group.DOCUMENT)
    ] = "prepared"
    output: Annotated[
        PathLikeText | None,
        Option(
            "Signed file to write.", ("--output", "-o"), group=Group.OUTPUT, default="FILE-signed.pdf beside the file"
        ),
    ] = None

    def __repr__(self) -> str:
        return f"Sign(file={self.file!r}, certificate={self.certificate!r})"

    @property
    def path(self) -> Path:
        """The file to sign."""
        return _path(self.file, "file")

    @property
    def output_path(self) -> Path:
        """The signed file."""
        if self.output is not None:
            return _path(self.output, "output")
        return self.path.with_name(f"{self.path.stem}-signed.pdf")

    def answer(self, notify: Notify) -> Sequence[SignAnswer]:
        answers: Sequence[SignAnswer] = ask_reports(self, notify)
        return answers

    def results(self, computed: Sequence[SignAnswer]) -> Sequence[SignAnswer]:
        return computed


def _path(value: object, label: str) -> Path:
    if not isinstance(value, (str, PathLike)) or not fspath(value):
        raise InputError(f"{label} must be a path, got {quote(value)}")
    return Path(fspath(value))
