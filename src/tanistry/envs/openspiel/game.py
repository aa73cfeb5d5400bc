"""The classes OpenSpiel asks for: a game, its states, and what an observer gets to see."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tanistry.envs.openspiel.sitting import Key, Sitting, rules_of
from tanistry.envs.optional import how_to_get
from tanistry.envs.rewarding import rewards
from tanistry.errors import IllegalMove, TanistryError
from tanistry.games.contract import GameInfo, Value
from tanistry.match.game import Game, check_game
from tanistry.match.match import Match
from tanistry.match.seeds import fast_seed
from tanistry.simulation.observation import longest_match, observer
from tanistry.simulation.playouts import LONGEST
from tanistry.table.record import copy_record

try:
    import pyspiel
except ImportError as missing:
    raise how_to_get(missing) from None

PLAYERS = "players"
"""OpenSpiel's name for the number of seats."""
CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)


def game_type(info: GameInfo, size: Mapping[str, Value]) -> Any:
    """What OpenSpiel's register says of a game, or of its small variant."""
    kind = pyspiel.GameType
    return kind(
        short_name=f"tanistry_{info.name}" + ("_small" if size else ""),
        long_name=info.title["en"] + (" (small)" if size else ""),
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=info.seats[-1],
        min_num_players=info.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={PLAYERS: info.seats[0], **_defaults(info), **size},
    )


def _defaults(info: GameInfo) -> dict[str, Value]:
    """The options as parameters. OpenSpiel takes `edition=2015` for a number, so it is one here."""
    options = {"first": 0} | {option.name: option.default for option in info.options}
    return {name: _number_or_same(value) for name, value in options.items()}


def _number_or_same(value: Value) -> Value:
    return int(value) if isinstance(value, str) and value.isdecimal() else value


def _option_value(info: GameInfo, name: str, given: Value) -> Value:
    """The value of an option that a parameter stands for."""
    for option in info.options:
        if option.name == name:
            known = {_number_or_same(value): value for value in option.values}
            return known.get(given, given)
    return given


def register(info: GameInfo, size: Mapping[str, Value] | None = None) -> None:
    """Make a game known to OpenSpiel: `tanistry_claim`; with a size, `tanistry_claim_small`."""
    kind = game_type(info, size or {})
    # OpenSpiel lets go of what it has registered after Python has ended. A function would be freed
    # then, which ends in a crash; a class is part of a cycle and is not.
    made = type(kind.short_name, (TanistryGame,), {"kind": kind, "info": info, "size": size or {}})
    pyspiel.register_game(kind, made)


def load(game: Game) -> TanistryGame:
    """A game of ours as OpenSpiel's, with the same options."""
    check_game(game)
    options = {name: _number_or_same(value) for name, value in game.options.items()}
    found: TanistryGame = pyspiel.load_game(
        f"tanistry_{game.name}", {PLAYERS: game.seats, **options}
    )
    return found


class TanistryGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its options; make one with `pyspiel.load_game("tanistry_lords(players=3)")`."""

    kind: Any
    info: GameInfo
    size: Mapping[str, Value]

    def __init__(self, parameters: Mapping[str, Value] | None = None) -> None:
        chosen = {**self.kind.parameter_specification, **(parameters or {})}
        key = Key(
            self.info.name,
            chosen[PLAYERS],
            tuple(
                (name, _option_value(self.info, name, chosen[name]))
                for name in _defaults(self.info)
            ),
            tuple((name, chosen[name]) for name in self.size),
        )
        try:
            self.rules = rules_of(key)
        except TanistryError as wrong:
            raise pyspiel.SpielError(str(wrong)) from None
        game = self.rules.game
        bounds = pyspiel.GameInfo(
            num_distinct_actions=len(game.tokens),
            max_chance_outcomes=len(game.codes),
            num_players=game.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=longest_match(game),
        )
        super().__init__(self.kind, bounds, chosen)

    def __reduce__(self) -> Any:
        return pyspiel.load_game, (str(self),)

    def new_initial_state(self, position: str | None = None) -> TanistryState:
        """Before the deal; or at a position, as JSON, with the cards its players know there."""
        if position is None:
            return TanistryState(self)
        try:
            return self.state_of(self.rules.game.setup(json.loads(position)))
        except TanistryError as wrong:
            raise pyspiel.SpielError(str(wrong)) from None
        except (ValueError, TypeError) as wrong:
            raise pyspiel.SpielError(f"the position is not JSON: {wrong}") from None

    def state_of(self, match: Match) -> TanistryState:
        """A match under way as a state. Its history begins here, and so does what players recall.

        The order of hidden piles is the true one: hand a search the state of a blinded match.
        """
        ours, theirs = self.rules.game, match.game
        if (repr(theirs), theirs.codes) != (repr(ours), ours.codes):
            raise pyspiel.SpielError(f"the match is one of {theirs!r}, not of {ours!r}")
        state = TanistryState(self)
        state.sitting = Sitting.at(self.rules, match._s)
        return state

    def max_chance_nodes_in_history(self) -> int:
        """No bound from the rules: a deck may be made of the discard again and again."""
        return LONGEST

    def make_py_observer(self, kind: Any = None, parameters: Any = None) -> Observer:
        if parameters:
            raise pyspiel.SpielError(f"there are no parameters of observers: {parameters}")
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        single = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        spectator = kind.private_info == pyspiel.PrivateInfoType.NONE
        if not (single or (spectator and not kind.perfect_recall)):
            raise pyspiel.SpielError(f"there is no observer of this kind: {kind}")
        return Observer(self, kind)


class TanistryState(pyspiel.State):  # type: ignore[misc]
    """A match under way. All of it is in `sitting`, which OpenSpiel copies and pickles."""

    def __init__(self, game: TanistryGame) -> None:
        super().__init__(game)
        self.sitting = Sitting(game.rules)

    def current_player(self) -> int:
        seat = self.sitting.to_act
        if self.sitting.owed is not None:
            return CHANCE
        return seat if seat >= 0 else TERMINAL

    def is_terminal(self) -> bool:
        return self.sitting.owed is None and self.sitting.to_act < 0

    def _legal_actions(self, _player: int) -> list[int]:
        return self.sitting.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.sitting.outcomes()

    def _apply_action(self, action: int) -> None:
        sitting = self.sitting
        if sitting.owed is not None:
            if action not in dict(sitting.outcomes()):
                raise pyspiel.SpielError(f"chance has no outcome {action} here")
            sitting.draw(action)
        elif action in sitting.legal_actions():
            sitting.play(action)
        else:
            raise pyspiel.SpielError(self._refusal(action))

    def _refusal(self, action: int) -> str:
        """Why an action is not legal, with the rule it breaks."""
        tokens = self.sitting.rules.game.tokens
        if not 0 <= action < len(tokens):
            return f"there is no action {action}: they go from 0 to {len(tokens) - 1}"
        try:
            self.match().play(tokens[action])
        except IllegalMove as refused:
            return f"illegal action {action} ({tokens[action]}), rule {refused.rule}: {refused}"
        raise AssertionError("a legal action was refused")

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.sitting.rules.game
        names = game.codes if player == CHANCE else game.tokens
        return names[action] if 0 <= action < len(names) else str(action)

    def returns(self) -> list[float]:
        if self.is_terminal():
            return rewards(self.match())
        return [0.0] * self.sitting.rules.game.seats

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> TanistryState:
        """A state the player cannot tell from this one: what it does not know is dealt anew.

        Its history begins here: the old one would tell what the player may not know.
        """
        if self.sitting.owed is not None:
            raise pyspiel.SpielError("what a player knows is asked for at a choice, not at chance")
        self._check_player(player)
        seed = int(sampler() * 2**53) ^ int(sampler() * 2**53) << 11
        fresh = TanistryState(self.get_game())
        fresh.sitting = self.sitting.resample(player, fast_seed(seed))
        return fresh

    def _check_player(self, player: int) -> None:
        seats = self.sitting.rules.game.seats
        if not 0 <= player < seats:
            raise pyspiel.SpielError(f"there is no player {player}: they go from 0 to {seats - 1}")

    def match(self) -> Match:
        """The same match as ours, to look at: positions, views, records of what comes."""
        sitting = self.sitting
        return Match(sitting.rules.game, copy_record(sitting.s), bytes(32), set_up=True)

    def __str__(self) -> str:
        return str(self.sitting)


class Observer:
    """What a player sees: the view as text, and the observation all our environments share.

    With perfect recall it is an information state instead: all the player has seen and done, as
    text. Without private information it is what a spectator sees, without public information what
    the player knows beyond that, both as text.
    """

    def __init__(self, game: TanistryGame, kind: Any) -> None:
        self.kind = kind
        self.tensor = None
        self.dict: dict[str, Any] = {}
        single = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if single and kind.public_info and not kind.perfect_recall:
            self._observer = observer(game.rules.game)
            layout = self._observer.layout
            self._row = np.zeros(layout.size, np.uint8)
            self.tensor = np.zeros(layout.size, np.float32)
            self.dict = layout.read(self.tensor)

    def set_from(self, state: TanistryState, player: int) -> None:
        """Write the observation; before the deal it is all 0."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        if state.sitting.dealt:
            self._observer.write(state.sitting.s, player, self._row)
            self.tensor[:] = self._observer.layout.as_floats(self._row)

    def string_from(self, state: TanistryState, player: int) -> str | None:
        sitting = state.sitting
        if self.kind.perfect_recall:
            return sitting.information(player)
        everybody = self.kind.private_info == pyspiel.PrivateInfoType.NONE
        if not self.kind.public_info:  # before the deal nobody has a secret: None, not an empty one
            return sitting.secrets(player) if sitting.dealt and not everybody else None
        if not sitting.dealt:
            return ""
        view = state.match().view(None if everybody else player)
        return json.dumps(view, ensure_ascii=False, separators=(",", ":"))
