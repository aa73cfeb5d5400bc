"""Numbers for operators, in Prometheus' format. Nothing here names a player or a card."""

from functools import cache

from prometheus_client import Counter, Gauge, Histogram

moves = Counter("tanistry_moves", "Choices stored", ["game", "by"])
matches = Counter("tanistry_matches", "Matches", ["game", "event"])
refusals = Counter("tanistry_refusals", "Refusals by code", ["code"])
connections = Gauge("tanistry_connections", "Open WebSocket connections")
live_tables = Gauge("tanistry_live_tables", "Tables held in memory")
commit_seconds = Histogram(
    "tanistry_commit_seconds",
    "Time of a transaction that stores choices",
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2),
)
batch_size = Histogram(
    "tanistry_commit_choices",
    "Choices stored in one transaction",
    buckets=(1, 2, 5, 10, 20, 50, 100, 200, 400),
)
thinking_seconds = Histogram(
    "tanistry_bot_seconds", "Time a bot thought", buckets=(0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10)
)


@cache
def moves_of(game: str, by: str) -> Counter:
    """The counter of one game's choices, looked up once."""
    return moves.labels(game, by)
