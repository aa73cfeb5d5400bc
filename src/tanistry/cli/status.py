"""What the command tells the shell when it ends."""

MISUSED = 2
BROKEN = 70
UNWRITABLE = 74
INTERRUPTED = 130
PIPE_CLOSED = 141
