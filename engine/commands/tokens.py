"""Commands on tokens: put, move, edit, remove."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import ValidationError, field_validator
from typing_extensions import override

from engine.commands.command import Case, Command, as_events, named, several, tell
from engine.commands.places import FreePlaces, fit, regrown, require_facing, require_place
from engine.commands.turn import must_not_wait
from engine.events.board import AreasChanged, LightsChanged
from engine.events.event import Event
from engine.events.tokens import SheetChanged, TokenMoved, TokensPut, TokensRemoved
from engine.geometry.routes import free_route
from engine.grid.grid import board_grid
from engine.model.encounter import Encounter, fresh_id
from engine.model.refusal import complaint, impossible
from engine.model.sheet import Sheet
from engine.model.space import Cell, Coordinate, Facing
from engine.model.token import PARTY, Token
from engine.model.value import FrozenMap
from engine.model.words import field_words
from engine.rules.ruleset import MovePlan

_EDITABLE = frozenset(Token.model_fields) - {"id", "cell", "sheet"}


class AddTokens(Command):
    """Put tokens on the map; an empty id asks for a fresh one.

    `preset` names a ready-made sheet for those that bring none. A token whose footprint is not
    given gets that of its sheet, and follows it from then on.
    """

    kind: Literal["add_tokens"] = "add_tokens"
    tokens: tuple[Token, ...]
    preset: str | None = None

    @field_validator("tokens")
    @classmethod
    def _fit_what_is_not_given(cls, tokens: tuple[Token, ...]) -> tuple[Token, ...]:
        """Note in the command itself which footprints were left open: stored, all are written."""
        return tuple(
            each if "footprint" in each.model_fields_set else each.changed(fitted=True)
            for each in tokens
        )

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        sheet = _preset(case, self.preset) if self.preset else None
        taken: dict[str, object] = dict(case.encounter.tokens)
        made = []
        for token in self.tokens:
            token_id = token.id or fresh_id(taken, "token")
            if token_id in taken:
                raise impossible("id_taken", f"There is already a token {token_id!r}.")
            whole = token.changed(id=token_id, sheet=token.sheet or sheet)
            placed = fit(case.encounter, case.ruleset, whole)
            require_place(case.encounter, placed, placed.cell)
            taken[token_id] = placed
            made.append(placed)
        return (TokensPut(tokens=tuple(made)),)

    @override
    def label(self, encounter: Encounter) -> str:
        return f"Add {several([token.name for token in self.tokens])}"


class MoveToken(Command):
    """Walk a token over way-points; its route between them is the cheapest.

    Outside a fight only walls and the board's edge stand in the way. In a fight the ruleset
    decides. Without a path the token only turns, rises or sinks.
    """

    kind: Literal["move_token"] = "move_token"
    token_id: str
    path: tuple[Cell, ...] = ()
    facing: Facing | None = None
    elevation: Coordinate | None = None

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        encounter = case.encounter
        token = encounter.token(self.token_id)
        require_facing(board_grid(encounter.board.grid), self.facing, token.id)
        for cell in self.path:
            require_place(encounter, token, cell)
        if encounter.fighting and self.path:
            must_not_wait(encounter)
            plan = MovePlan(token_id=token.id, path=self.path, facing=self.facing)
            return as_events(case.ruleset.start(encounter, plan, case.ruling), encounter)
        route = free_route(encounter, token, self.path)
        for refusal in route.refusals:
            case.ruling.pass_on(refusal)
        facing = route.facing if self.facing is None else self.facing
        require_place(encounter, token.changed(facing=facing), route.cells[-1])
        return (
            TokenMoved(
                token_id=token.id,
                path=route.cells,
                facing=facing,
                elevation=token.elevation if self.elevation is None else self.elevation,
            ),
        )

    @override
    def label(self, encounter: Encounter) -> str:
        return f"Move {named(encounter, self.token_id)}"


class PlaceToken(Command):
    """Set a token down anywhere, as the GM's hand does: no route, no cost, no reaction."""

    kind: Literal["place_token"] = "place_token"
    token_id: str
    cell: Cell

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        token = case.encounter.token(self.token_id)
        require_place(case.encounter, token, self.cell)
        return (TokensPut(tokens=(token.changed(cell=self.cell),)),)

    @override
    def label(self, encounter: Encounter) -> str:
        return f"Place {named(encounter, self.token_id)}"


class EditTokens(Command):
    """Change fields of tokens: name, side, hidden, footprint and the like.

    A footprint that is given stays; `fitted` lets it follow the sheet again.
    """

    kind: Literal["edit_tokens"] = "edit_tokens"
    token_ids: tuple[str, ...]
    changes: dict[str, Any]

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        unknown = sorted(set(self.changes) - _EDITABLE)
        if unknown:
            raise impossible("unknown_field", f"A token has no field {unknown[0]!r} to edit.")
        made = []
        for token_id in self.token_ids:
            token = case.encounter.token(token_id)
            try:
                fields = {name: getattr(token, name) for name in Token.model_fields}
                changed = Token.model_validate({**fields, **self._given, **self.changes})
            except ValidationError as error:
                raise impossible("bad_value", complaint(error), token_id=token_id) from error
            if "fitted" in self.changes:
                changed = fit(case.encounter, case.ruleset, changed)
            require_place(case.encounter, changed, changed.cell)
            made.append(changed)
        return (TokensPut(tokens=tuple(made)),)

    @property
    def _given(self) -> dict[str, Any]:
        """Return what follows from the changes: a footprint given by hand follows no sheet."""
        return {"fitted": False} if "footprint" in self.changes else {}

    @override
    def label(self, encounter: Encounter) -> str:
        names = several([named(encounter, each) for each in self.token_ids])
        if set(self.changes) == {"hidden"}:
            return f"{'Hide' if self.changes['hidden'] else 'Show'} {names}"
        return f"Edit {names}"


class DuplicateTokens(Command):
    """Put copies of tokens beside them."""

    kind: Literal["duplicate_tokens"] = "duplicate_tokens"
    token_ids: tuple[str, ...]

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        encounter = case.encounter
        taken: dict[str, object] = dict(encounter.tokens)
        free = FreePlaces(board_grid(encounter.board.grid), encounter.tokens.values())
        made = []
        for token_id in self.token_ids:
            token = encounter.token(token_id)
            beside = free.take(token) or token
            copy = beside.changed(id=fresh_id(taken, "token"), name=_numbered(token, taken))
            taken[copy.id] = copy
            made.append(copy)
        return (TokensPut(tokens=tuple(made)),)

    @override
    def label(self, encounter: Encounter) -> str:
        return f"Copy {several([named(encounter, each) for each in self.token_ids])}"


class RemoveTokens(Command):
    """Take tokens off the map, and the lights that they carry; areas that followed them stay."""

    kind: Literal["remove_tokens"] = "remove_tokens"
    token_ids: tuple[str, ...]

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        encounter, board = case.encounter, case.encounter.board
        gone = {token_id: encounter.token(token_id) for token_id in self.token_ids}
        engaged = _engaged(encounter).intersection(gone)
        if engaged:
            name = gone[min(engaged)].name
            must_not_wait(encounter, f"{name} takes part in what is being resolved. ")
        lights = tuple(each.id for each in board.lights.values() if each.carrier in gone)
        areas = tuple(a.changed(follows=None) for a in board.areas.values() if a.follows in gone)
        return (
            TokensRemoved(token_ids=tuple(gone)),
            *((LightsChanged(removed=lights),) if lights else ()),
            *((AreasChanged(put=areas),) if areas else ()),
        )

    @override
    def label(self, encounter: Encounter) -> str:
        return f"Remove {several([named(encounter, each) for each in self.token_ids])}"


class SetSheet(Command):
    """Give a token a sheet: a preset by name, or whole."""

    kind: Literal["set_sheet"] = "set_sheet"
    token_id: str
    preset: str | None = None
    fields: dict[str, Any] | None = None

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        case.encounter.token(self.token_id)
        if self.preset is not None:
            sheet = _preset(case, self.preset)
        else:
            sheet = _sheet(case, self.token_id, self.fields or {})
        return _new_sheet(case, self.token_id, sheet)

    @override
    def label(self, encounter: Encounter) -> str:
        return f"{named(encounter, self.token_id)}: {self.preset or 'new sheet'}"


class SetValue(Command):
    """Set one value of a token's sheet by hand."""

    kind: Literal["set_value"] = "set_value"
    token_id: str
    field: str
    value: Any

    @override
    def decide(self, case: Case) -> tuple[Event, ...]:
        token = case.encounter.token(self.token_id)
        if token.sheet is None or self.field not in type(token.sheet).model_fields:
            raise impossible(
                "unknown_field", f"{token.name} has no {self.field!r}.", token_id=token.id
            )
        fields = {name: getattr(token.sheet, name) for name in type(token.sheet).model_fields}
        sheet = _sheet(case, token.id, {**fields, self.field: self.value})
        told = tell(
            f"{token.name}: {field_words(type(sheet), self.field)} {_said(self.value)}.",
            token.id,
            secret=token.side != PARTY,
        )
        return (*_new_sheet(case, token.id, sheet), told)

    @override
    def label(self, encounter: Encounter) -> str:
        token = encounter.tokens.get(self.token_id)
        sheet = Sheet if token is None or token.sheet is None else type(token.sheet)
        return f"{named(encounter, self.token_id)}: {field_words(sheet, self.field)}"


def _said(value: Any) -> str:
    """Return a value for the log; what is more than a word or a number is only told of."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    return "changed" if isinstance(value, list | dict | tuple) else str(value)


def _new_sheet(case: Case, token_id: str, sheet: Sheet) -> tuple[Event, ...]:
    """Return the change of a sheet, and of the footprint where it follows."""
    changed = SheetChanged(token_id=token_id, sheet=sheet)
    token = case.encounter.token(token_id)
    before = case.encounter.changed(tokens=FrozenMap({token_id: token}))
    after = case.encounter.changed(tokens=FrozenMap({token_id: token.changed(sheet=sheet)}))
    other = regrown(before, after, case.ruleset)
    return (changed, TokensPut(tokens=other)) if other else (changed,)


def _preset(case: Case, name: str) -> Sheet:
    """Return a ready-made sheet by its name, whatever the case; raise Rejected for none."""
    presets = case.ruleset.presets()
    found = presets.get(name)
    if found is None:
        wanted = name.casefold().replace("_", " ")
        alike = (sheet for label, sheet in presets.items() if label.casefold() == wanted)
        found = next(alike, None)
    if found is None:
        known = ", ".join(presets)
        raise impossible("unknown_preset", f"There is no preset {name!r}; known are {known}.")
    return found


def _sheet(case: Case, token_id: str, fields: dict[str, Any]) -> Sheet:
    try:
        return case.ruleset.sheet_type.model_validate(fields, context=case.ruleset.codec.context())
    except ValidationError as error:
        raise impossible("bad_value", complaint(error), token_id=token_id) from error


def _engaged(encounter: Encounter) -> frozenset[str]:
    """Return every word in what is pending; the ids of the tokens concerned are among them."""
    dumped = (each.model_dump() for each in (*encounter.pending, encounter.prompt) if each)
    return frozenset(_words(list(dumped)))


def _words(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _words([*value, *value.values()])
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _words(each)


def _numbered(token: Token, taken: dict[str, object]) -> str:
    """Return the next free number behind a name: Orc, Orc 2, Orc 3."""
    names = {each.name for each in taken.values() if isinstance(each, Token)}
    stem = token.name.rstrip("0123456789 ") or token.name
    number = 2
    while f"{stem} {number}" in names:
        number += 1
    return f"{stem} {number}"
