"""The values of the engine for shoes of any few cards."""

from fractions import Fraction

from combinat.blackjack.exact.play import BestStrategy, HandPlay
from combinat.blackjack.exact.splits import split_figures
from combinat.blackjack.hands import hand_of
from combinat.blackjack.rules import Action


def play_for(counts, rules, up):
    return HandPlay(counts, rules, (up - 1,), BestStrategy())


def values_of(counts, rules, hand, up):
    """The engine's values without its check for enough cards, which is stricter than these shoes need."""
    play = play_for(counts, rules, up)
    own = hand_of(value - 1 for value in hand)
    figures = play.unsplit(own)
    if hand[0] == hand[1] and rules.max_hands > 1:
        figures[Action.SPLIT] = split_figures(play, hand[0] - 1)
    return {str(action): Fraction(back[0], play.standing.alive(own)[0]) - 1 for action, back in figures.items()}
