"""The answers to `submit`, `rebuild` and `sign`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from combinat.results.answer import ANSWER_FORMAT, Answer, Sha256


class DossierFileAnswer(Struct, frozen=True):
    """A file of a dossier."""

    name: Annotated[str, Meta(description="The name, with folders separated by slashes.")]
    bytes: int
    sha256: Sha256


class SubmitAnswer(Answer, frozen=True, kw_only=True):
    """A dossier that was written."""

    format: str = ANSWER_FORMAT
    output: Annotated[str, Meta(description="The folder or ZIP file.")]
    jurisdiction: Annotated[str, Meta(description="The name of the profile.")]
    sheets: Annotated[list[str], Meta(description="The names of the sheets.")]
    added_by_applicant: Annotated[
        list[str], Meta(description="Requirements that the program cannot meet, which the applicant adds.")
    ]
    not_read: Annotated[list[str], Meta(description="Facts of the profile whose text was not read.")]
    files: list[DossierFileAnswer]

    def __repr__(self) -> str:
        return f"<{self.output}: {len(self.files)} files for {', '.join(self.sheets)}>"


class RebuildAnswer(Answer, frozen=True, kw_only=True):
    """The comparison of a dossier with the one that is made from it."""

    format: str = ANSWER_FORMAT
    dossier: Annotated[str, Meta(description="The folder or ZIP file.")]
    same: Annotated[bool, Meta(description="Whether every file has the same bytes, up to signatures.")]
    files: Annotated[int, Meta(description="The number of files that were made and compared.")]
    differences: Annotated[list[str], Meta(description="Files that are missing or differ, one sentence each.")]
    signed: Annotated[list[str], Meta(description="Signed files, with the state of their signatures.")]
    other_files: Annotated[list[str], Meta(description="Files that are not part of the dossier.")]

    def __repr__(self) -> str:
        verdict = "same bytes" if self.same else f"{len(self.differences)} differ"
        return f"<{self.dossier}: {self.files} files, {verdict}>"


class SignAnswer(Answer, frozen=True, kw_only=True):
    """A PDF file that was signed."""

    format: str = ANSWER_FORMAT
    output: str
    signer: Annotated[str, Meta(description="The name in the certificate.")]
    certificate_sha256: Sha256
    page: Annotated[int | None, Meta(description="The page of the stamp; null if the file has no signature block.")]
    original_sha256: Annotated[Sha256, Meta(description="SHA-256 of the file before the signature.")]
    sha256: Annotated[Sha256, Meta(description="SHA-256 of the signed file.")]

    def __repr__(self) -> str:
        return f"<{self.output}: signed by {self.signer}>"
