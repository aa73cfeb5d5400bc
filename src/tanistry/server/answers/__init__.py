"""What the server says: a model for every answer over HTTP; server_messages.py adds what goes over
the socket.

They describe and check, they do not send: what goes out is built as plain data (server/tables.py
and its like) and written by orjson, and the tests hold every byte of it against these models. The
OpenAPI page, the tables of docs/protocol.md and the types of the web client are made from them
(tools/protocol.py).
"""
