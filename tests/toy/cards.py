from tanistry.games.contract import EventType, Place
from tanistry.table.record import Int, Table, layout

CODES = ("H1", "H2", "H3", "H4", "H5", "H6")
DECK, HAND, TABLE = 0, 1, 3

PLACES = (
    Place("deck", "nobody", order="pile", most=2),
    Place("hand.0", "owner", owner=0, most=2),
    Place("hand.1", "owner", owner=1, most=2),
    Place("table.0", "all", most=2),
    Place("table.1", "all", most=2),
)
RULE_IDS = ("heir.play", "heir.end")
PLAYED, ENDED = 0, 1
EVENTS = (EventType("end"),)


class State(Table):
    """Nothing beyond the table itself, but for the option."""

    low: Int  # 1 if the lower sum wins


STATE = layout(State, places=len(PLACES), ordered=1, cards=len(CODES), seats=2)
