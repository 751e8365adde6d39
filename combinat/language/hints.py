"""Hints for rules with words and signs that are not part of the language."""

from __future__ import annotations

import re
from collections.abc import Callable

from combinat.language.deal import Deal

_RANK_NAMES = {
    "ace": "A", "king": "K", "queen": "Q", "jack": "J", "ten": "10", "nine": "9", "eight": "8", "seven": "7",
    "six": "6", "sixe": "6", "five": "5", "four": "4", "three": "3", "two": "2", "deuce": "2",
}  # fmt: skip
_RANKS_IN_WORDS = {
    **_RANK_NAMES,
    **{str(number): str(number) for number in range(2, 11)},
    **{letter: letter.upper() for letter in "ajqk"},
}
_KIND_NAMES = {
    **{name: name.rstrip("s") + "s" for suit in ("club", "diamond", "heart", "spade") for name in (suit, f"{suit}s")},
    **dict.fromkeys(("face", "picture", "court", "face card", "picture card", "court card"), "face"),
    **dict.fromkeys(("red", "red card"), "red"),
    **dict.fromkeys(("black", "black card"), "black"),
    **_RANK_NAMES,
}
_NUMBERS_IN_WORDS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5"}
_PAIRS = {
    "perfect": "{0}suited",
    "mixed": "not {0}same color",
    "colored": "{0}same color",
    "coloured": "{0}same color",
    "red": "{0}all(red)",
    "black": "{0}all(black)",
    "offsuit": "not {0}suited",
    "unsuited": "not {0}suited",
}
"""What to add to `pair` for names of pairs; {0} is the role."""
_ORDER = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
_RANK = rf"({'|'.join(_RANK_NAMES)})"
_ANY_RANK = rf"({'|'.join(_RANKS_IN_WORDS)})"
_RANK_SYMBOL = "(?:10|[2-9TJQKA])"
_SUIT = "(clubs?|diamonds?|hearts?|spades?)"
_KIND = rf"({'|'.join(sorted(_KIND_NAMES, key=len, reverse=True))})"
_ROLE = r"((?:\b[a-z]\w*\.)?)"
_NUMBER = rf"({'|'.join(_NUMBERS_IN_WORDS)}|[1-9])"
_COMPARISON = "(at least |at most |no more than |exactly )"
_SUBJECT = (
    r"(?:((?:\w+\.)?(?:hard total|total|points|high|low|cards|count\([^)]*\)|sum|value|score))\s+(?:is\s+|=\s*(?!=))?)"
)


def _rank(name: str) -> str:
    return _RANKS_IN_WORDS[name.lower()]


def _card(match: re.Match[str]) -> str:
    card = f"{_rank(match[1])}{match[2][0].lower()}"
    is_argument = match.string[: match.start()].rstrip().endswith(("(", ","))
    return card if is_argument else f"has({card})"


def _pair_or_better(match: re.Match[str]) -> str:
    ranks = _ORDER[_ORDER.index(_rank(match[2])) :]
    return " or ".join(f"{match[1]}count({rank}) == 2" for rank in ranks)


def _number_of_cards(match: re.Match[str]) -> str:
    return f"{match[1]}count({_KIND_NAMES.get(match[4].lower(), match[4])}) {_comparison(match)}"


def _number_of_colored_cards(match: re.Match[str]) -> str:
    suits = {"red": "dh", "black": "cs"}[match[4].lower()]
    total = " + ".join(f"{match[1]}count({_rank(match[5])}{suit})" for suit in suits)
    return f"{total} {_comparison(match)}"


def _comparison(match: re.Match[str]) -> str:
    sign = {"at least": ">=", "at most": "<=", "no more than": "<="}.get((match[2] or "").lower().strip(), "==")
    return f"{sign} {_NUMBERS_IN_WORDS.get(match[3].lower(), match[3])}"


def _interval(match: re.Match[str]) -> str:
    return f"{match[2]} <= {_subject(match[1])} <= {match[3]}"


def _subject(text: str | None) -> str:
    return re.sub("sum|value|score", "total", text or "total")


def _named_pair(match: re.Match[str]) -> str:
    return f"{match[1]}pair and {_PAIRS[match[2].lower()].format(match[1])}"


def _call(match: re.Match[str]) -> str:
    kind = _KIND_NAMES[match[3].lower()] if match[3] else _rank(match[4])
    return f"{match[1]}{match[2].lower()}({kind})"


_PHRASES: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (rf"\b{_ANY_RANK} of {_SUIT}\b", _card),
    (rf"{_ROLE}(?:pair of )?{_RANK}s or (?:better|higher|up)\b", _pair_or_better),
    (rf"{_ROLE}pair (?:of )?{_ANY_RANK}s\b", lambda match: f"{match[1]}count({_rank(match[2])}) == 2"),
    (rf"{_ROLE}\b{_COMPARISON}?{_NUMBER} {_KIND}s?\b(?! {_ANY_RANK}s?\b)", _number_of_cards),
    (rf"{_ROLE}\b{_COMPARISON}?({'|'.join(_NUMBERS_IN_WORDS)}) (10|[2-9])s?\b", _number_of_cards),
    (rf"{_ROLE}\b{_COMPARISON}?{_NUMBER} (red|black) {_ANY_RANK}s?\b", _number_of_colored_cards),
    (rf"{_SUBJECT}?\b(?:between|from) (\w+) (?:and|to|-) (\w+)", _interval),
    (rf"{_SUBJECT}(?:in )?\[?(\d+)\s?(?:-|\.\.+|to)\s?(\d+)", _interval),
    (rf"{_SUBJECT}(?:of |equals )?(\d+)", lambda match: f"{_subject(match[1])} == {match[2]}"),
    (
        r"((?:\w+\.)?[a-z]\w*(?:\([^)]*\))?) ([<>]=? ?\w+) (and|or) ([<>]=? ?\w+)",
        lambda match: f"{match[1]} {match[2]} {match[3]} {match[1]} {match[4]}",
    ),
    (r"<>", lambda _: "!="),
    (rf"{_ROLE}\b(?:the )?same suit\b", lambda match: f"{match[1]}suited"),
    (rf"{_ROLE}\b({'|'.join(_PAIRS)}) pair\b", _named_pair),
    (
        r"(?:\b(?!(?:and|or|not)\b)([a-z]\w*)[. ])?\b(?:(?:two|2) of a kind|(?:one|a|single) pair)\b",
        lambda match: f"{match[1]}.pair" if match[1] else "pair",
    ),
    (
        r"\b([a-z][\w.]*) (?:==?|is) (true|yes|false|no)\b",
        lambda match: match[1] if match[2].lower() in ("true", "yes") else f"not {match[1]}",
    ),
    (r"\b([34]) of a kind\b", lambda match: {"3": "three of a kind", "4": "four of a kind"}[match[1]]),
    (rf"{_ROLE}\b({_RANK_SYMBOL}(?:[ ,]+{_RANK_SYMBOL})+)(?![\w-])", lambda match: re.sub("[ ,]+", "-", match[0])),
    (r"\b(([2-9])\2{1,6})\b", lambda match: "-".join(match[1])),
    (rf"{_ROLE}\b{_RANK}[- ]high\b", lambda match: f"{match[1]}high == {_rank(match[2])}"),
    (
        rf"\b{_RANK}(?:-| |, ){_RANK}(?:(?:-| |, ){_RANK})?\b",
        lambda match: "-".join(map(_rank, filter(None, match.groups()))),
    ),
    (rf"{_ROLE}\b(?:flush|suited) (?:of|in) {_SUIT}", lambda match: f"{match[1]}all({_KIND_NAMES[match[2].lower()]})"),
    (
        rf"{_ROLE}\b(has|all|count) (?:an? )?(?:{_KIND}|{_ANY_RANK})s?\b",
        _call,
    ),
    (
        rf"(?<![.\w])(?!(?:points|total|cards)\b)([a-z]\w*) (?:is|has|=+) (?:an? )?{_ANY_RANK}\b",
        lambda match: f"{match[1]}.has({_rank(match[2])})",
    ),
    (r"\bany ((?:straight |royal )?(?:pair|flush|straight|suited|blackjack))\b", lambda match: match[1]),
    (
        r"\bno ([a-z]\w*)",
        lambda match: f"not {match[1]}" if match[1][:-1] not in _RANK_NAMES else f"not has({_rank(match[1][:-1])})",
    ),
    (
        r"(?:\b\w+ is )?\b(odd|even)\b",
        lambda match: f"total in ({'17, 19, 21' if match[1] == 'odd' else '16, 18, 20'})",
    ),
)
"""Phrases that people write, each with what to write instead."""
_RUN_OF_RANKS = re.compile(r"((?:10|[2-9TJQKA])(?:-?(?:10|[2-9TJQKA]))+)([so]?)")
_SIGNS = {
    "&": "; write 'and'",
    "|": "; write 'or'",
    "!": "; write 'not'",
    "=": "; write == to compare",
    "=>": "; write >=",
    "=<": "; write <=",
    "≥": "; write >=",
    "≤": "; write <=",
    "≠": "; write !=",
    "−": "; write -",
    "–": "; write -",
    "×": "; write + or -, or compare each number by itself",
    **dict.fromkeys("'\"“”„‘’«»", "; words need no quotes"),
    "*": "; write + or -, or compare each number by itself",
    "/": "; write + or -, or compare each number by itself",
    "?": "; leave it out",
    "%": "; write whole numbers",
    ";": "; join facts by 'and' or 'or'",
    "[": "; write round brackets",
    "{": "; write round brackets",
}
"""What to write instead of signs of other languages."""
_HINTS = {
    "soft": "; for a soft hand write 'total > hard total'",
    "hard": "; write 'hard total', or 'total == hard total' for a hand that is not soft",
    "natural": "; write 'blackjack'",
    "royal": "; write 'royal flush'",
    "full": "; write 'full house'",
    "fullhouse": "; write 'full house'",
    "boat": "; write 'full house'",
    "set": "; write 'three of a kind'",
    "pairs": "; write 'pair' or 'two pair'",
    "suit": "; write 'suited', or for a certain suit all(hearts)",
    "color": "; write 'same color', or for a certain color all(red)",
    "colored": "; write 'same color'",
    "mixed": "; write 'not same color', or 'not suited'",
    "offsuit": "; write 'not suited'",
    "unsuited": "; write 'not suited'",
    **dict.fromkeys(
        ("faces", "picture", "pictures", "court", "courts", "paint"), "; write has(face), all(face) or count(face)"
    ),
    **dict.fromkeys(("sum", "value", "score"), "; write 'total'"),
    **dict.fromkeys(("consecutive", "sequence", "run", "sequential"), "; write 'straight'"),
    **{word: f"; leave out '{word}'" for word in ("a", "an", "the", "is", "are", "cards", "hand")},
    "reds": "; write has(red), all(red) or count(red)",
    "blacks": "; write has(black), all(black) or count(black)",
}


def hint_for(word: str) -> str:
    """Return a hint for a common word that is not part of the language; empty if there is none.

    >>> hint_for("boat"), hint_for("aces")
    ("; write 'full house'", "; write 'has(A)' or 'count(A) == 2'")
    """
    first_word = word.split("_")[0]
    if rank := _RANK_NAMES.get(first_word) or _RANK_NAMES.get(first_word.removesuffix("s")):
        return f"; write 'has({rank})' or 'count({rank}) == 2'"
    return _HINTS.get(first_word, "")


def hint_for_sign(sign: str) -> str:
    """Return a hint for a sign that is not part of the language; empty if there is none."""
    return _SIGNS.get(sign, "")


def hint_for_kind(word: str) -> str:
    """Return a hint for the name of a rank among kinds of cards, such as aces; empty if it is something else."""
    lowered = word.lower()
    rank = _RANK_NAMES.get(lowered) or _RANK_NAMES.get(lowered.removesuffix("s"))
    return f"; write {rank}" if rank else ""


def hint_for_phrase(rule: str, offset: int, deal: Deal | None = None) -> str:
    """Return a hint for the everyday phrase at `offset`, such as `Ace of hearts` or `pair of kings`; empty without any.

    >>> hint_for_phrase("pair of kings", 5), hint_for_phrase("total between 5 and 9", 6)
    ("; write 'count(K) == 2'", "; write '5 <= total <= 9'")
    """
    for pattern, rewrite in _PHRASES:
        for match in re.finditer(pattern, rule, re.IGNORECASE):
            if match.start() <= offset < match.end():
                text = rewrite(match)
                if deal is not None:
                    text = re.sub(r"\b([a-z]\w*)\.", lambda prefix: f"{deal.meant_role(prefix[1])}.", text)
                return f"; write '{text}'"
    return ""


def hint_for_ranks(word: str, deal: Deal) -> str:
    """Return a hint for ranks in the notation of hold'em, such as `KQs`; empty if the word is something else."""
    match = _RUN_OF_RANKS.fullmatch(word)
    if match is None:
        return ""
    ranks = re.findall("10|[2-9TJQKA]", match[1])
    suits = {"s": "suited", "o": "not suited", "": ""}[match[2]]
    everyone = deal.all_positions
    roles = [role for role in deal.named_roles if deal.size(deal.positions(role)) == len(ranks)]
    is_whole_deal = everyone is not None and deal.size(everyone) == len(ranks)
    if not is_whole_deal and not roles:
        return ""
    prefix = "" if is_whole_deal else f"{roles[0]}."
    joined = f"{prefix}{'-'.join(ranks)}"
    tail = f" and {suits.replace('suited', prefix + 'suited')}" if suits else ""
    return f"; write '{joined}{tail}'"
