"""What a ruleset keeps in an encounter: sheets, table rules and its own state.

These are only the bases; each ruleset derives its own types, and `Kinds` tells a file's reader
which ones may occur.
"""

from engine.model.value import Value


class Sheet(Value):
    """A token's statistics in one ruleset."""

    kind: str


class TableRules(Value):
    """The options of one ruleset that a group may change; each field is one option.

    A field's `description` is its help; `json_schema_extra` holds `source` and, where it is a
    proposal of ours, `proposal: true`.
    """

    kind: str


class RulesState(Value):
    """Where a fight stands in one ruleset: round, phase, declared plans."""

    kind: str


class NoTableRules(TableRules):
    """No options."""

    kind: str = "no_table_rules"


class NoRulesState(RulesState):
    """No fight is going on."""

    kind: str = "no_rules_state"
