"""Names as they are compared: letters of other scripts, digits and signs are taken for those that
they look like, so that a name is known in disguise.

Only what is drawn alike in common fonts is in the table; a name in another script keeps most of its
letters, and is no word in ours.
"""

from __future__ import annotations

import re
import unicodedata

_ALIKE = {
    "АВЕЅІЈКМНОРСТУХҮԌԚԜҺӀЬ": "abesijkmhopctyxygqwhlb",  # Cyrillic
    "авеѕіјкмнгорстухүһԁԛԝӏпзьѵ": "abesijkmhropctyxyhdqwlnebv",
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϺ": "abezhikmnoptyxcm",  # Greek
    "αβγεηικνορτυχωμϲϳ": "abyenikvoptuxwucj",
    "օոսհլզցյ": "onuhlqgj",  # Armenian
    "ɑɡıłøđħŧɩʟɪɴʀʏʙɢʜᴀᴄᴅᴇꜰᴊᴋᴍᴏᴘꜱᴛᴜᴠᴡᴢ": "agilodhtilinrybghacdefjkmopstuvwz",  # Latin
}
_LETTERS = str.maketrans(
    {sign: as_ for signs, row in _ALIKE.items() for sign, as_ in zip(signs, row, strict=True)}
)
_DIGITS = str.maketrans("013457@$", "oieastas")
_TALL = str.maketrans("1I|", "lll")
"""What may be an i as well as an l."""


def fold(text: str) -> str:
    """A text without accents and cases, whatever looks alike written the same."""
    bare = unicodedata.normalize("NFKD", text)
    plain = "".join(sign for sign in bare if not unicodedata.combining(sign))
    return plain.translate(_LETTERS).casefold().translate(_LETTERS).translate(_DIGITS)


def skeleton(name: str) -> str:
    """A name as it is compared: its letters alone."""
    return re.sub(r"[\W_]", "", fold(name))


def readings(name: str) -> set[str]:
    """All that a name can be read as."""
    return {skeleton(name), skeleton(name.translate(_TALL))}
