"""The papers of a dossier besides its sheets: cover, rules of play, clause matrix, guide to checking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from combinat.bets.meters import MeterSystem
from combinat.bets.paytable import Paytable
from reports.page.model import Cell, Column, Document, Figure, Section, Style, Table, number_sections
from reports.publish.key_figures import KeyFigure, key_figures
from reports.sheet.checker import CHECKER
from reports.sheet.identity import Identity, fingerprint, software_version
from reports.sheet.par_sheet import CERTIFICATE_EXTENSION, ParSheet
from reports.sheet.sections.identification import SIGNATURE_LINES
from reports.submission.archive import SUBMISSION, SUMS
from reports.submission.profile import APPLICANT, SHEET, Profile, Requirement

COVER, RULES, MATRIX, CHANGES, GUIDE = (
    "cover.pdf",
    "rules-of-play.pdf",
    "clause-matrix.pdf",
    "change-log.pdf",
    "how-to-check.pdf",
)
PROFILE_FILE = "profile.toml"
_TITLES = {
    COVER: "Cover page",
    RULES: "Rules of play",
    MATRIX: "Clause matrix",
    CHANGES: "Change log",
    GUIDE: "How to check this submission",
    CHECKER: "Page that recounts a sheet in a browser, offline",
    SUBMISSION: "What the dossier is made from, for combinat rebuild",
    PROFILE_FILE: "Jurisdiction profile: requirements with clause, source and date",
    SUMS: "SHA-256 of every file",
}
_FILES_BY_PLACE = {"checker": CHECKER, "sums": SUMS, "workbook": "sheets/*.xlsx", "json": "sheets/*.json"}
_GENERAL_CERTIFICATION = (
    "I certify that the rules, paytables and assumptions in this submission are those of the game, and that the "
    "figures were computed from them by the stated program."
)
_HASH_DIGITS = 16
_NOT_TESTED = "not tested: the bet has no such figure, or the largest wager (--max-wager) was not stated"


class DossierSheet(Struct, frozen=True):
    """A sheet of a dossier, with the pages of its sections."""

    name: str
    """The name of its files, without extension."""
    par_sheet: ParSheet
    pages: Mapping[str, int]
    """The page of each section of the PDF by its title."""

    @property
    def paytable(self) -> Paytable:
        """The paytable of the sheet."""
        return self.par_sheet.study.paytable

    def section(self, key: str) -> Section | None:
        """Return the section with a key, or `None`."""
        return next((section for section in self.par_sheet.document.sections if section.key == key), None)

    def page_of(self, section: Section) -> int | None:
        """Return the page on which a section begins, or `None` if the PDF has no such bookmark."""
        return self.pages.get(f"{section.number} {section.title}" if section.number else section.title)


class Submission(Struct, frozen=True):
    """What the papers of a dossier are about."""

    profile: Profile
    identity: Identity
    applicant: str
    sheets: tuple[DossierSheet, ...]
    replaced: tuple[str, ...] = ()
    """The document numbers and revisions of the sheets that the dossier replaces."""

    @property
    def paytables(self) -> list[Paytable]:
        """The paytables of the sheets, each once."""
        return list({sheet.paytable.id: sheet.paytable for sheet in self.sheets}.values())

    @property
    def title(self) -> str:
        """The ids of the paytables."""
        return ", ".join(paytable.id for paytable in self.paytables)

    @property
    def recipient(self) -> str:
        """The authority that receives the dossier, or the name of the profile."""
        return self.profile.authority or self.profile.name

    def applicable_requirements(self) -> list[Requirement]:
        """Return the requirements of the profile that concern these bets."""
        holds = {
            "": True,
            "meters": any(paytable.meters for paytable in self.paytables),
            "strategy": any(sheet.par_sheet.study.option is not None for sheet in self.sheets)
            or any(sheet.par_sheet.study.round_strategy is not None for sheet in self.sheets),
            "replacement": bool(self.replaced),
        }
        return [requirement for requirement in self.profile.requirements if holds[requirement.applies_to]]


def cover_document(submission: Submission, contents: Mapping[str, bytes], page_counts: Mapping[str, int]) -> Document:
    """Return the cover page with the contents of the dossier and the certification."""
    identity, profile = submission.identity, submission.profile
    by_applicant = [item for item in submission.applicable_requirements() if APPLICANT in item.met_by]
    return Document(
        title=f"Submission: {submission.title}",
        subtitle=f"To: {submission.recipient}; {_count(len(submission.sheets), 'par sheet')}",
        flags=_flags(submission),
        number=f"Submission {submission.title}",
        sections=number_sections(
            Section(
                "Submission",
                key="submission",
                figures=(
                    Figure("Jurisdiction", profile.name),
                    *([Figure("Authority", profile.authority)] if profile.authority else []),
                    Figure("Applicant", submission.applicant or "not stated"),
                    Figure("Prepared by", identity.prepared_by or "not stated"),
                    *(Figure("Bet", _bet_text(paytable)) for paytable in submission.paytables),
                    Figure("Sheets", ", ".join(sheet.name for sheet in submission.sheets)),
                    Figure("Revision", identity.revision),
                    Figure("Date", identity.date or "not stated"),
                    Figure("Replaces", "; ".join(submission.replaced) or "nothing: first submission"),
                    Figure("Program", software_version()),
                ),
            ),
            Section("Figures", key="figures", tables=(_figures_table(submission),)),
            Section("Contents", key="contents", tables=(_contents_table(contents, page_counts),)),
            _applicant_section(by_applicant),
            _limits_section(profile),
            _certification_section(submission),
        ),
    )


def _flags(submission: Submission) -> tuple[str, ...]:
    """Return the warnings at the top of the sheets, each once, with the sheets that have it."""
    names_by_flag: dict[str, list[str]] = {}
    for sheet in submission.sheets:
        for flag in sheet.par_sheet.document.flags:
            names_by_flag.setdefault(flag, []).append(sheet.name)
    return tuple(f"{', '.join(names)}: {flag}" for flag, names in names_by_flag.items())


def _bet_text(paytable: Paytable) -> str:
    requirement = f"; requires {paytable.bet.requirements}" if getattr(paytable.bet, "requirements", "") else ""
    return f"{paytable.id}, {paytable.title}, for {paytable.decks_text}{requirement}"


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _figures_table(submission: Submission) -> Table:
    rows = []
    for sheet in submission.sheets:
        figures = key_figures(sheet.par_sheet.study)
        rows += [(sheet.name, *_figure_cells(figure)) for figure in figures]
    columns = (Column("Sheet"), Column("Figure"), Column("Value"), Column("Basis"))
    return Table(columns, tuple(rows))


def _figure_cells(figure: KeyFigure) -> tuple[Cell, ...]:
    return figure.label, figure.text, figure.basis


def _contents_table(contents: Mapping[str, bytes], page_counts: Mapping[str, int]) -> Table:
    rows: list[tuple[Cell, ...]] = [("1", _TITLES[COVER], COVER, "", "see " + SUMS)]
    for number, (name, content) in enumerate(contents.items(), 2):
        pages = str(page_counts[name]) if name in page_counts else ""
        rows.append((str(number), _file_title(name), name, pages, fingerprint(content)[:_HASH_DIGITS]))
    rows.append((str(len(rows) + 1), _TITLES[SUMS], SUMS, "", ""))
    columns = (Column("No."), Column("Document"), Column("File"), Column("Pages"), Column("SHA-256 begins"))
    return Table(columns, tuple(rows))


def _file_title(name: str) -> str:
    """Return what a file of a dossier is.

    >>> _file_title("sheets/TRI-03-6D.xlsx"), _file_title("bets/trilux.toml")
    ('Workbook with formulas', 'The bet: rules and pays as a text file')
    """
    if name in _TITLES:
        return _TITLES[name]
    folder, _, file = name.rpartition("/")
    by_extension = {
        "pdf": "Par sheet",
        "xlsx": "Workbook with formulas",
        "json": "Data of the sheet",
        CERTIFICATE_EXTENSION: "Certificate of best play: every decision state",
    }
    if folder == "sheets":
        return by_extension[file.rpartition(".")[2]]
    return {
        "bets": "The bet: rules and pays as a text file",
        "replaced": "Data of a replaced sheet",
    }[folder]


def _applicant_section(requirements: Sequence[Requirement]) -> Section | None:
    if not requirements:
        return None
    return Section(
        "To be added by the applicant",
        key="applicant",
        tables=(
            Table(
                (Column("Requirement"), Column("Clause")),
                tuple((requirement.text, requirement.citation) for requirement in requirements),
            ),
        ),
    )


def _limits_section(profile: Profile) -> Section | None:
    if not profile.wager_limit and not profile.notes:
        return None
    rows = tuple((limit.text, limit.citation) for limit in profile.wager_limit)
    return Section(
        "Limits of wagers and payouts, and what was not read",
        key="limits",
        tables=(Table((Column("Limit"), Column("Clause")), rows),) if rows else (),
        notes=(*profile.notes, "Regulations change: these are data with a date, not legal advice."),
    )


def _certification_section(submission: Submission) -> Section:
    profile = submission.profile
    certification = profile.certification
    text = [certification.text or _GENERAL_CERTIFICATION]
    if not certification.text and profile.jurisdiction:
        text.append(
            f"This is the general wording of the program: the wording that {profile.authority} requires, if there is "
            "one, was not read."
        )
    elif certification.text:
        text.append(f"Wording: {certification.citation}.")
    figures = (("Certified by", submission.identity.prepared_by), *((line, "") for line in SIGNATURE_LINES))
    return Section(
        "Certification",
        key="certification",
        text=tuple(text),
        figures=tuple(Figure(label, value) for label, value in figures),
    )


def rules_document(submission: Submission) -> Document:
    """Return the rules of play of every paytable, with its awards and examples."""
    sections = []
    for paytable in submission.paytables:
        sheets = [sheet for sheet in submission.sheets if sheet.paytable.id == paytable.id]
        section = sheets[0].section("rules")
        if section is not None:
            title = paytable.title if paytable.id in paytable.title else f"{paytable.title} ({paytable.id})"
            where = f"For {paytable.decks_text}; submitted here: {', '.join(sheet.name for sheet in sheets)}."
            tables = (*section.tables, *_meter_tables(paytable, sheets))
            sections.append(replace(section, title=title, text=(where, *section.text), tables=tables))
    return Document(
        title=f"Rules of play: {submission.title}",
        subtitle=f"To: {submission.recipient}",
        number=f"Rules {submission.title}",
        sections=number_sections(*sections),
    )


def _meter_tables(paytable: Paytable, sheets: Sequence[DossierSheet]) -> list[Table]:
    """Return the terms of the meters, once for the deck counts that share them."""
    names_by_system: dict[MeterSystem | None, list[str]] = {}
    if paytable.meters:
        for sheet in sheets:
            names_by_system.setdefault(paytable.system_for(sheet.par_sheet.study.shoe.decks), []).append(sheet.name)
    columns = (
        Column("Meter"),
        *(Column(title, Style.MONEY) for title in ("Seed", "Limit")),
        *(Column(title, Style.RATE) for title in ("Contribution", "Reserve")),
        Column("Seed paid by"),
    )
    return [
        Table(
            columns,
            tuple(
                (level.name, level.seed, level.cap or "none", level.rate, level.reserve, level.seed_paid_by)
                for level in system.levels
            ),
            f"Meters as a {system.kind}, wager {system.wager}: {', '.join(names)}",
        )
        if system is not None
        else Table((Column("Meter"),), tuple((name,) for name in paytable.meters), "Meters: their terms are not stated")
        for system, names in names_by_system.items()
    ]


def matrix_document(submission: Submission) -> Document:
    """Return the requirements of the jurisdiction and the clauses of the sources, with their places."""
    requirements = submission.applicable_requirements()
    columns = (Column("Requirement"), Column("Clause, date, how read"), Column("Where"))
    rows = tuple(
        (requirement.text, requirement.citation, _where(requirement, submission)) for requirement in requirements
    )
    exposure = "; ".join((COVER, *_section_places("exposure", submission.sheets)))
    rows += tuple((limit.text, limit.citation, exposure) for limit in submission.profile.wager_limit if limit.clause)
    sources = dict.fromkeys(
        item.source if item.source.startswith(item.clause) else f"{item.clause}: {item.source}"
        for item in (*requirements, *submission.profile.wager_limit)
        if item.source and item.source != "as above"
    )
    paper = submission.profile.paper
    required = Section(
        f"Requirements: {submission.profile.name}",
        key="clauses",
        tables=(Table(columns, rows),) if rows else (),
        notes=(*sources, f"Paper size {paper.size}: {paper.basis}."),
    )
    clauses = []
    for paytable in submission.paytables:
        sheet = next(item for item in submission.sheets if item.paytable.id == paytable.id)
        if (section := sheet.section("clauses")) is not None:
            clauses.append(replace(section, title=f"Clauses of the sources of {paytable.id}"))
    return Document(
        title=f"Clause matrix: {submission.title}",
        subtitle=f"To: {submission.recipient}",
        number=f"Clauses {submission.title}",
        sections=number_sections(required, *clauses),
    )


def _where(requirement: Requirement, submission: Submission) -> str:
    places = []
    for place in requirement.met_by:
        if place == APPLICANT:
            places.append("to be added by the applicant")
        elif place == SHEET:
            places.append("sheets/*.pdf")
        elif place.startswith(f"{SHEET}:"):
            places += _section_places(place.partition(":")[2], submission.sheets)
        elif place == "bet":
            places.append("bets/*.toml")
        else:
            places.append(_FILES_BY_PLACE.get(place, f"{place}.pdf"))
    return "; ".join(places) or _NOT_TESTED


def _section_places(key: str, sheets: Sequence[DossierSheet]) -> list[str]:
    """Return where each sheet has a section, with its page; equal places are named once."""
    sheets_by_place: dict[str, list[str]] = {}
    for sheet in sheets:
        section = sheet.section(key)
        if section is None:
            continue
        page = sheet.page_of(section)
        place = f"section {section.number}, {section.title}" + (f", page {page}" if page else "")
        sheets_by_place.setdefault(place, []).append(sheet.name)
    if len(sheets_by_place) == 1 and len(sheets) > 1:
        (place,) = sheets_by_place
        return [f"each sheet, {place}"]
    return [f"{' and '.join(names)}, {place}" for place, names in sheets_by_place.items()]


def guide_document(submission: Submission, folder: str = "DOSSIER") -> Document:
    """Return the guide to checking the dossier, on one page."""
    steps = (
        "1. Nothing was changed: in the folder of the dossier, run sha256sum --check SHA256SUMS (Linux), or "
        "shasum -a 256 --check SHA256SUMS (macOS). Every line ends with OK. A signed copy of a PDF is not in the list.",
        f"2. The figures, without this program: open {CHECKER} in a browser, offline, and drop a file sheets/*.json on "
        "it. It recounts the bet in its own code and lists what differs.",
        f"3. The figures, with this program: install {software_version().replace(' ', ' version ')} with the libraries "
        "of its requirements.lock, so that PDF files get the same bytes, and run combinat "
        "verify sheets/*.json sheets/*.pdf sheets/*.xlsx. A separate verifier recounts each sheet, with the "
        "certificate of best play beside it where there is one; PDF files and workbooks are made again and compared.",
        f"4. The whole dossier: combinat rebuild {folder} makes every file again from the bets in it and compares the "
        "bytes. Another version of the program is refused.",
        "5. A signature: pdfsig FILE.pdf (poppler), or combinat verify FILE.pdf. An unknown issuer means that the "
        "certificate is not installed on your machine; check its name and fingerprint with the signer.",
        "6. By hand: in the section Awards of a sheet, ways divided by the cycle is the probability; the sum of "
        "probability times total payment is the return; 1 less the return is the house edge.",
    )
    rows = tuple(
        (sheet.name, _cycle(sheet), _edge_text(sheet), str(sheet.par_sheet.payload["data_sha256"])[:_HASH_DIGITS])
        for sheet in submission.sheets
    )
    columns = (
        Column("Sheet"),
        Column("Cycle", Style.COUNT),
        Column("House edge or hold"),
        Column("SHA-256 of the data begins"),
    )
    return Document(
        title=f"How to check this submission: {submission.title}",
        subtitle=f"To: {submission.recipient}",
        number=f"Guide {submission.title}",
        sections=number_sections(
            Section("Steps", key="steps", text=steps),
            Section("Values to compare", key="values", tables=(Table(columns, rows),)),
        ),
    )


def _edge_text(sheet: DossierSheet) -> str:
    """Return the first key figure with its basis."""
    figure = key_figures(sheet.par_sheet.study)[0]
    return f"{figure.text}, {figure.basis}" if figure.basis else figure.text


def _cycle(sheet: DossierSheet) -> int:
    return int(sheet.par_sheet.payload["cycle"])


def outline_pages(titles: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return the page of each bookmark by its title, with plain spaces."""
    return {" ".join(title.split()): page for title, page in titles}
