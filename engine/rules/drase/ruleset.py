"""Drase: the ruleset as the engine sees it. Thin: every answer is another module's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.events.tokens import SheetChanged
from engine.events.turn import RulesChanged
from engine.geometry.routes import MovementRules
from engine.grid.footprint import block_name
from engine.model.encounter import Encounter
from engine.model.evidence import Modifier
from engine.model.pending import Answer
from engine.model.refusal import Ruling
from engine.model.sheet import NoRulesState, Sheet, TableRules
from engine.model.space import Cell, GridKind
from engine.model.value import Kinds
from engine.rules.drase import data, forecast, offers, resolution, rounds, show, targets
from engine.rules.drase.checks import issues
from engine.rules.drase.combat import cover_line
from engine.rules.drase.desk import desk_of
from engine.rules.drase.events import ALL_EVENTS
from engine.rules.drase.movement import movement_rules
from engine.rules.drase.options import DraseOptions
from engine.rules.drase.plans import ALL_PLANS, TravelPlan
from engine.rules.drase.presets import presets
from engine.rules.drase.sheet import DraseSheet
from engine.rules.drase.situation import Look, look
from engine.rules.drase.state import ALL_FRAMES, DraseState
from engine.rules.drase.words import plan_words
from engine.rules.drase.work import Work
from engine.rules.ruleset import (
    Advance,
    Card,
    Forecast,
    Issue,
    Measured,
    Offer,
    Plan,
    Step,
    Table,
    TargetOffer,
)


@lru_cache(maxsize=1)
def _kinds() -> Kinds:
    return Kinds(DraseSheet, DraseOptions, DraseState, *ALL_PLANS, *ALL_FRAMES, *ALL_EVENTS)


@dataclass(frozen=True)
class DraseRuleset:
    """Drase; `look` asks the map, and may be replaced by typed situations."""

    look: Look = look

    id: str = "drase"
    name: str = "Drase"
    grids: frozenset[GridKind] = frozenset(GridKind)
    sheet_type: type[Sheet] = DraseSheet
    options_type: type[TableRules] = DraseOptions

    @property
    def codec(self) -> Kinds:
        """Return Drase's own types by kind."""
        return _kinds()

    def presets(self) -> Mapping[str, Sheet]:
        """Return the NPCs of the threat table and some ordinary fighters."""
        return presets()

    def tables(self) -> tuple[Table, ...]:
        """Return all tables with the source of each row."""
        return data.tables()

    def footprint(self, encounter: Encounter, sheet: Sheet) -> str | None:
        """Return the block that the table gives to a creature's size."""
        if not isinstance(sheet, DraseSheet):
            return None
        row = data.book_of(encounter).sizes.get(sheet.size)
        return None if row is None else block_name(encounter.board.grid.kind, row.footprint)

    def card(self, sheet: Sheet) -> Card:
        """Return what the map shows of a sheet."""
        return show.card(sheet) if isinstance(sheet, DraseSheet) else Card()

    def step(self, encounter: Encounter) -> Step:
        """Return where the fight stands."""
        return show.step(encounter)

    def offers(
        self, encounter: Encounter, token_id: str, selected: tuple[str, ...] = ()
    ) -> tuple[Offer, ...]:
        """Return everything that a creature could do, with its reason where it cannot."""
        return offers.offers(encounter, token_id, self.look, selected)

    def targets(self, encounter: Encounter, plan: Plan) -> tuple[TargetOffer, ...]:
        """Return everything that a plan could be aimed at, with the reason where it cannot."""
        return targets.targets(encounter, plan, self.look)

    def forecast(self, encounter: Encounter, plan: Plan) -> Forecast:
        """Return what a plan would bring."""
        return forecast.forecast(encounter, plan, self.look)

    def words(self, encounter: Encounter, plan: Plan) -> str:
        """Return what a plan is, in words."""
        return plan_words(encounter, plan)

    def planned(self, encounter: Encounter, token_id: str) -> Encounter:
        """Return the map as it will be when a creature's declared steps are done."""
        return desk_of(encounter, encounter.token(token_id), self.look).encounter

    def movement(
        self, encounter: Encounter, token_id: str, plan: Plan | None = None
    ) -> MovementRules:
        """Return how a creature moves after what it has declared, and what is left for it."""
        desk = desk_of(encounter, encounter.token(token_id), self.look)
        mode = plan.mode if isinstance(plan, TravelPlan) else None
        return movement_rules(desk.book, desk.encounter, desk.token, desk.turn, mode)

    def measure(self, encounter: Encounter, cells: Sequence[Cell]) -> Measured:
        """Return the length of a line in tiles, by the table rule for diagonals."""
        return show.measured(encounter, cells)

    def cover(self, encounter: Encounter, viewer_id: str, target_id: str) -> tuple[Modifier, ...]:
        """Return every cover between two creatures, as a ranged attack meets it."""
        viewer, target = encounter.token(viewer_id), encounter.token(target_id)
        book = data.book_of(encounter)
        found = self.look(encounter, book, viewer, target, True).covers
        return tuple(cover_line(book, each) for each in found)

    def begin(self, encounter: Encounter, ruling: Ruling) -> Advance:
        """Begin the fight with its setup: who is surprised, who has prepared."""
        work = Work(encounter, ruling, self.look)
        work.emit(RulesChanged(rules=DraseState()))
        work.log("The fight begins.")
        return work.done()

    def start(self, encounter: Encounter, plan: Plan, ruling: Ruling) -> Advance:
        """Declare a plan, or carry out what the GM does by hand."""
        work = Work(encounter, ruling, self.look, encounter.pending)
        resolution.start(work, plan)
        return work.done()

    def advance(self, encounter: Encounter, answer: Answer, ruling: Ruling) -> Advance:
        """Give the answer to whatever asked, and go on to the next question or the end."""
        work = Work(encounter, ruling, self.look, encounter.pending)
        resolution.answer(work, answer)
        return work.done()

    def end_phase(self, encounter: Encounter, ruling: Ruling) -> Advance:
        """Finish the phase and go on to the next in which somebody decides."""
        work = Work(encounter, ruling, self.look, encounter.pending)
        rounds.leave(work)
        resolution.run(work)
        return work.done()

    def end(self, encounter: Encounter, ruling: Ruling) -> Advance:
        """End the fight; the defence of the round is gone with it."""
        work = Work(encounter, ruling, self.look)
        for token in tuple(encounter.tokens.values()):
            sheet = token.sheet
            if isinstance(sheet, DraseSheet) and (sheet.round_def or sheet.surprised):
                after = sheet.changed(round_def=0, surprised=False)
                work.emit(SheetChanged(token_id=token.id, sheet=after))
        work.emit(RulesChanged(rules=NoRulesState()))
        work.log("The fight ends.")
        return work.done()

    def check(self, encounter: Encounter) -> tuple[Issue, ...]:
        """Return every broken invariant of Drase's own."""
        return issues(encounter)


RULESET = DraseRuleset()
