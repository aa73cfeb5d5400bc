"""what a player's device adds to the seed of a deal"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("seats", sa.Column("nonce", sa.String(length=64), nullable=True))


def downgrade() -> None:
    # An older server would deal such a match anew from its own seed alone: it is given the seed
    # that was dealt from, and a match that has begun goes on.
    connection = op.get_bind()
    begun = "SELECT id, seed FROM tables WHERE status IN ('playing', 'over')"
    for id, seed in connection.execute(sa.text(begun)).all():
        seats = sa.text("SELECT nonce FROM seats WHERE table_id = :id ORDER BY seat")
        nonces = [bytes.fromhex(n or "") for (n,) in connection.execute(seats, {"id": id})]
        if any(nonces):
            from tanistry.match.records import deal_seed

            change = sa.text("UPDATE tables SET seed = :seed WHERE id = :id")
            values = {"seed": deal_seed(bytes(seed), nonces), "id": id}
            connection.execute(change, values)
    op.drop_column("seats", "nonce")
