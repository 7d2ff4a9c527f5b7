"""What alembic runs the migrations in: the connection and the transaction of the caller."""

from alembic import context

from domino_server.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
