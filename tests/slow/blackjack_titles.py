"""Blackjack under any rules, played literally: card after card, with the hole card, one split hand after the other."""

from fractions import Fraction
from functools import cache

from combinat.blackjack.titles.rules import HoleCard, Surrender, TitleRules, ZappedBlackjack
from tests.slow.blackjack import best_total, iter_draws, remove_cards
from tests.slow.dealer import dealer_stands

ORDER = ("stand", "hit", "double", "split", "surrender", "zap")
"""Among actions of equal value the first is chosen."""


def as_hand(values):
    return tuple(values.count(value) for value in range(1, 11))


def is_natural(values) -> bool:
    return sorted(values) == [1, 10]


class Title:
    """A shoe (numbers of aces, twos to tens), rules and the cards of the dealer that are seen, perhaps after a zap."""

    def __init__(self, shoe, rules: TitleRules, view, *, is_zapped=False):
        self.shoe, self.rules, self.view, self.is_zapped = tuple(shoe), rules, tuple(view), is_zapped
        self.peeks = rules.hole_card in (HoleCard.PEEK, HoleCard.EXPOSED, HoleCard.ORIGINAL)
        self.dealer_result = cache(self._dealer_result)
        self.actions = cache(self._actions)
        self.after_double = cache(self._after_double)
        self.play_split = cache(self._play_split)

    # The dealer.

    def holes(self, gone):
        """List (dealer's first cards, probability, remaining cards) given the player's cards; at a peek, no blackjack.

        With no hole card and one lost bet, a dealer's blackjack costs the same as at a peek, whatever the player does.
        """
        rest = remove_cards(self.shoe, (*gone, *self.view))
        if len(self.view) == 2:
            return [(self.view, Fraction(1), rest)]
        draws = [((*self.view, card), probability, after) for card, probability, after in iter_draws(rest)]
        if self.peeks:
            draws = [draw for draw in draws if not is_natural(draw[0])]
        total = sum(probability for _, probability, _ in draws)
        return [(dealer, probability / total, after) for dealer, probability, after in draws]

    def _dealer_result(self, dealer, remaining):
        """Return the probability of each result: a total up to 22, 23 for more, 'blackjack'."""
        if is_natural(dealer):
            return {"blackjack": Fraction(1)}
        if dealer_stands(dealer, self.rules.hits_soft_17):
            return {min(best_total(dealer), 23): Fraction(1)}
        results = {}
        for card, probability, rest in iter_draws(remaining):
            for result, likely in self.dealer_result(tuple(sorted((*dealer, card))), rest).items():
                results[result] = results.get(result, 0) + probability * likely
        return results

    def settle(self, own, result):
        """Return the profit of a hand (cards, money, free bets, doubled or not) against a result."""
        cards, money, free, doubled = own
        rules, total = self.rules, best_total(cards)
        if total > 21:
            return Fraction(-money)
        pay = Fraction(1)
        if total == 21 and not doubled:
            pay = max([bonus.pays for bonus in rules.bonuses if bonus.matches(as_hand(cards))], default=pay)
        if (rules.charlie and len(cards) >= rules.charlie) or (rules.player_21_wins and total == 21):
            return pay * (money + free)
        if result == "blackjack":
            return Fraction(-1 if rules.hole_card is HoleCard.BUSTED else -money)
        if result == 22 and rules.push_22:
            return Fraction(0)
        if result > 21 or total > result:
            return pay * (money + free)
        if total < result or rules.ties == "lose":
            return Fraction(-money)
        return Fraction(0)

    def stand(self, hand, money, free, doubled=False):
        value = Fraction(0)
        for dealer, probability, rest in self.holes(hand):
            for result, likely in self.dealer_result(dealer, rest).items():
                value += probability * likely * self.settle((hand, money, free, doubled), result)
        return value

    def surrender(self, hand, money):
        """Return the value of giving up half; without a hole card a dealer's blackjack takes all."""
        natural = sum(probability for dealer, probability, _ in self.holes(hand) if is_natural(dealer))
        if self.peeks or self.rules.surrender is Surrender.EARLY:
            natural = 0
        return -(natural + (1 - natural) / Fraction(2)) * money

    def draw(self, hand, money, then):
        """Return the value of one more card; a bust loses the money."""
        value = Fraction(0)
        for _, probability, rest in self.holes(hand):
            for card, likely, _ in iter_draws(rest):
                after = tuple(sorted((*hand, card)))
                value += probability * likely * (-money if best_total(after) > 21 else then(after))
        return value

    # One hand. A context is (free bet, from a split, of aces).

    def is_final(self, hand, context):
        rules = self.rules
        return (
            best_total(hand) == 21
            or (rules.charlie and len(hand) >= rules.charlie)
            or (context[2] and not rules.hit_split_aces and len(hand) == 2)
        )

    def double_kind(self, hand, context):
        """Return 'free', 'paid' or None."""
        rules, (is_free, is_split, is_aces) = self.rules, context
        if is_aces and not rules.double_split_aces:
            return None
        hard = sum(hand)
        soft = best_total(hand) != hard
        many = len(hand) > 2
        if (
            hard in rules.free_doubles
            and not soft
            and (not many or rules.free_double_any_cards)
            and (not is_split or rules.free_double_after_split)
        ):
            return "free"
        if (is_split and not rules.double_after_split) or (is_free and not rules.paid_double_on_free_hand):
            return None
        return "paid" if (not many or rules.double_any_cards) and self.is_double_total(hand) else None

    def is_double_total(self, hand):
        if self.rules.double == "any":
            return True
        totals = {"9-11": (9, 10, 11), "10-11": (10, 11), "none": ()}[self.rules.double]
        return sum(hand) in totals and best_total(hand) == sum(hand)

    def _after_double(self, hand, money, free, doubles):
        """Return the values of the actions on a doubled hand."""
        values = {"stand": self.stand(hand, money, free, doubled=True)}
        if best_total(hand) == 21 or (self.rules.charlie and len(hand) >= self.rules.charlie):
            return values
        if doubles and doubles < self.rules.max_doubles and self.is_double_total(hand):
            values["double"] = self.draw(
                hand,
                2 * money + free,
                lambda after: max(self.after_double(after, 2 * money + free, free, doubles + 1).values()),
            )
        if doubles and self.rules.surrender_after_double:
            values["surrender"] = self.surrender(hand, money)
        return values

    def double(self, hand, context):
        money, free = (0, 1) if context[0] else (1, 0)
        kind = self.double_kind(hand, context)
        money, free, doubles = (money, free + 1, 0) if kind == "free" else (money + 1, free, 1)
        return self.draw(hand, money, lambda after: max(self.after_double(after, money, free, doubles).values()))

    def _actions(self, hand, context):
        """Return the value of every action on a hand as if it were the only one, except a split."""
        money, free = (0, 1) if context[0] else (1, 0)
        values = {"stand": self.stand(hand, money, free)}
        if self.is_final(hand, context):
            return values
        values["hit"] = self.draw(hand, money, lambda after: max(self.actions(after, context).values()))
        if self.double_kind(hand, context):
            values["double"] = self.double(hand, context)
        rules = self.rules
        is_allowed = rules.surrender is Surrender.ANY_TIME or (
            len(hand) == 2
            and (rules.surrender is Surrender.LATE or (rules.surrender is Surrender.EARLY and not self.peeks))
        )
        if is_allowed and not context[1] and (not self.is_zapped or rules.surrender_after_zap):
            values["surrender"] = self.surrender(hand, 1)
        return values

    def best(self, values):
        return max((action for action in ORDER if action in values), key=values.__getitem__)

    # A split: hands are played one after the other, then the dealer's.

    def split(self, pair):
        value = Fraction(0)
        is_free = "A23456789T"[pair - 1] in self.rules.free_splits
        most_free = (
            (self.rules.max_hands if self.rules.max_free_splits is None else self.rules.max_free_splits)
            if is_free
            else 0
        )
        for dealer, probability, rest in self.holes((pair, pair)):
            value += probability * self.deal_split(pair, dealer, most_free, (), 2, rest)
        return value

    def deal_split(self, pair, dealer, most_free, seconds, hands, remaining):
        """Deal second cards until every hand has one: first to the first hand, until it is no pair."""
        rules = self.rules
        most = min(rules.max_hands, 2) if pair == 1 and not rules.resplit_aces else rules.max_hands
        if len(seconds) == hands:
            free = min(most_free, hands - 1)
            kinds = [index >= hands - free for index in range(hands)]
            return self.play_split(pair, dealer, tuple(zip(seconds, kinds, strict=True)), (), remaining)
        value = Fraction(0)
        for card, probability, rest in iter_draws(remaining):
            if card == pair and hands < most:
                value += probability * self.deal_split(pair, dealer, most_free, seconds, hands + 1, rest)
            else:
                value += probability * self.deal_split(pair, dealer, most_free, (*seconds, card), hands, rest)
        return value

    def _play_split(self, pair, dealer, waiting, done, remaining):
        """Play the waiting hands (second card, free or not) in turn, then the dealer's."""
        if not waiting:
            value = Fraction(0)
            for result, likely in self.dealer_result(tuple(sorted(dealer)), remaining).items():
                value += likely * sum(self.settle(own, result) for own in done)
            return value
        (second, is_free), *others = waiting
        context = (is_free, True, pair == 1)
        return self.follow(pair, dealer, tuple(sorted((pair, second))), context, tuple(others), done, remaining)

    def follow(self, pair, dealer, hand, context, waiting, done, remaining):
        money, free = (0, 1) if context[0] else (1, 0)

        def finish(own, rest):
            return self.play_split(pair, dealer, waiting, tuple(sorted((*done, own))), rest)

        if best_total(hand) > 21:
            return finish((hand, money, free, False), remaining)
        action = self.best(self.actions(hand, context))
        if action == "stand":
            return finish((hand, money, free, False), remaining)
        if action == "double":
            kind = self.double_kind(hand, context)
            state = (money, free + 1, 0) if kind == "free" else (money + 1, free, 1)
            return self.follow_double(hand, state, finish, remaining)
        return sum(
            probability * self.follow(pair, dealer, tuple(sorted((*hand, card))), context, waiting, done, rest)
            for card, probability, rest in iter_draws(remaining)
        )

    def follow_double(self, hand, state, finish, remaining):
        money, free, doubles = state
        value = Fraction(0)
        for card, probability, rest in iter_draws(remaining):
            after = tuple(sorted((*hand, card)))
            action = "stand"
            if best_total(after) <= 21:
                action = self.best(self.after_double(after, money, free, doubles))
            if action == "stand":
                value += probability * finish((after, money, free, True), rest)
            elif action == "double":
                value += probability * self.follow_double(after, (2 * money + free, free, doubles + 1), finish, rest)
            else:
                value += probability * self.surrendered(finish, money, rest)
        return value

    def surrendered(self, finish, money, rest):
        """Return the value when a doubled hand of a split gives up half; only used where the dealer peeks."""
        return -Fraction(money, 2) + finish(((10, 6), 0, 0, True), rest)

    # The first hand.

    def values(self, hand):
        """Return the value of every action on two cards, before the check for blackjack."""
        hand = tuple(sorted(hand))
        lost = self.natural_probability(hand) if self.peeks else Fraction(0)
        if lost == 1:
            return {"stand": Fraction(-1)}
        values = dict(self.actions(hand, (False, False, False)))
        rules, pair = self.rules, hand[0]
        if hand[0] == hand[1] and rules.max_split_hands(pair - 1) > 1:
            values["split"] = self.split(pair)
        values = {action: (1 - lost) * value - lost for action, value in values.items()}
        if rules.surrender is Surrender.EARLY and self.peeks and (not self.is_zapped or rules.surrender_after_zap):
            values["surrender"] = Fraction(-1, 2)
        if not self.is_zapped and rules.can_zap(as_hand(hand)):
            values["zap"] = self.zap(hand)
        return values

    def natural_probability(self, gone):
        if len(self.view) == 2:
            return Fraction(is_natural(self.view))
        rest = remove_cards(self.shoe, (*gone, *self.view))
        return sum((p for card, p, _ in iter_draws(rest) if is_natural((*self.view, card))), Fraction(0))

    def zap(self, hand):
        """Exchange two cards: the dealer's hole card is dealt, with or without a check before the new cards."""
        rules = self.rules
        after = Title(remove_cards(self.shoe, hand), rules, self.view, is_zapped=True)
        lost = self.natural_probability(hand)
        value = -lost if not rules.zap_before_peek else Fraction(0)
        for hole, probability, rest in iter_draws(remove_cards(self.shoe, (*hand, *self.view))):
            has_natural = is_natural((*self.view, hole))
            if has_natural and not rules.zap_before_peek:
                continue
            for first, likely, left in iter_draws(rest):
                for second, also, _ in iter_draws(left):
                    value += probability * likely * also * after.zapped((first, second), has_natural)
        return value

    def zapped(self, hand, has_natural):
        """Return the value of two new cards when the dealer has blackjack or not."""
        rules, hand = self.rules, tuple(sorted(hand))
        if is_natural(hand) and rules.zapped_blackjack is not ZappedBlackjack.ORDINARY:
            is_paid = not has_natural or rules.zapped_blackjack is ZappedBlackjack.WIN
            return rules.zapped_blackjack_pays if is_paid else Fraction(0)
        if has_natural:
            return Fraction(-1)
        if is_natural(hand):
            return self.stand(hand, 1, 0)
        if not hasattr(self, "_zapped_values"):
            self._zapped_values = {}
        if hand not in self._zapped_values:
            values = dict(self.actions(hand, (False, False, False)))
            if hand[0] == hand[1] and rules.max_split_hands(hand[0] - 1) > 1:
                values["split"] = self.split(hand[0])
            self._zapped_values[hand] = max(values.values())
        return self._zapped_values[hand]

    def blackjack(self, hand):
        """Return the value of a blackjack."""
        pays = self.rules.blackjack_pays
        natural = self.natural_probability(hand)
        tie = {"push": Fraction(0), "win": pays, "lose": Fraction(-1)}[self.rules.blackjack_tie]
        return (1 - natural) * pays + natural * tie
