"""what each rated match did to a rating; profiles that are for their owners alone"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column(
        "players", sa.Column("private", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.create_table(
        "rating_changes",
        sa.Column("table_id", sa.String(length=24), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("player", sa.String(length=24), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("before", sa.Float(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
    )
    op.create_index("rating_changes_player", "rating_changes", ["player", "game", "at"])


def downgrade() -> None:
    op.drop_table("rating_changes")
    op.drop_column("players", "private")
