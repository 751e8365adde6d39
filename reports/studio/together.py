"""Wagers on the same cards, and bets with a card of the shoe gone, as they are sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from combinat.advantage.removal import Removal, removals
from combinat.enumeration.decision import Progress
from combinat.exact.amounts import number_in
from combinat.study import edge_only
from decks import InputError
from decks.errors import quoted
from reports.answers.joint import Answer, joint_document
from reports.cli.joint import joined
from reports.studio import drawn
from reports.studio.panels import here
from reports.studio.posted import PostedQuestion, question


def joined_wagers(body: Mapping[str, Any], warn: Callable[[str], None]) -> list[Answer]:
    """Work out wagers of one round together."""
    asked = question({**body, "bets": [one["bet"] for one in body["wagers"]]})
    return joined(asked, [_stake(one["stake"]) for one in body["wagers"]], body["spots"], warn)


def _stake(text: str) -> Fraction:
    stake = number_in(text.strip().lstrip("$"))
    if stake is None:
        raise InputError(f"cannot read the stake {quoted(text)}; write an amount, as in 10")
    return stake


def removals_of(
    asked: PostedQuestion, warn: Callable[[str], None], progress: Progress | None
) -> list[Sequence[Removal]]:
    """Work out how the edge of each bet moves when a card is gone, at the table that was asked for."""
    return [
        removals(
            one,
            lambda shoe, one=one: edge_only(one.paytable, shoe, one.analysis.meters, asked.table, asked.strategy),  # type: ignore[misc]
            progress,
        )
        for one in asked.studies(warn)
    ]


def wagers(body: Mapping[str, Any]) -> dict[str, Any]:
    """Put other bets of the round beside the page's own, at the deck count that it is at."""
    at = here(body).shoe.decks
    own = {"bet": {"toml": body["toml"], "paytable": body.get("paytable"), "name": "this bet"}, "stake": body["stake"]}
    asked = {**body, "wagers": [own, *body["others"]], "decks": str(at), "any_decks": True}
    (found,) = joined_wagers(asked, lambda _: None)
    return {"document": drawn.document(joint_document(found))}
