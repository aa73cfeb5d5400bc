"""clubs, whose leaders start tournaments; who is put out of a tournament stays out"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "clubs",
        sa.Column("id", sa.String(length=24), primary_key=True),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("key", sa.String(length=24), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "club_members",
        sa.Column("club_id", sa.String(length=24), sa.ForeignKey("clubs.id"), primary_key=True),
        sa.Column("player", sa.String(length=24), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("leader", sa.Boolean(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index("club_members_player", "club_members", ["player"])
    op.add_column("tournaments", sa.Column("club", sa.String(length=24), nullable=True))
    op.create_index("tournaments_club", "tournaments", ["club"])
    op.add_column(
        "entrants",
        sa.Column("removed", sa.Boolean(), nullable=False, server_default=sa.false()),
    )


def downgrade() -> None:
    op.drop_column("entrants", "removed")
    op.drop_index("tournaments_club", "tournaments")
    op.drop_column("tournaments", "club")
    op.drop_table("club_members")
    op.drop_table("clubs")
