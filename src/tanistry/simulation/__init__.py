"""Playing many matches."""
