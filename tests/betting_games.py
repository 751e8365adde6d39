"""Small games with betting rounds, as files."""

COMMON = """
game = "Common Card"
id = "COMMON-CARD"
hands = "three cards"
ranks = "Q-A"
qualifies = "pair"
cards = { player = 2, dealer = 2, common = { river = 1 } }

[[round]]
name = "first"
actions = [{ name = "check" }, { name = "raise 2x", bet = { raise = 2 }, ends = true }]

[[round]]
name = "last"
sees = ["river"]
actions = [{ name = "fold", folds = true }, { name = "raise 1x", bet = { raise = 1 } }]

[[bet]]
name = "ante"
stake = 1
not_qualified = "push"

[[bet]]
name = "raise"
win = [{ hand = "straight", pays = "2 to 1" }, { pays = "1 to 1" }]

[[side_bet]]
name = "bonus"
pays = [{ hand = "straight flush", pays = "20 to 1" }, { hand = "pair", pays = "1 to 1" }]

[[strategy]]
name = "simple"
rounds.first = { "raise 2x" = "KK+ AQs" }
rounds.last = { "raise 1x" = "hidden pair or ace high and 2 to a flush with king" }
"""
HIDDEN = """
game = "Three Cards"
id = "THREE-CARDS"
hands = "three cards"
ranks = "Q-A"
qualifies = "pair"
cards = { player = 3, dealer = 3 }

[[round]]
name = "play"
actions = [{ name = "fold", folds = true }, { name = "play", bet = { play = 1 } }]

[[bet]]
name = "ante"
stake = 1
not_qualified = "1 to 1"

[[bet]]
name = "play"
not_qualified = "push"

[[side_bet]]
name = "pair"
pays = [{ hand = "pair", pays = "3 to 2" }]

[[side_bet]]
name = "six cards"
cards = "all cards"
hands = "five cards"
pays = [{ hand = "full house", pays = "5 to 1" }, { hand = "three of a kind", pays = "1 to 1" }]

[[strategy]]
name = "pairs"
rounds.play = { play = "pair" }
"""
THREE_ROUNDS = """
game = "Two Streets"
id = "TWO-STREETS"
hands = "three cards"
ranks = "10-A"
cards = { player = 1, dealer = 1, common = { first = 1, second = 1 } }

[[round]]
name = "start"
actions = [{ name = "fold", folds = true }, { name = "bet", bet = { raise = 1 } }]

[[round]]
name = "middle"
sees = ["first"]
actions = [{ name = "check" }, { name = "bet", bet = { raise = 1.5 } }]

[[round]]
name = "end"
sees = ["second"]
actions = [{ name = "fold", folds = true }, { name = "bet", bet = { raise = 2 } }]

[[bet]]
name = "ante"
stake = 1
win = [{ hand = "pair of kings", pays = "3 to 2" }, { pays = "push" }]

[[bet]]
name = "raise"
"""
EXPOSED = """
game = "Dealer Shows"
id = "DEALER-SHOWS"
hands = "three cards"
ranks = "J-A"
qualifies = "pair"
cards = { player = 3, dealer = 3, dealer_up = 1 }

[[round]]
name = "raise"
actions = [{ name = "fold", folds = true }, { name = "raise", bet = { raise = 2 } }]

[[bet]]
name = "ante"
stake = 1
not_qualified = "1 to 1"

[[bet]]
name = "raise"
win = [{ hand = "straight", pays = "3 to 1" }, { pays = "1 to 1" }]
not_qualified = "push"
"""
