"""A forgotten password: letters to a confirmed address, links that are good once."""

from __future__ import annotations

import asyncio
import smtplib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from pydantic import ValidationError

from tanistry.client import AsyncClient, RefusedByServer
from tanistry.client.http import Http
from tanistry.errors import OptionError
from tanistry.server.bodies import NewMail
from tanistry.server.clocks import now_ms
from tanistry.server.letters import LETTERS, Letters
from tanistry.server.limits import RATES
from tanistry.server.mail import deliver
from tanistry.server.people import People
from tanistry.server.refusals import Refused
from tanistry.server.schema import letters, players
from tanistry.server.settings import Settings
from tanistry.server.store import Store
from tests.patience import eventually
from tests.server.processes import Process
from tests.server.services import LINK, Mailbox
from tests.server.test_sessions import login, refusal
from tests.server.test_store import with_store

PASSWORD, NEW = "the heather on the hill", "a boat on a silver sea"
SITE = "https://play.example"
FROM = "Tanistry <play@play.example>"


@pytest.fixture(scope="module")
def mailbox() -> Iterator[Mailbox]:
    found = Mailbox()
    yield found
    found.close()


@pytest.fixture(scope="module")
def server(mailbox: Mailbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    mail = {"mail": mailbox.url, "mail_from": FROM, "site": SITE}
    process = Process(tmp_path_factory.mktemp("letters"), log_level="debug", **mail).start()
    yield process
    process.stop()
    said = process.log.read_text()
    assert "Traceback" not in said, said
    for letter in mailbox.letters:
        assert letter["To"] not in said, "an address in the log"
        for _, token in LINK.findall(letter.get_content()):
            assert token not in said, "a token in the log"


def account(server: Process) -> tuple[Http, str]:
    device, name = server.http(), login(server)
    device.request("POST", "/account", {"login": name, "password": PASSWORD})
    return device, name


def with_mail(server: Process, mailbox: Mailbox) -> tuple[Http, str, str]:
    """An account whose address is confirmed."""
    device, name = account(server)
    mail = f"{name}@example.org"
    device.request("PUT", "/account/mail", {"password": PASSWORD, "mail": mail})
    token = mailbox.token("confirm", mail)
    Http(server.url).request("POST", "/account/mail/confirmation", {"token": token})
    return device, name, mail


def ask(server: Process, who: str, lang: str = "en") -> Any:
    return Http(server.url).request("POST", "/account/recovery", {"who": who, "lang": lang})


def test_an_address_counts_when_it_is_confirmed(server: Process, mailbox: Mailbox) -> None:
    device, name = account(server)
    mail = f"{name}@Example.org"
    wrong = {"password": "wrong", "mail": mail}
    assert refusal(device, "PUT", "/account/mail", wrong) == "auth/wrong"
    me = device.request("PUT", "/account/mail", {"password": PASSWORD, "mail": mail, "lang": "fr"})
    assert (me["mail"], me["letters"]) == (None, True)
    token = mailbox.token("confirm", mail.lower())
    assert f"{SITE}/account#confirm={token}" in mailbox.letters[-1].get_content().split()
    letter = mailbox.letters[-1]
    assert "est-ce bien votre adresse" in letter["Subject"]
    assert letter["From"] == FROM
    assert f"le compte {name} sur {SITE}" in letter.get_content()
    assert ask(server, name) == {"ok": True}
    confirm = {"token": token}
    Http(server.url).request("POST", "/account/mail/confirmation", confirm)
    assert device.request("GET", "/me")["mail"] == mail.lower()
    stranger = server.http().request("GET", f"/players/{me['id']}")
    assert "mail" not in stranger
    assert refusal(device, "POST", "/account/mail/confirmation", confirm) == "auth/letter"
    assert not mailbox.links("reset", mail.lower()), "it was not confirmed when it was asked for"


def test_an_address_can_be_taken_back(server: Process, mailbox: Mailbox) -> None:
    device, name, mail = with_mail(server, mailbox)
    ask(server, name)
    token = mailbox.token("reset", mail)
    me = device.request("PUT", "/account/mail", {"password": PASSWORD, "mail": None})
    assert me["mail"] is None
    assert refusal(server.http(), "PUT", "/account/recovery", new(token)) == "auth/letter"


def new(token: str, password: str = NEW) -> dict[str, str]:
    return {"token": token, "password": password}


def test_a_forgotten_password(server: Process, mailbox: Mailbox) -> None:
    device, name, mail = with_mail(server, mailbox)

    async def sockets_end() -> Http:
        client = AsyncClient(server.url, cookie=device.cookie)
        await client.connect()
        assert ask(server, name.upper()) == {"ok": True}
        token = await asyncio.to_thread(mailbox.token, "reset", mail)
        elsewhere = server.http()
        assert refusal(elsewhere, "PUT", "/account/recovery", new(token, "password")) == (
            "auth/password"
        )
        me = elsewhere.request("PUT", "/account/recovery", new(token))
        assert me["login"] == name
        assert refusal(server.http(), "PUT", "/account/recovery", new(token)) == "auth/letter"
        assert client._task is not None
        await eventually(client._task.done)
        with pytest.raises(RefusedByServer, match="does not know you"):
            await client.ask("ping")
        await client.close()
        return elsewhere

    elsewhere = asyncio.run(sockets_end())
    assert refusal(device, "GET", "/me/devices") == "auth/nobody"
    assert [found["this"] for found in elsewhere.request("GET", "/me/devices")["devices"]] == [True]
    old = {"login": name, "password": PASSWORD}
    assert refusal(server.http(), "POST", "/session", old) == "auth/wrong"
    server.http().request("POST", "/session", {"login": name, "password": NEW})


def test_the_latest_letter_alone_is_good(server: Process, mailbox: Mailbox) -> None:
    device, _, mail = with_mail(server, mailbox)
    ask(server, mail)
    first = mailbox.token("reset", mail)
    ask(server, mail)
    second = mailbox.token("reset", mail, 2)
    assert refusal(server.http(), "PUT", "/account/recovery", new(first)) == "auth/letter"
    device.request("PUT", "/account/password", {"password": PASSWORD, "new": NEW})
    assert refusal(server.http(), "PUT", "/account/recovery", new(second)) == "auth/letter"
    confirmed = {"token": second}
    assert refusal(device, "POST", "/account/mail/confirmation", confirmed) == "auth/letter"


def test_nobody_learns_who_has_an_account(server: Process, mailbox: Mailbox) -> None:
    """The answer is the same, and given before anything is looked up."""
    _, name, mail = with_mail(server, mailbox)
    _, without = account(server)
    before = len(mailbox.letters)
    asked = (name, mail, without, "nobody.at.all", "nobody@example.org")
    assert [ask(server, who) for who in asked] == [{"ok": True}] * len(asked)
    mailbox.token("reset", mail, 2)
    assert len(mailbox.letters) == before + 2


def test_a_server_without_mail_says_so(server: Process, tmp_path: Path) -> None:
    async def do(store: Store) -> None:
        people = People(store)
        found = Letters(Settings(), people)
        with pytest.raises(Refused, match="mail/none"):
            found.check()
        assert (await people.data(await people.new_guest(), own=True))["letters"] is False

    with_store(str(tmp_path / "test.db"), do)


def made(store: Store, limits: bool) -> tuple[People, Letters, list[tuple[str, str, str]]]:
    """Letters that are kept instead of sent."""
    store.config = replace(store.config, limits=limits)
    people = People(store)
    found = Letters(Settings(mail="smtp://nowhere", mail_from=FROM, site=SITE), people)
    sent: list[tuple[str, str, str]] = []

    async def keep(*letter: str) -> None:
        sent.append(letter)  # type: ignore[arg-type]

    assert found.post is not None
    found.post.send = keep  # type: ignore[method-assign]
    return people, found, sent


async def _confirmed(store: Store, people: People, name: str, mail: str) -> Any:
    row = await people.new_guest()
    await people.make_account(row, name, PASSWORD)
    await store.execute(sa.update(players).where(players.c.id == row.id).values(mail=mail))
    return await store.player(row.id)


def test_letters_are_few(database: str) -> None:
    """To one address, and about one account, for all workers together."""

    async def do(store: Store) -> None:
        people, found, sent = made(store, limits=True)
        row = await _confirmed(store, people, "ailsa", "a@example.org")
        for _ in range(int(LETTERS.at_once)):
            await found.ask_password("ailsa", "en")
            await found.ask_address(row, "other@example.org", "en")
        for other in (found, made(store, limits=True)[1]):
            with pytest.raises(Refused, match="rate/letters"):
                await other.ask_password("a@example.org", "en")
            with pytest.raises(Refused, match="rate/letters"):
                await other.ask_address(row, "another@example.org", "en")
        row = await _confirmed(store, people, "blair", "b@example.org")
        with pytest.raises(Refused, match="rate/letters"):
            await found.ask_address(row, "other@example.org", "en")
        assert len(sent) == 2 * LETTERS.at_once
        assert RATES["letters"].burst <= 2 * LETTERS.at_once, "and few from one address"

    with_store(database, do)


def test_a_stranger_who_names_an_address_keeps_its_owner_out_of_nothing(tmp_path: Path) -> None:
    async def do(store: Store) -> None:
        people, found, sent = made(store, limits=True)
        await _confirmed(store, people, "ailsa", "a@example.org")
        for name in ("mallory", "mordred"):
            stranger = await _confirmed(store, people, name, f"{name}@example.org")
            for _ in range(2):
                with suppress(Refused):
                    await found.ask_address(stranger, "a@example.org", "en")
        before = len(sent)
        assert before == LETTERS.at_once, "they cannot fill a mailbox either"
        await found.ask_password("ailsa", "en")
        assert [letter[0] for letter in sent[before:]] == ["a@example.org"]

    with_store(str(tmp_path / "test.db"), do)


@pytest.mark.parametrize(
    ("mail", "good"),
    [
        ("Ailsa@Example.org", True), ("a+b.c@localhost", True), ("a@b-c.d1", True),
        ("a@b..c", False), ("a@.b", False), ("a@b.", False), ("a@-b.c", False), ("a@b-.c", False),
        (".a@b.c", False), ("a..b@c.d", False), ("a b@c.d", False), ("a@b@c", False),
        ("a@b\n", False), ("é@b.c", False), ("a" * 65 + "@b.c", False),
        ("a@" + "b" * 64, False), ("a@" + "b." * 126 + "b", False), ("@b.c", False),
    ],
)  # fmt: skip
def test_addresses(mail: str, good: bool) -> None:
    try:
        assert NewMail(password="x", mail=mail).mail == mail.lower()
        assert good
    except ValidationError:
        assert not good


def test_two_letters_at_once_are_two(database: str) -> None:
    """The very first tries of something, by two workers at the same moment."""

    async def do(store: Store) -> None:
        asked = [made(store, limits=True)[0].tries.take("something") for _ in range(4)]
        await asyncio.gather(*asked)

    with_store(database, do)


def test_a_letter_grows_old_and_is_opened_once(database: str) -> None:
    async def do(store: Store) -> None:
        people, found, sent = made(store, limits=False)
        await _confirmed(store, people, "ailsa", "a@example.org")
        await found.ask_password("ailsa", "fr")
        token = LINK.search(sent[0][2])[2]  # type: ignore[index]
        (row,) = await store.read(sa.select(letters))
        assert token not in str(row), "the database cannot be used to get in"
        tries = (found.set_password(token, NEW) for _ in range(3))
        done = await asyncio.gather(*tries, return_exceptions=True)
        assert sum(isinstance(one, Refused) for one in done) == 2
        await found.ask_password("ailsa", "fr")
        token = LINK.search(sent[1][2])[2]  # type: ignore[index]
        await store.execute(sa.update(letters).values(until=now_ms()))
        with pytest.raises(Refused, match="auth/letter"):
            await found.set_password(token, NEW)
        await people.forget_guests(90)
        assert not await store.read(sa.select(letters)), "what is too old is cleared away"

    with_store(database, do)


def test_the_mail_server_is_not_told_a_password_in_the_clear() -> None:
    """To any but this machine, nothing is said before the line is encrypted."""

    heard = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 x ESMTP\r\n")
        while line := await reader.readline():
            heard.extend(line)
            bye = line.upper().startswith(b"QUIT")
            writer.write(b"221 x\r\n" if bye else b"250-x\r\n250 AUTH PLAIN LOGIN\r\n")
        writer.close()

    async def run() -> None:
        listening = await asyncio.start_server(serve, "127.0.0.2", 0)  # any but 127.0.0.1
        url = f"smtp://user:secret@127.0.0.2:{listening.sockets[0].getsockname()[1]}"
        with pytest.raises(smtplib.SMTPException, match="STARTTLS"):
            await asyncio.to_thread(deliver, url, EmailMessage())
        listening.close()
        assert b"AUTH" not in heard.upper()

    asyncio.run(run())


@pytest.mark.parametrize(
    "given",
    [
        {"mail": "smtp://mail.example"},
        {"mail": "smtp://mail.example", "site": SITE},
        {"mail": "smtp://mail.example", "site": SITE, "mail_from": "nobody"},
        {"mail": "smtp://mail.example", "site": SITE, "mail_from": "a@b.example\r\nBcc: c@d"},
        {"mail": "mail.example:secret", "site": SITE, "mail_from": FROM},
        {"mail": "smtp://user:secret@mail.example:port", "site": SITE, "mail_from": FROM},
        {"mail": "smtp://", "site": SITE, "mail_from": FROM},
        {"site": "play.example"},
    ],
)
def test_settings_that_cannot_send(given: dict[str, str]) -> None:
    with pytest.raises(OptionError) as caught:
        Settings(**given)  # type: ignore[arg-type]
    assert "secret" not in str(caught.value)
