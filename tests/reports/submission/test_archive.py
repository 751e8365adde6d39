import json

import pytest

from decks import InputError
from reports.publish.index import sums_text
from reports.sheet.identity import fingerprint
from reports.submission import archive
from reports.submission.archive import SUBMISSION, SUMS, check_target, pack, read_dossier, write_dossier

FILES = {"cover.pdf": b"%PDF-", SUBMISSION: json.dumps({"format": "combinat submission 1"}).encode()}
CONTENTS = {**FILES, SUMS: sums_text([(name, fingerprint(data)) for name, data in FILES.items()]).encode()}


@pytest.mark.parametrize("name", ["dossier", "dossier.zip"])
def test_dossier_is_read_as_written_and_replaced(tmp_path, name):
    path = tmp_path / name
    write_dossier(path, CONTENTS)
    assert read_dossier(path) == CONTENTS
    write_dossier(path, CONTENTS)  # an unchanged dossier is replaced
    assert [item.name for item in tmp_path.iterdir()] == [name]


def test_folder_with_other_files_is_left_alone(tmp_path):
    folder = tmp_path / "dossier"
    write_dossier(folder, CONTENTS)
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"notes\.txt"):
        write_dossier(folder, CONTENTS)
    assert (folder / "notes.txt").read_text() == "mine"


def test_foreign_folder_and_file_are_refused(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "a.txt").write_text("a")
    (tmp_path / "mine.zip").write_bytes(b"PK")
    (tmp_path / "link").symlink_to(tmp_path / "mine")
    for name in ("mine", "mine.zip", "link", "absent/dossier"):
        with pytest.raises(InputError):
            check_target(tmp_path / name)
    check_target(tmp_path / "free")


def test_failed_write_leaves_nothing(tmp_path):
    folder = tmp_path / "dossier"
    write_dossier(folder, CONTENTS)
    with pytest.raises(InputError):
        write_dossier(folder, {**CONTENTS, "cover.pdf/below": b""})
    assert read_dossier(folder) == CONTENTS
    assert [path.name for path in tmp_path.iterdir()] == ["dossier"]


def test_other_folders_and_files_are_not_dossiers(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.zip").write_text("text")
    for name in ("empty", "text.zip", "absent"):
        with pytest.raises(InputError):
            read_dossier(tmp_path / name)


@pytest.mark.parametrize(
    "name", ["../out.json", "replaced/../../out.json", "/out.json", "a//b", "..\\out.json", "C:/out.json", "a\nb"]
)
def test_name_outside_the_folder_is_refused(tmp_path, name):
    (tmp_path / "slip.zip").write_bytes(pack({**CONTENTS, name: b"mine"}))
    with pytest.raises(InputError, match=r"slip\.zip"):
        read_dossier(tmp_path / "slip.zip")


def test_damaged_doubled_and_huge_archives_are_refused(tmp_path, monkeypatch):
    whole = pack(CONTENTS)
    (tmp_path / "cut.zip").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "changed.zip").write_bytes(whole.replace(b"%PDF-", b"%PDF+", 1))
    (tmp_path / "twice.zip").write_bytes(pack({**CONTENTS, "COVER.pdf": b""}).replace(b"COVER", b"cover"))
    (tmp_path / "huge.zip").write_bytes(pack({**CONTENTS, "large": b" " * 10_001}))
    monkeypatch.setattr(archive, "_MAX_BYTES", 10_000)
    for name in ("cut.zip", "changed.zip", "twice.zip", "huge.zip"):
        with pytest.raises(InputError, match=name.replace(".", r"\.")):
            read_dossier(tmp_path / name)
