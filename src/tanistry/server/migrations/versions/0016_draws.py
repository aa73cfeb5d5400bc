"""when a draw was offered: from that it follows whether the offer holds"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.add_column("tables", sa.Column("draw_turn", sa.Integer(), nullable=True))
    rows = "SELECT count(*) FROM moves WHERE moves.table_id = tables.id"
    op.execute(f"UPDATE tables SET draw_turn = ({rows}) WHERE draw_offer IS NOT NULL")


def downgrade() -> None:
    op.execute("UPDATE tables SET draw_offer = NULL")  # it may have lapsed: offer it again
    op.drop_column("tables", "draw_turn")
