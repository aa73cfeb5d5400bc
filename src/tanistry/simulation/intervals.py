"""How sure a share is: 95 % intervals."""

from __future__ import annotations

import math

Z = 1.959964
"""Half the width of a 95 % interval, in standard errors."""


def wilson(share: float, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share seen in n independent matches; it never collapses.

    For values between 0 and 1 other than these (a first place shared) it is on the safe side.
    """
    if n == 0:
        return 0.0, 1.0
    centre = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
    return max(0.0, centre - half), min(1.0, centre + half)
