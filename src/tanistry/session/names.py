"""Names for those who have not given one: of guests, of bots, of people at one keyboard."""

NAMES = (
    "Ailsa", "Angus", "Blair", "Bonnie", "Callum", "Catriona", "Duncan", "Eilidh", "Ewan", "Fergus",
    "Fiona", "Gavin", "Greer", "Hamish", "Iona", "Isla", "Jean", "Keir", "Lachlan", "Lorna",
    "Mairi", "Malcolm", "Moira", "Morag", "Murdo", "Nessa", "Rory", "Ross", "Senga", "Shona",
)  # fmt: skip
