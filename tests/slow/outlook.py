"""Results of several plays by convolution, play by play."""

from fractions import Fraction


def convolve_plays(probabilities, plays) -> dict[Fraction, Fraction]:
    """Return the probability of every total gross of the plays; `chances` is that of one play."""
    found = {Fraction(0): Fraction(1)}
    for _ in range(plays):
        longer: dict[Fraction, Fraction] = {}
        for so_far, probability in found.items():
            for back, likely in probabilities.items():
                longer[so_far + back] = longer.get(so_far + back, Fraction(0)) + probability * likely
        found = longer
    return dict(sorted(found.items()))


def quantile(found, share) -> Fraction:
    """Return the smallest total that is not exceeded with at least this probability."""
    so_far = Fraction(0)
    for one in sorted(found):
        so_far += found[one]
        if so_far >= share:
            return one
    raise ValueError(share)


def house_ahead(found, plays) -> Fraction:
    """Return the probability that the total gross is below the total wager."""
    return sum((probability for one, probability in found.items() if one < plays), Fraction(0))
