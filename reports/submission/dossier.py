"""The dossier of a submission: its files are made from recipes, a profile and the sheets that it replaces.

`combinat submit` and `combinat rebuild` make a dossier by the same function, so that the same input gives the same
bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from msgspec import MsgspecError, Struct
from msgspec.structs import replace

from combinat.bets.catalog import mark_if_variant
from combinat.bets.variants import as_posted_jackpot
from combinat.requests.arguments import text_argument
from combinat.requests.request import Notify
from combinat.requests.submit import Submit
from decks import InputError
from decks.errors import quote
from reports.page.files import format_json
from reports.page.model import Document
from reports.publish.index import sums_text
from reports.publish.par_sheet import sheet_options
from reports.publish.pdf_reader import PdfFile
from reports.publish.recipe import Recipe, compute_sheet_with_recipe
from reports.publish.sheets import sheet_spec
from reports.render import pdf
from reports.render.formats import FORMATS, render_sheet
from reports.sheet.checker import CHECKER, read_checker
from reports.sheet.identity import fingerprint, software_version
from reports.sheet.par_sheet import CERTIFICATE_EXTENSION
from reports.submission.archive import SUBMISSION, SUMS
from reports.submission.change_log import ChangeLog, describe_replaced, load_replaced_sheets
from reports.submission.papers import (
    CHANGES,
    COVER,
    GUIDE,
    MATRIX,
    PROFILE_FILE,
    RULES,
    DossierSheet,
    Submission,
    cover_document,
    guide_document,
    matrix_document,
    outline_pages,
    rules_document,
)
from reports.submission.profile import find_profile_text, parse_profile

FORMAT = "combinat submission 1"
SHEET_FORMATS = ("pdf", "xlsx", "json")
_MAX_APPLICANT = 200
_SHEETS, _BETS, _REPLACED = "sheets", "bets", "replaced"


class DossierInput(Struct, frozen=True):
    """Everything that a dossier is made from."""

    recipes: tuple[Recipe, ...]
    profile_text: str
    replaced: Mapping[str, bytes] = {}
    """The JSON of replaced sheets by file name."""
    applicant: str = ""

    def __post_init__(self) -> None:
        if len(self.applicant) > _MAX_APPLICANT or not self.applicant.isprintable():
            raise InputError(
                f"the applicant must be one line of up to {_MAX_APPLICANT} characters, got {quote(self.applicant)}"
            )


def dossier_input(request: Submit, notify: Notify, replaced: Mapping[str, bytes]) -> DossierInput:
    """Return what the dossier of a request is made from."""
    profile_text = find_profile_text(request.to)
    profile = parse_profile(profile_text, request.to)
    if request.jurisdiction:
        raise InputError(f"--to names the jurisdiction; leave out jurisdiction {quote(request.jurisdiction)}")
    request = replace(request, jurisdiction=profile.jurisdiction, paper=request.paper or profile.paper.size)
    options = sheet_options(request, notify, for_command=True)
    recipes = []
    for paytable, shoe, meters in request.iter_cases(notify):
        posted = as_posted_jackpot(paytable, meters) if request.posted_jackpot else paytable
        recipes.append(Recipe.of(mark_if_variant(posted), shoe.decks, options))
    sheets = load_replaced_sheets(replaced, _SHEETS) if replaced else {}
    replaced_files = {name: replaced[f"{_SHEETS}/{name}"] for name in sheets}
    return DossierInput(tuple(recipes), profile_text, replaced_files, text_argument(request.applicant, "the applicant"))


def read_input(contents: Mapping[str, bytes]) -> DossierInput:
    """Return what a dossier was made from; raise `InputError` if it is that of another version of the program."""
    try:
        submission = json.loads(contents[SUBMISSION])
        format, software, names = submission["format"], submission["software"], list(submission["replaced"])
        sheets = [dict(sheet) for sheet in submission["sheets"]]
        applicant = str(submission["applicant"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(f"{SUBMISSION} of the dossier is damaged") from None
    if software != software_version():
        raise InputError(
            f"the dossier was made by {software}, this is {software_version()}; rebuild it with {software}"
        )
    if format != FORMAT:
        raise InputError(f"the dossier has the format {quote(format)}; expected {quote(FORMAT)}")
    try:
        recipes = tuple(_decode_recipe(sheet, contents) for sheet in sheets)
        profile_text = contents[PROFILE_FILE].decode("utf-8")
        replaced = {name: contents[f"{_REPLACED}/{name}"] for name in names}
    except InputError:
        raise
    except KeyError as error:
        raise InputError(f"the dossier lacks {error.args[0]}, from which it is made") from None
    except (ValueError, TypeError, AttributeError, MsgspecError):
        raise InputError("the bets or the profile of the dossier are damaged") from None
    if not recipes:
        raise InputError("the dossier has no sheets")
    return DossierInput(recipes, profile_text, replaced, applicant)


def _decode_recipe(sheet: dict[str, Any], contents: Mapping[str, bytes]) -> Recipe:
    """Return the recipe of a sheet; its bet stands in a file of the dossier."""
    text = contents[sheet["bet"]].decode("utf-8")
    return Recipe.decode(json.dumps(sheet | {"bet": text}).encode("utf-8"))


class Dossier(Struct, frozen=True):
    """A dossier: what it is about, and its files by name."""

    submission: Submission
    contents: dict[str, bytes]


def build_dossier(source: DossierInput) -> Dossier:
    """Make all files of a dossier."""
    profile = parse_profile(source.profile_text, PROFILE_FILE)
    options = source.recipes[0].options
    sheet_files: dict[str, bytes] = {}
    sheets = []
    for recipe in source.recipes:
        spec = sheet_spec(recipe.load_paytable(), recipe.decks, recipe.options)
        par_sheet = compute_sheet_with_recipe(spec, recipe.options)
        for format in SHEET_FORMATS:
            name = f"{_SHEETS}/{spec.name}.{FORMATS[format].extension}"
            sheet_files[name] = render_sheet(par_sheet, format, options.digits, options.paper)
        if par_sheet.certificate:
            sheet_files[f"{_SHEETS}/{spec.name}.{CERTIFICATE_EXTENSION}"] = par_sheet.certificate
        bookmarks = PdfFile(sheet_files[f"{_SHEETS}/{spec.name}.pdf"]).read_outline()
        sheets.append(DossierSheet(spec.name, par_sheet, outline_pages(bookmarks)))
    replaced_files = _in_folder(source.replaced, _REPLACED)
    replaced = load_replaced_sheets(replaced_files, _REPLACED) if replaced_files else {}
    submission = Submission(profile, options.identity, source.applicant, tuple(sheets), describe_replaced(replaced))

    def render(document: Document) -> bytes:
        identity = options.identity
        return pdf.render(document, options.digits, identity.prepared_by, identity.date, options.paper)

    papers = {RULES: render(rules_document(submission)), MATRIX: render(matrix_document(submission))}
    if replaced:
        new_sheets = [sheet.par_sheet.payload for sheet in sheets]
        log = ChangeLog(list(replaced.values()), json.loads(json.dumps(new_sheets)))
        papers[CHANGES] = render(log.document(submission))
    papers[GUIDE] = render(guide_document(submission))
    bets, entries = _bet_files(source.recipes)
    contents: dict[str, bytes] = {
        **papers,
        **sheet_files,
        **bets,
        **replaced_files,
        CHECKER: read_checker(),
        PROFILE_FILE: source.profile_text.encode("utf-8"),
        SUBMISSION: _submission_json(entries, source).encode("utf-8"),
    }
    page_counts = {name: PdfFile(content).page_count for name, content in contents.items() if name.endswith(".pdf")}
    contents = {COVER: render(cover_document(submission, contents, page_counts)), **contents}
    contents[SUMS] = sums_text([(name, fingerprint(content)) for name, content in contents.items()]).encode("utf-8")
    return Dossier(submission, contents)


def _in_folder(files: Mapping[str, bytes], folder: str) -> dict[str, bytes]:
    return {f"{folder}/{name}": content for name, content in files.items()}


def _bet_files(recipes: Sequence[Recipe]) -> tuple[dict[str, bytes], list[dict[str, Any]]]:
    """Return the files of the bets, each once, and the recipes with the names of these files instead of the texts."""
    names: dict[str, str] = {}
    for recipe in recipes:
        if recipe.bet not in names:
            stem = PurePath(recipe.origin).stem or recipe.paytable
            name = f"{_BETS}/{stem}.toml"
            if name in names.values():
                name = f"{_BETS}/{stem}-{len(names) + 1}.toml"
            names[recipe.bet] = name
    entries = [json.loads(recipe.encode()) | {"bet": names[recipe.bet]} for recipe in recipes]
    return {name: text.encode("utf-8") for text, name in names.items()}, entries


def _submission_json(entries: Sequence[dict[str, Any]], source: DossierInput) -> str:
    return format_json(
        {
            "format": FORMAT,
            "software": software_version(),
            "applicant": source.applicant,
            "replaced": list(source.replaced),
            "sheets": list(entries),
        }
    )
