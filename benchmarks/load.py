"""How many moves a second the server takes, beside a boardgame.io server in the same run.

    python benchmarks/load.py                  # 50, 250 and 500 matches, then paced
    python benchmarks/load.py --quick          # a minute, small
    python benchmarks/load.py --peers ""       # ours alone
    python benchmarks/load.py --database postgresql://…  --workers 2 --redis redis://…

Each match is two clients, on this machine, in another process than the server. A move counts when
the opponent has it; its delay is from sending it until its bytes are there, so that it does not
matter whose messages are the longer to decode: both servers are driven by the same WebSocket
client. A crowd plays until its matches end or `--limit` is over; what was played by then counts,
up to the last move. Servers take turns, and what is shown are medians over the rounds.

Ours are stored on disk (SQLite, synchronous=FULL unless another database is given) before anybody
hears of them; boardgame.io runs with its in-memory storage, and with its file storage, which does
not wait for the disk. The files lie in the system's temporary folder unless --folder names another:
see that it is on a real disk. The peer is installed from npm into benchmarks/boardgameio once.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TICKS = os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def family(pid: int) -> list[int]:
    """A process and its children."""
    found = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found += family(int(child))
    return found


def cpu_seconds(pid: int) -> float:
    total = 0
    for one in family(pid):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


def megabytes(pid: int) -> float:
    total = 0
    for one in family(pid):
        for line in Path(f"/proc/{one}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                total += int(line.split()[1])
    return total / 1024


def wait_for(port: int, process: subprocess.Popen[Any]) -> None:
    for _ in range(600):
        if process.poll() is not None:
            raise RuntimeError("the server ended")
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("the server did not start")


@contextmanager
def running(command: list[str], port: int, **environment: Any) -> Any:
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            command,
            env={**os.environ, **{key: str(value) for key, value in environment.items()}},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            wait_for(port, process)
            yield process
        except BaseException:
            log.seek(0)
            sys.stderr.write(log.read().decode()[-3000:])
            raise
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def our_server(args: argparse.Namespace) -> Any:
    port = free_port()
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        settings = {
            "TANISTRY_PORT": port,
            "TANISTRY_DATABASE": args.database or f"{folder}/load.db",
            "TANISTRY_SYNC": args.sync,
            "TANISTRY_REDIS": args.redis,
            "TANISTRY_WORKERS": args.workers,
            "TANISTRY_LIMITS": False,
            "TANISTRY_WARM": False,
            "TANISTRY_LOG_LEVEL": "warning",
            "PYTHONPATH": os.pathsep.join([str(HERE.parent / "src"), *sys.path[1:]]),
        }
        code = "from tanistry.server import from_environment, serve; serve(from_environment())"
        with running([sys.executable, "-c", code], port, **settings) as process:
            yield process, f"127.0.0.1:{port}"


@contextmanager
def peer_server(store: str, where: str | None) -> Any:
    folder = HERE / "boardgameio"
    if not (folder / "node_modules").is_dir():
        subprocess.run(["npm", "install", "--no-audit", "--no-fund"], cwd=folder, check=True)
    port = free_port()
    with tempfile.TemporaryDirectory(dir=where) as files:
        command = ["node", str(folder / "server.js")]
        with running(command, port, PORT=port, STORE=store, FOLDER=files) as process:
            time.sleep(1)
            yield process, f"127.0.0.1:{port}"


def measure(kind: str, process: Any, place: str, **options: Any) -> dict[str, Any]:
    command = [sys.executable, str(HERE / "load_clients.py"), kind, place]
    for name, value in options.items():
        command += [f"--{name}", str(value)]
    clients = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    assert clients.stdin is not None
    assert clients.stdout is not None
    if clients.stdout.readline().strip() != "go":
        raise RuntimeError("the clients did not get ready")
    before, began = cpu_seconds(process.pid), time.perf_counter()
    clients.stdin.write("\n")
    clients.stdin.flush()
    line = clients.stdout.readline()
    clients.wait(60)
    found: dict[str, Any] = json.loads(line)
    wall = time.perf_counter() - began
    spent = cpu_seconds(process.pid) - before
    found["server_cpu"] = round(spent / wall, 2)
    found["server_us_per_move"] = round(1e6 * spent / found["moves"])
    found["server_mb"] = round(megabytes(process.pid))
    return found


def show_disk(folder: str | None) -> None:
    """How long the disk takes to make sure of two pages, as storing a choice does: what is stored
    cannot be told any sooner."""
    took = []
    with tempfile.NamedTemporaryFile(dir=folder) as file:
        for _ in range(500):
            os.pwrite(file.fileno(), os.urandom(8192), 0)
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            took.append(1000 * (time.perf_counter() - began))
            time.sleep(0.002)
    half, most = (statistics.quantiles(took, n=100)[cut - 1] for cut in (50, 99))
    print(f"the disk: p50 {half:.2f} ms, p99 {most:.1f} ms", flush=True)


def median(rounds: list[dict[str, Any]]) -> dict[str, Any]:
    """Every figure's median over the rounds."""
    return {name: statistics.median(one[name] for one in rounds) for name in rounds[0]}


def show(name: str, found: dict[str, Any]) -> None:
    print(
        f"{name:<22} {found['matches']:>4.0f} matches {found['moves']:>6.0f} moves"
        f" {found['moves_per_second']:>6.0f}/s   p50 {found['p50_ms']:>6.2f} ms"
        f"   p99 {found['p99_ms']:>6.1f} ms   {found['server_us_per_move']:.0f} µs a move"
        f" (clients {found['client_us_per_move']:.0f})   {found['server_mb']:.0f} MB",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--matches", default="50,250,500", help="sizes; none: paced only")
    parser.add_argument("--rounds", type=int, default=1, help="of which the median is shown")
    parser.add_argument("--peers", default="memory,file", help="storages of boardgame.io; or none")
    parser.add_argument("--limit", type=float, default=10, help="seconds a crowd may play")
    parser.add_argument("--paced-seconds", type=float, default=20)
    parser.add_argument("--database", default="")
    parser.add_argument("--folder", default=None, help="where the files lie; not in memory")
    parser.add_argument("--sync", default="full", choices=["full", "normal"])
    parser.add_argument("--redis", default="")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--json", help="write the figures of all rounds to this file")
    args = parser.parse_args()
    if args.quick:
        args.matches, args.rounds, args.peers, args.paced_seconds = "50", 1, "memory", 4
    peers = [name for name in args.peers.split(",") if name and shutil.which("node")]
    results: dict[str, list[dict[str, Any]]] = {}

    def all_servers(label: str, peers: list[str], **options: Any) -> None:
        """Round by round, one server after the other, so that a slow minute is everybody's."""
        for _ in range(args.rounds):
            for name in ("ours", *peers):
                server = our_server(args) if name == "ours" else peer_server(name, args.folder)
                with server as (process, place):
                    kind = "ours" if name == "ours" else "peer"
                    found = measure(kind, process, place, limit=args.limit, **options)
                results.setdefault(f"{name} {label}", []).append(found)
        for name in ("ours", *peers):
            title = "tanistry, stored" if name == "ours" else f"boardgame.io, {name}"
            rounds = results[f"{name} {label}"]
            show(title, median(rounds))
            if args.rounds > 1:
                print("  p50 of each round:", *(f"{one['p50_ms']:.2f}" for one in rounds))

    show_disk(args.folder)
    print("as fast as they can:")
    for size in filter(None, args.matches.split(",")):
        all_servers(size, peers, matches=int(size))
    if args.paced_seconds:
        print("paced, a second's thought:")
        size = "50" if args.quick else "500"
        paced = {"matches": int(size), "pace": 1.0, "seconds": args.paced_seconds}
        all_servers(f"paced {size}", [name for name in peers if name == "memory"], **paced)
    if args.json:
        Path(args.json).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
