"""The screen, driven by keys and clicks: playing, refusals, rules, the curtain, the result."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input, OptionList, RichLog, Static
from textual.worker import WorkerFailed

import tanistry
from tanistry.analysis.coaching import Coach
from tanistry.cli.reading import read_players
from tanistry.session.hints import Hint
from tanistry.session.session import Player, Session
from tanistry.tui.play import PlayApp
from tanistry.tui.screens import Curtain, RulesPage, Sign
from tanistry.tui.widgets import Sheet
from tests.patience import PATIENCE

from .driving import Script, settled, until
from .driving import drive as drive_table


def session(opponents: str = "random", lang: str = "en", seed: int = 42) -> Session:
    game = tanistry.game("claim")
    players = read_players(game, [], opponents, [], seed=1)
    return Session(game.deal(seed), players, lang)


def drive(script: Script, table: Session | None = None, **settings: Any) -> PlayApp:
    return drive_table(script, table or session(), **settings)


def text_of(app: PlayApp, selector: str) -> str:
    return str(app.query_one(selector, Static).render())


def hand_of(app: PlayApp) -> str:
    return app.query_one("#hand", Sheet).canvas.plain()


def log_of(app: PlayApp) -> str:
    return " ".join(strip.text.strip() for strip in app.query_one("#log", RichLog).lines)


def rules_on(app: PlayApp) -> str:
    """The rules that are shown, if the page with them is there."""
    found = app.screen.query("#rules-text")
    return str(found.only_one(Static).render()) if found else ""


def test_enter_plays_the_card_under_the_cursor() -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        await pilot.press("right", "right")
        await until(lambda: app.cursor == 2)
        card = app.hand_codes()[2]
        await pilot.press("enter")
        await settled(app, pilot)
        assert app.session.match.history[0] == (0, card)
        assert len(app.session.match.history) >= 2

    drive(script)


def test_list_and_hand_move_together() -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        await pilot.press("down", "down", "down")
        await until(lambda: app.cursor == 3)
        await pilot.press("left")
        await until(lambda: app.query_one("#choices", OptionList).highlighted == 2)

    drive(script)


def test_a_key_plays_the_choice_behind_it() -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        token = app.listed[3]["token"]
        await pilot.press("4")
        await settled(app, pilot)
        assert app.session.match.history[0] == (0, token)

    drive(script)


def test_click_on_a_card() -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        hand = app.query_one("#hand", Sheet)
        where = hand.canvas.where(4)
        assert where is not None
        card = app.hand_codes()[4]
        await pilot.click("#hand", offset=where)
        await settled(app, pilot)
        assert app.session.match.history[0] == (0, card)

    drive(script)


def follow_session() -> tuple[Session, int]:
    """A match in which seat 1 has led a card that seat 0 must follow but not with every card."""
    game = tanistry.game("claim", first=1)
    for seed in range(100):
        match = game.deal(seed)
        hand = match.view(0)["places"]["hand.0"]
        for lead in match.legal():
            same = [code for code in hand if code[0] == lead[0] and code[0] != "X"]
            other = [n for n, code in enumerate(hand) if code[0] not in (lead[0], "X")]
            if same and other:
                match.play(lead)
                return Session(match, read_players(game, [], "random", [], 1), "en"), other[0]
    raise AssertionError


def test_a_refused_card_says_why_and_shows_the_rule() -> None:
    table, wrong = follow_session()

    async def script(app: PlayApp, pilot: Any) -> None:
        before = app.session.match.position()
        await pilot.press(*["right"] * ((wrong - app.cursor) % len(app.hand_codes())))
        await until(lambda: app.cursor == wrong)
        await pilot.press("enter")
        await until(lambda: "must follow" in text_of(app, "#prompt"))
        assert "claim." not in text_of(app, "#prompt")
        assert app.session.match.position() == before
        await pilot.press("r")
        await until(lambda: "Following" in rules_on(app))
        await pilot.press("escape")
        await until(lambda: not isinstance(app.screen, RulesPage))

    drive(script, table)


def test_a_refused_click_says_why_too() -> None:
    table, wrong = follow_session()

    async def script(app: PlayApp, pilot: Any) -> None:
        where = app.query_one("#hand", Sheet).canvas.where(wrong)
        await pilot.click("#hand", offset=where)
        await until(lambda: "must follow" in text_of(app, "#prompt"))

    drive(script, table)


def test_rules_are_searched_as_one_types() -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        await pilot.press("r")
        await until(lambda: "Phase 2" in rules_on(app))
        app.screen.query_one(Input).value = "knight"
        await until(lambda: "Phase 2\n" not in rules_on(app))
        assert "Knights beat Goblins" in rules_on(app)

    drive(script)


def test_only_the_persons_view_is_shown() -> None:
    """Two matches that differ only in what seat 0 cannot know give the same screen."""
    match = tanistry.game("claim").deal(5)
    screens = set()

    async def script(app: PlayApp, pilot: Any) -> None:
        parts = [app.query_one(sheet, Sheet).canvas.plain() for sheet in ("#board", "#hand")]
        choices = app.query_one("#choices", OptionList)
        listed = [str(option.prompt) for option in choices.options]
        screens.add((*parts, *listed, log_of(app), text_of(app, "#title")))

    for seed in range(3):
        table = session()
        drive(script, Session(match.blind(0, seed), table.players, "en"))
    assert len(screens) == 1


def test_curtain_between_two_people() -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        assert isinstance(app.screen, Curtain)
        assert app.eyes is None
        await pilot.press("enter")
        await until(lambda: app.eyes == 0)
        held = app.hand_codes()
        assert len(held) == 13
        await settled(app, pilot)
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, Curtain))
        assert app.eyes is None
        assert app.hand_codes() == []
        await pilot.press("enter")
        await until(lambda: app.eyes == 1)

    drive(script, session("human"))


def test_behind_the_curtain_lies_a_spectators_table() -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        await pilot.press("enter")
        await until(lambda: app.eyes == 0)
        await settled(app, pilot)
        await pilot.press("enter")
        await until(lambda: app.eyes is None)
        await settled(app, pilot)
        below = app.screen_stack[0]
        assert below.query_one("#hand", Sheet).canvas.plain().strip() == ""
        assert below.query_one("#choices", OptionList).option_count == 0

    drive(script, session("human"))


def test_to_the_end() -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        for _ in range(60):
            if isinstance(app.screen, Sign):
                break
            await pilot.press("enter")
            await settled(app, pilot)
        assert app.session.match.result is not None
        assert isinstance(app.screen, Sign)
        await pilot.press("q")
        await until(lambda: not app.is_running)

    drive(script)


def test_forced_choices_are_played_visibly_or_not_at_all() -> None:
    def last_tricks() -> Session:
        table = session()
        while len(table.match.history) < 48:
            table.play(table.match.legal()[0])
        while table.match.to_act != 0:
            table.play(table.match.legal()[0])
        return table

    async def by_itself(app: PlayApp, pilot: Any) -> None:
        for _ in range(40):
            if app.session.match.result:
                break
            if app.persons_turn and len(app.session.match.legal()) > 1:
                await pilot.press("1")
            await settled(app, pilot)
        assert app.session.match.result is not None

    drive(by_itself, last_tricks())


def test_forced_choices_can_be_left_to_the_person() -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        assert app.play_forced
        await pilot.press("f")
        await until(lambda: "yourself" in text_of(app, "#prompt"))
        assert not app.play_forced

    drive(script)


def test_save_writes_a_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def script(app: PlayApp, pilot: Any) -> None:
        await pilot.press("1")
        await settled(app, pilot)
        for _ in range(2):
            app.prompt("")
            await pilot.press("s")
            await until(lambda: "claim-1.txt" in text_of(app, "#prompt"))

    app = drive(script)
    kept = [path.name for path in tmp_path.iterdir()]
    assert kept == ["claim-1.txt"]
    assert (
        tanistry.replay((tmp_path / "claim-1.txt").read_text()).history == app.session.match.history
    )


def test_help_and_leaving() -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        def signs() -> int:
            return sum(isinstance(screen, Sign) for screen in app.screen_stack)

        for key in ("question_mark", "q"):
            await pilot.press(key)
            await until(lambda: signs() == 1)
            await pilot.press("escape")
            await until(lambda: signs() == 0)
            assert app.is_running
        await pilot.press("q")
        await until(lambda: signs() == 1)
        await pilot.press("enter")
        await until(lambda: not app.is_running)

    drive(script)


def test_keys_typed_ahead_of_leaving_do_nothing() -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        app.exit()
        assert not app.check_action("rule", ())
        await pilot.press("r", "i", "l")
        await until(lambda: not app.is_running)
        assert not isinstance(app.screen_stack[-1] if app._screen_stack else None, RulesPage)

    drive(script)


def test_hints_stand_beside_the_choices() -> None:
    def adviser(match: tanistry.Match) -> list[Hint]:
        return [Hint(token, 0.25) for token in match.legal()]

    async def script(app: PlayApp, pilot: Any) -> None:
        choices = app.query_one("#choices", OptionList)
        assert "25 %" in str(choices.options[0].prompt)

    drive(script, adviser=adviser)


def test_a_coach_judges_and_a_choice_is_taken_back() -> None:
    table = session()
    coach = Coach(table.game, table.names, "en")
    first = table.match.copy()
    verdict = coach.verdict(first, first.legal()[0])[0]

    async def script(app: PlayApp, pilot: Any) -> None:
        await pilot.press("h")
        await until(lambda: isinstance(app.screen, Sign) and bool(app.screen.query("#sign-text")))
        assert coach.idea(first)[0] in str(app.screen.query_one("#sign-text", Static).render())
        await pilot.press("escape")
        await until(lambda: not isinstance(app.screen, Sign))
        await pilot.press("1")
        await settled(app, pilot)
        await until(lambda: verdict in text_of(app, "#caption"))
        await pilot.press("u")
        await until(lambda: not app.session.match.history)
        await settled(app, pilot)
        assert app.session.match.view(0) == first.view(0)
        assert verdict not in text_of(app, "#caption")
        await pilot.press("u")
        await until(lambda: "nothing to take back" in text_of(app, "#prompt"))

    drive(script, table, coach=coach)


def test_without_hints_no_key_is_offered() -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        keys = {binding.key for _, binding, shown, _ in app.active_bindings.values() if shown}
        assert "h" not in keys
        assert "r" in keys

    drive(script)


def test_french() -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        assert "jouez une carte." in text_of(app, "#prompt")
        await pilot.press("1")
        await settled(app, pilot)
        await until(lambda: "entame" in log_of(app))

    drive(script, session(lang="fr"))


@pytest.mark.parametrize("size", [(40, 12), (60, 24), (80, 24), (100, 30), (200, 60)])
def test_any_size(size: tuple[int, int]) -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        said = app.query_one("#small", Static)
        assert said.display == (size == (40, 12))
        assert "--plain" in str(said.render())
        await pilot.press("1")
        await until(lambda: len(app.session.match.history) >= 2)
        board = app.query_one("#board", Sheet)
        assert board.hidden == 0 or size == (40, 12)

    drive(script, size=size)


def test_a_table_that_is_too_high_scrolls_and_says_so() -> None:
    game = tanistry.game("lords", seats=5)
    table = Session(game.deal(3), read_players(game, [], "random", [], 1), "en")

    async def script(app: PlayApp, pilot: Any) -> None:
        board = app.query_one("#board", Sheet)
        assert board.hidden > 0
        assert "PgDn" in board.render_line(board.size.height - 1).text
        await pilot.press("pagedown")
        await until(lambda: board.top > 0)
        await pilot.press("pageup")
        await until(lambda: board.top == 0)

    drive(script, table, size=(60, 20))


@pytest.mark.parametrize("size", [(100, 30), (80, 24), (60, 24)])
def test_what_a_card_does_is_a_key_away(size: tuple[int, int]) -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        card = app.session.words.card(app.hand_codes()[app.cursor])
        await pilot.press("i")
        await until(lambda: isinstance(app.screen, Sign))
        await pilot.pause()
        text = app.screen.query_one("#sign-text", Static)
        assert str(app.screen.query_one("#sign-title", Static).render()) == card
        assert "Value" in str(text.render())
        assert text.region.right <= app.screen.query_one("#sign").region.right - 2, "none is cut"
        await pilot.press("i")
        await until(lambda: not isinstance(app.screen, Sign))

    drive(script, size=size)


def test_a_caption_says_what_the_bot_did() -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        await pilot.press("1")
        await settled(app, pilot)
        caption = text_of(app, "#caption")
        assert "Angus" in caption
        assert "wins the trick with" in caption
        assert "the prize" not in caption.lower()

    drive(script)


def test_without_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def script(app: PlayApp, pilot: Any) -> None:
        assert app.no_color
        assert "›" in app.query_one("#hand", Sheet).canvas.plain()  # the cursor is no colour

    drive(script, size=(80, 24))


def test_cards_are_told_by_more_than_colour() -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        for code in app.hand_codes():
            assert app.board.label(code, app.scene()) in hand_of(app)
            assert app.board.cloth(code).symbol in hand_of(app)
        symbols = [cloth.symbol for cloth in app.board.cloths.values()]
        assert len(set(symbols)) == len(symbols)

    drive(script)


class Waiting:
    """A bot that thinks until it is told to answer."""

    name = "waiting"

    def __init__(self) -> None:
        self.thinks, self.may_answer = threading.Event(), threading.Event()

    def choose(self, match: tanistry.Match) -> str:
        self.thinks.set()
        assert self.may_answer.wait(PATIENCE)
        return match.legal()[0]


def test_a_bot_plays_on_while_something_lies_over_the_table() -> None:
    table, bot = session(), Waiting()
    table.players[1] = Player("Seat 1", bot)

    async def script(app: PlayApp, pilot: Any) -> None:
        await pilot.press("1")
        await until(bot.thinks.is_set)
        await pilot.press("question_mark")
        await until(lambda: isinstance(app.screen, Sign))
        bot.may_answer.set()
        await settled(app, pilot)
        assert isinstance(app.screen, Sign)
        assert len(app.session.match.history) >= 2
        await pilot.press("escape")
        await until(lambda: not isinstance(app.screen, Sign))
        assert app.persons_turn

    drive(script, table)


def test_leaving_while_a_bot_thinks_is_quiet() -> None:
    table, bot = session(), Waiting()
    table.players[1] = Player("Seat 1", bot)

    async def script(app: PlayApp, pilot: Any) -> None:
        await pilot.press("1")
        await until(bot.thinks.is_set)
        await pilot.press("q")
        await until(lambda: isinstance(app.screen, Sign))
        await pilot.press("q")
        await until(lambda: not app.is_running)
        bot.may_answer.set()

    drive(script, table)


def test_a_fault_closes_the_table_without_a_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    class Broken:
        name = "broken"

        def choose(self, match: tanistry.Match) -> str:
            raise RuntimeError("no idea")

    table = session()
    table.players[1] = Player("Seat 1", Broken())

    async def script(app: PlayApp, pilot: Any) -> None:
        await pilot.press("1")
        await until(lambda: not app.is_running)

    with pytest.raises(WorkerFailed, match="no idea"):
        drive(script, table)
    assert "Traceback" not in "".join(capsys.readouterr())


def run_to_end(app: PlayApp, monkeypatch: pytest.MonkeyPatch, *keys: str) -> None:
    """As the command does, without a terminal."""
    run = app.run

    async def press(pilot: Any) -> None:
        await settled(app, pilot)
        await pilot.press(*keys)

    monkeypatch.setattr(app, "run", lambda: run(headless=True, auto_pilot=press))
    app.run_to_end()


def test_ctrl_c_interrupts_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KeyboardInterrupt):
        run_to_end(PlayApp(session()), monkeypatch, "ctrl+c")
    run_to_end(PlayApp(session()), monkeypatch, "q", "q")


def test_a_fault_of_a_bot_is_raised_as_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text("class Bot:\n def __init__(self, *, seed): ...\n def choose(self, match): ...")
    with pytest.raises(tanistry.OptionError, match="Bot chose None"):
        run_to_end(PlayApp(session(f"{mine}:Bot"), pace=0.0), monkeypatch, "1")
