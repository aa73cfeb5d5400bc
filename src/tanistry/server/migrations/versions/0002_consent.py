"""who a rated match counts for, and how much; one rematch of a match at most"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("seats", sa.Column("bound", sa.String(length=24), nullable=True))
    op.add_column("seats", sa.Column("weight", sa.Float(), nullable=True))
    op.create_index("seats_bound", "seats", ["bound"])
    op.execute(
        "UPDATE seats SET bound = player WHERE kind = 'person' AND table_id IN"
        " (SELECT id FROM tables WHERE rated AND status IN ('playing', 'over'))"
    )
    # Two workers could make a rematch each: the one that the match names stays the rematch.
    op.execute(
        "UPDATE tables SET rematch_of = NULL WHERE rematch_of IS NOT NULL AND NOT EXISTS"
        " (SELECT 1 FROM tables AS old WHERE old.id = tables.rematch_of"
        " AND old.rematch = tables.id)"
    )
    op.create_index("tables_rematch_of", "tables", ["rematch_of"], unique=True)


def downgrade() -> None:
    op.drop_index("tables_rematch_of", "tables")
    op.drop_index("seats_bound", "seats")
    # Older servers know no seat that is kept for somebody.
    op.execute("UPDATE seats SET player = NULL, name = '' WHERE kind = 'open'")
    op.drop_column("seats", "weight")
    op.drop_column("seats", "bound")
