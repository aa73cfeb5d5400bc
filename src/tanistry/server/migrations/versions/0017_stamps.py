"""by which a transaction is known that was stored, though nobody heard of it"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.create_table(
        "stamps",
        sa.Column("at", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("stamp", sa.BigInteger(), primary_key=True, autoincrement=False),
    )


def downgrade() -> None:
    op.drop_table("stamps")
