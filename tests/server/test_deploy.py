"""The examples in deploy/ and in the hosting page: what can be run of them is run."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import urllib.request
from dataclasses import fields
from pathlib import Path

import pytest

from tanistry.server import admin
from tanistry.server.settings import PREFIX, Settings
from tests.patience import PATIENCE
from tests.server.processes import ROOT, Process
from tests.server.services import Postgres, Redis

DEPLOY = ROOT / "deploy"
HOSTING = (ROOT / "docs/hosting.md").read_text("utf-8")
FRENCH = (ROOT / "docs/fr/hosting.md").read_text("utf-8")
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


def test_the_image_gets_nothing_of_this_machine() -> None:
    left_out = (ROOT / ".dockerignore").read_text().splitlines()
    assert {".git", ".venv", "**/node_modules", "*.db", "*.db-*"} <= set(left_out)


def test_the_proxy(tmp_path: Path) -> None:
    blocks = re.findall(r"```nginx\n(.*?)```", HOSTING, re.DOTALL)
    assert len(blocks) == 1
    assert re.findall(r"```nginx\n(.*?)```", FRENCH, re.DOTALL) == blocks
    if not (nginx := shutil.which("nginx")):
        pytest.skip("there is no nginx here")
    config = tmp_path / "nginx.conf"
    config.write_text(
        f"pid {tmp_path}/pid; error_log {tmp_path}/error.log; events {{}}\n"
        f"http {{ access_log off; client_body_temp_path {tmp_path}/body;\n"
        f"proxy_temp_path {tmp_path}/proxy; server {{ listen 127.0.0.1:8099;\n{blocks[0]}}} }}\n"
    )
    done = subprocess.run([nginx, "-t", "-c", str(config)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def recipe(program: str) -> list[list[str]]:
    """The lines of the hosting page that call a program, without variables in front of it."""
    found = re.findall(rf"^(?:[A-Z_]+=\S+ )*({program} .*)$", HOSTING, re.MULTILINE)
    return [shlex.split(line, comments=True) for line in found]


def test_the_recipe_for_postgresql(tmp_path: Path) -> None:
    """Typed as it stands, but for addresses and the number of processes."""
    postgres, redis = Postgres(owner="postgres"), Redis()
    try:
        postgres.start()
        redis.start()
        where = {**os.environ, "PGHOST": "127.0.0.1", "PGPORT": str(postgres.port)}
        for words in [*recipe("createuser"), *recipe("createdb")]:
            command = [str(postgres.bin / words[0]), "--username", "postgres", *words[1:]]
            typed, own = b"secret\nsecret\n", True  # without a terminal it asks the input
            subprocess.run(command, env=where, input=typed, start_new_session=own, check=True)
        (_, *words), *_ = [line for line in recipe("tanistry serve") if "--redis" in line]
        addresses = {"localhost/": f"127.0.0.1:{postgres.port}/", "localhost:6379": redis.url[8:-2]}
        for name, address in addresses.items():
            words = [word.replace(name, address) for word in words]
        server = Process(tmp_path)
        words += ["--port", str(server.port), "--workers", "1"]
        server.command = f"from tanistry.cli.app import run; run({words!r})"
        server.start()
        try:
            assert server.http().request("GET", "/me")["guest"]
            with urllib.request.urlopen(f"{server.url}/readyz", timeout=PATIENCE) as answer:
                assert answer.status == 200
        finally:
            server.stop()
        assert "Redis does not answer" not in server.log.read_text()
        for words in [*recipe("pg_dump"), *recipe("pg_restore")]:
            words = [word.replace("localhost/", addresses["localhost/"]) for word in words]
            subprocess.run([str(postgres.bin / words[0]), *words[1:]], cwd=tmp_path, check=True)
        copy = f"postgresql://tanistry:secret@127.0.0.1:{postgres.port}/restored"
        assert asyncio.run(admin.check(Settings(database=copy))) == (0, []), "whole"
    finally:
        redis.close()
        postgres.close()


def test_the_recipe_for_containers() -> None:
    """What it would start; the workflow `check` starts it."""
    ((engine, *words),) = recipe("docker")
    found = shutil.which(engine)
    if not found or subprocess.run([found, words[0], "version"], capture_output=True).returncode:
        pytest.skip("there is no container engine here, or it has no compose")
    words = words[: words.index("up")]
    command = [found, *words, "config", "--quiet"]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "POSTGRES_PASSWORD": "x"}, check=True)
