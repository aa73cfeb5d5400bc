"""Claim: win followers in thirteen tricks, then the votes of five factions with them."""

from tanistry.games.contract import GameInfo, Preset

INFO = GameInfo(
    name="claim",
    package=__name__,
    version=1,
    seats=range(2, 3),
    has_draw=True,
    presets=(Preset("rulebook", 2),),
)
