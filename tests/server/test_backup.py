"""Backing up and restoring as the hosting page says, and what is refused meanwhile."""

from __future__ import annotations

import asyncio
import errno
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from tanistry.cli.app import run
from tanistry.client import Client
from tanistry.server import keeping
from tanistry.server.settings import Settings
from tanistry.server.sqlite import keep_private
from tanistry.server.store import Store
from tests.server.processes import ROOT, Process
from tests.server.test_keeping import played

HOSTING = (ROOT / "docs/hosting.md").read_text("utf-8")
FIRST = Path(__file__).parent / "data/first.db"


def as_the_page_says(what: str, folder: Path) -> None:
    """A command of the page, to the letter."""
    found = re.search(rf"^(tanistry admin {what} copy.db .*)$", HOSTING, re.MULTILINE)
    assert found, f"the hosting page says how to {what}"
    _, *arguments = shlex.split(found[1], comments=True)
    command = "import sys; from tanistry.cli import main; main()"
    subprocess.run([sys.executable, "-c", command, *arguments], cwd=folder, check=True)


def admin(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    status = run(["--lang", "en", "admin", *map(str, words)])
    found = capsys.readouterr()
    return status, found.out + found.err


def test_a_match_goes_on_from_a_backup_after_a_crash(tmp_path: Path) -> None:
    process = Process(tmp_path, database=tmp_path / "tanistry.db").start()
    try:
        with Client(process.url, name="Ailsa") as client:
            table = client.quick("claim", bot="random")
            for _ in range(5):
                table.play(table.legal[0])
            as_the_page_says("backup", tmp_path)
            kept = table.view
            table.play(table.legal[0])  # after the backup: it will be gone
            cookie = client.cookie
    finally:
        process.kill()  # its log is still there
    assert (tmp_path / "tanistry.db-wal").stat().st_size
    as_the_page_says("restore", tmp_path)
    restored = Process(tmp_path, database=tmp_path / "tanistry.db").start()
    try:
        with Client(restored.url, cookie=cookie) as client:
            again = client.watch(table.id)
            again.your_turn()
            assert again.view == kept
            while not again.over:
                again.play(again.legal[0])
    finally:
        restored.stop()
    for name in ("tanistry.db", "copy.db"):
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600, name


def test_a_database_in_use_is_backed_up_but_not_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database, copy = tmp_path / "tanistry.db", tmp_path / "copy.db"
    process = Process(tmp_path, database=database).start()
    try:
        assert admin(capsys, "backup", copy, "--database", database)[0] == 0
        status, said = admin(capsys, "restore", copy, "--database", database)
        assert status == 2
        assert "has" in said
        assert "Stop it first" in said
        assert database.stat().st_mode & 0o777 == 0o600
    finally:
        process.stop()
    assert "Traceback" not in process.log.read_text()
    assert admin(capsys, "restore", copy, "--database", database)[0] == 0
    assert (tmp_path / "tanistry.db.replaced-1").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root restores for somebody else")
@pytest.mark.parametrize("there", [True, False])
def test_a_database_that_root_restores_stays_its_owners(
    there: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    somebody = 4321
    place = tmp_path / "data" / "tanistry.db"
    place.parent.mkdir()
    os.chown(place.parent, somebody, somebody)
    if there:
        shutil.copy(FIRST, place)
        os.chown(place, somebody, somebody)
    assert admin(capsys, "restore", FIRST, "--database", place)[0] == 0
    found = place.stat()
    assert (found.st_uid, found.st_gid, found.st_mode & 0o777) == (somebody, somebody, 0o600)


def test_copies_that_are_none_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "tanistry.db"

    def refused(copy: Path) -> str:
        status, said = admin(capsys, "restore", copy, "--database", place)
        assert status == 2
        assert not place.exists()
        return said

    assert "no database" in refused(tmp_path / "nowhere.db")
    garbage = tmp_path / "garbage.db"
    garbage.write_bytes(b"not a database" * 400)
    assert "file is not a database" in refused(garbage)
    foreign = tmp_path / "foreign.db"
    sqlite3.connect(foreign).execute("CREATE TABLE other (x)").connection.commit()
    assert "not a Tanistry database" in refused(foreign)
    in_use = shutil.copy(FIRST, tmp_path / "in_use.db")
    (tmp_path / "in_use.db-wal").write_bytes(b"log")
    assert "in_use.db-wal" in refused(Path(in_use))
    newer = tmp_path / "newer.db"
    shutil.copy(FIRST, newer)
    with sqlite3.connect(newer) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    assert "newer version" in refused(newer)
    damaged = tmp_path / "damaged.db"
    data = bytearray(FIRST.read_bytes())
    data[4096:8192] = b"x" * 4096
    damaged.write_bytes(data)
    refused(damaged)
    unsaid = tmp_path / "unsaid.db"
    shutil.copy(FIRST, unsaid)
    with sqlite3.connect(unsaid) as connection:
        connection.execute("DELETE FROM alembic_version")
    assert "not a Tanistry database" in refused(unsaid)


def test_a_check_names_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = tmp_path / "tanistry.db"
    assert admin(capsys, "check", "--database", database)[0] == 2
    Process(tmp_path, database=database).start().stop()
    assert admin(capsys, "check", "--database", database, "--replay")[0] == 0
    with sqlite3.connect(database) as connection:
        table = "INSERT INTO tables SELECT * FROM first.tables WHERE status = 'over'"
        connection.execute("ATTACH ? AS first", [str(FIRST)])
        names = [row[1] for row in connection.execute("PRAGMA first.table_info(tables)")]
        listed = ", ".join(names)
        table = f"INSERT INTO tables ({listed}) SELECT {listed} FROM first.tables"
        connection.execute(f"{table} WHERE status = 'over'")
        connection.execute("UPDATE tables SET result = NULL")
    status, said = admin(capsys, "check", "--database", database)
    assert status == 1
    assert "has no seats" in said
    assert "has no result" in said


HARM = {
    "UPDATE tables SET options = '{'": "its options, its clock or its result cannot be read",
    "UPDATE tables SET options = '[]'": "its options, its clock or its result cannot be read",
    "UPDATE tables SET options = '{\"no\": 1}'": "cannot be replayed: ",
    "UPDATE tables SET clock = 'tomorrow'": "its options, its clock or its result cannot be read",
    "UPDATE tables SET clock = '{\"hours\": 1}'": "its options, its clock or its result cannot be",
    "UPDATE tables SET seed = x'00'": "cannot be replayed: ",
    "UPDATE tables SET game = 'whist'": "cannot be replayed: ",
    "UPDATE moves SET seat = 1 - seat WHERE ply = 3": "choice 3 is stored for seat ",
    "UPDATE moves SET token = 'ZZ' WHERE ply = 3": "cannot be replayed: ",
    "DELETE FROM moves WHERE ply = 3": "rows, but the last is number",
    """UPDATE tables SET result = '{"scores": [9, 9], "ranking": [[0, 1]]}'""": "the stored result",
    "UPDATE tables SET result = 'won'": "its options, its clock or its result cannot be read",
}


@pytest.mark.parametrize("harm", HARM)
def test_one_broken_table_is_named_and_the_others_are_checked(
    harm: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], played_database: Path
) -> None:
    database = tmp_path / "tanistry.db"
    shutil.copy(played_database, database)
    with sqlite3.connect(database) as connection:
        broken, whole = (row[0] for row in connection.execute("SELECT id FROM tables ORDER BY id"))
        column = "table_id" if "moves" in harm else "id"
        clause = "AND" if "WHERE" in harm else "WHERE"
        connection.execute(f"{harm} {clause} {column} = ?", [broken])
        connection.execute("UPDATE moves SET token = 'ZZ' WHERE ply = 5 AND table_id = ?", [whole])
    status, said = admin(capsys, "check", "--database", database, "--replay")
    assert status == 1
    lines = {line for line in said.splitlines() if broken in line}
    assert len(lines) == 1
    assert HARM[harm] in lines.pop()
    assert whole in said, "and what comes after it is looked at"


@pytest.fixture(scope="module")
def played_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two matches of one person against a bot, to their end."""
    database = tmp_path_factory.mktemp("played") / "tanistry.db"
    config = Settings(database=str(database))

    async def play() -> None:
        store = Store(config)
        await store.open()
        for number in range(2):
            record = played(seed=number)
            await store.insert_table(*keeping.read(record, "p_0", "Ailsa"))
        await store.close()

    asyncio.run(play())
    return database


def test_a_database_that_does_not_say_its_schema_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], played_database: Path
) -> None:
    database = tmp_path / "tanistry.db"
    shutil.copy(played_database, database)
    with sqlite3.connect(database) as connection:
        connection.execute("DELETE FROM alembic_version")
    status, said = admin(capsys, "check", "--database", database, "--replay")
    assert status == 1
    assert "does not say which schema" in said
    assert run(["--lang", "en", "serve", "--database", str(database), "--port", "0"]) == 2
    assert "cannot be used" in capsys.readouterr().err


@pytest.mark.parametrize("harm", ["garbage", "damaged", "read-only"])
def test_a_database_that_cannot_be_used_is_one_sentence_at_the_start(
    harm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "tanistry.db"
    if harm == "read-only":
        shutil.copy(FIRST, database)

        def set_up(_sync: str) -> object:
            return lambda connection, _: connection.execute("PRAGMA query_only=ON")

        monkeypatch.setattr("tanistry.server.store.set_up", set_up)
    else:
        data = bytearray(FIRST.read_bytes())
        data[0 if harm == "garbage" else 4096 : 30_000] = b"x" * 30_000
        database.write_bytes(data)
    assert run(["--lang", "en", "serve", "--database", str(database), "--port", "0"]) == 2
    (line,) = [line for line in capsys.readouterr().err.splitlines() if "tanistry:" in line]
    assert "cannot be used" in line


def test_a_newer_or_foreign_database_is_told_by_every_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], played_database: Path
) -> None:
    newer, foreign = tmp_path / "newer.db", tmp_path / "foreign.db"
    shutil.copy(played_database, newer)
    with sqlite3.connect(newer) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    sqlite3.connect(foreign).execute("CREATE TABLE other (x)").connection.commit()
    for command in (["check"], ["reports"], ["downgrade", "0001"]):
        for database, says in ((newer, "newer version"), (foreign, "not a Tanistry database")):
            status, said = admin(capsys, *command, "--database", database)
            assert (status, says in said) == (2, True), said
    for database, says in ((newer, "newer version (schema 9999"), (foreign, "not a Tanistry")):
        assert run(["--lang", "en", "serve", "--database", str(database), "--port", "0"]) == 2
        assert says in capsys.readouterr().err
    with sqlite3.connect(foreign) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("other",)]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["check", "copy.db"], "Unexpected argument: copy.db. --database names the database."),
        (["backup", "copy.db", "tanistry.db"], "Unexpected argument: tanistry.db."),
        (["close"], "close needs the ID of a report"),
        (["tournament", "list", "0123"], "Unexpected argument: 0123."),
        (["ban", "Ailsa", "--rounds", "3"], "--rounds is only for tournament new."),
        (["tournament", "list", "--rounds", "3"], "--rounds is only for tournament new."),
        (["names", "--remove"], "--remove is only for names WHO."),
        (["backup", "copy.db", "--hours", "24"], "--hours is only for mute and ban."),
        (["--lang", "fr", "unban", "Ailsa", "--hours", "24"], "ne sert qu'avec mute et ban."),
    ],
)
def test_what_an_admin_typed_too_much_or_too_little(
    given: list[str],
    says: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    played_database: Path,
) -> None:
    status, said = admin(capsys, *given, "--database", played_database)
    assert (status, says in said) == (2, True), said


def test_a_copy_where_no_folder_is_says_so_in_ones_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """None is made, unlike elsewhere: a disk for copies may not be mounted."""
    database = tmp_path / "tanistry.db"
    shutil.copy(FIRST, database)
    copy = tmp_path / "away" / "copy.db"
    assert run(["--lang", "fr", "admin", "backup", str(copy), "--database", str(database)]) == 2
    assert "ce fichier ou ce dossier n'existe pas" in capsys.readouterr().err
    assert not copy.parent.exists()


def test_half_a_copy_is_not_left_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    database, copy = tmp_path / "tanistry.db", tmp_path / "copy.db"
    data = bytearray(FIRST.read_bytes())
    data[30_000:60_000] = b"x" * 30_000
    database.write_bytes(data)
    status, said = admin(capsys, "backup", copy, "--database", database)
    assert (status, "tanistry.db cannot be used" in said, copy.exists()) == (2, True, False), said

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    shutil.copy(FIRST, database)
    monkeypatch.setattr(os, "fsync", full)
    status, said = admin(capsys, "restore", FIRST, "--database", database)
    assert (status, "no space is left" in said) == (2, True), said
    assert list(tmp_path.iterdir()) == [database]


def test_a_full_disk_is_that_of_the_copy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full:
        def execute(self, _statement: str, given: list[str]) -> None:
            Path(given[0]).touch()
            wrong = sqlite3.OperationalError("database or disk is full")
            wrong.sqlite_errorname = "SQLITE_FULL"
            raise wrong

    monkeypatch.setattr("tanistry.server.admin._opened", lambda _: nullcontext(Full()))
    copy = tmp_path / "copy.db"
    status, said = admin(capsys, "backup", copy, "--database", tmp_path / "tanistry.db")
    assert (status, "copy.db cannot be used: database or disk is full" in said) == (2, True), said
    assert not copy.exists()


def test_what_is_no_file_keeps_its_rights(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A host who types /dev/null, as root, takes it from nobody."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o666)
    rights = pipe.stat().st_mode
    assert run(["--lang", "en", "serve", "--database", str(pipe), "--port", "0"]) == 2
    assert "it is not a file" in capsys.readouterr().err
    assert pipe.stat().st_mode == rights


def test_where_users_have_no_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows."""
    monkeypatch.delattr(os, "getuid")
    keep_private(Settings(database=str(tmp_path / "tanistry.db")))
    assert (tmp_path / "tanistry.db").stat().st_mode & 0o777 == 0o600
