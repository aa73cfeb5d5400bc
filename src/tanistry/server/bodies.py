"""What clients may send in the body of a request."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from tanistry.server import messages as m
from tanistry.server.clocks import Clock

MOST_SEATS = 9


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


def example(**values: Any) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [values]})


Login = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_.-]{3,32}$")]
Password = Annotated[str, StringConstraints(min_length=8, max_length=200)]
Given = Annotated[str, Field(max_length=200)]
"""A password as somebody types it, right or wrong."""
OptionValue = Annotated[bool | int | str, m.either("option_value")]
Options = Annotated[dict[str, OptionValue], Field(max_length=20)]
Record = Annotated[str, Field(max_length=100_000)]
Id = Annotated[str, StringConstraints(pattern=r"^[0-9A-Za-z_]{1,24}$")]
"""Of a player, a club or a tournament."""


class NewName(Body):
    model_config = example(name="Ailsa")
    name: Annotated[str, StringConstraints(min_length=1, max_length=100)]


class Credentials(Body):
    model_config = example(login="ailsa", password="a long sentence is good")
    login: Login
    password: Password


class SignIn(Body):
    model_config = example(login="ailsa", password="a long sentence is good")
    login: Annotated[str, StringConstraints(pattern=r"^[^\x00]{0,64}$")]
    password: Given


class NewPassword(Body):
    model_config = example(password="the old one", new="a longer sentence is better")
    password: Given
    new: Password


class NewProfile(Body):
    """Whether your profile is for you alone."""

    model_config = example(private=True)
    private: bool


ATOM, LABEL = r"[\w!#$%&'*+/=?^`{|}~-]+", r"[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?"
MAIL = re.compile(rf"(?=.{{1,64}}@){ATOM}(?:\.{ATOM})*@{LABEL}(?:\.{LABEL})*", re.ASCII)


def _mail(text: str) -> str:
    if not MAIL.fullmatch(text):
        raise PydanticCustomError("mail_value", "no mail address")
    return text


Mail = Annotated[str, StringConstraints(max_length=254, to_lower=True), AfterValidator(_mail)]
Token = Annotated[str, StringConstraints(pattern=r"^[0-9A-Za-z_-]{43}$")]


class NewMail(Body):
    """An address for the account; null: none any more."""

    model_config = example(password="a long sentence is good", mail="ailsa@example.org")
    password: Given
    mail: Mail | None
    lang: m.Lang = "en"


class NewNotices(Body):
    """Whether letters say that it is your turn, and in which language."""

    model_config = example(mail=True, lang="fr")
    mail: bool
    lang: m.Lang = "en"


class NewPush(Body):
    """What the browser's `PushSubscription` says of itself."""

    model_config = example(
        endpoint="https://push.example/…", p256dh="B" * 87, auth="A" * 22, lang="en"
    )
    endpoint: Annotated[str, Field(max_length=1000)]
    p256dh: Annotated[str, StringConstraints(pattern=r"^[\w-]{87}=?$")]
    auth: Annotated[str, StringConstraints(pattern=r"^[\w-]{22}(==)?$")]
    lang: m.Lang = "en"


class EndedPush(Body):
    model_config = example(endpoint="https://push.example/…")
    endpoint: Annotated[str, Field(max_length=1000)]


class Confirmation(Body):
    model_config = example(token="x" * 43)
    token: Token


class Forgotten(Body):
    """A login, or the address of an account."""

    model_config = example(who="ailsa")
    who: Annotated[str, StringConstraints(pattern=r"^[^\x00]{1,254}$", to_lower=True)]
    lang: m.Lang = "en"


class Recovery(Body):
    model_config = example(token="x" * 43, password="a longer sentence is better")
    token: Token
    password: Password


class NewBlock(Body):
    model_config = example(player="p_3v9aK0rTq2Lw8x")
    player: Id


class NewReport(Body):
    """`table`: where it was; the last lines said there come with it."""

    model_config = example(player="p_3v9aK0rTq2Lw8x", table="8dK3", why="talk", note="Insults.")
    player: Id
    table: m.TableId
    why: Literal["talk", "name", "play", "other"]
    note: Annotated[str, Field(max_length=500)] = ""


class Farewell(Body):
    """`password`: of an account; a guest has none."""

    model_config = example(password="a long sentence is good")
    password: Given = ""


Hours = Annotated[int, Field(ge=1, le=87_600)]


class NewSanction(Body):
    """`address`: with a ban, the addresses they are connected from just now as well."""

    model_config = example(kind="mute", player="p_3v9aK0rTq2Lw8x", hours=24, reason="Insults.")
    kind: Literal["mute", "ban"]
    player: Id
    hours: Hours
    reason: Annotated[str, Field(max_length=200)] = ""
    address: bool = False


class EndedSanction(Body):
    model_config = example(kind="mute", player="p_3v9aK0rTq2Lw8x")
    kind: Literal["mute", "ban"]
    player: Id


class ToRename(Body):
    model_config = example(player="p_3v9aK0rTq2Lw8x")
    player: Id


class RefusedName(Body):
    """`refused` false: it is allowed again."""

    model_config = example(name="Beelzebub")
    name: Annotated[str, StringConstraints(min_length=1, max_length=24)]
    refused: bool = True


class ClosedReport(Body):
    model_config = example(report="3v9aK0rTq2Lw8xYz")
    report: Annotated[str, StringConstraints(pattern=r"^[0-9A-Za-z]{1,16}$")]


class Inviting(Body):
    model_config = example(note="The club", people=10, days=30)
    note: Annotated[str, Field(max_length=80)] = ""
    people: Annotated[int, Field(ge=1, le=1000)] = 1
    days: Annotated[int, Field(ge=1, le=365)] = 30


class EndedInvitation(Body):
    model_config = example(invitation="0123456789abcdef")
    invitation: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{16}$")]


class ClockChoice(Body):
    kind: Literal["none", "fischer", "days"] = "none"
    seconds: Annotated[int, Field(ge=5, le=86_400)] = 600
    increment: Annotated[int, Field(ge=0, le=600)] = 5
    days: Annotated[int, Field(ge=1, le=30)] = 3

    def clock(self) -> Clock:
        if self.kind == "fischer":
            return Clock("fischer", seconds=self.seconds, increment=self.increment)
        return Clock("days", days=self.days) if self.kind == "days" else Clock()


class SeatChoice(Body):
    kind: Literal["me", "open", "person", "bot"]
    player: Id | None = None
    bot: m.BotName | None = None
    level: m.Level | None = None


class Spectators(Body):
    allowed: bool = True
    delay: Annotated[int, Field(ge=0, le=3600)] = 0


class NewTable(Body):
    model_config = example(
        game="claim", public=True, seats=[{"kind": "me"}, {"kind": "bot", "level": 2}]
    )
    game: m.GameName
    options: Options = {}
    public: bool = False
    rated: bool = True
    takebacks: bool = True
    clock: ClockChoice = ClockChoice()
    spectators: Spectators = Spectators()
    seats: Annotated[list[SeatChoice], Field(max_length=MOST_SEATS)] | None = None


class QuickPlay(Body):
    model_config = example(game="claim", level=2)
    game: m.GameName
    options: Options = {}
    seats: Annotated[int, Field(ge=1, le=MOST_SEATS)] | None = None
    bot: m.BotName | None = None
    level: m.Level | None = None
    nonce: m.Nonce | None = None


ClubName = Annotated[str, StringConstraints(min_length=1, max_length=60)]


class NewClub(Body):
    model_config = example(name="Thursday players")
    name: ClubName


class ChangedClub(Body):
    """Another name, if one is given; `new_key`: a new link, and the old one stops working."""

    model_config = example(name="Friday players", new_key=True)
    name: ClubName | None = None
    new_key: bool = False


class ClubKey(Body):
    """What stands after the `#` of a club's link."""

    model_config = example(key="8dK3wQ0aPq51Zr7x")
    key: Id


class ClubLeader(Body):
    """Let a member lead, or no longer."""

    model_config = example(player="p_8dK3wQ0aPq51Zr", leader=True)
    player: Id
    leader: bool


class NewTournament(Body):
    """`rounds` 0: as many as it takes; only Swiss tournaments and tables can have another number.
    `seats`: at a table, for `tables` 3 to 5. `grace`: seconds to come to a table that is called.
    `most`: players. `club`: only its members play, and its leaders run it."""

    model_config = example(name="Friday night", game="claim", system="swiss", rounds=5)
    name: Annotated[str, StringConstraints(min_length=1, max_length=60)]
    game: m.GameName
    options: Options = {}
    system: Literal["robin", "swiss", "knockout", "tables"]
    seats: Annotated[int, Field(ge=2, le=5)] | None = None
    rounds: Annotated[int, Field(ge=0, le=30)] = 0
    clock: ClockChoice = ClockChoice()
    grace: Annotated[int, Field(ge=10, le=604_800)] = 120
    rated: bool = False
    most: Annotated[int, Field(ge=2, le=64)] = 32
    club: Id | None = None


class MoreBots(Body):
    """Bots as players; without a name, the strongest we have."""

    model_config = example(bot="people", level=3, count=4)
    bot: m.BotName | None = None
    level: m.Level | None = None
    count: Annotated[int, Field(ge=1, le=64)] = 1


class PuzzleChoice(Body):
    """What you would choose in a puzzle; nothing if you would rather be told."""

    model_config = example(puzzle="20036-37", token="G9")
    puzzle: Annotated[str, StringConstraints(pattern=r"^\d{1,18}-\d{1,5}$")]
    token: Annotated[str, StringConstraints(pattern=r"^[^\x00]{1,80}$")] | None = None


class Played(Body):
    model_config = example(
        record='[Game "claim"]\n[Seats "2"]\n[Bot1 "ismcts:3"]\n[Seed "…"]\n\n0: K7\n'
    )
    record: Record


class ToVerify(Body):
    model_config = example(record='[Game "claim"]\n[Seats "2"]\n[Seed "…"]\n\n0: K7\n')
    record: Record
