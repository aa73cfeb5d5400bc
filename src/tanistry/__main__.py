"""`python -m tanistry`: the command, where it is not on the path."""

from tanistry.cli import main

main()
