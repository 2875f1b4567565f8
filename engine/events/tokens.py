"""Facts about tokens."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, SerializeAsAny
from typing_extensions import override

from engine.events.event import Event
from engine.model.encounter import Encounter
from engine.model.sheet import Sheet
from engine.model.space import Cell, Coordinate, Facing
from engine.model.token import Token
from engine.model.value import by_kind


class TokensPut(Event):
    """Tokens were added, or replaced whole."""

    kind: Literal["tokens_put"] = "tokens_put"
    tokens: tuple[Token, ...]

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        tokens = encounter.tokens.put_all({token.id: token for token in self.tokens})
        return encounter.changed(tokens=tokens)


class TokensRemoved(Event):
    """Tokens were taken off the map."""

    kind: Literal["tokens_removed"] = "tokens_removed"
    token_ids: tuple[str, ...]

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        return encounter.changed(tokens=encounter.tokens.without(*self.token_ids))


class TokenMoved(Event):
    """A token went along a path, turned, rose or sank.

    `path` begins with the cell it left and ends with the one it stands on; a mere turn has one
    cell.
    """

    kind: Literal["token_moved"] = "token_moved"
    token_id: str
    path: tuple[Cell, ...]
    facing: Facing
    elevation: Coordinate

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        token = encounter.tokens[self.token_id]
        return encounter.with_token(
            token.changed(cell=self.path[-1], facing=self.facing, elevation=self.elevation)
        )


class SheetChanged(Event):
    """A token's statistics changed."""

    kind: Literal["sheet_changed"] = "sheet_changed"
    token_id: str
    sheet: Annotated[SerializeAsAny[Sheet], BeforeValidator(by_kind(Sheet))]

    @override
    def apply(self, encounter: Encounter) -> Encounter:
        token = encounter.tokens[self.token_id]
        return encounter.with_token(token.changed(sheet=self.sheet))
