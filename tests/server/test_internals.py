"""The inside of uvicorn that `server/doors.py` builds on is as it was; a release that changes it
fails here, by name. Nothing else in the package looks inside uvicorn, Numba or llvmlite."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

import tanistry

RELEASE = f"uvicorn {uvicorn.__version__}"
PACKAGE = Path(tanistry.__file__).parent
SHARED = ["app_state", "client", "connection_lost", "connection_made", "data_received", "loop"]

INSIDE = {
    r"uvicorn\.": {"server/doors.py"},
    r"llvmlite|numba\.(core|np|cuda)": {
        "kernel/internals.py",  # Numba's cache and dispatcher
        "kernel/intrinsics.py",  # what LLVM can do and Numba has no word for
        "kernel/scribe.py",  # rows as straight code, in LLVM's own
        "kernel/cuda.py",
        "kernel/wasm.py",
    },
}
"""What looks inside a package: modules of it that are not its public face, and where we do."""


@pytest.mark.parametrize(
    ("protocol", "parts"),
    [
        (
            HttpToolsProtocol,
            [*SHARED, "flow", "handle_websocket_upgrade", "on_headers_complete", "on_message_begin",
             "on_message_complete", "send_400_response", "timeout_keep_alive_handler", "transport"],
        ),
        (
            WebSocketsSansIOProtocol,
            [*SHARED, "close_sent", "conn", "disconnected", "handle_connect", "handle_events",
             "handle_parser_exception", "handshake_complete", "on_task_complete", "read_paused",
             "scope", "transport", "writable"],
        ),
    ],
    ids=["http", "websocket"],
)  # fmt: skip
def test_the_protocols_have_what_doors_builds_on(protocol: type, parts: list[str]) -> None:
    known = {*dir(protocol), *re.findall(r"\bself\.(\w+)", inspect.getsource(protocol))}
    missing = set(parts) - known
    assert not missing, f"{RELEASE}: {protocol.__name__} has no {missing}"


@pytest.mark.parametrize("pattern", INSIDE)
def test_the_inside_of_a_package_is_used_where_it_is_listed(pattern: str) -> None:
    found = set()
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.Call) and ast.unparse(node.func) == "import_module":
                names = [ast.literal_eval(node.args[0])] if _is_text(node.args[0]) else []
            if any(re.match(pattern, name) for name in names):
                found.add(file.relative_to(PACKAGE).as_posix())
    assert found == INSIDE[pattern]


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
