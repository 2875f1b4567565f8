"""The encounter: the whole state of one fight on one map, an immutable value."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import BeforeValidator, SerializeAsAny

from engine.model.board import Board
from engine.model.evidence import LogEntry
from engine.model.fog import Fog
from engine.model.pending import Frame, Prompt
from engine.model.refusal import impossible
from engine.model.sheet import NoRulesState, NoTableRules, RulesState, TableRules
from engine.model.token import Token
from engine.model.value import FrozenMap, Kinds, Value, by_kind

BASE_KINDS = Kinds(NoTableRules, NoRulesState)

AnyFrame = Annotated[SerializeAsAny[Frame], BeforeValidator(by_kind(Frame))]
AnyTableRules = Annotated[SerializeAsAny[TableRules], BeforeValidator(by_kind(TableRules))]
AnyRulesState = Annotated[SerializeAsAny[RulesState], BeforeValidator(by_kind(RulesState))]


class Encounter(Value):
    """One fight on one map.

    `corrections` holds a group's own values for rows of the ruleset's tables, by
    "table/row/column". `real_dice` names the sides that roll on the table and type in.
    """

    title: str = ""
    ruleset: str
    board: Board
    tokens: FrozenMap[str, Token] = FrozenMap()
    fog: Fog = Fog()
    options: AnyTableRules = NoTableRules()
    corrections: FrozenMap[str, int | str] = FrozenMap()
    fighting: bool = False
    rules: AnyRulesState = NoRulesState()
    pending: tuple[AnyFrame, ...] = ()
    prompt: Prompt | None = None
    real_dice: tuple[str, ...] = ()
    log: tuple[LogEntry, ...] = ()

    def token(self, token_id: str) -> Token:
        """Return the token of this id; raise Rejected if there is none."""
        found = self.tokens.get(token_id)
        if found is None:
            raise impossible("unknown_token", f"There is no token {token_id!r}.", token_id=token_id)
        return found

    def with_token(self, token: Token) -> "Encounter":
        """Return the encounter with this token added or replaced."""
        return self.changed(tokens=self.tokens.put(token.id, token))


def fresh_id(taken: Mapping[str, object], stem: str) -> str:
    """Return the first of stem-1, stem-2, ... that is not taken."""
    number = len(taken) + 1
    while f"{stem}-{number}" in taken:
        number += 1
    return f"{stem}-{number}"
