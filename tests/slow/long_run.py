"""What several plays give back, play by play: every result of one more play added to every sum so far."""

from fractions import Fraction


def sums(chances, plays) -> dict[Fraction, Fraction]:
    """Give the chance of every sum that the plays can give back; `chances` has what one play gives back."""
    found = {Fraction(0): Fraction(1)}
    for _ in range(plays):
        longer: dict[Fraction, Fraction] = {}
        for so_far, chance in found.items():
            for back, likely in chances.items():
                longer[so_far + back] = longer.get(so_far + back, Fraction(0)) + chance * likely
        found = longer
    return dict(sorted(found.items()))


def quantile(found, share) -> Fraction:
    """Give the least sum that is not exceeded with at least this chance."""
    so_far = Fraction(0)
    for one in sorted(found):
        so_far += found[one]
        if so_far >= share:
            return one
    raise ValueError(share)


def house_ahead(found, plays) -> Fraction:
    """Give the chance that less came back than was wagered."""
    return sum((chance for one, chance in found.items() if one < plays), Fraction(0))
