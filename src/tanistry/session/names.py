"""Names for those who have not given one: of guests, of bots, of people at one keyboard."""

from collections.abc import Mapping

NAMES = (
    "Ailsa", "Angus", "Blair", "Bonnie", "Callum", "Catriona", "Duncan", "Eilidh", "Ewan", "Fergus",
    "Fiona", "Gavin", "Greer", "Hamish", "Iona", "Isla", "Jean", "Keir", "Lachlan", "Lorna",
    "Mairi", "Malcolm", "Moira", "Morag", "Murdo", "Nessa", "Rory", "Ross", "Senga", "Shona",
)  # fmt: skip


def names_in(headers: Mapping[str, str], seats: int) -> list[str]:
    """Who sat where by the headers of a record, which may come from anywhere: signs that steer a
    terminal or turn a line around are left out."""
    given = (headers.get(f"Seat{seat}", "") for seat in range(seats))
    shown = ("".join(sign for sign in name if sign.isprintable()).strip() for name in given)
    return [name or NAMES[seat] for seat, name in enumerate(shown)]
