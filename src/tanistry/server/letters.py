"""What an account's mail address is for: a link that confirms it, a link to a new password.

A link holds a random token, of which the database keeps only the hash; it is good once and for a
short time. Nobody learns by asking whether there is an account or an address: whoever asks is
answered before anything is looked up. Letters name the login, which cannot hold a stranger's words,
and their links lead to the address the operator has set, whatever the request said.
"""

from __future__ import annotations

import secrets
from typing import Any

import sqlalchemy as sa

from tanistry.server.clocks import DAY, HOUR, now_ms
from tanistry.server.mail import Post
from tanistry.server.people import People, check_password
from tanistry.server.refusals import Refused, server_words
from tanistry.server.schema import letters, players
from tanistry.server.sessions import TOKEN, hashed
from tanistry.server.settings import Settings
from tanistry.server.tries import Allowance

GOOD_FOR = {"confirm": DAY, "reset": HOUR}
"""Milliseconds."""
LETTERS = Allowance(3, 20 * 60_000, "rate/letters")
"""Letters of one kind to one address, or about one account."""
MOST_ACCOUNTS = 5
"""Accounts of one address of which a letter tells."""


class Letters:
    """Confirms addresses, and lets people in again who have forgotten their password."""

    def __init__(self, config: Settings, people: People) -> None:
        self._site = config.site.rstrip("/")
        self._people = people
        self._store = people.store
        self.post = Post(config) if config.mail else None

    def check(self) -> None:
        if self.post is None:
            raise Refused("mail/none")

    async def ask_address(self, row: Any, mail: str, lang: str) -> None:
        """Send a letter to an address that becomes the account's when its link is followed."""
        await self._write("confirm", row, mail, lang)

    async def confirm(self, token: str) -> None:
        """The address has got its letter: from now on it is the account's."""
        letter = await self._open("confirm", token)
        await self._set_address(letter.player, letter.mail)

    async def forget_address(self, row: Any) -> None:
        await self._set_address(row.id, None)

    async def ask_password(self, who: str, lang: str) -> None:
        """A letter to each account of that login or address, if it has a confirmed one."""
        column = players.c.mail if "@" in who else players.c.login
        query = sa.select(players).where(column == who, players.c.mail.is_not(None))
        for row in await self._store.read(query.limit(MOST_ACCOUNTS)):
            await self._write("reset", row, row.mail, lang)

    async def set_password(self, token: str, password: str) -> Any:
        """A new password for the account that a letter was about."""
        letter = await self._find("reset", token)
        row = await self._store.player(letter.player)
        check_password(password, row.login, row.name)
        await self._open("reset", token)
        await self._people.set_password(row, password)
        return row

    # -- letters --------------------------------------------------------------------------------

    async def _write(self, kind: str, row: Any, mail: str, lang: str) -> None:
        assert self.post is not None
        await self._people.tries.take(f"{kind} for {row.id}", LETTERS)
        if kind == "confirm":  # strangers may name an address; it has its own letters all the same
            await self._people.tries.take(f"confirm to {mail}", LETTERS)
        token = secrets.token_urlsafe(32)
        of_kind = (letters.c.player == row.id) & (letters.c.kind == kind)
        until = now_ms() + GOOD_FOR[kind]
        values = {"player": row.id, "kind": kind, "mail": mail, "until": until}
        older = sa.delete(letters).where(of_kind)  # the latest alone is good
        await self._store.execute(older, sa.insert(letters).values(id=hashed(token), **values))
        words = server_words(lang)
        link = f"{self._site}/account#{kind}={token}"
        told = {"login": row.login, "link": link, "site": self._site}
        subject, text = (words.text(f"letters.{kind}.{part}", told) for part in ("subject", "text"))
        await self.post.send(mail, subject, text)

    async def _find(self, kind: str, token: str) -> Any:
        """The letter with that token, if it is still good."""
        if TOKEN.fullmatch(token):
            good = (letters.c.kind == kind) & (letters.c.until > now_ms())
            query = sa.select(letters).where(letters.c.id == hashed(token), good)
            if row := await self._store.first(query):
                return row
        raise Refused("auth/letter")

    async def _open(self, kind: str, token: str) -> Any:
        """The same; it is good no more. Of two who open one, only one does."""
        found = await self._find(kind, token)
        if not await self._store.execute(sa.delete(letters).where(letters.c.id == found.id)):
            raise Refused("auth/letter")
        return found

    async def _set_address(self, player: str, mail: str | None) -> None:
        """Letters on their way to the address before are worth nothing any more."""
        change = sa.update(players).where(players.c.id == player, players.c.login.is_not(None))
        about_turns = {} if mail else {"turn_mail": None}
        on_their_way = sa.delete(letters).where(letters.c.player == player)
        await self._store.execute(change.values(mail=mail, **about_turns), on_their_way)

    def close(self) -> None:
        if self.post:
            self.post.close()
