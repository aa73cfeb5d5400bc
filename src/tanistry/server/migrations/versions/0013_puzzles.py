"""puzzles people have tried"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "puzzle_tries",
        sa.Column("player", sa.String(length=24), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("game", sa.String(length=40), primary_key=True),
        sa.Column("puzzle", sa.String(length=24), primary_key=True),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index(
        "puzzle_tries_number", "puzzle_tries", ["player", "game", "number"], unique=True
    )


def downgrade() -> None:
    op.drop_table("puzzle_tries")
