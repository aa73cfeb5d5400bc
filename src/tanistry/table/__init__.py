"""Cards in places, and who knows which: what every game stands on."""
