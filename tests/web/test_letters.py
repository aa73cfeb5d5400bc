"""A password is forgotten in one browser and chosen anew by a letter, in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.services import Mailbox
from tests.web.conftest import Interpreted, needs_client
from tests.web.people import PHONE, Room

MAIL = "ailsa@example.org"


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    found = Mailbox()
    yield found
    found.close()


@pytest.fixture
def posting(browser: object, mailbox: Mailbox, tmp_path: Path) -> Iterator[Room]:
    """A server that sends letters."""
    needs_client()
    process = Interpreted(tmp_path, mail=mailbox.url, mail_from="play@example.org")
    process.environment["TANISTRY_SITE"] = process.url
    process.start()
    found = Room(browser, process.url)
    yield found
    found.close()
    process.stop()


def test_a_forgotten_password(posting: Room, mailbox: Mailbox) -> None:
    person = posting.enter("en", PHONE)
    person.open("/account")
    person.page.get_by_label("Login").fill("ailsa")
    person.page.get_by_label("Password").fill("correct horse")
    person.page.get_by_role("button", name="Make an account").click()
    mail = person.page.locator(
        "form", has=person.page.get_by_role("heading", name="E-mail address")
    )
    mail.get_by_label("E-mail address").fill(MAIL)
    mail.get_by_label("Password").fill("correct horse")
    mail.get_by_role("button", name="Send an e-mail").click()
    person.page.get_by_text(f"An e-mail is on its way to {MAIL}").wait_for()
    person.check_width()
    person.check_axe()
    person.page.goto(mailbox.link("confirm", MAIL)[0])
    person.page.get_by_text("Your address is confirmed.").wait_for()
    person.page.get_by_text(f"Your address is {MAIL}").wait_for()
    assert "#" not in person.page.url

    elsewhere = posting.enter("fr", PHONE)
    elsewhere.open("/account")
    elsewhere.page.get_by_role("button", name="Mot de passe oublié").click()
    elsewhere.page.get_by_label("Votre identifiant ou votre adresse").fill(MAIL)
    elsewhere.page.get_by_role("button", name="M'envoyer un e-mail").click()
    elsewhere.page.get_by_text("un e-mail vient d'y être envoyé").wait_for()
    elsewhere.page.goto(mailbox.link("reset", MAIL)[0])
    elsewhere.page.get_by_label("Nouveau mot de passe").fill("un bateau sur la mer")
    elsewhere.check_width()
    elsewhere.check_axe()
    elsewhere.page.get_by_role("button", name="Enregistrer").last.click()
    elsewhere.page.get_by_text("Connecté : ailsa").wait_for()
    elsewhere.page.get_by_role("button", name="Retirer l'adresse").wait_for()
