"""A new bet file, from a template or from an existing bet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from combinat.bets.export import DEFAULT_DEAL, build_template, export_toml, is_valid_id
from combinat.betting.template import build_game_template
from combinat.requests.arguments import BetLike, Pays, load
from combinat.requests.request import Notify, Option, Request
from decks import InputError, did_you_mean
from decks.errors import quote


class New(Request[str, Any], frozen=True, kw_only=True):
    """Create a bet file from a template or from an existing bet."""

    origin: Annotated[
        BetLike | None,
        Option(
            "Paytable to copy: a catalog id such as TRI-03, a TOML file, or FILE.toml:ID.",
            ("--from",),
            default="a template",
            names="paytable",
        ),
    ] = None
    template: Annotated[
        str | None,
        Option("Kind of template: bet, or betting for a game with betting rounds.", default="bet"),
    ] = None
    deal: Annotated[
        str | None,
        Option(
            'Deal of the template: such as "player:2, up:1", dealer:h17, baccarat or "lucky 9".', default=DEFAULT_DEAL
        ),
    ] = None
    pays: Annotated[
        Pays | Sequence[str] | None,
        Option(
            'Other pays for some awards, such as "Flush=6, Straight=9 to 1"; the copy is marked as a variant.',
            is_repeated=True,
        ),
    ] = None
    id: Annotated[
        str, Option("Id of the new paytable.", ("--id",), default="MINE-1; for a copy of TRI-03, MY-TRI-03")
    ] = ""

    def answer(self, _notify: Notify) -> str:
        if self.id and not is_valid_id(self.id):
            raise InputError(
                "--id must be 1 to 40 letters, digits and + . _ - that start with a letter or digit, "
                f"got {quote(self.id)}"
            )
        if self.template not in (None, "bet", "betting"):
            hint = did_you_mean(self.template, ("bet", "betting"))
            raise InputError(f"--template must be bet or betting, got {quote(self.template)}{hint}")
        if self.template == "betting":
            if self.origin is not None or self.deal is not None or self.pays:
                raise InputError("--template betting takes no --from, --deal or --pays; edit the new file instead")
            return build_game_template(self.id)
        if self.origin is None:
            if self.pays:
                raise InputError("--pays needs an existing bet; name it, for example --from TRI-03")
            return build_template(DEFAULT_DEAL if self.deal is None else self.deal, self.id)
        if self.deal is not None:
            raise InputError("--deal is only for a template; a copy made with --from keeps the deal of the original")
        pays = self.pays or None
        if pays is not None and not isinstance(pays, (str, Mapping)):
            if len(pays) > 1:
                raise InputError(
                    "--pays can be given only once here; write all pays in one, "
                    'for example --pays "Flush=6, Straight=9"'
                )
            pays = pays[0]
        paytable = load(self.origin, pays)
        return paytable.bet.file if self.pays and not self.id else export_toml(paytable, self.id)
