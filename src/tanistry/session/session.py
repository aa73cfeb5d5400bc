"""A session: one match with people and bots at its seats. Knows neither screen nor keyboard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from tanistry.bots import Bot
from tanistry.bots.personas import level_titles, persona
from tanistry.bots.spec import parse
from tanistry.match import Event, Game, Match
from tanistry.session.counting import count_lines
from tanistry.session.describe import rank_lines
from tanistry.session.language import texts
from tanistry.words import words


@dataclass(frozen=True)
class Player:
    """Who sits at a seat: a person, or a bot."""

    name: str
    bot: Bot | None = None

    @property
    def described(self) -> str:
        """For records: which bot it was."""
        return f"{self.name} ({self.bot.name})" if self.bot else self.name


def bot_player(bot: Bot, seat: int, name: str) -> Player:
    """A bot at a seat: under the name of who plays at its level, or else under this one."""
    level = _peoples_level(bot)
    return Player(persona(level, seat) if level else name, bot)


def bot_title(bot: Bot, lang: str) -> str:
    """What a bot is called: by the title of its level, or else as it is written."""
    level = _peoples_level(bot)
    return level_titles(level)[lang] if level else bot.name


def _peoples_level(bot: Bot) -> int | None:
    """The level of a bot that plays like people; None for any other."""
    kind, level, _ = parse(bot.name)
    return level if kind == "people" and isinstance(level, int) else None


class Session:
    """A match, its players, and what has been told so far."""

    def __init__(self, match: Match, players: Sequence[Player], lang: str) -> None:
        self.match = match
        self.game: Game = match.game
        self.players = list(players)
        self.lang = lang
        self.words = words(lang, match.game.info)
        self.names = [player.name for player in players]
        self.told: list[Event] = []
        self.acted: list[int] = []
        """For each event that was told, the number of the choice that brought it about."""
        self.forced: set[int] = set()
        """Choices that were none: what came of them is news to whoever made them, too."""

    @property
    def people(self) -> list[int]:
        return [seat for seat, player in enumerate(self.players) if player.bot is None]

    @property
    def to_act(self) -> Player | None:
        seat = self.match.to_act
        return None if seat is None else self.players[seat]

    @property
    def eyes(self) -> int | None:
        """Whose view may be on the screen: the person's to act, or the only person's.

        None (a spectator) while a bot thinks and several people share the screen.
        """
        seat = self.match.to_act
        if seat is not None and self.players[seat].bot is None:
            return seat
        return self.people[0] if len(self.people) == 1 else None

    @property
    def shared(self) -> bool:
        """Whether several people pass the device round."""
        return len(self.people) > 1

    def play(self, token: str) -> list[Event]:
        """Make a choice for the seat to act; what happened."""
        if len(self.match.legal()) == 1:
            self.forced.add(len(self.match.history))
        events = self.match.play(token)
        self.told += events
        self.acted += [len(self.match.history) - 1] * len(events)
        return events

    @property
    def can_take_back(self) -> bool:
        """Whether choices may be taken back: one person has the table with bots."""
        return len(self.people) == 1 and any(player.bot for player in self.players)

    def take_back(self) -> bool:
        """Take back the person's last choice that was one, and what followed; whether there was."""
        at, found = self.match.beginning(), None
        for number, (seat, token) in enumerate(self.match.history):
            if seat in self.people and len(at.legal()) > 1:
                found = number
            at.play(token)
        if found is None or not self.can_take_back:
            return False
        tokens = [token for _, token in self.match.history[:found]]
        self.match, headers = self.match.beginning(), self.match.headers
        self.match.headers = headers
        self.told, self.acted, self.forced = [], [], set()
        for token in tokens:
            self.play(token)
        return True

    def game_token(self, text: str) -> str:
        """The token a person meant: as written, or but for capitals and spaces, or the choice whose
        words end so (`Dwarf 7`), if it is the only one."""
        folded, meant = {_folded(token): token for token in self.game.tokens}, _folded(text)
        if meant in folded or self.match.to_act is None:
            return folded.get(meant, text)
        view = self.match.view(self.match.to_act)
        said = {token: self.words.token(token, view, self.names) for token in self.match.legal()}
        ending = [token for token, words in said.items() if _folded(words).endswith(meant)]
        return ending[0] if len(ending) == 1 and not meant.isdecimal() else text

    def bot_choice(self) -> str:
        """What the bot to act wants to play."""
        player = self.to_act
        assert player is not None
        assert player.bot is not None
        return player.bot.choose(self.match)

    @property
    def titles(self) -> list[str]:
        """Names, and which of them is the only person's."""
        say = texts(self.lang)
        alone = self.people[0] if len(self.people) == 1 else None
        return [
            say("play.you", name=name) if seat == alone else name
            for seat, name in enumerate(self.names)
        ]

    def lines(self, seat: int | None, since: int = 0) -> list[str]:
        """What a seat was told from event number `since` on, one line each."""
        return [line for turn in self.turns(seat, since) for line in turn]

    def turns(self, seat: int | None, since: int = 0) -> list[list[str]]:
        """The same by turns: what came of the choices that one player made in a row. The first of
        a choice says whose it was."""
        told: list[tuple[int, str]] = []
        for choice, several in groupby(self._lines(seat, since), itemgetter(0)):
            by = self.match.history[choice][0]
            first, *others = [line for _, line, _ in several]
            told += [(by, line) for line in (self._named(first, by), *others)]
        return [[line for _, line in turn] for _, turn in groupby(told, itemgetter(0))]

    def caption(self, seat: int | None) -> str:
        """What came of a seat's last choice and what others did since, player by player, without
        what goes without saying; those who only watch hear of the last choice."""
        by = [player for player, _ in self.match.history]
        own = (n for n, player in enumerate(by) if player == seat and n not in self.forced)
        last = max(own, default=-1)
        if seat is None:
            last = len(by) - 2
        since = next((n for n, choice in enumerate(self.acted) if choice >= last), len(self.told))
        told = list(self._lines(seat, since))
        news = [(choice, line) for choice, line, aside in told if not aside]
        came = [line for choice, line in news if choice == last][1:] if seat is not None else []
        did = [(by[choice], line) for choice, line in news if choice > last]
        did = did or [(by[choice], line) for choice, line, _ in told if choice > last]
        turns = groupby(did, itemgetter(0))
        said = [self._named(_joined(line for _, line in turn), player) for player, turn in turns]
        return " · ".join(filter(None, [_joined(came), *said]))

    def _named(self, text: str, by: int) -> str:
        """With the name of who did it, if it does not say so."""
        name = self.names[by]
        return text if name in text else texts(self.lang)("play.did", name=name, what=text)

    def _lines(self, seat: int | None, since: int) -> Iterator[tuple[int, str, bool]]:
        """Events that are worth a line: of which choice they came, the line, and whether it goes
        without saying: several of a kind that came of one choice are seen on the table."""
        asides = self.game.definition.asides
        events = list(zip(self.told[since:], self.acted[since:], strict=True))
        alike = Counter((event.type, choice) for event, choice in events if event.type != "move")
        for event, choice in events:
            line = self.words.event(event.seen_by(seat), self.names, self.match.history[choice][0])
            if line:
                aside = {event.type, event.rule} & asides or alike[event.type, choice] > 1
                yield choice, line, bool(aside)

    def result_lines(self) -> list[str]:
        """The result in words: a line per place, best first, and how it was counted."""
        result = self.match.result
        if result is None:
            return []
        ranks = rank_lines(self, result.ranking, result.scores, texts(self.lang))
        return [*ranks, *self.standing(None)]

    def standing(self, seat: int | None) -> list[str]:
        """How the match stands, as far as a seat can know it, in sentences."""
        return count_lines(self, self.match.tally(seat))

    def record(self) -> str:
        """The match so far as a record, the players' names in its header."""
        headers = {f"Seat{seat}": player.described for seat, player in enumerate(self.players)}
        return self.match.record(**headers)


def _joined(lines: Iterable[str]) -> str:
    """Sentences in a row; one that would be said again is counted instead."""
    runs = [(line, len(list(run))) for line, run in groupby(lines)]
    return " ".join(
        line if times == 1 else f"{line.removesuffix('.')} (×{times})." for line, times in runs
    )


def _folded(text: str) -> str:
    return "".join(text.casefold().split())
