"""One seat at a table, whoever draws it: what terminal, screen and replay share."""
