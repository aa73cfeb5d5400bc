"""Alembic's entrance: run by `migrate` with a connection, or by `alembic` with a URL."""

from alembic import context

from tanistry.server.schema import metadata

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=metadata,
    render_as_batch=True,
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
