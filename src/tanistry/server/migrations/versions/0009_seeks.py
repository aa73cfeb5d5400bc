"""who looks for somebody to play with"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "seeks",
        sa.Column("player", sa.String(length=24), primary_key=True),
        sa.Column("holder", sa.String(length=24), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("clock", sa.String(length=8), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=False),
        sa.Column("table_id", sa.String(length=24), nullable=True),
        sa.Column("seated", sa.BigInteger(), nullable=True),
    )
    op.create_index("seeks_table", "seeks", ["table_id"])


def downgrade() -> None:
    op.drop_table("seeks")
