"""Reference implementation of games with betting rounds: every card is dealt, and no suits are merged."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

_FIVE = ["high card", "pair", "two pair", "three", "straight", "flush", "full house", "four", "straight flush"]
_THREE = ["high card", "pair", "flush", "straight", "three", "straight flush"]


def hand_value(cards):
    """Return a tuple that orders hands of three or five cards (rank, suit)."""
    ranks = sorted((rank for rank, _ in cards), reverse=True)
    counts = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    is_flush = len({suit for _, suit in cards}) == 1
    is_straight = len(set(ranks)) == len(ranks) and ranks[0] - ranks[-1] == len(ranks) - 1
    wheel = [14, *range(len(ranks), 1, -1)]
    if ranks == wheel:
        is_straight, ranks = True, [*wheel[1:], 1]
        counts = [(1, rank) for rank in ranks]
    shape = tuple(count for count, _ in counts)
    if is_straight and is_flush:
        name = "straight flush"
    elif shape[0] == 4:
        name = "four"
    elif shape == (3, 2):
        name = "full house"
    elif is_flush:
        name = "flush"
    elif is_straight:
        name = "straight"
    else:
        name = {3: "three", 2: "two pair" if shape[:2] == (2, 2) else "pair"}.get(shape[0], "high card")
    names = _THREE if len(cards) == 3 else _FIVE
    return names.index(name), tuple(rank for _, rank in counts)


def best_value(cards, size):
    """Return the value of the best hand of `size` cards."""
    return max(hand_value(hand) for hand in combinations(cards, size))


def expected_net(game):
    """Return the mean net result by best play: plain backward induction over every set of cards."""
    return PlainGame(game).expected_net()


class PlainGame:
    """A game played with every card of the pack, one set of cards after the other."""

    def __init__(self, game):
        self.game = game
        self.pack = [(rank, suit) for suit in "cdhs" for rank in game.ranks]
        values = sorted({hand_value(hand) for hand in combinations(self.pack, game.hand_size)})
        self.strengths = {value: strength for strength, value in enumerate(values, 1)}
        self.known_strengths = {}

    def strength(self, cards):
        """Return the strength of the best hand, counted from 1 for the lowest."""
        if cards not in self.known_strengths:
            self.known_strengths[cards] = self.strengths[best_value(cards, self.game.hand_size)]
        return self.known_strengths[cards]

    def expected_net(self):
        """Return the mean over all own hands."""
        stakes = tuple(bet.stake for bet in self.game.bets)
        hands = list(combinations(self.pack, self.game.player_cards))
        return sum(self.decide(own, (), 0, stakes) for own in hands) / len(hands)

    def decide(self, own, table, number, stakes):
        """Return the mean result before round `number`, with `table` seen so far."""
        game = self.game
        if number == len(game.rounds):
            return self.showdown(own, table, stakes)
        more = list(combinations(self.unseen(own + table), game.rounds[number].table_size - len(table)))
        total = Fraction()
        for cards in more:
            values = []
            for action in game.rounds[number].actions:
                new = tuple(
                    stake + action.stakes.get(bet.name, 0) for bet, stake in zip(game.bets, stakes, strict=True)
                )
                if action.folds:
                    values.append(-sum(new))
                elif action.ends:
                    values.append(self.showdown(own, table + cards, new))
                else:
                    values.append(self.decide(own, table + cards, number + 1, new))
            total += max(values)
        return total / len(more)

    def unseen(self, cards):
        """Return the cards of the pack without the given ones."""
        return [card for card in self.pack if card not in cards]

    def showdown(self, own, table, stakes):
        """Return the mean result once all decisions are made."""
        game = self.game
        results = Counter()
        for later in combinations(self.unseen(own + table), game.table_count - len(table)):
            full = table + later
            player = self.strength(own if game.dealer_exposed else own + full)
            for hidden in combinations(self.unseen(own + full), game.dealer_hidden):
                outcome = (True, "win")
                if game.has_dealer:
                    dealer = self.strength(full + hidden)
                    result = "win" if player > dealer else "tie" if player == dealer else "lose"
                    outcome = (dealer >= game.qualifying, result)
                results[outcome, player] += 1
        total = sum(
            count * stake * bet.odds(outcome, player)
            for (outcome, player), count in results.items()
            for bet, stake in zip(game.bets, stakes, strict=True)
        )
        return Fraction(total) / results.total()


class PlainPlay(PlainGame):
    """A game in which every deal is played: by best play or by a stated strategy; it lists the results."""

    def __init__(self, game, rules=None):
        super().__init__(game)
        self.rules = rules
        """By round: pairs of an action's index and a function of own cards and table; None for best play."""

    def results(self):
        """Return (own cards, table at the first decision, final strength, net, wager, weight) of every line of play."""
        rows = []
        stakes = tuple(bet.stake for bet in self.game.bets)
        for own in combinations(self.pack, self.game.player_cards):
            self.deal(own, (), 0, stakes, Fraction(1), None, rows)
        return rows

    def deal(self, own, table, number, stakes, weight, first, rows):
        """Add the results from round `number` on."""
        game = self.game
        if number == len(game.rounds):
            self.finish(own, table, stakes, weight, first, rows, False)
            return
        more = list(combinations(self.unseen(own + table), game.rounds[number].table_size - len(table)))
        for cards in more:
            seen = table + cards
            action = self.choose(own, seen, number, stakes)
            new = tuple(stake + action.stakes.get(bet.name, 0) for bet, stake in zip(game.bets, stakes, strict=True))
            share, start = weight / len(more), seen if first is None else first
            if action.folds or action.ends:
                self.finish(own, seen, new, share, start, rows, action.folds)
            else:
                self.deal(own, seen, number + 1, new, share, start, rows)

    def choose(self, own, seen, number, stakes):
        """Return the action of the strategy, or the best one (of equal ones the first)."""
        actions = self.game.rounds[number].actions
        if self.rules is not None:
            return next((actions[index] for index, holds in self.rules[number] if holds(own, seen)), actions[0])
        values = []
        for action in actions:
            new = tuple(
                stake + action.stakes.get(bet.name, 0) for bet, stake in zip(self.game.bets, stakes, strict=True)
            )
            if action.folds:
                values.append(-sum(new))
            elif action.ends:
                values.append(self.showdown(own, seen, new))
            else:
                values.append(self.decide(own, seen, number + 1, new))
        return actions[values.index(max(values))]

    def finish(self, own, table, stakes, weight, first, rows, folds):
        """Add the results once all decisions are made."""
        game = self.game
        later = list(combinations(self.unseen(own + table), game.table_count - len(table)))
        for cards in later:
            full = table + cards
            player = self.strength(own if game.dealer_exposed else own + full)
            hidden_hands = list(combinations(self.unseen(own + full), game.dealer_hidden))
            for hidden in hidden_hands:
                outcome = (True, "win")
                if game.has_dealer:
                    dealer = self.strength(full + hidden)
                    result = "win" if player > dealer else "tie" if player == dealer else "lose"
                    outcome = (dealer >= game.qualifying, result)
                net = sum(stake * bet.odds(outcome, player) for bet, stake in zip(game.bets, stakes, strict=True))
                share = weight / len(later) / len(hidden_hands)
                rows.append((own, first, player, hidden, -sum(stakes) if folds else net, sum(stakes), share))
