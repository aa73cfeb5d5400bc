"""Pictures of every table: `make screenshots` writes docs/pictures, and to build/screenshots every
table and page in every window that tests/web/test_sizes.py knows, to be looked at one by one.

Real matches in a real browser, with set seeds for the choices; not a test. `ARGS` names some of it
alone: games, `around`, `covers`, `moving`, `heir`, `windows` (of tables), `pages`.
"""

from __future__ import annotations

import io
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

import tanistry
from tests.browsers import CHROMIUM
from tests.server.processes import Process
from tests.web.conftest import Interpreted, WithHeir
from tests.web.people import DESKTOP, FLAGS, INVITING, Person
from tests.web.test_peace import tanistry as at_the_console
from tests.web.test_people import beside, fill, sign_up
from tests.web.test_sizes import SIZES, TABLES, picks, to_the_middle

PICTURES = Path(__file__).parents[2] / "docs/pictures"
LOOKED_AT = Path(__file__).parents[2] / "build/screenshots"
LOOKED_AT_IN = (("en", "light"), ("fr", "dark"))
PHONE = {"width": 390, "height": 844}
LOOKS = (
    ("phone-light", PHONE, "light", "fr"),
    ("phone-dark", PHONE, "dark", "en"),
    ("desktop-light", DESKTOP, "light", "en"),
    ("desktop-dark", DESKTOP, "dark", "fr"),
)
GAMES: dict[str, tuple[int, str, str]] = {
    # seats, what to choose first where it is offered, and when the picture is taken
    "claim": (2, "", "[data-place='trick.1'] [data-card]"),
    "kilt": (3, "[data-place^='pyramid']", "[data-place^='pyramid.5'] [data-card]"),
    "schotten": (2, ".line", "[data-place='stone.5.0'] [data-card]:nth-child(2)"),
    "lords": (3, ".near, [data-target='=up']", "[data-place='army.0'] [data-card]:nth-child(3)"),
}
COLOURS = 256
MOVING = (960, 645)
LEAST, MOST = {"claim": 4}, 40
"""Choices before a picture (nine, where nothing is said)."""


def save(person: Person, name: str) -> None:
    path = PICTURES / f"{name}.png"
    person.page.evaluate("() => scrollTo(0, 0)")
    person.page.wait_for_timeout(150)
    person.page.screenshot(path=path)
    small = Image.open(path).convert("RGB").quantize(COLOURS, kmeans=2)
    small.save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size // 1000} kB", flush=True)


def choose(person: Person, rng: random.Random, first: str) -> None:
    """One choice; what is wanted first, most of the time."""
    for _ in person.until_chosen():
        wanted = person.page.locator(first).locator(INVITING + ", :scope" + INVITING)
        found = wanted if first and wanted.count() and rng.random() < 0.85 else None
        found = found or person.page.locator(INVITING)
        if count := found.count():
            try:
                found.nth(rng.randrange(count)).click(timeout=3000)
            except Exception:  # played for us in the meantime
                continue


def table(browser: Any, url: str, game: str, look: tuple[str, dict[str, int], str, str]) -> None:
    name, size, theme, lang = look
    seats, first, moment = GAMES[game]
    person = Person(browser, url, lang, size, color_scheme=theme)
    person.open()
    person.page.wait_for_selector("[data-play]")
    person.call("GET", "/me")
    person.call("PATCH", "/me", {"name": "Ailsa"})
    person.against_bots(game, seats)
    rng = random.Random(name)
    for count in range(MOST):
        if not person.wait_for_turn():
            break
        if count >= LEAST.get(game, 9) and person.page.locator(moment).count():
            break
        choose(person, rng, first)
    save(person, f"{game}-{name}")
    person.leave()


def around(browser: Any, url: str) -> None:
    """The start page, and a match to its end: result, replay."""
    for name, size, theme, lang in LOOKS:
        person = Person(browser, url, lang, size, color_scheme=theme)
        person.open()
        person.page.wait_for_selector("[data-play]")
        person.page.wait_for_load_state("networkidle")
        save(person, f"start-{name}")
        person.leave()
    person = Person(browser, url, "en", DESKTOP, color_scheme="light")
    found = person.against_bots("claim")
    person.play_to_the_end(seed=4)
    save(person, "result")
    person.open(f"/r/{found}")
    person.page.wait_for_selector("[data-step]")
    for _ in range(9):
        person.page.get_by_role("button", name="One step on").click()
    save(person, "replay")
    person.leave()


def every_window(person: Person, name: str, whole: bool = True) -> None:
    """What is shown now, in every window; a page that scrolls is taken whole."""
    for window, (width, height) in SIZES.items():
        person.resize(width, height)
        path = LOOKED_AT / f"{name} {window}.png"
        person.page.screenshot(path=path, full_page=whole)
    person.resize(**DESKTOP)


def windows(browser: Any, server: Process, only: list[str]) -> None:
    """Tables with the most players in the middle of a match, and their ends."""
    for lang, theme in LOOKED_AT_IN:
        person = Person(browser, server.url, lang, DESKTOP, color_scheme=theme)
        for game, seats, options in TABLES:
            if only and game not in only:
                continue
            name = f"{lang} {game}"
            table = person.against_bots(game, seats, **options)
            rng = random.Random(3)
            to_the_middle(person, rng)
            every_window(person, name, whole=False)
            if game == "claim":  # there one tap plays a card
                person.choose(rng)
                person.wait_for_turn()
            else:
                picks(person, rng)
            every_window(person, f"{name} picked", whole=False)
            if seats == 2:
                person.play_to_the_end()
            else:  # bots play on by themselves
                person.page.locator("nav .button").last.click()
                person.page.locator("dialog .main").click()
            person.page.wait_for_selector("[data-result]")
            every_window(person, f"{name} result")
            person.open(f"/r/{table}")
            person.page.wait_for_selector("[data-step]")
            every_window(person, f"{name} replay")
            person.open(f"/rules/{game}")
            person.page.wait_for_selector("article")
            every_window(person, f"{name} rules")
        person.leave()


def pages(browser: Any, server: Process) -> None:
    for lang, theme in LOOKED_AT_IN:
        person = Person(browser, server.url, lang, DESKTOP, color_scheme=theme)
        every_page(person, server, lang)
        person.leave()


def every_page(person: Person, server: Process, lang: str) -> None:
    """The pages around tables, as somebody sees them who has played, and keeps the peace here."""
    me = sign_up(person, f"ailsa-{lang}")
    beside(fill(server, me))
    database = server.environment["TANISTRY_DATABASE"]
    login = person.call("GET", "/me")["login"]
    assert at_the_console("admin", "role", login, "host", "--database", database) == 0
    paths = {
        "/": "[data-play]", "/account": "[data-mydata]", "/mine": "h1", "/check": "h1",
        "/nowhere": "h1", "/history": "[data-match]", "/p/me": "polyline", "/best/claim": "tbody",
        "/pairing": "form select", "/moderation": "h2", f"/invite#{'x' * 43}": "h1",
        **{f"/learn/{game}": "[data-lesson]" for game in GAMES},
    }  # fmt: skip
    for path, shown in paths.items():
        person.open(path)
        person.page.wait_for_selector(shown)
        person.page.wait_for_load_state("networkidle")
        name = path.partition("#")[0].strip("/").replace("/", " ")
        every_window(person, f"{lang} page {name or 'start'}")
    match = tanistry.game("claim").interpreted().deal(7)
    while match.to_act is not None:
        match.play(match.legal()[0])
    person.open("/mine")
    person.page.fill("textarea", match.record(Seat0="Ailsa", Seat1="Angus"))
    person.page.locator("form .button").last.click()
    person.page.wait_for_selector("[data-analysis]")
    every_window(person, f"{lang} page analysis")
    chosen = [{"kind": kind} for kind in ("me", "bot", "open", "open")]
    waiting = person.call("POST", "/tables", {"game": "lords", "seats": chosen})
    person.open(f"/t/{waiting['id']}")
    person.page.wait_for_selector("main h1")
    every_window(person, f"{lang} page waiting")


def covers(browser: Any, url: str) -> None:
    """The covers of the games, for the front page of the documents."""
    person = Person(browser, url, "en", DESKTOP, color_scheme="light", device_scale_factor=1.5)
    person.open()
    person.page.wait_for_selector("[data-play]")
    for game in person.page.locator(".games > li").all():
        name = game.locator("[data-play]").get_attribute("data-play")
        path = PICTURES / f"cover-{name}.png"
        game.locator("button.cover").screenshot(path=path)
        Image.open(path).convert("RGB").quantize(COLOURS, kmeans=2).save(path, optimize=True)
        print(f"{path.name}: {path.stat().st_size // 1000} kB", flush=True)
    person.leave()


def moving(browser: Any, folder: Path) -> None:
    """A match of Claim as a moving picture, with bots that take their time."""
    folder.mkdir()
    server = Interpreted(folder, bot_pause=0.7).start()
    person = Person(browser, server.url, "en", DESKTOP, color_scheme="light")
    person.open()
    person.page.wait_for_selector("[data-play]")
    person.call("GET", "/me")
    person.call("PATCH", "/me", {"name": "Ailsa"})
    frames = [(person.page.screenshot(), 1500)]
    person.against_bots("claim")
    rng = random.Random("moving")
    for _ in range(7):
        person.wait_for_turn()
        frames.append((person.page.screenshot(), 900))
        choose(person, rng, "")
        for _ in range(4):
            person.page.wait_for_timeout(200)
            frames.append((person.page.screenshot(), 250))
    person.leave()
    server.stop()
    pictures = [Image.open(io.BytesIO(frame)).convert("RGB") for frame, _ in frames]
    first, *others = [picture.resize(MOVING, Image.Resampling.LANCZOS) for picture in pictures]
    path = PICTURES / "claim-moving.webp"
    times = [time for _, time in frames]
    first.save(path, save_all=True, append_images=others, duration=times, loop=0, quality=65)
    print(f"{path.name}: {path.stat().st_size // 1000} kB", flush=True)


def fifth_game(browser: Any, folder: Path) -> None:
    """The example of the tutorial, at the table that any game gets."""
    folder.mkdir()
    server = WithHeir(folder).start()
    person = Person(browser, server.url, "en", DESKTOP, color_scheme="light")
    try:
        person.against_bots("heir")
        for count in range(3):
            person.wait_for_turn()
            if count < 2:
                choose(person, random.Random(count), "")
        save(person, "heir-desktop-light")
        person.leave()
    finally:
        server.stop()


def main(games: list[str]) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    LOOKED_AT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as p:
        server = Interpreted(Path(folder)).start()
        try:
            browser = p.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            for game in games or GAMES:
                if game in GAMES and "windows" not in games:
                    for look in LOOKS:
                        table(browser, server.url, game, look)
            if not games or "around" in games:
                around(browser, server.url)
            if not games or "windows" in games:
                windows(browser, server, [game for game in games if game in GAMES])
            if not games or "pages" in games:
                pages(browser, server)
            if not games or "covers" in games:
                covers(browser, server.url)
            if not games or "moving" in games:
                moving(browser, Path(folder) / "moving")
            if not games or "heir" in games:
                fifth_game(browser, Path(folder) / "heir")
            browser.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
