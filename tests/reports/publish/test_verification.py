"""PDF files and workbooks are verified by the data and the recipe that they carry; every change is noticed."""

import io
import re
import zipfile

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, TextStringObject

import combinat
from reports.publish import verification
from reports.publish.verification import verify_path
from reports.render.workbook.embedded import NAME as EMBEDDED
from reports.sheet.par_sheet import DATA_FILE, RECIPE_FILE

OPTIONS = {
    "date": {"date": "2026-11-16", "paper": "letter", "digits": 6, "prepared_by": "Zoë 🂡"},
    "pays": {"pays": "Flush=6", "max_wager": 25},
}


@pytest.fixture(scope="module")
def sheet():
    return combinat.par_sheet("TRI-02", decks=2, date="2026-11-16")


@pytest.fixture(scope="module")
def pdf(sheet):
    return sheet.content("pdf")


@pytest.fixture(scope="module")
def workbook(sheet):
    return sheet.content("xlsx")


@pytest.fixture
def verify(tmp_path):
    def verify(content, name="sheet"):
        path = tmp_path / name
        path.write_bytes(content)
        return verify_path(path)

    return verify


def differences(checked):
    assert checked.verdict is not None, checked.problem
    return checked.verdict.differences


def attachments(pdf):
    return {name: contents[0] for name, contents in PdfReader(io.BytesIO(pdf)).attachments.items()}


def test_pdf_carries_the_json_and_the_recipe(sheet, pdf, verify):
    assert attachments(pdf)[DATA_FILE] == sheet.content("json")
    assert RECIPE_FILE in attachments(pdf)
    assert sheet.content("pdf") == pdf
    checked = verify(pdf)
    assert checked.agrees
    assert any("byte for byte" in note for note in checked.notes)


@pytest.mark.slow
def test_workbook_carries_the_json_on_a_hidden_sheet(sheet, workbook, verify):
    hidden = load_workbook(io.BytesIO(workbook))[EMBEDDED]
    columns = {column[0].value: column[1:] for column in hidden.iter_cols()}
    text = "".join(cell.value for cell in columns[DATA_FILE] if cell.value)
    assert (text.encode(), hidden.sheet_state) == (sheet.content("json"), "hidden")
    assert max(len(cell.value or "") for row in hidden.iter_rows() for cell in row) <= 32_767
    assert verify(workbook).agrees


@pytest.mark.slow  # fast: test_pdf_carries_the_json_and_the_recipe
@pytest.mark.parametrize(
    ("bet", "options"),
    [
        ("TRI-03", OPTIONS["date"]),
        ("TRI-03", OPTIONS["pays"]),
        ("BLZ-1-UP", {"posted_jackpot": True, "meters": {"meter": 5000}, "plays_per_day": 2000}),
        ("BUST", {"hits_soft_17": False}),
        ("BAC-TIE", {"history": ["1, 2026-11-16: first"], "jurisdiction": "Nevada"}),
        ("TRILXDLX-01", {"max_hands": 2, "other_decks": False}),
    ],
)
def test_every_option_is_in_the_recipe(bet, options, verify):
    sheet = combinat.par_sheet(bet, decks=1 if bet == "TRILXDLX-01" else 6, **options)
    for format in ("pdf", "xlsx"):
        checked = verify(sheet.content(format))
        assert any("byte for byte" in note for note in checked.notes), differences(checked)
        assert checked.agrees, differences(checked)


@pytest.mark.slow
def test_recipe_of_the_command_line_has_its_options(run, tmp_path):
    options = ("--max-wager", "25", "--paper", "letter", "--document", "D-1")
    run("parsheet", "BUST", "--decks", "2", *options, "--format", "pdf,xlsx", "--output", tmp_path)
    for path in (*tmp_path.glob("*.pdf"), *tmp_path.glob("*.xlsx")):
        assert verify_path(path).agrees, path


@pytest.mark.slow
def test_changed_byte_is_noticed(pdf, verify):
    changed = bytearray(pdf)
    changed[pdf.index(b"/Producer") - 3 if b"/Producer" in pdf else 20] ^= 1
    checked = verify(bytes(changed))
    assert checked.problem or differences(checked)


def rewrite_pdf(pdf, edit):
    writer = PdfWriter(clone_from=io.BytesIO(pdf))
    edit(writer)
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def swap_pages(writer):
    kids = writer.root_object["/Pages"].get_object()["/Kids"]
    kids[0], kids[1] = kids[1], kids[0]


@pytest.mark.slow
def test_changed_pages_are_noticed(pdf, verify):
    found = differences(verify(rewrite_pdf(pdf, swap_pages)))
    assert any(text.startswith("page 1:") for text in found)
    assert differences(verify(rewrite_pdf(pdf, lambda _: None))) != []


def with_attachment(pdf, name, content):
    def edit(writer):
        for attachment in writer.attachment_list:
            if attachment.name == name:
                attachment.content = content

    return rewrite_pdf(pdf, edit)


@pytest.mark.slow
def test_changed_attachment_is_noticed(pdf, verify):
    files = attachments(pdf)
    data = files[DATA_FILE].replace(b'"house_edge": "1265/45526"', b'"house_edge": "1264/45526"')
    assert data != files[DATA_FILE]
    assert any("house_edge" in text for text in differences(verify(with_attachment(pdf, DATA_FILE, data))))
    recipe = files[RECIPE_FILE].replace(b"2.5 to 1", b"2.6 to 1")
    assert any("embedded data" in text for text in differences(verify(with_attachment(pdf, RECIPE_FILE, recipe))))
    assert "recipe" in verify(with_attachment(pdf, RECIPE_FILE, b"{}")).problem


def sign(pdf, extra=()):
    """Add an unverifiable signature as an incremental update."""
    writer = PdfWriter(io.BytesIO(pdf), incremental=True)
    value = DictionaryObject({NameObject("/Type"): NameObject("/Sig"), NameObject("/Contents"): TextStringObject("00")})
    field = DictionaryObject(
        {
            NameObject("/FT"): NameObject("/Sig"),
            NameObject("/Subtype"): NameObject("/Widget"),
            NameObject("/V"): writer._add_object(value),
            NameObject("/Rect"): ArrayObject([NumberObject(0)] * 4),
        }
    )
    reference = writer._add_object(field)
    form = DictionaryObject({NameObject("/Fields"): ArrayObject([reference])})
    writer.root_object[NameObject("/AcroForm")] = form
    page = writer.pages[0]
    page[NameObject("/Annots")] = ArrayObject([*(page.get("/Annots") or ()), reference])
    for edit in extra:
        edit(writer)
    file = io.BytesIO()
    writer.write(file)
    assert file.getvalue().startswith(pdf)
    return file.getvalue()


@pytest.mark.slow
def test_signed_pdf_agrees(pdf, verify):
    checked = verify(sign(pdf))
    assert differences(checked) == []
    assert any(note.startswith("signed:") for note in checked.notes)


def hide_first_page(writer):
    writer.pages[0][NameObject("/Contents")] = writer.pages[1].raw_get("/Contents")


def add_note(writer):
    note = {"/Subtype": NameObject("/FreeText"), "/Contents": TextStringObject("edge 1%")}
    annotation = DictionaryObject({NameObject(key): value for key, value in note.items()})
    writer.pages[0]["/Annots"].append(writer._add_object(annotation))


@pytest.mark.slow
@pytest.mark.parametrize("edit", [hide_first_page, add_note])
def test_signed_pdf_with_other_changes_is_noticed(pdf, edit, verify):
    assert differences(verify(sign(pdf, [edit]))) != []


@pytest.mark.slow
def test_bytes_after_the_sheet_without_signature_are_noticed(pdf, verify):
    assert differences(verify(pdf + b"% more\n")) != []


@pytest.mark.slow
def test_other_version_compares_the_text_of_the_pages(pdf, verify, monkeypatch):
    import reports.sheet.sections.request as request

    for module in (request, verification):
        monkeypatch.setattr(module, "software_version", lambda: "combinat 99.0")
    checked = verify(pdf)
    assert any("another version" in note for note in checked.notes)
    assert [text for text in differences(checked) if text.startswith("page")] == []
    assert differences(verify(rewrite_pdf(pdf, swap_pages))) != []


def edit_workbook(workbook, name, edit):
    """Return a workbook with one of its XML files changed."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook)) as old, zipfile.ZipFile(file, "w") as new:
        for entry in old.namelist():
            content = old.read(entry)
            new.writestr(entry, edit(content) if entry == name else content)
    return file.getvalue()


@pytest.mark.slow
def test_workbook_saved_again_agrees(workbook, verify):
    checked = verify(edit_workbook(workbook, "", None))
    assert differences(checked) == []
    assert any("saved again" in note for note in checked.notes)


@pytest.mark.slow
@pytest.mark.parametrize("pattern", [rb"<f>[^<]+</f><v>(0\.\d\d)", rb"<c [^>]*><v>(0\.\d\d)", rb"<f>(SUM)"])
def test_changed_cell_is_noticed(workbook, pattern, verify):
    def edit(content):
        match = re.search(pattern, content)
        return content[: match.start(1)] + b"0.99"[: len(match[1])] + content[match.end(1) :]

    with zipfile.ZipFile(io.BytesIO(workbook)) as archive:
        name = next(
            entry
            for entry in archive.namelist()
            if entry.startswith("xl/worksheets/sheet") and re.search(pattern, archive.read(entry))
        )
    assert any("!" in text for text in differences(verify(edit_workbook(workbook, name, edit))))


def test_changed_text_of_a_cell_is_noticed(workbook, verify):
    changed = edit_workbook(workbook, "xl/sharedStrings.xml", lambda text: text.replace(b"House edge", b"House edgy"))
    assert any("edgy" in text for text in differences(verify(changed)))


FOREIGN = {
    "text": b"just text",
    "garbage": bytes(range(256)) * 40,
    "broken.pdf": b"%PDF-1.7\n" + bytes(range(256)),
    "broken.xlsx": b"PK\x03\x04" + bytes(100),
    "empty": b"",
}


@pytest.mark.parametrize("name", FOREIGN)
def test_other_files_get_one_clear_line(name, verify):
    checked = verify(FOREIGN[name], name)
    assert checked.verdict is None
    assert checked.problem
    assert "\n" not in checked.problem


@pytest.mark.slow
def test_foreign_and_encrypted_documents_get_one_clear_line(pdf, verify):
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    file = io.BytesIO()
    writer.write(file)
    assert "no data is embedded" in verify(file.getvalue()).problem
    assert "encrypted" in verify(rewrite_pdf(pdf, lambda writer: writer.encrypt("secret"))).problem
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as foreign:
        foreign.writestr("x.txt", "y")
    assert "workbook" in verify(archive.getvalue()).problem


@pytest.mark.slow
def test_each_of_several_files_has_a_verdict(run, sheet, pdf, workbook, tmp_path):
    files = {"a.json": sheet.content("json"), "b.pdf": pdf, "c.xlsx": workbook, "d.txt": b"x"}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    code, output, errors = run("verify", *(tmp_path / name for name in files), tmp_path / "missing.pdf")
    assert code == 2
    for name in ("a.json", "b.pdf", "c.xlsx"):
        assert re.search(rf"{name}: \d+ figures", output)
    for name in ("d.txt", "missing.pdf"):
        assert re.search(rf"{name}: \w+", errors)
