"""tournaments"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(length=24), primary_key=True),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("system", sa.String(length=8), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("clock", sa.JSON(), nullable=False),
        sa.Column("grace", sa.Integer(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("most", sa.Integer(), nullable=False),
        sa.Column("host", sa.String(length=24), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=True),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
    )
    op.create_index("tournaments_status", "tournaments", ["status"])
    op.create_index("tournaments_created", "tournaments", ["created"])
    op.create_table(
        "entrants",
        _of_tournament(),
        sa.Column("entry", sa.String(length=24), primary_key=True),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("player", sa.String(length=24), nullable=True),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("bot", sa.String(length=40), nullable=True),
        sa.Column("level", sa.Integer(), nullable=True),
        sa.Column("here", sa.Boolean(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index("entrants_player", "entrants", ["player"])
    op.create_index("entrants_once", "entrants", ["tournament_id", "player"], unique=True)
    op.create_table(
        "boards",
        _of_tournament(),
        sa.Column("round", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("board", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("game", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("players", sa.JSON(), nullable=False),
        sa.Column("absent", sa.JSON(), nullable=False),
        sa.Column("ranks", sa.JSON(), nullable=True),
        sa.Column("table_id", sa.String(length=24), nullable=True),
        sa.Column("since", sa.BigInteger(), nullable=False),
    )
    op.create_index("boards_table", "boards", ["table_id"])
    op.add_column("tables", sa.Column("tournament", sa.String(length=24), nullable=True))


def _of_tournament() -> sa.Column[str]:
    key = sa.ForeignKey("tournaments.id")
    return sa.Column("tournament_id", sa.String(length=24), key, primary_key=True)


def downgrade() -> None:
    op.drop_column("tables", "tournament")
    op.drop_table("boards")
    op.drop_table("entrants")
    op.drop_table("tournaments")
