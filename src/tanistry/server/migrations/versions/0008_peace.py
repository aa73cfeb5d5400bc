"""talk at tables; blocks, reports, mutes, bans, refused names, invitations, and who did what"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

BIG = sa.BigInteger()
COLUMNS: dict[str, sa.types.TypeEngine[Any]] = {"role": sa.String(10), "muted": BIG, "banned": BIG}
INDEXES = {
    "talk": {"talk_player": ["player", "at"]},
    "blocks": {"blocks_blocked": ["blocked"]},
    "reports": {"reports_open": ["closed", "at"], "reports_player": ["player"]},
    "sanctions": {"sanctions_player": ["player"], "sanctions_until": ["until"]},
    "refused_names": {},
    "invitations": {},
    "audit": {"audit_at": ["at"]},
}


def upgrade() -> None:
    for name, kind in COLUMNS.items():
        op.add_column("players", sa.Column(name, kind, nullable=True))
    op.create_table(
        "talk",
        sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("player", sa.String(24)),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("text", sa.String(200), nullable=False),
        sa.Column("open", sa.Boolean, nullable=False),
        sa.Column("at", BIG, nullable=False),
    )
    op.create_table(
        "blocks",
        sa.Column("player", sa.String(24), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("blocked", sa.String(24), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("at", BIG, nullable=False),
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("by", sa.String(24)),
        sa.Column("player", sa.String(24), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("table_id", sa.String(24)),
        sa.Column("why", sa.String(8), nullable=False),
        sa.Column("note", sa.String(500), nullable=False),
        sa.Column("evidence", sa.JSON, nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.Column("closed", BIG),
        sa.Column("closed_by", sa.String(24)),
    )
    op.create_table(
        "sanctions",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("player", sa.String(24), sa.ForeignKey("players.id")),
        sa.Column("address", sa.String(64)),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("by", sa.String(24), nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.Column("until", BIG, nullable=False),
    )
    op.create_table(
        "refused_names",
        sa.Column("name", sa.String(24), primary_key=True),
        sa.Column("by", sa.String(24), nullable=False),
        sa.Column("at", BIG, nullable=False),
    )
    op.create_table(
        "invitations",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("by", sa.String(24), nullable=False),
        sa.Column("note", sa.String(80), nullable=False),
        sa.Column("left", sa.Integer, nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.Column("until", BIG, nullable=False),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("by", sa.String(24), nullable=False),
        sa.Column("act", sa.String(16), nullable=False),
        sa.Column("player", sa.String(24)),
        sa.Column("details", sa.JSON, nullable=False),
        sa.Column("at", BIG, nullable=False),
    )
    for table, indexes in INDEXES.items():
        for name, columns in indexes.items():
            op.create_index(name, table, columns)


def downgrade() -> None:
    for table in reversed(INDEXES):
        op.drop_table(table)
    for name in reversed(COLUMNS):
        op.drop_column("players", name)
