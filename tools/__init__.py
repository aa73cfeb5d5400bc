"""What the house needs to build itself; nothing of it is installed."""
