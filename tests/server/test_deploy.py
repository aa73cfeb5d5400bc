"""The examples in deploy/ and in the hosting page: what can be run of them is run."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from dataclasses import fields
from pathlib import Path

import pytest

from tanistry.server.settings import PREFIX, Settings
from tests.patience import PATIENCE
from tests.server.processes import ROOT, Process

DEPLOY = ROOT / "deploy"
NAMES = {PREFIX + item.name.upper() for item in fields(Settings)}


def unit() -> dict[str, list[str]]:
    """The [Service] part of the systemd unit: a key may stand there several times."""
    found: dict[str, list[str]] = {}
    for line in (DEPLOY / "tanistry.service").read_text().splitlines():
        key, sign, value = line.partition("=")
        if sign and not line.startswith("#"):
            found.setdefault(key, []).append(value)
    return found


def test_the_unit_is_one(tmp_path: Path) -> None:
    if not (verify := shutil.which("systemd-analyze")):
        pytest.skip("there is no systemd here")
    text = (DEPLOY / "tanistry.service").read_text()
    command = unit()["ExecStart"][0].split()[0]
    copy = tmp_path / "tanistry.service"
    copy.write_text(text.replace(command, sys.executable))  # verify looks for the program
    done = subprocess.run([verify, "verify", str(copy)], capture_output=True, text=True)
    ours = [line for line in done.stderr.splitlines() if "tanistry.service" in line]
    assert done.returncode == 0, done.stderr
    assert not ours, ours


def test_the_unit_starts_a_server(tmp_path: Path) -> None:
    program, *words = unit()["ExecStart"][0].split()
    assert Path(program).name == "tanistry"
    given = dict(line.split("=", 1) for line in unit()["Environment"])
    assert {name for name in given if name.startswith(PREFIX)} <= NAMES
    assert int(unit()["LimitNOFILE"][0]) >= 65_536, "every connection is an open file"
    server = Process(tmp_path)
    server.command = f"import sys; from tanistry.cli import main; sys.argv[1:] = {words}; main()"
    server.environment |= {
        **given,
        "TANISTRY_DATABASE": str(tmp_path / Path(given["TANISTRY_DATABASE"]).name),
        "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache")),
    }
    server.start()
    try:
        with urllib.request.urlopen(f"{server.url}/readyz", timeout=PATIENCE) as answer:
            assert answer.status == 200
    finally:
        server.stop()
    for line in server.log.read_text().splitlines():
        assert json.loads(line), "the log is one object a line"
    assert (tmp_path / "tanistry.db").stat().st_mode & 0o777 == 0o600, "it holds seeds"


def test_the_compose_file(server: Process) -> None:
    yaml = pytest.importorskip("yaml")
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    web = services["web"]
    given = {name for name in web["environment"] if name.startswith(PREFIX)}
    assert given <= NAMES, given - NAMES
    assert set(web["depends_on"]) <= set(services)
    folder = DEPLOY / web["build"]["context"]
    assert (folder / web["build"]["dockerfile"]).is_file()
    assert f"@{'database'}/" in web["environment"]["TANISTRY_DATABASE"]
    assert "//cache:" in web["environment"]["TANISTRY_REDIS"]
    python, flag, check = web["healthcheck"]["test"][1:]
    assert (python, flag) == ("python", "-c")
    here = check.replace("http://127.0.0.1:8000", server.url)
    subprocess.run([sys.executable, flag, here], check=True, timeout=PATIENCE)


def test_the_image_runs_the_same_command() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    command = re.search(r"^CMD (.*)$", text, re.MULTILINE)
    assert command
    assert json.loads(command[1])[1:] == unit()["ExecStart"][0].split()[1:]
    for source in re.findall(r"python (tools/\S+)", text):
        assert (ROOT / source).is_file()


def test_the_proxy(tmp_path: Path) -> None:
    if not (nginx := shutil.which("nginx")):
        pytest.skip("there is no nginx here")
    blocks = re.findall(r"```nginx\n(.*?)```", (ROOT / "docs/hosting.md").read_text(), re.DOTALL)
    assert len(blocks) == 1
    config = tmp_path / "nginx.conf"
    config.write_text(
        f"pid {tmp_path}/pid; error_log {tmp_path}/error.log; events {{}}\n"
        f"http {{ access_log off; client_body_temp_path {tmp_path}/body;\n"
        f"proxy_temp_path {tmp_path}/proxy; server {{ listen 127.0.0.1:8099;\n{blocks[0]}}} }}\n"
    )
    done = subprocess.run([nginx, "-t", "-c", str(config)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
