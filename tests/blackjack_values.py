"""Values of the exact engine for shoes of few cards."""

from fractions import Fraction

from combinat.blackjack.exact.play import BestStrategy, HandPlay
from combinat.blackjack.exact.splits import split_figures
from combinat.blackjack.hands import hand_of
from combinat.blackjack.rules import Action


def build_play(counts, rules, up):
    return HandPlay(counts, rules, (up - 1,), BestStrategy())


def action_values(counts, rules, hand, up):
    """Return the engine's values without its check for enough cards, which is stricter than these shoes need."""
    play = build_play(counts, rules, up)
    own = hand_of(value - 1 for value in hand)
    figures = play.unsplit(own)
    if hand[0] == hand[1] and rules.max_hands > 1:
        figures[Action.SPLIT] = split_figures(play, hand[0] - 1)
    return {str(action): Fraction(back[0], play.standing.no_blackjack(own)[0]) - 1 for action, back in figures.items()}
