"""The recipe of a par sheet: what its files were made from, so that `combinat verify` can make them again."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from msgspec import MsgspecError, Struct, json
from msgspec.structs import replace

from combinat.bets.catalog import mark_if_variant
from combinat.bets.load import parse_bet
from combinat.bets.paytable import BasedOn, Paytable, applicable_settings, apply_settings
from combinat.bets.variants import apply_soft_17, as_posted_jackpot, override_meters
from combinat.enumeration.decision import Progress
from decks import InputError
from decks.errors import quote
from reports.publish.sheets import SheetOptions, SheetSpec, compute_sheet
from reports.sheet.par_sheet import ParSheet


class Recipe(Struct, frozen=True, forbid_unknown_fields=True):
    """The bet's file, one of its paytables, and the options of the command."""

    bet: str
    """The text of the bet's file."""
    origin: str
    paytable: str
    decks: int
    options: SheetOptions
    variant: tuple[str, ...] = ()
    based_on: BasedOn | None = None

    def __post_init__(self) -> None:
        if not self.origin.isprintable():
            raise InputError(f"the name of the bet's file must be one line, got {quote(self.origin)}")

    @classmethod
    def of(cls, paytable: Paytable, decks: int, options: SheetOptions) -> Recipe:
        """Return the recipe of a sheet; the paytable has the overrides of the options already."""
        options = replace(options, formats=(), pays=())  # a variant with other pays has a file of its own
        bet = paytable.bet
        return cls(bet.file, bet.origin, paytable.id, decks, options, paytable.variant, paytable.based_on)

    def encode(self) -> bytes:
        """Return the recipe as JSON."""
        return json.format(json.encode(self, enc_hook=_encode_fraction), indent=2) + b"\n"

    @classmethod
    def decode(cls, content: bytes) -> Recipe:
        """Parse the JSON of a recipe."""
        try:
            return json.decode(content, type=cls, dec_hook=_decode_fraction)
        except (MsgspecError, InputError, ValueError) as error:
            raise InputError(f"the attached recipe cannot be read: {error}") from None

    def load_paytable(self) -> Paytable:
        """Return the paytable with the overrides of the options."""
        paytables, problems = parse_bet(self.bet, self.origin)
        paytable = next((candidate for candidate in paytables if candidate.id == self.paytable), None)
        if paytable is None:
            raise InputError(f"the attached bet has no paytable {self.paytable}; {'; '.join(problems)}")
        paytable = mark_if_variant(apply_overrides(paytable, (self.decks,), self.options))
        return replace(paytable, variant=self.variant, based_on=self.based_on)


def compute_sheet_with_recipe(
    sheet: SheetSpec,
    options: SheetOptions,
    progress: Progress | None = None,
    recipe_options: SheetOptions | None = None,
) -> ParSheet:
    """Compute a par sheet whose files can be made again from the recipe that they contain.

    `recipe_options` are the options with all overrides that the paytable of the sheet has already.
    """
    recipe = Recipe.of(sheet.paytable, sheet.decks, recipe_options or options)
    return replace(compute_sheet(sheet, options, progress), recipe=recipe.encode())


def apply_overrides(paytable: Paytable, decks: tuple[int, ...], options: SheetOptions) -> Paytable:
    """Return the paytable under the options of a command: meters, soft 17, posted jackpots, settings of the game."""
    if options.run is not None and paytable.meters:
        paytable = override_meters(paytable, options.run, decks)
    paytable = apply_soft_17(paytable, options.soft_17) if options.soft_17 else paytable
    amounts = {name: amount for name, amount in options.meters.items() if name in paytable.meters}
    paytable = as_posted_jackpot(paytable, amounts) if options.posted_jackpot else paytable
    return apply_settings(paytable, applicable_settings(paytable, options.settings))


def _encode_fraction(value: Any) -> str:
    assert isinstance(value, Fraction), value  # all other types are encoded by msgspec
    return str(value)


def _decode_fraction(type: type, value: Any) -> Any:
    return type(value) if type is Fraction else value
