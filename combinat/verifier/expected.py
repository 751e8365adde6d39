"""What a sheet should say: the bet is counted again, and every section is worked out from the counts.

Reading order for a three-card sheet: `sheet` (data and comparison), `rules` and `poker` (rule language), `deal`
(count), `figures` (figures of the wager), this module (which section says what), `report` (the verdict).
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from combinat.verifier.assumptions import terms_part
from combinat.verifier.baccarat import POSITIONS, BaccaratDeal, count_coups
from combinat.verifier.blackjack import NAMES, VALUES, option_sections
from combinat.verifier.certificate import check_states, parse_states
from combinat.verifier.deal import (
    INFINITE,
    MAX_HANDS,
    Bet,
    Counts,
    FixedDeal,
    Shoe,
    count_hands,
    jokers_of,
    role_positions,
)
from combinat.verifier.dealer import DealerDeal
from combinat.verifier.eligible import eligibility_part
from combinat.verifier.exposure import exposure_part, flags, published_rows, test_rows
from combinat.verifier.figures import (
    Awards,
    Pay,
    award_rows,
    central_moment,
    mean_of,
    misranked_rows,
    parse_wheels,
    pay_of,
    pay_rows,
    rounding_rows,
    sum_pay,
    wager_figures,
    wrong_unit,
)
from combinat.verifier.lucky9 import OTHER_DECKS, round_tree
from combinat.verifier.meters import House, System, house_of, meter_part, parse_system, posted_prizes
from combinat.verifier.outlook import (
    Side,
    books_side,
    outlook_rows,
    pace_hits,
    result_row,
    sides_with_meters,
    volatility_rows,
)
from combinat.verifier.pack import count_rows, needs_pack
from combinat.verifier.rules import RANKS, Rule
from combinat.verifier.sheet import (
    BRUTE,
    FORMAT,
    By,
    NotCountedError,
    OneOf,
    Prose,
    SheetError,
    Unchecked,
    field,
    parse_number,
    show,
)
from combinat.verifier.source import Source, file_part, test_limits
from combinat.verifier.spots import round_rows, spots_part

USUAL_DECKS = tuple(range(1, 9))
DECK_FIGURES = ("house_edge", "return", "hit_frequency", "standard_deviation", "top_award_one_in")
PACKS = {"standard": tuple(range(2, 15)), "spanish": (*range(2, 10), *range(11, 15))}
SUIT_NAMES = {"clubs": "c", "diamonds": "d", "hearts": "h", "spades": "s"}
WAGER, BEST = "wager alone", "best play"
ROUNDS = ("lucky 9", "lucky 9 tie")
MEANS = ("house_edge", "return", "expected_value")
WITHOUT_BASIS = ("cycle", "losing_hands", "favors_player")
"""What follows from the counts of the awards, and is not a figure on a basis."""
GIVEN_BY_PREPARER = "given by the preparer of the sheet"
NO_AWARD = "no award"
WRITING_HANDS = 100_000
LONG = 10**9  # stands for the hands of games that are never counted while a sheet is written
EVERY_FIGURE = "every figure"
"""The key of what is not checked where a bet was not counted."""
TOO_LONG = "not counted when the sheet was written, because it takes long; 'combinat verify' counts it"


def parse_shoe(sheet: dict[str, Any]) -> Shoe:
    """Return the shoe of a sheet."""
    form = re.fullmatch(
        r"(\w+)(?: without (\w+(?: \w+)*?))?(?: with ([1-9]) jokers?( for an ace, a straight or a flush)?)?",
        field(sheet, "pack", str),
    )
    decks = field(sheet, "decks", int)
    if form is None or form[1] not in PACKS or not 1 <= decks <= 100:
        raise SheetError("'pack' and 'decks' do not describe a shoe")
    removed = (form[2] or "").split()
    if not set(removed) <= {*SUIT_NAMES, *RANKS}:
        raise SheetError("'pack' does not describe a pack")
    ranks = tuple([rank for rank in PACKS[form[1]] if rank not in [RANKS.get(word) for word in removed]])
    suits = "".join([suit for suit in "cdhs" if suit not in [SUIT_NAMES.get(word) for word in removed]])
    return Shoe(ranks, suits, int(form[3] or 0), bool(form[4]), decks)


def _parse_deal(text: str) -> tuple[dict[str, int], str]:
    """Return the sizes of the roles, and how the deal goes on: "fixed", "h17", "s17", "baccarat" or a round.

    >>> _parse_deal("player:2, dealer:h17")
    ({'player': 2}, 'h17')
    """
    if text == "baccarat" or text in ROUNDS:
        return {}, text
    if ":" not in text:
        raise NotCountedError(f"no verifier for the deal '{show(text)}'")
    sizes: dict[str, int] = {}
    parts = text.split(", ")
    for at, part in enumerate(parts, 1):
        role, _, size = part.partition(":")
        if role == "dealer" and size in ("h17", "s17") and at == len(parts):
            return sizes, size
        if not re.fullmatch(r"[a-z]\w*:[1-9]", part, re.ASCII) or role in sizes:
            raise SheetError(f"the deal '{show(text)}' cannot be read")
        sizes[role] = int(size)
    if sum(sizes.values()) > 7:
        raise NotCountedError(f"{sum(sizes.values())} cards are dealt; up to 7 are counted again")
    return sizes, "fixed"


class Expected:
    """What one sheet should say."""

    def __init__(
        self,
        sheet: dict[str, Any],
        *,
        max_hands: int = MAX_HANDS,
        is_full: bool = False,
        counted: dict[Any, Any] | None = None,
        max_tested: int | None = None,
    ) -> None:
        self.sheet, self.max_hands, self.is_full = sheet, max_hands, is_full
        self.counted: dict[Any, Any] = {} if counted is None else counted
        self.max_tested = max_tested
        self.tested = 0
        """The number of hands to test; more than `max_tested` are not counted."""
        if sheet.get("removed"):
            raise NotCountedError("a shoe with removed cards is not counted again")
        self.source = Source(sheet)
        self.shoe = parse_shoe(sheet)
        self.decks = self.shoe.decks
        self.sizes, self.kind = _parse_deal(field(sheet, "deal", str))
        self.stated = field(sheet, "awards", list)
        if not 1 <= len(self.stated) <= 200:
            raise SheetError("'awards' must have 1 to 200 awards")
        self.meters = {name: parse_number(value) for name, value in field(sheet, "meters", dict).items()}
        self.wager = Fraction(1) if sheet.get("meter_wager") is None else parse_number(sheet["meter_wager"])
        if self.wager <= 0:
            raise SheetError("'meter_wager' must be positive")
        self.parts: list[tuple[str, Pay, Rule, bool]] = []
        self.has_option = sheet.get("option") is not None
        self.deal: Any = None
        self.count_method = BRUTE
        self.certificate: bytes | None = None
        """The file beside the sheet that proves best play at blackjack."""
        self.notify: Callable[[int, int], None] = lambda _done, _total: None
        self.option: Any = None
        self.problems: list[str] = []
        """What is wrong with the certificate."""
        self.states = 0
        """The number of states of the certificate that were checked."""
        self.round_basis = ""
        """The basis of a wager on a round that is played by a strategy."""

    # Counting

    def rule(self, text: str, *, is_number: bool = False) -> Rule:
        """Compile a rule about this deal."""
        if self.kind == "baccarat":
            roles = [role for role in POSITIONS if role]
        elif self.kind in ("h17", "s17"):
            roles = [*self.sizes, "up", "dealer"]
        else:
            roles = [role for role in role_positions(self.sizes) if role]
        return Rule(text, roles, jokers=jokers_of(self.shoe), is_number=is_number)

    def pays(self) -> list[Pay]:
        """Return the pays of the awards; where awards add up, of their sums."""
        wheels = parse_wheels(self.sheet)
        if "all_matches" not in self.sheet:
            return [
                pay_of(field(row, "name", str), field(row, "pays_text", str), self.meters, self.wager, wheels)
                for row in self.stated
            ]
        sums = field(self.sheet["all_matches"], "sums", list)
        pays = []
        for row, award in zip(sums, self.stated, strict=False):
            times = field(row, "times", list)
            if len(times) != len(self.parts) or not all(type(count) is int and 0 <= count <= 1000 for count in times):
                raise SheetError("the 'times' of a sum cannot be read")
            counted = [(pay, count) for (_, pay, _, _), count in zip(self.parts, times, strict=True) if count]
            pays.append(sum_pay(field(award, "name", str), counted))
        if len(pays) != len(self.stated):
            raise SheetError("'all_matches' has other sums than there are awards")
        return pays

    def read_parts(self) -> None:
        """Read the awards that add up."""
        wheels = parse_wheels(self.sheet)
        for row in field(field(self.sheet, "all_matches", dict), "awards", list):
            per = row.get("per")
            pay = pay_of(field(row, "name", str), field(row, "pays_text", str), {}, self.wager, wheels)
            if not pay.is_fixed:
                raise SheetError("awards that add up cannot be paid from a meter")
            rule = self.rule(field(row, "rule", str)) if per is None else self.rule(str(per), is_number=True)
            self.parts.append((pay.award, pay, rule, per is not None))

    def rules(self) -> list[Rule]:
        """Return the rules of the awards; of sums, that each award is matched so many times."""
        if "all_matches" not in self.sheet:
            return [self.rule(field(row, "rule", str)) for row in self.stated]
        texts = []
        for row in [*field(self.sheet["all_matches"], "sums", list), {"times": [0] * len(self.parts)}]:
            pieces = []
            for (_, _, rule, is_counted), count in zip(self.parts, row["times"], strict=True):
                if is_counted:
                    pieces.append(f"({rule.text}) == {count}" if count else f"not (({rule.text}) > 0)")
                else:
                    pieces.append(f"({rule.text})" if count else f"not ({rule.text})")
            texts.append(" and ".join(pieces))
        return [self.rule(text) for text in texts]

    def deal_cards(self, pays: list[Pay]) -> Any:
        """Count the hands of the bet."""
        rules = self.rules()
        condition = self.rule(field(self.sheet, "given", str)) if self.sheet.get("given") is not None else None
        checks = self.stated_rules()
        listed = frozenset([at for at, pay in enumerate(pays) if not pay.is_fixed and pay.amount == 1])
        is_apart = any(rule.named_roles for rule in [*rules, *([condition] if condition else [])])
        if self.kind in ("h17", "s17"):
            rules += [self.rule(text) for text in ("dealer.bust", "dealer.bust and dealer.suited")]
        stated = self.source.bet.get("ordered_by_role")
        bet = Bet(self.sizes, self.shoe, [*rules, *checks], condition, is_apart if stated is None else stated)
        self.check_length(LONG if self.has_option or self.kind in ("h17", "s17") else hands_to_test(bet, self.kind))
        key = (self.kind, self.max_hands, len(pays), listed, *bet.key)
        if key not in self.counted:
            self.counted[key] = self.count_bet(bet, len(pays), listed)
        deal = self.counted[key]
        deal.bet = bet  # the same cards and rules, with this sheet's number of decks
        return deal

    def count_bet(self, bet: Bet, awards: int, listed: frozenset[int]) -> Any:
        """Count the hands of a bet by the method of its game."""
        if self.kind in ("h17", "s17"):
            return DealerDeal(bet, self.kind == "h17")
        if self.kind == "baccarat":
            return BaccaratDeal(bet, self.max_hands)
        rows = count_rows(bet) if needs_pack(bet) else None
        return FixedDeal(bet, self.max_hands, awards, listed, rows)

    def check_length(self, hands: int) -> None:
        """Raise `NotCountedError` if more hands must be tested than allowed."""
        self.tested = hands
        if self.max_tested is not None and hands > self.max_tested:
            raise NotCountedError(TOO_LONG)

    @property
    def left_out(self) -> str:
        """Why the bet was not counted when the sheet was written, as the sheet may say of a long one; else empty."""
        report = self.sheet.get("verification")
        stated = report.get("not_checked") if isinstance(report, dict) else None
        return TOO_LONG if self.tested > WRITING_HANDS and stated == [{"key": EVERY_FIGURE, "reason": TOO_LONG}] else ""

    @property
    def merged_note(self) -> str:
        """How hands were merged; empty if they were not."""
        return self.deal.merged_note if self.deal is not None else ""

    def stated_rules(self) -> list[Rule]:
        """Return the rules that a sheet with sums states: of each sum, and of each award that adds up."""
        if "all_matches" not in self.sheet:
            return []
        rows = [*self.stated, *self.sheet["all_matches"]["awards"]]
        return [self.rule(field(row, "rule", str)) for row in rows]

    # Sections

    def tree(self) -> dict[str, Any]:
        """Return the whole sheet as it should be."""
        if self.kind in ROUNDS:
            self.check_length(LONG)
            tree: dict[str, Any] = round_tree(self)
            return tree
        if "all_matches" in self.sheet:
            self.read_parts()
        pays = self.pays()
        self.deal = self.deal_cards(pays)
        self.count_method = self.deal.method
        counts = self.counts(self.decks, pays)
        if not counts.cycle:
            raise NotCountedError("no hand satisfies the condition")
        return self.sections(pays, counts, self.wager_basis())

    def counts(self, decks: int, pays: list[Pay]) -> Counts:
        """Return the counts for a number of decks."""
        counts: Counts = self.deal.counts(decks, len(pays))
        return counts

    def identity(self) -> dict[str, Any]:
        """Return what identifies the sheet and the bet."""
        sheet = self.sheet
        text = Unchecked(GIVEN_BY_PREPARER, lambda value: value is None or isinstance(value, str))
        document = f"{sheet.get('paytable')}-{self.decks}D"
        is_given = field(sheet.get("identification"), "document_is_given", bool)
        has_suffix = bool(self.source.changed) or "variant" in sheet or self.has_option
        return {
            "format": FORMAT,
            "identification": {
                "game": self.source.unless("names", self.source.bet.get("game", "Blackjack"), None),
                "document": Unchecked(GIVEN_BY_PREPARER, lambda value: isinstance(value, str) and value != document)
                if is_given
                else OneOf(
                    f"'{document}' and the names of changed rules", lambda value: is_number(value, document, has_suffix)
                ),
                "document_is_given": is_given,
                "revision": Unchecked(GIVEN_BY_PREPARER, lambda value: isinstance(value, str)),
                "date": Unchecked(GIVEN_BY_PREPARER, is_date),
                **dict.fromkeys(("prepared_by", "reviewed_by", "jurisdiction"), text),
                "software": Unchecked("the program that wrote the sheet", lambda value: isinstance(value, str)),
                "input_sha256": file_part(sheet, "bet")["sha256"],
                "history": Unchecked(GIVEN_BY_PREPARER, is_history),
            },
            **self.source.expected(),
            "input_files": {
                "bet": {
                    **file_part(sheet, "bet"),
                    "changed": self.source.changed_topics(),
                },
                "tests": file_part(sheet, "tests"),
            },
            "decks": self.decks,
            "cards": self.shoe.size,
            "removed": [],
            "designed": self.decks in field(sheet, "designed_decks", list),
            **({"variant": self.variant()} if "variant" in sheet else {}),
            "terms": terms_part(self),
        }

    def variant(self) -> Any:
        """Return the section of a variant: what it is based on, and the topics that differ."""
        return Unchecked(
            "the catalog's paytable that a variant is based on is not known here",
            lambda value: isinstance(value, dict) and set(value) == {"of", "differences"},
        )

    def wager_basis(self) -> str:
        """Return the basis of the figures of the wager."""
        return self.round_basis or ("at the given meters" if self.meters else WAGER)

    def award_section(
        self, pays: list[Pay], counts: Counts, matching: Callable[[Any, int], bool]
    ) -> list[dict[str, Any]]:
        """Return the awards: what the file says of them, their figures, and their examples."""
        from_file = None if "all_matches" in self.sheet else self.source.award_rows(self.sheet.get("settings"))
        rows = []
        for at, (pay, figures) in enumerate(zip(pays, award_rows(pays, counts), strict=True)):
            texts: dict[str, Any] = {"name": pay.award, "rule": Prose(), "pays_text": pay.text}
            if from_file is not None and at < len(from_file):
                texts = from_file[at]
            is_possible = figures["possible"]

            def accepts(value: Any, at: int = at, is_possible: bool = is_possible) -> bool:
                return matching(value, at) if is_possible else value is None

            example = OneOf("a hand that can be dealt and wins the award", accepts)
            rows.append({**texts, **figures, "rule_in_words": Prose(), "example": example})
        if from_file is not None and len(from_file) != len(rows) and "awards" not in self.source.changed:
            raise SheetError(f"the sheet has {len(rows)} awards, its input file {len(from_file)}")
        return rows

    def sections(self, pays: list[Pay], counts: Counts, basis: str) -> dict[str, Any]:
        """Return every section of a bet that is settled by its cards."""
        sheet, awards = self.sheet, Awards.of(pays, counts)
        wager_basis = self.wager_basis()
        figures = wager_figures(pays, counts)
        deck_figures = {key: figures[key] for key in ("top_award_one_in",)}
        top_one_in = figures.pop("top_award_one_in")
        tree: dict[str, Any] = {"awards": By(self.award_section(pays, counts, self.is_example), None)}
        if "all_matches" in sheet:
            tree["all_matches"] = By(self.adds_up(counts), None)
        tree |= self.identity()
        tree["settlement"] = "all matches" if "all_matches" in sheet else "first match"
        tree["ordered_by_role"] = self.roles_apart()
        tree |= {key: By(value, None) if key in ("cycle", "losing_hands") else value for key, value in figures.items()}
        tree |= {
            "meters": dict(self.meters),
            "up_cards": self.up_cards(pays, counts),
        }
        if "wheels" in sheet:
            tree["wheels"] = self.wheels(pays, counts)
        names = awards.meters
        terms = self.meter_terms()
        system = self.system(names, terms)
        house = house_of(awards, system) if system else None
        system = system if house else None  # terms say nothing while a meter cannot be hit
        seeds = house.seeds if house else {}
        sides = sides_with_meters(house, self.meters) if house else plain_sides(awards, self.meters, wager_basis)
        stake = self.wager if names else parse_number(field(sheet, "exposure", dict).get("max_wager"))
        gross = awards.gross_at(seeds | self.meters, self.wager)
        rows = pay_rows(awards, basis, lambda _award, _units: Fraction(0))
        settled_basis = "meters at their seeds" if house and set(seeds) != set(self.meters) else wager_basis
        tree |= {
            "meter_wager": self.wager if names else None,
            "basis": basis,
            "settled_meters": {**seeds, **self.meters} if house or set(names) == set(self.meters) else None,
            "pay_sensitivity": rows,
            "wrong_unit": wrong_unit(awards, rows, basis, "all_matches" in sheet),
            "misranked": [] if "all_matches" in sheet or "wheels" in sheet else misranked_rows(awards),
            "rounding": rounding_rows(awards),
            "posted_jackpot": {
                "basis": "at the posted prize",
                "prizes": posted_prizes(awards, self.wager, seeds | self.meters),
            }
            if names
            else None,
            "rounds": By(self.round_winners(awards, house), None),
            "spots": By(spots_part(self.deal, awards, gross, sheet.get("given") is not None, settled_basis), None),
            "exposure": exposure_part(awards, house, stake, self.meters, WAGER),
            "meter": self.meter_section(house),
            "derivation": By(self.derivation(pays, counts), None),
        }
        tree["hold"] = figures["house_edge"]
        if names:
            known_hold = sides[0].edge if house and house.has_closed_form else None
            tree["hold"] = result_row(sides[0])["house_edge"] if known_hold is not None else None
        tree["deck_sensitivity"] = By(self.deck_rows(pays, wager_basis, system), None)
        if self.has_option:
            content = self.certificate
            states = {} if content is None else parse_states(content, sheet)
            sides = option_sections(self, tree, awards, sides, stake)
            if content is not None:
                self.check_certificate(states, tree["option"].part)
                tree["option"].part["certificate"]["sha256"] = hashlib.sha256(content).hexdigest()
        tree |= {
            "results": [result_row(side) for side in sides],
            "volatility_index": volatility_rows(sides[0] if sides else None, sides[0].basis if sides else wager_basis),
            "outlook": outlook_rows(sides, field(sheet, "outlook", list)),
        }
        tree["bases"] = self.bases(wager_basis, figures, tree)
        if "eligibility" in sheet:
            means = [pay.gross.number for pay in pays]
            part = eligibility_part(field(sheet, "eligibility", dict), self.shoe, self.kind, means)
            tree["eligibility"] = {"eligible_hands": self.source.bet.get("eligible_hands")} | part
        if "pace" in sheet:
            tree["pace"] = self.pace(awards)
        if "card_counting" in sheet:
            tree["card_counting"] = Unchecked("card counting is computed by one method; see docs/verification.md")
        known = {
            **tree,
            "awards": tree["awards"].part,
            "spots": tree["spots"].part,
            "top_award_one_in": top_one_in,
            **deck_figures,
        }
        known["cycle"] = counts.cycle
        tree["jurisdiction_tests"] = test_rows(
            test_limits(sheet, (sheet.get("identification") or {}).get("jurisdiction")), known, awards, stake
        )
        return tree | self.claims(known, system)

    def check_certificate(self, states: dict[str, Any], part: dict[str, Any]) -> None:
        """Check every state of the certificate of best play."""
        for up in VALUES:
            rows = states.get(NAMES[up - 1], {})
            self.problems += check_states(self.option.table(up), self.option.counts, rows)
            self.states += len(rows)
            self.notify(up, len(NAMES))
        part["certificate"] = {"states": self.states}

    def claims(self, known: dict[str, Any], system: System | None) -> dict[str, Any]:
        """Return what the sheet claims of itself: published figures, warnings, checks, the verifier's report."""
        sheet = self.sheet
        inferred = system is not None and system.is_inferred
        printed = self.source.published(self.decks)
        if "published figures" in self.source.changed or "variant" in sheet:
            printed = [
                {"figure": row.get("figure"), "text": row.get("text")} for row in field(sheet, "published", list)
            ]
        published = published_rows(printed, known, bool(self.meters), inferred, self.decks)
        recount = f"not checked: {self.left_out}" if self.left_out else "agrees"
        results = ["agrees"] * (3 if self.kind in ROUNDS else 4) + [recount]
        for row in published:
            agrees = {True: "agrees", False: "DIFFERS", None: "depends on the meters"}[row["agrees"]]
            is_check = row["is_check"] or row["agrees"] is None
            results.append(agrees if is_check else "not a check: the rate and seeds were chosen to give it")
        return {
            "published": published,
            "flags": flags(sheet, known, published, inferred, self.first_decks(known)),
            "checks": [{"check": Prose(), "result": result} for result in results],
        }

    def first_decks(self, known: dict[str, Any]) -> list[int | None]:
        """Return the fewest decks with which each award is possible; `None` if it never is."""
        if all(row["possible"] for row in known["awards"]):
            return [1] * len(known["awards"])
        pays = [None] * len(known["awards"])
        found: list[int | None] = list(pays)
        for decks in range(1, 101):
            try:
                counts = self.deal.counts(decks, len(pays))
            except NotCountedError:
                continue
            found = [
                decks if first is None and ways else first for first, ways in zip(found, counts.winning, strict=True)
            ]
            if None not in found:
                break
        return found

    def roles_apart(self) -> bool:
        """Return whether the order of roles matters to the count."""
        return bool(self.deal.bet.roles_apart)

    def is_example(self, example: Any, award: int) -> bool:
        """Return whether an example hand can be dealt and wins an award."""
        try:
            return bool(self.deal.example_award(example, len(self.stated)) == award)
        except SheetError:
            return False

    def up_cards(self, pays: list[Pay], counts: Counts) -> Any:
        """Return the figures given each up card of a drawing dealer."""
        if not isinstance(self.deal, DealerDeal):
            return []
        rows, names = [], {rank: name for name, rank in RANKS.items() if name != "T"}
        for ranks in self.deal.up_cards():
            own = self.deal.counts(self.decks, len(pays), ranks)
            if not own.cycle:
                continue
            figures = wager_figures(pays, own)
            bust, suited_bust = own.matching[self.bust_index() : self.bust_index() + 2]
            rows.append(
                {
                    "up": ", ".join([names[rank] for rank in ranks]),
                    "probability": Fraction(own.cycle, counts.cycle),
                    "bust": Fraction(bust, own.cycle),
                    "suited_bust": Fraction(suited_bust, own.cycle),
                    "awards": [
                        {"name": pay.award, "pays_text": pay.text, "probability": row["probability"]}
                        for pay, row in zip(pays, award_rows(pays, own), strict=True)
                        if row["possible"]
                    ],
                    **{key: figures[key] for key in ("hit_frequency", "return", "house_edge")},
                    "basis": self.wager_basis(),
                }
            )
        return By(rows, None)

    def bust_index(self) -> int:
        """Return the index of the rule for a bust, after those of the awards."""
        return len(self.stated) + ("all_matches" in self.sheet)

    # Awards that add up, and wheels

    def adds_up(self, counts: Counts) -> dict[str, Any]:
        """Return the section of awards that add up; the stated rules must match the same hands."""
        sums = [row["times"] for row in self.sheet["all_matches"]["sums"]]
        from_file = self.source.stated_awards(None)
        rows = []
        for at, (name, pay, _, _) in enumerate(self.parts):
            fitting = sum([ways for times, ways in zip(sums, counts.winning, strict=True) if times[at]])
            mean = Fraction(
                sum([ways * times[at] for times, ways in zip(sums, counts.winning, strict=True)]), counts.cycle
            )
            stated = from_file[at] if at < len(from_file) else {"name": name, "per": None, "pays_text": pay.text}
            rows.append(
                {
                    "name": self.source.unless("awards", stated["name"], name),
                    "rule": self.same_hands(len(self.stated) + at),
                    "per": self.source.unless("rules", stated["per"], None),
                    "pays_text": self.source.unless("pays", stated["pays_text"], pay.text),
                    "inclusive_count": fitting,
                    "probability": Fraction(fitting, counts.cycle),
                    "mean_times": mean,
                    "paid": mean * pay.amount,
                }
            )
        names = []
        for times in sums:
            words = [(name, count) for (name, _, _, _), count in zip(self.parts, times, strict=True) if count]
            names.append(" + ".join([f"{count} × {name}" if count > 1 else name for name, count in words]))
        for at, row in enumerate(self.stated):
            if row.get("name") != names[at]:
                raise SheetError(f"award {at + 1} is called '{show(row.get('name'))}', but is the sum '{names[at]}'")
            if self.same_hands(at).accepts(row.get("rule")) is False:
                raise SheetError(f"the rule of '{names[at]}' matches other hands than the sum")
        return {
            "awards": rows,
            "sums": [{"award": name, "times": times} for name, times in zip(names, sums, strict=True)],
            "losing_ways": counts.matching[len(self.stated)],
        }

    def same_hands(self, index: int) -> Any:
        """Return a leaf that accepts a stated rule if it matches the same hands as the award or sum."""
        check = index - len(self.stated) - len(self.parts)  # the stated rules come last
        same = True
        for matches in self.deal.iter_matches(self.decks):
            if matches is None:
                continue
            if index < len(self.stated):
                wanted = matches[index]
            else:
                part = index - len(self.stated)
                times = [row["times"][part] for row in self.sheet["all_matches"]["sums"]]
                wanted = any(match and count for match, count in zip(matches, times, strict=False))
            same = same and matches[check] == wanted
        return OneOf("a rule that matches the same hands", lambda value: isinstance(value, str) and same)

    def wheels(self, pays: list[Pay], counts: Counts) -> dict[str, Any]:
        """Return the section of wheels: the stops of the file, and every prize."""
        specs = self.source.bet.get("wheels", {})
        wheels = []
        for row in field(self.sheet["wheels"], "wheels", list):
            stops = specs.get(row.get("name"))
            weights = [field(stop, "weight", int) for stop in field(row, "stops", list)]
            if isinstance(stops, str):
                listed = dice(stops)
            elif isinstance(stops, dict):
                listed = sorted([(parse_number(times), weight) for times, weight in stops.items()])
            else:
                listed = [(parse_number(stop["times"]), stop["weight"]) for stop in row["stops"]]
            wheels.append(
                {
                    "name": row.get("name")
                    if row.get("name") in specs
                    else OneOf("a wheel of the file", lambda _: False),
                    "stops": [
                        {"times": times, "weight": weight, "probability": Fraction(weight, sum(weights))}
                        for times, weight in listed
                    ],
                }
            )
        prizes = [
            {
                "award": pay.award,
                "pays_to_1": gross - 1,
                "pays_for_1": gross,
                "probability": Fraction(ways, counts.cycle) * chance,
                "return": gross * Fraction(ways, counts.cycle) * chance,
            }
            for pay, ways in zip(pays, counts.winning, strict=True)
            for gross, chance in pay.prizes
        ]
        return {"wheels": wheels, "prizes": prizes}

    # Meters

    def meter_terms(self) -> Any:
        """Return the section in which the sheet states the terms of its meters."""
        part = self.sheet.get("meter")
        if not isinstance(part, dict):
            return None
        return part.get("terms") if "terms" in part else part

    def system(self, names: list[str], terms: Any) -> System | None:
        """Return the terms of the meters, compared with the bet's file; `None` if there are none."""
        if not names:
            return None
        from_file = self.source.meter_terms(self.decks)
        if terms is None:
            if from_file is None or "meters" in self.source.changed:
                return None
            terms = from_file
        if "meters" not in self.source.changed and from_file is None:
            raise SheetError("'meter' states terms that the input file does not have")
        basis = (self.sheet.get("meter") or from_file or {}).get("basis")
        system = parse_system(terms, basis is not None)
        return system if {level.name for level in system.levels} == set(names) else None

    def meter_section(self, house: House | None) -> Any:
        """Return the section on meters, with the terms of the bet's file."""
        if house is None:
            return None
        part = meter_part(house, self.meters, self.sheet["meter"], self.sheet["paytable"], self.decks)
        from_file = self.source.meter_terms(self.decks)
        if "meters" in self.source.changed or from_file is None:
            return part
        basis, stated = from_file.pop("basis"), from_file
        if "terms" in part:
            return {**part, "basis": basis, "terms": stated}
        levels = [{**row, **own} for row, own in zip(part["levels"], stated["levels"], strict=True)]
        return {**part, **stated, "basis": basis, "levels": levels}

    def round_winners(self, awards: Awards, house: House | None) -> list[Any]:
        """Return the winners of each meter in one round."""
        levels = {level.terms.name: level for level in house.levels} if house and house.has_closed_form else {}
        return round_rows(self.deal, awards, levels, self.sheet.get("given") is not None)

    def pace(self, awards: Awards) -> dict[str, Any]:
        """Return the hits of meters at a pace of play."""
        part = field(self.sheet, "pace", dict)
        daily, days = parse_number(part.get("plays_per_day")), parse_number(part.get("days"))
        if not 0 < daily * (days + 365) <= 10**11:
            raise SheetError("'pace' has no plays, or too many")
        return {"plays_per_day": daily, "days": days, "hits": pace_hits(awards, daily, days)}

    # Other decks, the derivation, bases

    def deck_counts(self) -> list[int]:
        """Return the deck counts of the deck table: the usual ones, those of the design, its own, and infinite."""
        designed = [count for count in self.sheet["designed_decks"] if type(count) is int and 0 < count <= 100]
        return [*sorted({*USUAL_DECKS, *designed, self.decks}), INFINITE]

    def deck_rows(self, pays: list[Pay], basis: str, system: System | None) -> list[Any]:
        """Return the figures by number of decks."""
        rows = []
        for decks in self.deck_counts():
            row: dict[str, Any] = {
                "decks": decks if decks != INFINITE else "infinite",
                "designed": decks in self.sheet["designed_decks"],
                "basis": basis,
                **dict.fromkeys(DECK_FIGURES),
                "headline": None,
            }
            if self.kind in ROUNDS and decks != self.decks and not self.is_full:
                rows.append(row | dict.fromkeys(DECK_FIGURES, OTHER_DECKS))
                continue
            try:
                counts = self.counts(decks, pays)
            except NotCountedError:
                counts = Counts(0, [], [])
            if counts.cycle:
                figures = wager_figures(pays, counts)
                row |= {key: figures[key] for key in DECK_FIGURES}
            if any(not pay.is_fixed for pay in pays):
                row["headline"] = self.headline(pays, counts, decks, system)
            if counts.cycle or decks != INFINITE or self.sheet.get("given") is None:
                rows.append(row)
        return rows

    def headline(self, pays: list[Pay], counts: Counts, decks: int, system: System | None) -> dict[str, Any]:
        """Return the hold at another number of decks, under the terms of the file for that number."""
        nothing: dict[str, Any] = dict.fromkeys(("basis", "hold", "standard_deviation", "terms", "hits"))
        own = self.source.meter_terms(self.decks)
        other = self.source.meter_terms(decks) or own
        if system is None or not counts.cycle:
            return nothing
        run, stated = system, None
        if "meters" not in self.source.changed and other is not None and own is not None:
            without = [{key: value for key, value in terms.items() if key != "basis"} for terms in (own, other)]
            if without[0] != without[1]:
                stated = without[1]
                run = parse_system(stated, system.is_inferred)
        awards = Awards.of(pays, counts)
        house = house_of(awards, run)
        taken = sum([level.rate + level.reserve for level in run.levels], Fraction(0))
        if house is None or not house.has_closed_form:
            return nothing
        if taken > 1 - awards.fixed_return and not run.all_pays_deducted:
            return nothing
        result = result_row(books_side(house))
        return {
            "basis": result["basis"],
            "hold": result["house_edge"],
            "standard_deviation": result["standard_deviation"],
            "terms": stated,
            "hits": {level.terms.name: level.hit for level in house.levels},
        }

    def derivation(self, pays: list[Pay], counts: Counts) -> Any:
        """Return the derivation: the ways of each award, and the steps to them in the order of the sheet."""
        stated = field(self.sheet, "derivation", list)
        names = [*[pay.award for pay in pays], NO_AWARD]
        ways = [*counts.winning, counts.losing]
        rows = []
        for at, steps in enumerate(self.deal.derivation(len(pays))):
            given = stated[at].get("steps") if at < len(stated) and isinstance(stated[at], dict) else None
            key = "action" if self.kind in ROUNDS else "cards"
            order = [step.get(key) if isinstance(step, dict) else None for step in given or []]
            by_key = {step[key]: step for step in steps}
            if sorted(map(str, order)) == sorted(map(str, by_key)):
                steps = [by_key[name] for name in order]
            rows.append({"award": names[at], "ways": ways[at], "steps": steps})
        return rows

    def bases(self, wager_basis: str, figures: dict[str, Any], tree: dict[str, Any]) -> dict[str, str]:
        """Return the basis of each figure."""
        mean_basis = BEST if self.has_option else wager_basis
        bases = {key: wager_basis for key in figures if key not in WITHOUT_BASIS} | dict.fromkeys(MEANS, mean_basis)
        if self.has_option:
            spread = ("variance", "standard_deviation")
            bases |= dict.fromkeys(spread, BEST)
            bases |= {f"{key}_without_option": wager_basis for key in (*MEANS, *spread)}
        first = tree["results"][0]["basis"] if tree["results"] else None
        if self.has_option and not tree["meter_wager"]:
            bases["hold"] = BEST
        else:
            is_booked = tree["meter_wager"] is not None and first in ("accounting basis", "at the posted prize")
            bases["hold"] = str(first) if is_booked else "long run"
        return bases


def hands_to_test(bet: Bet, kind: str) -> int:
    """Return the number of hands that are tested."""
    if kind == "baccarat":
        return count_coups(bet)
    return LONG if needs_pack(bet) else count_hands(bet)


def plain_sides(awards: Awards, meters: dict[str, Fraction], basis: str) -> list[Side]:
    """Return the one side of a bet without meters whose terms are known."""
    if any(pay.gross.is_open for pay in awards.pays):
        return []
    results = [
        (gross.number, chance * part)
        for pay, chance in zip(awards.pays, awards.chances, strict=True)
        for gross, part in pay.outcomes
    ]
    results.append((Fraction(0), awards.losing))
    return [Side(basis, meters, 1 - mean_of(results), results, central_moment(results, 2))]


def is_number(value: Any, document: str, has_suffix: bool) -> bool:
    """Return whether a document number is built from the id and the deck count."""
    return value == document or (has_suffix and isinstance(value, str) and value.startswith(f"{document}-"))


def dice(text: str) -> list[tuple[Fraction, int]]:
    """Return the sums of some dice with their ways.

    >>> dice("2d6")[0], dice("2d6")[5]
    ((Fraction(2, 1), 1), (Fraction(7, 1), 6))
    """
    number, _, sides = text.strip().lower().partition("d")
    if not (number.isdigit() and sides.isdigit() and 1 <= int(number) <= 10 and 1 <= int(sides) <= 100):
        raise SheetError(f"the dice '{show(text)}' cannot be read")
    ways = Counter({0: 1})
    for _ in range(int(number)):
        ways = add_die(ways, int(sides))
    return [(Fraction(total), count) for total, count in sorted(ways.items())]


def add_die(ways: Counter[int], sides: int) -> Counter[int]:
    """Return the sums with one more die."""
    sums: Counter[int] = Counter()
    for total, count in ways.items():
        for side in range(1, sides + 1):
            sums[total + side] += count
    return sums


def is_date(value: Any) -> bool:
    """Return whether a value is a date such as 2026-11-18, or `None`."""
    return value is None or (isinstance(value, str) and bool(re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII)))


def is_history(value: Any) -> bool:
    """Return whether a value is a revision history."""
    return isinstance(value, list) and all(
        isinstance(row, dict)
        and set(row) == {"revision", "date", "change"}
        and all(isinstance(text, str) for text in row.values())
        for row in value
    )
