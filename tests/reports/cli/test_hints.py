"""First guesses of a newcomer work, or are answered with the command to write."""

import shlex

import pytest

from reports.cli.shorthand import expand_shorthand


@pytest.mark.parametrize(
    ("guess", "command"),
    [
        ("TRI-03", "combinat analyze TRI-03"),
        ("tri-03 --decks 6", "combinat analyze tri-03 --decks 6"),
        ("TRI-03 6", "combinat analyze TRI-03 --decks 6"),
        ("TRI-03 6 8", "combinat analyze TRI-03 --decks 6,8"),
        ("mine.toml", "combinat check mine.toml"),
        ("rtp TRI-03", "combinat analyze TRI-03"),
        ("sheet TRI-03", "combinat parsheet TRI-03"),
        ("create mine.toml", "combinat new mine.toml"),
        ("simulate TRI-03", "combinat analyze TRI-03"),
        ("probability pair", "combinat odds pair"),
        ("version", "combinat --version"),
        ("anaylze TRI-03", "'analyze'"),
        ("lukcy", "combinat list lucky"),
        ("buster --decks 6", "combinat list buster"),
        ("--decks 6 TRI-03", "combinat analyze TRI-03 --decks 6"),
        ("analyze TRI-03 6", "combinat analyze TRI-03 --decks 6"),
        ("analyze 'TriLux Bonus'", "combinat list 'TriLux Bonus'"),
        ("analyze public", "combinat list public"),
        ("analyze TRI-03 --pdf", "combinat parsheet TRI-03 --decks 6 --format pdf"),
        ("analyze TRI-03 -o x.pdf", "combinat parsheet TRI-03 --decks 6 --format pdf"),
        ("new TRI-03", "combinat new --from TRI-03"),
        ("new mine", "mine.toml"),
        ("new mine.toml -o other.toml", "name one"),
        ("help blackjak", "'blackjack'"),
        ("analyze", "combinat analyze TRI-03 --decks 6"),
        ("odds pair 6", "combinat odds "),
        ("meter BLZ-1-UP", "combinat meter show BLZ-1-UP"),
        ("blackjack 88", "combinat blackjack value"),
        ("quit", "combinat --help"),
        ("help rtp", "combinat analyze"),
    ],
)
def test_wrong_guess_names_the_command(run, guess, command):
    code, out, err = run(*shlex.split(guess))
    assert (code, out) == (2, "")
    assert command in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("guess", "command"),
    [
        ("public", "list --collection public"),
        ("21+3", "list 21+3"),
        ("'Buster Blackjack'", "list Buster Blackjack"),
        ("'TriLux Bonus'", "list TRI-0"),
        ("search sevens", "list sevens"),
        ("edge TRI-03 --decks 6", "analyze TRI-03 --decks 6"),
        ("analyze 'trilux super 3' --decks 6", "analyze SUP-01 --decks 6"),
        ("analyze TRI-03 --decks 6 8", "analyze TRI-03 --decks 6,8"),
        ("analyze TRI-03 -d 6, 8", "analyze TRI-03 --decks 6,8"),
        ("analyze TRI-03 --decks 6 --json", "analyze TRI-03 --decks 6 --format json"),
        ("analyze TRI-03 --decks 6 --csv", "analyze TRI-03 --decks 6 --format csv"),
        ("judge TRI-03 AsKsQs", "judge TRI-03 'As Ks Qs'"),
        ("analyze TRI-03 --deck 6 8", "analyze TRI-03 --decks 6,8"),
        ("analyze TRI-03 --decks 6 --payout Flush=6", "analyze TRI-03 --decks 6 --pays Flush=6"),
        ("-V", "--version"),
    ],
)
def test_guess_works_like_the_command(run, guess, command):
    result = run(*shlex.split(guess))
    assert result[0] == 0
    assert result == run(*shlex.split(command))


def test_earlier_names_of_options_work():
    assert expand_shorthand(["X", "--watching"], {"--counting"}) == ["X", "--counting"]
    assert expand_shorthand(["X", "--watching"], {"--decks"}) == ["X", "--watching"]


def test_new_writes_the_named_file(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("new", "mybet.toml") == (0, "mybet.toml\n", "")
    assert run("new")[1] == (tmp_path / "mybet.toml").read_text(encoding="utf-8")
    assert run("new", "mybet.toml")[0] == 2


def test_help_shows_commands_and_pages(run):
    assert run("help", "meter", "show") == run("meter", "show", "--help")
    code, out, _ = run("help", "rules")
    assert code == 0
    assert out.startswith("# ")
    code, out, _ = run("help", "blackjack")
    assert "combinat help blackjack --page" in out
    assert run("help", "blackjack", "--page")[1].startswith("# ")
    code, out, _ = run("help")
    assert code == 0
    assert "glossary" in out


def test_topic_of_a_page_is_found_by_its_words(run):
    code, _, err = run("help", "renewal cycle")
    assert code == 2
    assert "meters" in err


@pytest.mark.parametrize("text", ["hello", "{}", '{"a": 1}', '{"deal": 3}', "[1, 2]", "[", "\0", "1" * 5000])
def test_verify_of_another_file_is_one_plain_line(run, tmp_path, text):
    path = tmp_path / "x.txt"
    path.write_text(text, encoding="utf-8")
    code, out, err = run("verify", path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert not [word for word in ("Expecting", "Traceback", " str", "NoneType", "object") if word in err], err


def test_file_of_the_name_is_suggested(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("new", "mybet.toml")
    code, out, err = run("analyze", "mybet")
    assert (code, out) == (2, "")
    assert "mybet.toml" in err


def test_search_finds_awards_where_no_title_matches(run):
    code, out, err = run("search", "suited 7s")
    assert code == 0
    assert "7s" in out
    assert err.count("\n") == 1


def test_help_page_contains_the_generated_reference(run):
    out = run("help", "files")[1]
    assert "| `deal` |" in out
    assert "generated-reference" not in out


@pytest.mark.parametrize(("line", "game"), [("", "default"), ('game = "Spanish 21"', "Spanish 21")])
def test_sheet_marks_a_game_that_the_file_does_not_name(run, tmp_path, line, game):
    path = tmp_path / "mine.toml"
    awards = '[{ name = "Pair", when = "pair", pays = "11 to 1" }]'
    path.write_text(
        f'bet = "Mine"\ndeal = "player:2"\n{line}\n[[paytable]]\nid = "M-1"\ndecks = 6\nawards = {awards}\n'
    )
    assert run("parsheet", path, "--output", tmp_path / "mine.md")[0] == 0
    games = [
        row for row in (tmp_path / "mine.md").read_text(encoding="utf-8").splitlines() if row.startswith("- Game:")
    ]
    assert game in games[0]
