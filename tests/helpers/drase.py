"""A Drase fight on a small board, driven without a document: every step is one pure decision."""

from collections.abc import Iterable
from typing import Any

from engine.commands.combat import Act, AnswerPrompt, Overrule, OverruleResult, RollDice
from engine.commands.command import Command
from engine.commands.registry import decide
from engine.commands.turn import BeginFight, EndFight, EndPhase
from engine.model.board import Board, GridSpec
from engine.model.encounter import Encounter
from engine.model.pending import Prompt
from engine.model.refusal import Rejected
from engine.model.region import Region
from engine.model.space import Cell, GridKind, Point
from engine.model.token import FOES, PARTY, Token
from engine.model.value import FrozenMap
from engine.model.wall import Wall
from engine.rules.dice import Roll
from engine.rules.drase.data import Book, book_of
from engine.rules.drase.options import DraseOptions
from engine.rules.drase.plans import ActionPlan
from engine.rules.drase.ruleset import RULESET, DraseRuleset
from engine.rules.drase.sheet import AttackProfile, DamageType, DraseSheet, Effect
from engine.rules.drase.situation import Situation
from engine.rules.drase.state import DraseState, Phase, state_of
from engine.rules.ruleset import MovePlan, Offer, Plan

SWORD = AttackProfile(name="Sword", damage="1d8+2", damage_type=DamageType.CUT)
BOW = AttackProfile(name="Bow", range_tiles=30, damage="1d8", damage_type=DamageType.PIERCE)
CLUB = AttackProfile(name="Club", damage="4", static_damage=4, damage_type=DamageType.BLUNT)


def creature(**fields: Any) -> DraseSheet:
    """Return a sheet with a sword, a bow and a club; fields replace its values."""
    known = {"attacks": (SWORD, BOW, CLUB), "to_hit": 5, "ac": 12, "hp": 20, "hp_max": 20}
    return DraseSheet.model_validate({**known, **fields})


def token(name: str, x: int, y: int, side: str = PARTY, **fields: Any) -> Token:
    """Return a token named by its first letter; `sheet` fields go to its sheet."""
    own = {key: fields.pop(key) for key in list(fields) if key in Token.model_fields}
    sheet = own.pop("sheet", None) or creature(**fields)
    return Token(id=name.lower(), name=name, side=side, cell=Cell(x, y), sheet=sheet, **own)


def foe(name: str, x: int, y: int, **fields: Any) -> Token:
    """Return a token of the GM's side."""
    return token(name, x, y, FOES, **fields)


def square(x: int, y: int, width: int = 1, height: int = 1) -> tuple[tuple[Point, ...], ...]:
    """Return the ring of a rectangle of tiles."""
    return (((x, y), (x + width, y), (x + width, y + height), (x, y + height)),)


def encounter(
    *tokens: Token,
    walls: Iterable[Wall] = (),
    regions: Iterable[Region] = (),
    size: int = 30,
    grid: GridKind = GridKind.SQUARE,
    board: dict[str, Any] | None = None,
    **options: Any,
) -> Encounter:
    """Return an encounter of Drase on an open square board."""
    made = Board(
        grid=GridSpec(kind=grid, columns=size, rows=size),
        walls=FrozenMap({wall.id: wall for wall in walls}),
        regions=FrozenMap({region.id: region for region in regions}),
        **(board or {}),
    )
    return Encounter(
        ruleset="drase",
        board=made,
        tokens=FrozenMap({each.id: each for each in tokens}),
        options=DraseOptions.model_validate(options),
    )


def book(**options: Any) -> Book:
    """Return the shipped tables under these table rules."""
    return book_of(encounter(**options))


class Fight:
    """A fight in progress; `rolled` are the faces that were typed, in order."""

    def __init__(
        self, start: Encounter, *, situation: Situation | None = None, begin: bool = True
    ) -> None:
        self.now = start
        self.ruleset = RULESET
        if situation is not None:
            self.ruleset = DraseRuleset(look=lambda *_: situation)
        if begin:
            self.do(BeginFight())
            self.end()

    @property
    def state(self) -> DraseState:
        return state_of(self.now)

    @property
    def phase(self) -> Phase:
        return self.state.phase

    @property
    def prompt(self) -> Prompt | None:
        return self.now.prompt

    def sheet(self, token_id: str) -> DraseSheet:
        found = self.now.token(token_id).sheet
        assert isinstance(found, DraseSheet)
        return found

    def cell(self, token_id: str) -> tuple[int, int]:
        return tuple(self.now.token(token_id).cell)

    def logged(self) -> str:
        """Return the whole log."""
        return "\n".join(entry.text for entry in self.now.log)

    def do(self, command: Command) -> "Fight":
        for event in decide(command, self.now, self.ruleset):
            self.now = event.apply(self.now)
        issues = self.ruleset.check(self.now)
        assert not issues, issues
        return self

    def act(self, plan: Plan) -> "Fight":
        return self.do(Act(plan=plan))

    def overrule(self, plan: Plan) -> "Fight":
        return self.do(Overrule(command=Act(plan=plan)))

    def refused(self, plan: Plan) -> str:
        """Return the code of the refusal of a plan."""
        before = self.now
        try:
            self.act(plan)
        except Rejected as error:
            assert self.now is before
            return error.rejection.code
        raise AssertionError("it was not refused")

    def move(self, token_id: str, *cells: tuple[int, int]) -> "Fight":
        return self.act(MovePlan(token_id=token_id, path=tuple(Cell(*each) for each in cells)))

    def action(self, token_id: str, action: str, target: str | None = None, **fields: Any):
        return self.act(plan(token_id, action, target, **fields))

    def roll(self, *faces: int) -> "Fight":
        return self.do(RollDice(faces=faces))

    def total(self, total: int) -> "Fight":
        return self.do(RollDice(total=total))

    def choose(self, value: str) -> "Fight":
        return self.do(AnswerPrompt(choice=value))

    def rule(self, outcome: int | str) -> "Fight":
        return self.do(OverruleResult(outcome=outcome))

    def end(self, *, overrule: bool = False) -> "Fight":
        return self.do(Overrule(command=EndPhase()) if overrule else EndPhase())

    def end_fight(self) -> "Fight":
        return self.do(EndFight())

    def lowest(self) -> "Fight":
        """Answer every open roll with ones, every choice with the last one."""
        while self.prompt is not None:
            if self.prompt.roll is not None:
                self.roll(*(1 for _ in Roll.parse(self.prompt.roll).dice_sides()))
            else:
                self.choose(self.prompt.choices[-1].value)
        return self

    def until(self, phase: Phase, number: int | None = None) -> "Fight":
        """End phases, misses and lowest rolls all the way, until a phase is reached."""
        for _ in range(60):
            if self.phase is phase and number in (None, self.state.round):
                return self
            self.end().lowest()
        raise AssertionError(f"{phase} never came; it is {self.phase} of {self.state.round}")

    def offers(self, token_id: str) -> dict[str, Offer]:
        return {each.id: each for each in self.ruleset.offers(self.now, token_id)}


def plan(token_id: str, action: str, target: str | None = None, **fields: Any) -> ActionPlan:
    """Return the plan of an action."""
    return ActionPlan(token_id=token_id, action=action, target_id=target, **fields)


def with_effect(sheet: DraseSheet, status: str, **fields: Any) -> DraseSheet:
    """Return a sheet with a status on it."""
    return sheet.changed(effects=(*sheet.effects, Effect(id=status, **fields)))
