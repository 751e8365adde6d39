import json
import shutil

import pytest

import combinat
from decks import InputError
from reports.publish.pdf_reader import PdfFile
from reports.sheet.par_sheet import data_fingerprint
from reports.submission.archive import SUBMISSION, pack, read_dossier
from reports.submission.change_log import ChangeLog, load_replaced_sheets
from tests.reports.submission.conftest import BET

pytestmark = pytest.mark.slow
METER = """bet = "Pair meter"
deal = "player:2"

[[paytable]]
id = "MINE-2"
decks = 1
awards = [
  { name = "Aces", when = "A-A", pays = "100% of meter" },
  { name = "Pair", when = "pair", pays = "5 for 1" },
]

[[paytable.meters]]
basis = "Inferred, not stated."
levels = [{ name = "meter", seed = 500, rate = "12%" }]
"""


def sheet_of(text, tmp_path, decks=1):
    path = tmp_path / "revision.toml"
    path.write_text(text)
    return json.loads(combinat.par_sheet(str(path), decks).text("json"))


def test_dossier_has_all_papers_and_sums(dossier):
    names = set(read_dossier(dossier))
    assert {"cover.pdf", "rules-of-play.pdf", "clause-matrix.pdf", "how-to-check.pdf", "checker.html"} <= names
    assert {f"sheets/MINE-1-1D.{extension}" for extension in ("pdf", "xlsx", "json")} <= names
    assert {"bets/mine.toml", "profile.toml", SUBMISSION, "SHA256SUMS"} <= names
    assert PdfFile((dossier / "how-to-check.pdf").read_bytes()).page_count == 1
    cover = "".join(PdfFile((dossier / "cover.pdf").read_bytes()).read_pages())
    assert "was not read" in " ".join(cover.split())
    assert "I certify" in cover
    assert "Acme Gaming" in cover
    assert "SHA256SUMS" in cover
    lines = (dossier / "SHA256SUMS").read_text().splitlines()
    assert {line.partition("  ")[2] for line in lines} == names - {"SHA256SUMS"}


def test_rebuild_makes_the_same_bytes_from_the_folder_alone(dossier, tmp_path):
    copy = tmp_path / "elsewhere.zip"
    copy.write_bytes(pack(read_dossier(dossier)))
    answer = combinat.rebuild(copy, output=tmp_path / "again")
    assert answer.same, answer.differences
    assert read_dossier(tmp_path / "again") == read_dossier(dossier)


def test_rebuild_names_changed_missing_and_other_files(dossier, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(dossier, copy)
    (copy / "checker.html").unlink()
    (copy / "cover.pdf").write_bytes((copy / "cover.pdf").read_bytes()[:-1])
    (copy / "notes.txt").write_text("mine")
    answer = combinat.rebuild(copy)
    assert not answer.same
    assert {line.partition(":")[0] for line in answer.differences} == {"checker.html", "cover.pdf"}
    assert answer.other_files == ["notes.txt"]


@pytest.mark.parametrize("change", [{"software": "combinat 9.9"}, {"format": "other"}, {"sheets": 3}, {"sheets": []}])
def test_dossier_of_another_version_or_shape_is_refused(dossier, tmp_path, change):
    copy = tmp_path / "copy"
    shutil.copytree(dossier, copy)
    submission = json.loads((copy / SUBMISSION).read_text())
    text = json.dumps({"format": submission["format"]} | submission | change)
    (copy / SUBMISSION).write_text(text)
    with pytest.raises(InputError) as error:
        combinat.rebuild(copy)
    if "software" in change:
        assert "combinat 9.9" in str(error.value)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"digits": 10', '"digits": 1000000000'),
        ('"paper": "letter"', '"paper": "a5"'),
        ('"decks": 1', '"decks": 1000000000'),
        ('"strategy": "best"', '"strategy": 5'),
        ('"origin": "', '"origin": "\\u0000'),
    ],
)
def test_impossible_recipe_is_refused(dossier, tmp_path, old, new):
    contents = read_dossier(dossier)
    recipe = contents[SUBMISSION].decode()
    assert old in recipe
    path = tmp_path / "dossier.zip"
    path.write_bytes(pack({**contents, SUBMISSION: recipe.replace(old, new).encode()}))
    with pytest.raises(InputError):
        combinat.rebuild(path)


@pytest.mark.parametrize(
    "change",
    [
        {"awards": 3},
        {"decks": "six"},
        {"paytable": {"id": 1}},
        {"title": "a\0b"},
        {"identification": [1]},
        {"format": "combinat par sheet 9"},
        {"option": 3},
    ],
)
@pytest.mark.parametrize("signed", [False, True], ids=["old sum", "new sum"])
def test_damaged_replaced_sheet_is_refused(dossier, change, signed):
    name = "sheets/MINE-1-1D.json"
    sheet = json.loads((dossier / name).read_bytes())
    changed = sheet | change
    if signed:
        changed["data_sha256"] = data_fingerprint(changed)
    with pytest.raises(InputError):
        ChangeLog(list(load_replaced_sheets({name: json.dumps(changed).encode()}, "sheets").values()), [sheet])


def test_replaced_sheets_stay_in_the_dossier(dossier, bet_file, tmp_path):
    output = tmp_path / "next"
    combinat.submit(str(bet_file), decks=1, to="generic", replaces=dossier, output=output)
    contents = read_dossier(output)
    assert contents["replaced/MINE-1-1D.json"] == (dossier / "sheets" / "MINE-1-1D.json").read_bytes()
    log = " ".join("".join(PdfFile(contents["change-log.pdf"]).read_pages()).split())
    assert "No rule, pay or deck count was changed." in log
    assert combinat.rebuild(output).same


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ("2 to 1", "3 to 1", [("pay of Suited", "2 to 1", "3 to 1")]),
        ('"suited"', '"suited and not pair"', [("rule of Suited", "suited", "suited and not pair")]),
        ("settled at once", "settled later", [("rule of play", "It is settled at once.", "It is settled later.")]),
    ],
)
def test_change_log_names_just_the_change(tmp_path, old, new, changes):
    before, after = sheet_of(BET, tmp_path), sheet_of(BET.replace(old, new), tmp_path)
    assert [change[:3] for change in ChangeLog([before], [after]).changes] == changes


def test_change_log_names_added_deck_count(tmp_path):
    one, two = (sheet_of(BET, tmp_path, decks) for decks in (1, 2))
    assert ChangeLog([one], [one, two]).changes == [("deck counts", "1", "1, 2", "MINE-1")]


def test_change_log_names_one_pay_one_rule_and_one_deck_count(tmp_path):
    changed = BET.replace("10 to 1", "9 to 1").replace('"suited"', '"suited and not pair"')
    old = [sheet_of(BET, tmp_path, decks) for decks in (1, 2)]
    sheet = sheet_of(changed, tmp_path) | {"title": "Pair or suited, variant"}
    assert ChangeLog(old, [sheet, sheet | {"decks": 3}]).changes == [
        ("pay of Pair", "10 to 1", "9 to 1", "MINE-1, 1 deck"),
        ("rule of Suited", "suited", "suited and not pair", "MINE-1, 1 deck"),
        ("deck counts", "1, 2", "1, 3", "MINE-1"),
    ]


def test_failed_submission_writes_nothing(bet_file, tmp_path):
    for options in ({"to": "nowhere"}, {"decks": 9}, {"replaces": tmp_path / "absent"}):
        with pytest.raises(InputError):
            combinat.submit(str(bet_file), output=tmp_path / "dossier", **options)
    assert list(tmp_path.iterdir()) == []


def test_meters_and_warnings_of_sheets_stand_in_the_papers(tmp_path):
    path = tmp_path / "meter.toml"
    path.write_text(METER)
    combinat.submit(str(path), decks=1, output=tmp_path / "dossier")
    cover, rules = (
        " ".join("".join(PdfFile((tmp_path / "dossier" / name).read_bytes()).read_pages()).split())
        for name in ("cover.pdf", "rules-of-play.pdf")
    )
    assert "MINE-2-1D: The rates and seeds of the meters are inferred" in cover
    assert "Seed Limit Contribution Reserve" in rules
    assert "500.00" in rules


@pytest.mark.parametrize("applicant", ["a" * 201, "two\nlines", 5.5])
def test_invalid_applicant_is_refused(bet_file, tmp_path, applicant):
    with pytest.raises(InputError, match="applicant"):
        combinat.submit(str(bet_file), decks=1, applicant=applicant, output=tmp_path / "dossier")


def test_certificate_of_best_play_is_in_the_dossier(tmp_path):
    path = tmp_path / "parlay.toml"
    path.write_text(BET.replace('deal = "player:2"', 'deal = "player:2"\noption = "parlay"'))
    combinat.submit(str(path), decks=1, other_decks=False, output=tmp_path / "dossier")
    contents = read_dossier(tmp_path / "dossier")
    assert "sheets/MINE-1-1D.certificate" in contents
    cover = "".join(PdfFile(contents["cover.pdf"]).read_pages())
    assert "Certificate of best play" in cover
    assert combinat.rebuild(tmp_path / "dossier").same
