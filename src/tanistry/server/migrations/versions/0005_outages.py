"""when the server was down: time that counts against nobody"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "outages",
        sa.Column("began", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("ended", sa.BigInteger(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("outages")
