"""The conformance battery: what must hold in every game, ours and yours.

    tanistry.testing.check_game(tanistry.game("claim"))

raises an AssertionError that says which promise was broken, by which seed, after which choice, and
returns how often each promise was compared. There are no exemptions, and none can be kept by doing
nothing: what was hardly compared fails as well. `playthrough` and `count_choices` are for snapshots
kept as files.
"""

from tanistry.testing.battery import PROMISES, audit_game, check_game
from tanistry.testing.lessons import check_lessons
from tanistry.testing.snapshots import count_choices, playthrough
from tanistry.testing.tables import option_sets
from tanistry.testing.texts import check_languages, check_words, texts_of

__all__ = [
    "PROMISES",
    "audit_game",
    "check_game",
    "check_languages",
    "check_lessons",
    "check_words",
    "count_choices",
    "option_sets",
    "playthrough",
    "texts_of",
]
