"""How sure a share is: 95 % intervals."""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist

Z = 1.959964
"""Half the width of a 95 % interval, in standard errors."""


@cache
def z_among(count: int) -> float:
    """The same where so many are looked at and not one in twenty times any is off by chance alone.

    (Bonferroni's way, which holds however they depend on each other.)
    """
    return NormalDist().inv_cdf(1 - 0.025 / max(1, count))


def wilson(share: float, n: int, z: float = Z) -> tuple[float, float]:
    """Wilson's interval, of 95 %, of a share seen in n independent matches; it never collapses.

    For values between 0 and 1 other than these (a first place shared) it is on the safe side.
    """
    if n == 0:
        return 0.0, 1.0
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return min(share, max(0.0, centre - half)), max(share, min(1.0, centre + half))


def apart(one: float, n: int, other: float, m: int, z: float = Z) -> tuple[float, float]:
    """The interval of the difference of two such shares, seen independently (Newcombe's).

    On the safe side where the matches of both have something in common, as the deal.
    """
    low, high = wilson(one, n, z)
    least, most = wilson(other, m, z)
    difference = one - other
    return (
        difference - math.hypot(one - low, most - other),
        difference + math.hypot(high - one, other - least),
    )
