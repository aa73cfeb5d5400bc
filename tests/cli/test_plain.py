"""`tanistry play --plain`: numbered choices in, a line per event out, and no secrets."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

import tanistry
from tanistry.analysis.coaching import Coach
from tanistry.cli.plain import MANY, Plain
from tanistry.cli.reading import default_opponent, read_players
from tanistry.session.describe import entry_text, fact_lines
from tanistry.session.hints import Hint
from tanistry.session.language import texts
from tanistry.session.session import Player, Session
from tanistry.words import LANGUAGES, words
from tests.games.kilt_positions import BASE
from tests.games.kilt_positions import setup as kilt
from tests.games.schotten_positions import setup

from .conftest import Command

ALWAYS_FIRST = "1\n" * 60


def test_a_whole_match(tanistry_command: Command, tmp_path: Path) -> None:
    kept = tmp_path / "match.txt"
    done = tanistry_command(
        "play", "claim", "--plain", "--seed", "42", "--opponents", "random", "--save", str(kept),
        typed=ALWAYS_FIRST,
    )  # fmt: skip
    assert done.status == 0
    counted = done.lines[-7:]
    assert counted[0].startswith("1. ")
    assert counted[0].endswith((" votes", " vote"))
    assert counted[2].startswith("Goblins: ")
    match = tanistry.replay(kept.read_text())
    assert match.result is not None
    assert len(match.history) == 52
    leads = [line for line in done.lines if " leads " in line]
    assert len(leads) == 26


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("lang", LANGUAGES)
def test_lines_break_between_words_in_a_terminal(
    lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    session = Session(
        tanistry.game("claim").deal(seed=1), [Player("Ailsa"), Player("Brodie")], lang
    )
    screen, pipe = Terminal(), io.StringIO()
    for target in (screen, pipe):
        Plain(session, source=io.StringIO(), target=target).show_commands()
    assert max(map(len, screen.getvalue().splitlines())) <= 40
    assert len(pipe.getvalue().splitlines()) == 1
    assert screen.getvalue().split() == pipe.getvalue().split()


def test_a_name_is_a_line_and_never_empty() -> None:
    game = tanistry.game("claim")
    first, second = read_players(game, [], "human", ["", "Mac\nBeth"])
    assert (first.name, second.name) == ("Mac Beth", "Ailsa")


def test_facts_that_say_nothing_are_left_out(tanistry_command: Command) -> None:
    done = tanistry_command(
        "play", "kilt", "--plain", "--seed", "1", "--opponents", "random", typed="q\n"
    )
    assert "Active player: Ailsa." in done.lines
    assert not any("False" in line or "King crowned" in line for line in done.lines)


@pytest.mark.parametrize(("lang", "said"), [("en", "Ruse: Deserter."), ("fr", "Ruse : Déserteur.")])
def test_facts_call_cards_by_their_names(lang: str, said: str) -> None:
    match = setup({3: ("R4", "B4")}, hands=("deserter R1", "P7 P9"))
    match.play("deserter")
    session = Session(match, [Player("Ailsa"), Player("Angus")], lang)
    assert said in fact_lines(session, match.view(0), texts(lang))


def test_what_a_flag_says_is_set_as_the_language_does() -> None:
    game, entry = tanistry.game("lords"), {"card": "MD2", "up": True, "active": "MD"}
    told = {lang: entry_text(entry, words(lang, game.info), texts(lang)) for lang in LANGUAGES}
    assert told == {
        "en": "MacDonnell 2 (power active: MacDonnell)",
        "fr": "MacDonnell 2 (pouvoir actif : MacDonnell)",
    }


def test_same_seed_same_match(tanistry_command: Command) -> None:
    arguments = ("play", "claim", "--plain", "--seed", "3", "--opponents", "random")
    assert (
        tanistry_command(*arguments, typed=ALWAYS_FIRST).out
        == tanistry_command(*arguments, typed=ALWAYS_FIRST).out
    )


def test_in_french(tanistry_command: Command) -> None:
    done = tanistry_command(
        "play", "claim", "--plain", "--seed", "42", "--opponents", "random", "--lang", "fr",
        typed="1\nq\n",
    )  # fmt: skip
    assert "entame avec" in done.out
    assert "Play" not in done.out


def test_tokens_commands_and_refusals(tanistry_command: Command) -> None:
    done = tanistry_command(
        "play", "claim", "--plain", "--seed", "42", "--opponents", "random",
        typed="?\nt\nc\nn\nr\nr knight\nh\nX9\nr\n99\nxyz\n? goblin 1\n? zzz\n? DWARF\ng1\nr\nq\n",
    )  # fmt: skip
    assert done.status == 0
    assert "Knights beat Goblins" in done.out
    assert "You do not hold Doppelgänger 9." in done.out
    assert done.out.count("\nChoices that are not allowed. ") == 2, "the last, whatever was played"
    assert "'99' is none of the choices. Type a number from 1 to 13" in done.out
    assert "'xyz' is none of the choices" in done.out
    assert "Goblin 1.\nValue 1.\n" in done.out
    assert "Cards of its kind that you can see: Hand (" in done.out
    assert "There is no card 'zzz'" in done.out
    assert re.search(r"> \? DWARF\nDwarf \d\.\n", done.out), "any of its kind"
    assert "Ailsa leads Goblin 1." in done.out
    assert "claim." not in done.out


@pytest.mark.parametrize(
    ("arguments", "hint", "undo"),
    [
        (("--opponents", "random"), False, True),
        (("--opponents", "random", "--hint"), True, True),
        (("--opponents", "human"), False, False),
    ],
)
def test_help_offers_what_works(
    tanistry_command: Command, arguments: tuple[str, ...], hint: bool, undo: bool
) -> None:
    done = tanistry_command("play", "claim", "--plain", *arguments, typed="?\nq\n")
    assert ("h: a hint." in done.out) is hint
    assert ("u: take your last choice back." in done.out) is undo
    assert "q: leave." in done.out


@pytest.mark.parametrize("name", list(tanistry.games()))
def test_help_shows_how_choices_of_its_game_are_written(
    tanistry_command: Command, name: str
) -> None:
    done = tanistry_command(
        "play", name, "--plain", "--opponents", "random", "--seed", "3", typed="?\nq\n"
    )
    (shown,) = re.findall(r"its notation \((.*?)\)\.", done.out)
    assert shown in tanistry.game(name).deal(3).legal()


def test_a_refusal_leads_to_its_rule(tanistry_command: Command) -> None:
    """Seat 1 holds Dwarves and Seat 0 leads one: anything else is refused by claim.follow."""
    game = tanistry.game("claim")
    for seed in range(50):
        match = game.deal(seed=seed)
        hands = [sorted(match.view(n)["places"][f"hand.{n}"]) for n in (0, 1)]
        leads, right = ([c for c in hand if c[0] == "D"] for hand in hands)
        wrong = [c for c in hands[1] if c[0] == "K"]
        if leads and right and wrong and leads[-1] > right[0]:  # then it is seat 0's turn again
            break
    done = tanistry_command(
        "play", "claim", "--plain", "--seed", str(seed), "--opponents", "human",
        typed=f"{leads[-1]}\n{wrong[0]}\nr\n{right[0]}\nr\nq\n",
    )  # fmt: skip
    assert "(r: read the rule)" in done.out
    assert done.out.count("\nFollowing. ") == 1, "what was refused is nobody else's business"
    assert "Nothing has been refused." in done.out
    assert "claim.follow" not in done.out


def test_hot_seat_tells_each_person_only_their_own(tanistry_command: Command) -> None:
    done = tanistry_command(
        "play", "claim", "--plain", "--seed", "42", "--opponents", "human",
        "--name", "Ann", "--name", "Bob", typed="1\n1\n1\n1\nq\n",
    )  # fmt: skip
    assert "Bob is next." in done.out
    first_table = done.out.index("Hand (Ann): Goblin 1")
    second_table = done.out.index("Hand (Bob): ", first_table + 200)
    between = done.out[first_table:second_table]
    assert "Hand (Bob): 13 cards, unseen." in between


def test_bots_only(tanistry_command: Command) -> None:
    done = tanistry_command(
        "play", "claim", "--plain", "--seed", "1", "--seat", "0=random", "--seat", "1=random"
    )
    assert done.status == 0
    assert "takes a card as a follower" in done.out
    assert done.lines[-7].startswith("1. ")


def test_a_choice_never_tried_has_no_chance_in_a_hint() -> None:

    assert [Hint("D3", chance).percent for chance in (None, 0.0, 0.25)] == ["–", "0 %", "25 %"]
    assert Hint("D3", 0.25, 0.021).percent == "25 % ± 2"


def test_choices_that_were_never_tried_are_counted_in_one_line() -> None:
    match = tanistry.game("claim").deal(seed=1)
    first, second, *others = match.legal()

    def adviser(_: object) -> list[Hint]:
        return [Hint(first, 0.6), Hint(second, 0.4), *(Hint(token, None) for token in others)]

    target = io.StringIO()
    session = Session(match, [Player("Ailsa"), Player("Angus")], "en")
    Plain(session, adviser, target=target).hint()
    said = target.getvalue().splitlines()
    assert [line[:4] for line in said[1:3]] == ["60 %", "40 %"]
    assert said[3:] == [f"{len(others)} other choices were not considered."]


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "Brodie: a bot (Casual player)."), ("fr", "Brodie : un bot (Amateur).")],
)
def test_a_bot_is_called_by_its_level(lang: str, said: str, tanistry_command: Command) -> None:
    done = tanistry_command("play", "claim", "--plain", "--seed", "1", "--lang", lang, typed="q\n")
    assert said in done.lines


def test_nothing_was_refused_and_r_says_so(tanistry_command: Command) -> None:
    done = tanistry_command("play", "claim", "--plain", "--opponents", "random", typed="r\nq\n")
    assert "Nothing has been refused." in done.out
    assert "No rule mentions" not in done.out


def test_hints(tanistry_command: Command) -> None:
    done = tanistry_command(
        "play", "claim", "--plain", "--seed", "1", "--opponents", "random", "--hint", typed="q\n"
    )
    told = [line for line in done.lines if " play " in line and not line.startswith("Your turn")]
    assert told
    assert all(" % ± " in line for line in told)
    assert f"{13 - len(told)} other choices were not considered." in done.lines


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_coach_says_how_good_a_choice_was_and_it_is_taken_back(
    tanistry_command: Command, lang: str
) -> None:
    """The choice that Ailsa makes here is the worst of those that are tried."""
    game, seed = tanistry.game("claim"), 42
    match = game.deal(seed)
    coach = Coach(game, ("Ailsa", "Angus"), lang)
    said = {token: coach.verdict(match, token) for token in match.legal()}
    worst = next(token for token, lines in said.items() if len(lines) == 2)
    done = tanistry_command(
        "play", "claim", "--plain", "--seed", str(seed), "--opponents", "random", "--coach",
        "--lang", lang, typed=f"h\n{worst}\nu\n{worst}\nu\nu\nq\n",
    )  # fmt: skip
    assert done.status == 0
    assert coach.idea(match)[1] in done.lines
    verdict = said[worst][0]
    assert done.lines.count(verdict) == 2
    after = done.lines[done.lines.index(verdict) :]
    assert after[1] == said[worst][1]
    asked = [line for line in done.lines if line.startswith("13. ")]
    assert len(asked) == 3, "the same thirteen cards again, each time it is taken back"
    assert texts(lang)("play.no_undo") in done.lines


def test_a_coach_sits_beside_one_person(tanistry_command: Command) -> None:
    for arguments in (("--opponents", "human"), ("--seat", "0=random"), ("--server", "http://x")):
        done = tanistry_command("play", "claim", "--plain", "--coach", *arguments)
        assert done.status == 2
        assert len(done.err.splitlines()) == 1
    done = tanistry_command("play", "claim", "--plain", "--opponents", "human", typed="1\nu\nq\n")
    assert "There is nothing to take back." in done.lines


def test_what_is_printed_depends_on_what_the_person_knows() -> None:
    """Two matches that differ only in hidden cards print the same until something is shown."""
    match = tanistry.game("claim").deal(seed=4)
    outputs = set()
    for seed in range(3):
        players = [Player("Ann"), Player("Bob", tanistry.bot("random", seed=1))]
        target = io.StringIO()
        session = Session(match.blind(0, seed), players, "en")
        Plain(session, source=io.StringIO("t\nc\nq\n"), target=target).run()
        outputs.add(target.getvalue())
    assert len(outputs) == 1


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("name", list(tanistry.games()))
def test_every_game_reads_well_to_the_end(name: str, lang: str) -> None:
    """No key of a text, no gap in a template, no seat's number, id or token comes through."""
    game = tanistry.game(name, seats=tanistry.info(name).seats[-1])
    players = [Player(f"P{chr(65 + n)}", tanistry.bot("random", seed=n)) for n in range(game.seats)]
    players[0] = Player("Ann")
    target = io.StringIO()
    session = Session(game.deal(8), players, lang)
    assert Plain(session, source=io.StringIO("t\n1\nc\n1\n" * 500), target=target).run()
    text = target.getvalue()
    assert "{" not in text
    for key in ("events.", "decisions.", "places.", "refusals.", "tui.", "play.", f"{name}."):
        assert key not in text
    assert not re.search(r"\b(seat|place) \d|\[.*\]|\(s\)|\d\.\d", text)
    assert session.match.result is not None


def test_many_choices_share_lines() -> None:
    match = tanistry.game("schotten", tactics=False).deal(seed=8)
    assert len(match.legal()) > MANY
    target = io.StringIO()
    players = [Player("Ann"), Player("Bob", tanistry.bot("random", seed=1))]
    Plain(Session(match, players, "en"), source=io.StringIO("q\n"), target=target).run()
    listed = [line for line in target.getvalue().splitlines() if line[:1].isdecimal()]
    assert len(listed) == 6
    assert listed[1].startswith("10. Play ")
    assert "at stone 1 – 11: stone 2, 12: stone 3, " in listed[1]


def test_what_is_to_be_filled_is_told_in_words() -> None:
    match = kilt([BASE, "WA - BU"], decision="fill", vacuum="2.1", active=0)
    target = io.StringIO()
    plain = Plain(Session(match, [Player("Ann"), Player("Bob")], "en"), target=target)
    plain.show_table()
    plain.show_choices()
    assert target.getvalue().splitlines()[-2:] == [
        "1. Chief Buchanan (bottom row, cell 2) fills the vacuum (second row, cell 2)",
        "2. Chief Macbeth (bottom row, cell 3) fills the vacuum (second row, cell 2)",
    ]
    assert not re.search(r"\d\.\d", target.getvalue())


def test_players_by_seat() -> None:
    game = tanistry.game("claim")
    players = read_players(game, ["0=random", "1=human"], None, ["Ann"], seed=1)
    assert [p.described for p in players] == ["Ailsa (random)", "Ann"]
    assert default_opponent() in ("people", "greedy", "random")
    people = read_players(game, [], "people:2", [], seed=1)
    assert people[1].described == "Finlay (people:2)"


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_end_of_input(tanistry_command: Command, lang: str) -> None:
    done = tanistry_command(
        "play", "claim", "--plain", "--opponents", "random", "--lang", lang, typed="1\n"
    )
    assert done.status == 2
    assert len(done.err.splitlines()) == 1
