"""`tanistry verify RECORD`: was the deck stacked? The seed, the commitment and every choice."""

import re
from typing import Annotated

import typer

from tanistry.cli.common import Lang, read_text
from tanistry.session.language import Misuse, Texts

ORDER = 45


def add(app: typer.Typer, say: Texts) -> None:
    @app.command(help="help.verify")
    def verify(
        file: Annotated[str, typer.Argument(help="help.verify_file", metavar="RECORD")],
        commitment: Annotated[
            str | None, typer.Option(help="help.verify_commitment", metavar="HEX")
        ] = None,
        _lang: Lang = None,
    ) -> None:
        import tanistry
        from tanistry.match.records import read_headers

        shown = None if commitment is None else "".join(commitment.split()).lower()
        if shown is not None and not re.fullmatch("[0-9a-f]{64}", shown):
            raise Misuse(say("errors.commitment", text=commitment))
        text = read_text(file)
        match = tanistry.replay(text)  # a RecordError says where it does not hold
        headers, choices = read_headers(text)
        found = headers.get("Commitment", "")
        if not found:
            raise tanistry.RecordError("record/lacks", name="Commitment")
        if shown is not None and shown != found.lower():
            raise tanistry.RecordError("record/promised", found=found)
        result = match.result
        print(
            say(
                "verify.holds",
                game=match.game.name,
                count=len(choices),
                result="-".join(map(str, result.scores)) if result else "*",
                commitment=found,
            )
        )
        if shown is None:
            print(say("verify.compare"))
