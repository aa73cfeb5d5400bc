"""sessions that can be revoked, one a device; tries at passwords"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(length=64), primary_key=True),
        sa.Column("player", sa.String(length=24), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("device", sa.String(length=80), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=False),
    )
    op.create_index("sessions_player", "sessions", ["player"])
    op.create_table(
        "tries",
        sa.Column("login", sa.String(length=64), primary_key=True),
        sa.Column("left", sa.Float(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("tries")
    op.drop_table("sessions")
