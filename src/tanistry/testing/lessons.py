"""Whether a game's lessons teach what they say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any

from tanistry.catalogue import LANGUAGES
from tanistry.match import Game, Match
from tanistry.match.lessons import Step


def check_lessons(game: Game) -> Counter[str]:
    """Check every step of a game's lessons, in every language:

    - its position can be, and the rule it teaches is one of the game's;
    - all choices that are said to lead on do: what the step says happens, happens;
    - every other legal choice has an answer, and every answer a choice it is given to;
    - nothing depends on luck: another seed changes nothing;
    - there is something to choose, and every language says the same things.

    An AssertionError names the step. The answer counts the steps, their lines and the answers.
    """
    found: Counter[str] = Counter()
    by_lang = [game.lessons(lang) for lang in LANGUAGES]
    for steps in zip(*by_lang, strict=True):
        _check_step(game, steps, found)
    return found


def _check_step(game: Game, steps: tuple[Step, ...], found: Counter[str]) -> None:
    step = steps[0]
    where = f"{game.name}, lesson {step.name}"
    assert step.rule in game.info.rules, f"{where}: no rule {step.rule}"
    patterns = [[pattern for pattern, _ in said.wrong] for said in steps]
    assert all(these == patterns[0] for these in patterns), f"{where}: answers differ by language"
    answered: set[str] = set()
    lines = list(_lines(game.begin(step, seed=1), step, answered, where))
    assert lines, f"{where}: nothing leads to the end"
    assert answered, f"{where}: there is nothing to choose"
    used = {next(p for p in patterns[0] if fnmatchcase(token, p)) for token in answered}
    assert used == set(patterns[0]), f"{where}: {set(patterns[0]) - used} answers nothing"
    for line in lines:
        first, again = (_told(game.begin(step, seed), line, step.seat) for seed in (1, 2))
        assert first == again, f"{where}: {line} depends on luck"
        events = iter(first)
        for happens in step.happens:
            assert any(happens.items() <= event.items() for event in events), (
                f"{where}: {happens} does not happen after {line}"
            )
    found.update(steps=1, lines=len(lines), answers=len(answered))


def _lines(match: Match, step: Step, answered: set[str], where: str) -> Iterator[list[str]]:
    """Every way to the end of a step; what is answered to others is collected."""
    choice = len(match.history)
    if choice == len(step.line):
        yield [token for _, token in match.history]
        return
    legal = match.legal()
    leading = [token for token in legal if step.leads_on(choice, token)]
    assert leading, f"{where}: {step.line[choice]} is not legal after {match.history}"
    if match.to_act == step.seat:
        for token in set(legal) - set(leading):
            assert step.answer(token), f"{where}: {token} has no answer"
            answered.add(token)
    else:
        leading = leading[:1]  # others do what the line says
    for token in leading:
        further = match.copy()
        further.play(token)
        yield from _lines(further, step, answered, where)


def _told(match: Match, line: list[str], seat: int) -> list[dict[str, Any]]:
    return [event.seen_by(seat) for token in line for event in match.play(token)]
