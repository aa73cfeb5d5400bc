"""mail addresses of accounts; letters that confirm one, or let somebody choose a new password"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("players", sa.Column("mail", sa.String(length=254), nullable=True))
    op.create_index("players_mail", "players", ["mail"])
    op.create_table(
        "letters",
        sa.Column("id", sa.String(length=64), primary_key=True),
        sa.Column("player", sa.String(length=24), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("mail", sa.String(length=254), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
    )
    op.create_index("letters_player", "letters", ["player"])


def downgrade() -> None:
    op.drop_table("letters")
    op.drop_index("players_mail", "players")
    op.drop_column("players", "mail")
