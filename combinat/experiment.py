"""How cards come: the experiment behind a deal."""

from __future__ import annotations

from combinat.deal import Deal
from combinat.dealer_draw import DealerDraw
from combinat.fixed_deal import FixedDeal
from combinat.ladder import Ladder
from decks import Pack

Experiment = FixedDeal | DealerDraw


def experiment(deal: Deal, pack: Pack, ladder: Ladder, apart: bool) -> Experiment:
    """Make the experiment that deals like this and judges by the ladder."""
    return DealerDraw(deal, pack, ladder) if deal.draw else FixedDeal(deal, pack, ladder, apart)
