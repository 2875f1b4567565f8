"""The events that every ruleset shares, by kind."""

from engine.events import board, fog, tokens, turn
from engine.model.value import Kinds

CORE_EVENTS = Kinds(
    board.BoardReplaced,
    board.BoardFitted,
    board.WallsChanged,
    board.DoorMoved,
    board.RegionsChanged,
    board.LightsChanged,
    board.AreasChanged,
    board.NotesChanged,
    tokens.TokensPut,
    tokens.TokensRemoved,
    tokens.TokenMoved,
    tokens.SheetChanged,
    fog.FogChanged,
    fog.FogSwitched,
    fog.FogReset,
    fog.PlayersLearned,
    turn.FightSwitched,
    turn.RulesChanged,
    turn.PendingChanged,
    turn.Logged,
    turn.TableRulesChanged,
    turn.SettingsChanged,
)
