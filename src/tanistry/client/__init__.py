"""Play on a Tanistry server from Python. The protocol is described in docs/protocol.md.

    with Client("http://127.0.0.1:8000", name="Ailsa") as client:
        table = client.quick("claim")
        while not table.over:
            table.play(table.legal[0])
        print(table.result)

`AsyncClient` is the same for asyncio. Both keep their cookie, reconnect when the connection is
lost, and resend what was not answered.
"""

from tanistry.client.blocking import Client, Table
from tanistry.client.http import RefusedByServer
from tanistry.client.live import AsyncClient, AsyncTable

__all__ = ["AsyncClient", "AsyncTable", "Client", "RefusedByServer", "Table"]
