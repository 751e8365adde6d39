"""Table conditions from a file."""

import pytest

from combinat.requests.analysis import Analyze
from combinat.requests.bets import load_table
from decks import InputError


def test_table_file_gives_options(tmp_path):
    path = tmp_path / "table.toml"
    path.write_text("stands_on_soft_17 = true\n")
    with pytest.raises(InputError, match="stands_on_soft_17"):
        load_table(path, Analyze)
    path.write_text('resplit_aces = true\nup = "8"\n')
    assert load_table(path, Analyze) == {"resplit_aces": True, "up": "8"}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("a" + ".a" * 40_000 + " = 1", "dotted parts"),
        ("a = " + "[" * 1_000 + "]" * 1_000, "nested"),
        ("a = ", "TOML"),
        (b"\xff\xfe", "UTF-8"),
    ],
)
def test_table_file_is_bounded(tmp_path, text, named):
    path = tmp_path / "table.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError, match=named) as caught:
        load_table(path, Analyze)
    assert path.name in str(caught.value)


def test_missing_table_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.toml"):
        load_table(tmp_path / "none.toml", Analyze)
