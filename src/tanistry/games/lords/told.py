"""What can be told of a match of Lords of Scotland beside its events: declared, by number."""

from __future__ import annotations

from tanistry.games.contract import Fact, Flag, ProblemType, RefusalType
from tanistry.games.lords.cards import (
    ALLIES_MOST,
    CLANS,
    DIARY_GIVEN,
    END_POWERS,
    ROUNDS,
)
from tanistry.games.shapes import (
    BySeat,
    CardCode,
    Code,
    Fields,
    Form,
    Line,
    ListOf,
    MapOf,
    Maybe,
    Number,
    PlaceName,
    Seat,
    Simple,
    Slot,
    Truth,
)

POWER = Code(END_POWERS, "powers")

# -- why not --------------------------------------------------------------------------------------

(
    HAND_FULL, NO_RECRUIT, FACE_UP_ALREADY, NOT_HELD, NO_SUPPORTER, NO_ALLY, OWN_ARMY, ITSELF,
    LIES_DOWN, NO_SCOTT, NO_EFFECT,
) = range(11)  # fmt: skip
_ALLY = (("seat", Seat()), ("slot", Slot()))
REFUSALS = (
    RefusalType("hand_full", (("most", Number()),)),
    RefusalType("no_recruit", (("slot", Slot()),)),
    RefusalType("face_up_already", (("slot", Slot()),)),
    RefusalType("not_held", (("card", CardCode()),)),
    RefusalType("no_supporter", (("card", CardCode()),)),
    RefusalType("no_ally", _ALLY),
    RefusalType("own_army"),
    RefusalType("itself"),
    RefusalType("face_down", _ALLY),
    RefusalType("no_scott", (("card", CardCode()),)),
    RefusalType("no_effect", (("card", CardCode()),)),
)

# -- why a position cannot be ---------------------------------------------------------------------

ORDER, CLAIMS = range(2)
_NAMES = Code(("order", "claims"))
"""Facts that belong to the claims only."""
(
    NO_FACT, TOO_MANY_CLAIMS, OTHER_ORDER, NO_CLAIMANT, WRONG_HISTORY, WRONG_ASIDE, MANY_SUPPORTERS,
    MARKED_DOWN, WRONG_ACTIVE, WRONG_SPENT, UNSEEN, SEEN_NOWHERE, NO_SUPPORTERS, PAST_TARGET,
    NOT_OVER, NOT_REVEALED, CLAIM_EARLY, ARMY_EARLY, ARMY_LARGE, ARMY_STAYS, NO_FLIP, NO_TURN,
    NO_ACTOR, WRONG_ACTOR, NO_POWER,
) = range(25)  # fmt: skip
PROBLEMS = (
    ProblemType("fact", (("name", _NAMES),)),
    ProblemType("fact_value", (("name", _NAMES), ("value", Number()), ("allowed", Number()))),
    ProblemType("order_counted", (("order", ListOf(Seat())), ("counted", ListOf(Seat())))),
    ProblemType("claimant", (("seat", Seat()),)),
    ProblemType("history", (("seat", Seat()),)),
    ProblemType("aside"),
    ProblemType("supporters", (("count", Number()), ("most", Number()))),
    ProblemType("down_flags", (("card", CardCode()),)),
    ProblemType("active", (("card", CardCode()), ("active", POWER))),
    ProblemType("spent", (("card", CardCode()),)),
    ProblemType("unseen", (("card", CardCode()), ("place", PlaceName()))),
    ProblemType("seen", (("card", CardCode()), ("seat", Seat()))),
    ProblemType("no_supporters"),
    ProblemType("target", (("target", Number()),)),
    ProblemType("not_over", (("target", Number()),)),
    ProblemType("not_revealed"),
    ProblemType("claim_round"),
    ProblemType("army_early", (("seat", Seat()),)),
    ProblemType(
        "army_large",
        (("seat", Seat()), ("count", Number()), ("hand", Number()), ("turns", Number())),
    ),
    ProblemType("army_stays", (("seat", Seat()), ("turns", Number()))),
    ProblemType("flip", (("seat", Seat()),)),
    ProblemType("idle", (("seat", Seat()),)),
    ProblemType("no_actor", (("seat", Seat()),)),
    ProblemType("wrong_actor", (("card", CardCode()),)),
    ProblemType("no_power", (("card", CardCode()),)),
)

# -- what a position says beside the cards --------------------------------------------------------

MOST_SHUFFLES = 9999
CAME_SEEN, CAME_UNSEEN, LEFT_SEEN, LEFT_UNSEEN, PLAYED_DOWN = range(5)


def _form(text: str, last: tuple[str, Simple], *more: tuple[str, Simple]) -> Form:
    return Form(text, (("seat", Seat()), last, *more))


_SHUFFLE = ("shuffle", Number(0, MOST_SHUFFLES))
HISTORY_LINE = Line(
    (
        _form("{seat} +{card}", ("card", CardCode())),
        _form("{seat} +#{shuffle}", _SHUFFLE),
        _form("{seat} -{card}", ("card", CardCode())),
        _form("{seat} -#{shuffle}", _SHUFFLE),
        _form("{seat} down {army}.{ally}", ("army", Seat()), ("ally", Number(1, ALLIES_MOST))),
    )
)
"""What came into a hand or left it: a card seen, one unseen of some shuffle, or one face down."""

FACTS = (
    Fact("round", Number(1, ROUNDS), "round_number"),
    Fact("initiative", Seat(), "initiative"),
    # while supporters are claimed, and after: the seats with an ally, the strongest army first
    Fact("order", ListOf(Seat(), distinct=True)),
    Fact("claims", Number(1, 2)),  # how many supporters the claiming seat may still claim
    Fact("shuffles", Number(1, MOST_SHUFFLES), "shuffles", unsaid=0),
    # by number of the shuffle, the cards not seen since that took part in it last; those not
    # listed have lain hidden since the first deal
    Fact("shuffled", MapOf(Number(1, MOST_SHUFFLES), ListOf(CardCode()))),
    # the cards seen to come into a hand that may since have left it face down
    Fact("seen", BySeat(ListOf(CardCode()))),
    # for hands that an ally still face down came from: what came and left since, oldest first
    Fact("history", ListOf(HISTORY_LINE, most=DIARY_GIVEN)),
)

FLAGS = (
    Flag("up", ("recruits",), "recruits_up", by="slot"),
    Flag("up", ("army",), "up", unsaid=True),
    Flag("active", ("army",), "active", Maybe(POWER), unsaid=None),
    Flag("spent", ("army",), "spent"),
)

# -- how the match stands -------------------------------------------------------------------------

BY_STRENGTH, BY_RANK = range(2)
TALLY = (
    Fact("score", BySeat(Number())),  # the strength in each victory pile
    Fact(
        "armies",
        BySeat(
            Fields(
                (
                    ("strength", Number()),  # of the allies that the seat knows
                    ("hidden", Number()),  # how many it does not know
                    ("doubled", Truth()),  # already in the strength; only if nothing is hidden
                    ("clan", Maybe(Code(CLANS, "clans"))),  # the one clan that all known are of
                    ("rank", Maybe(Number())),  # the highest known one, which breaks a tie
                    ("claims", Number()),  # the supporters it would claim
                )
            )
        ),
    ),
    Fact(
        "order",  # the seats with an ally, the strongest first, by what the seat knows of them
        ListOf(
            Fields(
                (
                    ("seat", Seat()),
                    ("by", Maybe(Code(("strength", "rank"), "ahead_by"))),  # of the next one
                )
            )
        ),
    ),
    Fact("claims_left", BySeat(Number())),  # while supporters are claimed
    Fact(
        "powers",  # the end powers on the table
        ListOf(
            Fields(
                (
                    ("place", PlaceName()),
                    ("slot", Slot()),
                    ("card", CardCode()),
                    ("power", POWER),
                    ("copied", Truth()),  # by a Scott
                    ("spent", Truth()),  # it stayed from the last skirmish; else it is active
                )
            )
        ),
    ),
    Fact("usable", ListOf(CardCode())),  # in hand: engaged face up now, its power could be used
)
