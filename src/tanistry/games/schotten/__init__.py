"""Schotten Totten: nine boundary stones, three cards a side, and ten tactic cards."""

from tanistry.games.contract import GameInfo, Option, Preset

INFO = GameInfo(
    name="schotten",
    package=__name__,
    version=1,
    seats=range(2, 3),
    options=(
        Option("tactics", (True, False), True),
        Option("claim", ("after", "before"), "after"),
    ),
    has_draw=True,
    presets=(
        Preset("advanced", 2),
        Preset("basic", 2, {"tactics": False}),
        Preset("variant", 2, {"tactics": False, "claim": "before"}),
        Preset("advanced_variant", 2, {"claim": "before"}),
    ),
)
