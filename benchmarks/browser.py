"""How soon the start page can be used on a slow phone, and a move be seen, measured in Chromium.

    python benchmarks/browser.py [--rounds 5] [--processor 4] [--moves 20] [--local] [--analysis]

First the start page: the line is 10 Mbit/s with 40 ms latency, the processor slowed down as often
as `--processor` says, nothing is cached. Then two people at one table, without any slowing down:
from the click of the one until the page of the other shows the move (the frame is drawn).
Then matches against bots on the device: from the click on the start page until a card of one's own
can be chosen, for every game; and the longest task of the page while bots think.
`--local` measures only these.
`--analysis` measures only how long a match of Claim, and a usual and a very long one of Lords of
Scotland with three seats, take to be analysed, and the longest task of the page meanwhile. Chromium
slows down pages, but not their workers: what a worker computes is counted in time of the processor,
and multiplied.
The client must have been built (`make web`); Chromium must be installed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from typing import Any

from playwright.sync_api import sync_playwright

import tanistry
from load import free_port, wait_for

LINE = {"offline": False, "latency": 40, "downloadThroughput": 1.25e6, "uploadThroughput": 1e6}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
PHONE = {"width": 360, "height": 740}
INVITING = "[data-look=invites]"


def serve(folder: str) -> tuple[subprocess.Popen[bytes], str]:
    """A server of our own on a free port."""
    port = free_port()
    settings = {
        "TANISTRY_PORT": str(port),
        "TANISTRY_DATABASE": f"{folder}/browser.db",
        "TANISTRY_WARM": "false",  # it would compile in the background while we measure
        "TANISTRY_LOG_LEVEL": "warning",
    }
    command = "from tanistry.server import from_environment, serve; serve(from_environment())"
    process = subprocess.Popen([sys.executable, "-c", command], env={**os.environ, **settings})
    wait_for(port, process)
    return process, f"http://127.0.0.1:{port}"


def first_view(browser: Any, url: str, rounds: int, processor: float) -> list[float]:
    """Milliseconds until a game can be started, per round."""
    times = []
    for _ in range(rounds):
        page = browser.new_context(viewport=PHONE).new_page()
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", LINE)
        session.send("Emulation.setCPUThrottlingRate", {"rate": processor})
        page.goto(url, wait_until="commit")
        page.wait_for_selector("[data-play=claim]")
        # A click is answered once the main thread is free again.
        times.append(float(page.evaluate("performance.now()")))
        page.context.close()
    return times


WATCH = """() => {
    const now = (at) => performance.timeOrigin + at
    const turn = () => document.querySelector('[data-turn]')?.dataset.turn
    window.clicked = 0
    window.shown = {}
    document.addEventListener('click', (event) => (window.clicked = now(event.timeStamp)), true)
    new MutationObserver(() => {
        const at = turn()
        if (at in window.shown) return
        window.shown[at] = 0
        requestAnimationFrame(() => setTimeout(() => (window.shown[at] = now(performance.now()))))
    }).observe(document, {attributes: true, attributeFilter: ['data-turn'], subtree: true})
}"""


def opponents_view(browser: Any, url: str, moves: int) -> list[float]:
    """Milliseconds from a click until the other's page shows the move."""
    pages = [browser.new_context().new_page() for _ in range(2)]
    for page in pages:
        page.goto(url)
        page.wait_for_selector("[data-play=claim]")
    ask = """([path, body]) => fetch('/api/v1' + path, {method: body ? 'POST' : 'GET',
        headers: {'Content-Type': 'application/json'},
        body: body && JSON.stringify(body)}).then((answer) => answer.json())"""
    for page in pages:
        page.evaluate(ask, ["/me", None])
    seats = [{"kind": "me"}, {"kind": "open"}]
    table = pages[0].evaluate(ask, ["/tables", {"game": "claim", "seats": seats}])
    for page in pages:
        page.goto(f"{url}/t/{table['id']}")
        if page is pages[1]:
            page.locator("li .button.main").click()  # sit down
        page.locator("[data-ready]").click()
    for page in pages:
        page.wait_for_selector(".felt [data-card]")
        page.evaluate(WATCH)
    delays: list[float] = []
    while len(delays) < moves:
        delays += _one_move(pages)
    return delays


def _one_move(pages: list[Any]) -> list[float]:
    """One move and its delay; none if it was forced, and so played without a click."""
    while not any(page.locator("[data-my-turn=true]").count() for page in pages):
        pages[0].wait_for_timeout(20)
    acting, other = sorted(pages, key=lambda p: -p.locator("[data-my-turn=true]").count())
    before = int(acting.get_attribute("[data-turn]", "data-turn"))
    acting.evaluate("window.clicked = 0")
    while int(acting.get_attribute("[data-turn]", "data-turn")) == before:
        acting.evaluate(f"document.querySelector('{INVITING}')?.click()")
        acting.wait_for_timeout(15)
    other.wait_for_function(f"() => window.shown['{before + 1}'] > 0")
    shown = other.evaluate(f"window.shown['{before + 1}']")
    clicked = acting.evaluate("window.clicked")
    return [shown - clicked] if clicked else []


OWN_MOVE = """(game) => new Promise((done) => {
    let clicked = 0
    const look = () => {
        const found = ['[data-my-turn=true]', '[data-look=invites]']
            .map((one) => document.querySelector(one))
        if (found.includes(null)) requestAnimationFrame(look)
        else setTimeout(() => done(performance.now() - clicked))
    }
    const button = document.querySelector(`[data-play=${game}]`)
    button.addEventListener('click', (event) => (clicked = event.timeStamp), {once: true})
    requestAnimationFrame(look)
    button.click()
})"""
"""A click, and milliseconds until something invites to be chosen and the page would hear it."""
PLAY_ON = """(choices) => new Promise((done) => {
    let turn = ''
    const look = () => {
        const table = document.querySelector('[data-turn]')
        const mine = document.querySelector('[data-my-turn=true]')
        if (document.querySelector('[data-result]') || choices < 0) return done()
        if (mine && table.dataset.turn !== turn) {
            turn = table.dataset.turn
            choices--
        }
        if (mine) document.querySelector('[data-look=invites]')?.click()
        setTimeout(look, 100)
    }
    look()
})"""


def traced(browser: Any, page: Any, script: str, given: Any) -> tuple[Any, list[tuple[str, float]]]:
    """What a script gives, and the tasks of the page meanwhile: thread, and milliseconds of the
    processor. (By the clock they would be as long as others let us wait.)"""
    browser.start_tracing(page=page, categories=["toplevel", "devtools.timeline"])
    found = page.evaluate(script, given)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    threads = {
        (event["pid"], event["tid"]): event["args"]["name"]
        for event in events
        if event["name"] == "thread_name"
    }
    return found, [
        (threads.get((event["pid"], event["tid"]), ""), event.get("tdur", 0) / 1000)
        for event in events
        if event["name"] in ("RunTask", "ThreadControllerImpl::RunTask")
    ]


def on_the_device(browser: Any, url: str, game: str, rounds: int) -> None:
    """How long until one's own first move, and the longest task while the champion thinks."""
    times, computing, longest = [], [], 0.0
    for _ in range(rounds):
        page = browser.new_context(viewport=PHONE, reduced_motion="reduce").new_page()
        page.goto(url)
        page.select_option(".level select", "6")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")  # all is on the device
        page.wait_for_timeout(1000)
        time, tasks = traced(browser, page, OWN_MOVE, game)
        times.append(float(time))
        ours = ("CrRendererMain", "DedicatedWorker thread")
        computing.append(sum(spent for thread, spent in tasks if thread in ours))
        _, tasks = traced(browser, page, PLAY_ON, 4)
        longest = max([longest, *(spent for thread, spent in tasks if thread == ours[0])])
        page.context.close()
    show(f"{game}: first own move on the device", times)
    show(f"{game}: of which the page and its worker compute", computing)
    print(f"{game}: the longest task of the page while the champion thinks: {longest:.0f} ms")


ANALYSED = """() => new Promise((done) => {
    const began = performance.now()
    let shown = 0
    const look = () => {
        const found = document.querySelectorAll('[data-choice]').length
        if (found && found === shown) return done(performance.now() - began)
        shown = found
        setTimeout(look, 50)
    }
    document.querySelector('form button[type=submit]').click()
    look()
})"""


ANALYSES = (("claim", 2, "people:3", 1), ("lords", 3, "people:3", 1), ("lords", 3, "trained", 49))
"""The game, seats, who plays all of them and the deal: of sixty by `trained` the longest."""


def finished(name: str, seats: int, player: str, seed: int) -> str:
    """The record of a whole match."""
    match, bot = tanistry.game(name, seats=seats).deal(seed), tanistry.bot(player, seed=seed)
    while match.to_act is not None:
        match.play(bot.choose(match))
    return match.record()


def understood(browser: Any, url: str, record: str, processor: float) -> tuple[float, float, int]:
    """Milliseconds that the worker computes, those of the page's longest task, and the choices."""
    page = browser.new_context(viewport=PHONE, reduced_motion="reduce").new_page()
    page.set_default_timeout(600_000)
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": processor})
    page.goto(f"{url}/analysis")
    page.fill("textarea", record)
    _, tasks = traced(browser, page, ANALYSED, None)
    worker = sum(spent for thread, spent in tasks if thread == "DedicatedWorker thread")
    longest = max(spent for thread, spent in tasks if thread == "CrRendererMain")
    choices = page.locator("[data-choice]").count()
    page.context.close()
    return worker, longest, choices


def analyses(browser: Any, url: str, rounds: int, processor: float) -> None:
    """How long the analysis of a match takes, and how long the page may not answer meanwhile."""
    for name, seats, player, seed in ANALYSES:
        record = finished(name, seats, player, seed)
        found = [understood(browser, url, record, processor) for _ in range(rounds)]
        title = f"{name} with {seats} seats, {found[0][2]} choices"
        show(
            f"{title}: {processor:g} times what the worker computes",
            [processor * f[0] for f in found],
        )
        show(f"{title}: the longest task of the slowed page", [f[1] for f in found])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--processor", type=float, default=4)
    parser.add_argument("--moves", type=int, default=20)
    parser.add_argument("--local", action="store_true")
    parser.add_argument("--analysis", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        process, url = serve(folder)
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        try:
            if given.analysis:
                analyses(browser, url, given.rounds, given.processor)
                return
            if not given.local:
                first = first_view(browser, url, given.rounds, given.processor)
                show("first view interactive", first)
                show("a move at the opponent's", opponents_view(browser, url, given.moves))
            for game in tanistry.games():
                on_the_device(browser, url, game, given.rounds)
        finally:
            browser.close()
            process.terminate()
            process.wait()


def show(what: str, times: list[float]) -> None:
    times.sort()
    middle = times[len(times) // 2]
    print(f"{what}: {times[0]:.0f} ms at best, {middle:.0f} ms median, {times[-1]:.0f} ms at worst")


if __name__ == "__main__":
    main()
