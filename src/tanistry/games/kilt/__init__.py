"""King's Kilt: lift your family's clans up the pyramid, by climbing and by treason."""

from tanistry.games.contract import GameInfo, Option, Preset

INFO = GameInfo(
    name="kilt",
    package=__name__,
    version=1,
    seats=range(2, 5),
    options=(Option("edition", ("7clans", "8clans"), "7clans"),),
    has_draw=True,
    presets=(
        Preset("duel", 2),
        Preset("three", 3),
        Preset("four", 4),
        Preset("later", 4, {"edition": "8clans"}),
    ),
)
