"""How cards come: the experiment behind a deal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from combinat.enumeration.fixed.fixed_deal import FixedDeal
from combinat.enumeration.ladder import Ladder
from combinat.language.deal import Deal
from decks import Pack

if TYPE_CHECKING:
    from combinat.enumeration.dealer.dealer_draw import DealerDraw

    Experiment = FixedDeal | DealerDraw


def experiment(deal: Deal, pack: Pack, ladder: Ladder, apart: bool) -> Experiment:
    """Make the experiment that deals like this and judges by the ladder."""
    if not deal.draw:
        return FixedDeal(deal, pack, ladder, apart)
    from combinat.enumeration.dealer.dealer_draw import DealerDraw  # loads what only a draw needs

    return DealerDraw(deal, pack, ladder)
