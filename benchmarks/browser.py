"""How soon the start page can be used on a slow phone, measured in Chromium.

    python benchmarks/browser.py [--rounds 5] [--processor 4]

The line is 10 Mbit/s with 40 ms latency, the processor slowed down as often as `--processor` says,
nothing is cached. The client must have been built (`make web`); Chromium must be installed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

LINE = {"offline": False, "latency": 40, "downloadThroughput": 1.25e6, "uploadThroughput": 1e6}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
PHONE = {"width": 360, "height": 740}


def serve(folder: str) -> tuple[subprocess.Popen[bytes], str]:
    """A server of our own on a free port."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = int(found.getsockname()[1])
    settings = {"TANISTRY_PORT": str(port), "TANISTRY_DATABASE": f"{folder}/browser.db"}
    command = "from tanistry.server import from_environment, serve; serve(from_environment())"
    process = subprocess.Popen([sys.executable, "-c", command], env={**os.environ, **settings})
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
            return process, f"http://127.0.0.1:{port}"
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the server did not start")


def measure(url: str, rounds: int, processor: float) -> list[float]:
    """Milliseconds until a game can be started, per round."""
    times = []
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for _ in range(rounds):
            page = browser.new_context(viewport=PHONE).new_page()  # type: ignore[arg-type]
            session = page.context.new_cdp_session(page)
            session.send("Network.enable")
            session.send("Network.emulateNetworkConditions", LINE)
            session.send("Emulation.setCPUThrottlingRate", {"rate": processor})
            page.goto(url)
            page.wait_for_selector("[data-play=claim]")
            times.append(float(page.evaluate("performance.now()")))
            page.context.close()
        browser.close()
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--processor", type=float, default=4)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        process, url = serve(folder)
        try:
            times = sorted(measure(url, given.rounds, given.processor))
        finally:
            process.terminate()
            process.wait()
    print(f"interactive after {times[0]:.0f} ms at best, {times[len(times) // 2]:.0f} ms median")


if __name__ == "__main__":
    main()
