"""take-backs that the others are asked for"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column(
        "tables", sa.Column("takebacks", sa.Boolean(), nullable=False, server_default=sa.true())
    )
    op.add_column("tables", sa.Column("undo_offer", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("tables", "undo_offer")
    op.drop_column("tables", "takebacks")
