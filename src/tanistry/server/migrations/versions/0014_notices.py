"""who wants to be told that it is their turn, and who has been"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("players", sa.Column("turn_mail", sa.String(length=2), nullable=True))
    op.create_table(
        "pushes",
        sa.Column("id", sa.String(length=64), primary_key=True),
        sa.Column("player", sa.String(length=24), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("session", sa.String(length=64), nullable=False),
        sa.Column("endpoint", sa.String(length=1000), nullable=False),
        sa.Column("p256dh", sa.String(length=88), nullable=False),
        sa.Column("auth", sa.String(length=24), nullable=False),
        sa.Column("lang", sa.String(length=2), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index("pushes_player", "pushes", ["player"])
    op.create_table(
        "notices",
        sa.Column("table_id", sa.String(length=24), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("turn", sa.Integer(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("notices")
    op.drop_table("pushes")
    op.drop_column("players", "turn_mail")
