"""People at the browser: they click, tap and type, and everything they receive is kept."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.patience import PATIENCE as SECONDS

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 860}
INVITING = "[data-look=invites]"
PATIENCE = 1000 * SECONDS
"""Milliseconds: rules and bots may have to be compiled first."""


class Person:
    """One browser of its own: its own cookie, its own settings."""

    def __init__(self, browser: Any, url: str, lang: str, size: dict[str, int], **more: Any):
        self.url = url
        # Without a service worker every page is the server's; those who go offline ask for one.
        more = {"service_workers": "block", **more}
        self.context = browser.new_context(viewport=size, locale=lang, **more)
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(
            "localStorage.tanistry ??= JSON.stringify({motion: 'none', sound: false})"
        )
        self.page = self.context.new_page()
        self.size = size
        self.received: list[dict[str, Any]] = []
        self.errors: list[str] = []
        self.strangers: list[str] = []
        self.page.on("websocket", self._follow)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._look_where)
        self.page.on("console", self._listen)

    def _follow(self, socket: Any) -> None:
        socket.on("framereceived", lambda frame: self.received.append(json.loads(frame)))

    def _listen(self, message: Any) -> None:
        if "Content Security Policy" in message.text:
            self.errors.append(message.text)

    def _look_where(self, request: Any) -> None:
        if not request.url.startswith((self.url, "data:", "blob:")):
            self.strangers.append(request.url)

    # -- going about ----------------------------------------------------------------------------

    def open(self, path: str = "/") -> Person:
        self.page.goto(self.url + path)
        return self

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """The API, as this person, with the browser's cookies; no page need be open."""
        answer = self.context.request.fetch(
            f"{self.url}/api/v1{path}",
            method=method,
            headers={"Content-Type": "application/json"},
            data=None if body is None else json.dumps(body),
        )
        try:
            return answer.json()
        except json.JSONDecodeError:
            return answer.text()

    def against_bots(self, game: str, seats: int = 2, **options: Any) -> str:
        """Sit down at a table with quick bots."""
        self.call("GET", "/me")
        table = self.call(
            "POST",
            "/tables/quick",
            {"game": game, "seats": seats, "bot": "random", "options": options},
        )
        self.open("/t/" + table["id"])
        self.page.wait_for_selector(".felt [data-card]")
        return str(table["id"])

    # -- playing --------------------------------------------------------------------------------

    @property
    def turn(self) -> str:
        return str(self.page.get_attribute("[data-turn]", "data-turn"))

    @property
    def over(self) -> bool:
        return bool(self.page.locator("[data-result]").count())

    def wait_for_turn(self) -> bool:
        """Until we are asked; False when the match is over."""
        self.page.wait_for_selector("[data-my-turn=true], [data-result]")
        return not self.over

    def wait_for_choice(self) -> bool:
        """Until we are asked for one of several cards: a single one is played for us."""
        self.page.wait_for_function(
            "() => document.querySelector('[data-result]')"
            " || document.querySelector('[data-my-turn=true]')"
            " && document.querySelectorAll('.near .card.invites').length > 1"
        )
        return not self.over

    def wait_past(self, turn: str) -> None:
        self.page.wait_for_function(
            f"() => +document.querySelector('[data-turn]').dataset.turn > {turn}"
        )

    def wait_for_count(self, selector: str, count: int) -> None:
        """Until so many elements are there."""
        self.page.wait_for_function(
            "([selector, count]) => document.querySelectorAll(selector).length === count",
            arg=[selector, count],
        )

    @property
    def asked(self) -> bool:
        return bool(self.page.locator("[data-my-turn=true]").count())

    def until_chosen(self) -> Iterator[None]:
        """While the same choice is ours: a single possibility may be played for us meanwhile."""
        turn = self.turn
        deadline = time.monotonic() + PATIENCE / 1000
        while self.asked and self.turn == turn:
            assert time.monotonic() < deadline, "the choice did not come about"
            yield
            self.page.wait_for_timeout(15)

    def choose(self, rng: random.Random) -> None:
        """One choice, step by step, by clicking on what invites."""
        for _ in self.until_chosen():
            inviting = self.page.locator(INVITING)
            count = inviting.count()
            if count:
                try:
                    inviting.nth(rng.randrange(count)).click(timeout=4000)
                except Exception:  # it was played for us in the meantime
                    continue

    def choose_by_keyboard(self, rng: random.Random) -> None:
        """The same with arrow keys and Enter."""
        for _ in self.until_chosen():
            for _ in range(rng.randrange(1, 5)):
                self.page.keyboard.press("ArrowRight")
            look = self.page.evaluate("document.activeElement?.dataset?.look ?? ''")
            if look == "invites":
                self.page.keyboard.press("Enter")

    def play_to_the_end(self, seed: int = 1, by: str = "choose", choices: int = 6) -> None:
        """So many choices as people make them, the rest as fast as the page can."""
        self.make_choices(random.Random(seed), choices, by)
        self.rush(seed)

    def make_choices(self, rng: random.Random, choices: int, by: str = "choose") -> None:
        for _ in range(choices):
            if not self.wait_for_turn():
                return
            getattr(self, by)(rng)

    def resign(self) -> None:
        """In English, in a window that has room for the button."""
        self.page.get_by_role("button", name="Resign").click()
        self.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
        self.page.wait_for_selector("[data-result=resign]")

    def hurry(self, seed: int = 1) -> None:
        """From now on the page plays by itself: whatever invites is clicked."""
        self.page.evaluate(
            """(seed) => {
                const playing = setInterval(() => {
                    if (document.querySelector('[data-result]')) return clearInterval(playing)
                    if (!document.querySelector('[data-my-turn=true]')) return
                    const all = [...document.querySelectorAll('[data-look=invites]')]
                    const picked = document.querySelector('.near .picked')
                    const on = picked ? all.filter((one) => !one.closest('.near')) : []
                    const inviting = on.length ? on : all
                    seed = (seed * 48271) % 2147483647
                    inviting[seed % inviting.length]?.click()
                }, 10)
            }""",
            seed,
        )

    def rush(self, seed: int = 1) -> None:
        """To the end, as fast as the page can."""
        self.hurry(seed)
        self.page.wait_for_selector("[data-result]")

    def resize(self, width: int, height: int) -> None:
        """Another window, drawn anew before anybody looks."""
        self.size = {"width": width, "height": height}
        self.page.set_viewport_size(self.size)
        self.page.evaluate(
            "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    # -- looking --------------------------------------------------------------------------------

    def check_width(self) -> None:
        """Nothing to scroll sideways."""
        width = self.page.evaluate("document.documentElement.scrollWidth")
        assert width <= self.size["width"], f"{width} px wide at {self.page.url}"

    def check_axe(self) -> None:
        """No violation of any impact, in the light and in the dark, where colours alone differ;
        names contain what is written on the thing."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE.read_text("utf-8") + "; 0")
        for theme, only in (("dark", ["color-contrast"]), ("light", None)):
            self.page.emulate_media(color_scheme=theme)
            self.page.wait_for_selector(f"html[data-theme={theme}]", state="attached")
            found = self.page.evaluate(
                """async (runOnly) => {
                    const rules = {'label-content-name-mismatch': {enabled: true}}
                    const quickly = {resultTypes: ['violations'], preload: false, elementRef: false}
                    const asked = runOnly ? {runOnly} : {rules}
                    const {violations} = await axe.run({...asked, ...quickly})
                    const told = node => node.html + node.failureSummary
                    return violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(told))
                }""",
                only,
            )
            assert found == [], f"at {self.page.url}, {theme}: {found}"

    def leave(self) -> None:
        # A request answered by the test itself may be under way; its end is nobody's business now,
        # and would otherwise be raised in the test that comes next.
        self.page.unroute_all(behavior="ignoreErrors")
        self.context.close()
        assert self.errors == []
        assert self.strangers == []


class Room:
    """Where people come in."""

    def __init__(self, browser: Any, url: str) -> None:
        self.browser = browser
        self.url = url
        self.people: list[Person] = []

    def enter(self, lang: str = "en", size: dict[str, int] = DESKTOP, **more: Any) -> Person:
        person = Person(self.browser, self.url, lang, size, **more)
        self.people.append(person)
        return person

    def close(self) -> None:
        for person in self.people:
            person.leave()
