"""Lords of Scotland: five rounds of muster, then the strongest army claims its supporter first."""

from tanistry.games.contract import GameInfo, Option, Preset

INFO = GameInfo(
    name="lords",
    package=__name__,
    version=1,
    seats=range(2, 6),
    options=(
        Option("edition", ("2015", "2010"), "2015"),
        Option("bruce", (False, True), False),
        Option("activation", ("auto", "lowest", "clan"), "auto"),
        Option("target", tuple(range(1, 101)), 40),
    ),
    has_draw=True,
    presets=(
        Preset("duel", 2),
        Preset("three", 3),
        Preset("five", 5),
        Preset("royal", 3, {"bruce": True}),
        Preset("first_edition", 3, {"edition": "2010"}),
        Preset("short", 2, {"target": 20}),
    ),
)
