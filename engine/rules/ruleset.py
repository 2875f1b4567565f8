"""What a ruleset gives: the protocol, and the plain values that it answers with.

Nothing here knows any one ruleset. A sixth ruleset is one new folder that fulfils `Ruleset`.

Every text here is the GM's. What the players read of it stands beside it as a template, in
`players`; `engine.model.told` makes both at once, and whatever has no template is not told.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Literal, Protocol

from pydantic import BeforeValidator, SerializeAsAny

from engine.events.event import Event
from engine.geometry.routes import MovementRules
from engine.model.encounter import Encounter
from engine.model.evidence import Modifier
from engine.model.pending import Answer, Frame, Prompt
from engine.model.refusal import Rejection, Ruling
from engine.model.region import AreaShape
from engine.model.sheet import Sheet, TableRules
from engine.model.space import Cell, Facing, GridKind
from engine.model.value import FrozenMap, Kinds, Value, by_kind
from engine.model.words import in_words


class TargetKind(StrEnum):
    """What must still be pointed at before an offered plan is complete."""

    NONE = "none"
    TOKEN = "token"
    CELL = "cell"
    PATH = "path"
    AREA = "area"
    WALL = "wall"
    TEXT = "text"


class Plan(Value):
    """What somebody means to do; rulesets derive their own with further fields.

    The common fields are those that the map can fill in: a tool sets `target_id` for a token or
    a wall, `path` for a cell (one) or a way (many), `shape` for a template.
    """

    kind: str
    token_id: str
    target_id: str | None = None
    path: tuple[Cell, ...] = ()
    facing: Facing | None = None
    shape: AreaShape | None = None
    note: str = ""


AnyPlan = Annotated[SerializeAsAny[Plan], BeforeValidator(by_kind(Plan))]


class MovePlan(Plan):
    """A walk over `path`: the way-points after the cell where the token stands."""

    kind: Literal["move"] = "move"


class Offer(Value):
    """One thing that a token could do now, with its cost, or the reason why it cannot.

    `plan` lacks only what `target` asks for. `group` is the heading it stands under; `source`
    cites the rule; `proposal` marks what no source gives. `opens` says that the fields which the
    plan leaves open are the point of it, `wants` which of them mean something (None: all), and
    `choices` what may stand in such a field. What is `at_once` is never only declared.
    """

    id: str
    label: str
    cost: str = ""
    group: str = ""
    target: TargetKind = TargetKind.NONE
    plan: AnyPlan
    reason: str = ""
    hint: str = ""
    source: str = ""
    proposal: bool = False
    opens: bool = False
    wants: tuple[str, ...] | None = None
    choices: FrozenMap[str, tuple[str, ...]] = FrozenMap()
    at_once: bool = False

    @property
    def enabled(self) -> bool:
        """Tell whether the rules allow it now."""
        return not self.reason


class TargetOffer(Value):
    """One thing that a plan could be aimed at, or the reason why the rules do not allow it.

    `target_id` is a token or a wall, `label` its name, `detail` what tells it from others, such
    as how far it is. What stands against the plan whomever it is aimed at, is told by its offer.
    """

    target_id: str
    label: str
    detail: str = ""
    refusal: Rejection | None = None

    @property
    def enabled(self) -> bool:
        """Tell whether the rules allow it now."""
        return self.refusal is None

    @property
    def reason(self) -> str:
        """Return why not, empty if it is allowed."""
        return "" if self.refusal is None else self.refusal.sentence


class Band(Value):
    """A named part of the outcomes and its chance."""

    label: str
    chance: Fraction


class ForecastRow(Value):
    """Exact odds for one possible answer of the opponent.

    `damage` lists (amount, chance) over all outcomes, a miss included; `mean` is its mean.
    """

    answer: str = ""
    chance: Fraction
    bands: tuple[Band, ...] = ()
    damage: tuple[tuple[int, Fraction], ...] = ()
    mean: Fraction | None = None


class Forecast(Value):
    """What a plan would bring: the sum line by line, the roll, and the odds.

    `refusals` are the reasons why the rules do not allow it; the numbers stand all the same
    where they make sense, because the GM may overrule.
    """

    title: str
    lines: tuple[Modifier, ...] = ()
    roll: str | None = None
    rows: tuple[ForecastRow, ...] = ()
    refusals: tuple[Rejection, ...] = ()


class Advance(Value):
    """What a piece of resolution brought: events, then the frames left and their prompt.

    With no frames left the resolution is finished.
    """

    events: tuple[SerializeAsAny[Event], ...] = ()
    pending: tuple[SerializeAsAny[Frame], ...] = ()
    prompt: Prompt | None = None


class TurnEntry(Value):
    """One line of the turn list.

    `players` are the templates of what the players read as the detail of one of their own; those
    that they may read are put in a row with commas. The badge too is told of their own alone.
    """

    token_id: str
    detail: str = ""
    badge: str = ""
    may_act: bool = False
    done: bool = False
    players: tuple[str, ...] = ()


class DeclaredPlan(Value):
    """A plan that is declared and not yet resolved, as the map shows it.

    `players` is the template of what the players read as the label of one of their own.
    """

    token_id: str
    label: str
    path: tuple[Cell, ...] = ()
    targets: tuple[str, ...] = ()
    shape: AreaShape | None = None
    players: str | None = None


class Step(Value):
    """Where the fight stands: what the turn list shows and what the next button does.

    `side` is whose phase it is, None if everybody's. `players` is the template of what the
    players read as the title, unless they do not see one of those in `about`. For the GM alone are
    the subtitle, the button that ends the phase (`end_label`) and the reason why it cannot be
    ended yet (`end_reason`). With `declares` on, plans are only declared in this phase and
    resolved in a later one.
    """

    title: str
    subtitle: str = ""
    round: int = 0
    side: str | None = None
    entries: tuple[TurnEntry, ...] = ()
    plans: tuple[DeclaredPlan, ...] = ()
    about: tuple[str, ...] = ()
    end_label: str = ""
    end_reason: str = ""
    declares: bool = False
    players: str | None = None


class Bar(Value):
    """A bar on a token: hit points, fatigue."""

    label: str
    value: int
    maximum: int


class Badge(Value):
    """A short mark on a token and what it means.

    `players` is what the players read as the meaning on a token that is not theirs; without it
    they do not see the badge there.
    """

    text: str
    meaning: str
    players: str | None = None


class Card(Value):
    """What the map and the lists show of a sheet."""

    bars: tuple[Bar, ...] = ()
    badges: tuple[Badge, ...] = ()
    down: bool = False
    detail: str = ""


class Table(Value):
    """A table of the ruleset, with a source mark in each row.

    `titles` are the columns as people read them, as many as there are columns, or none.
    A group may correct every row, and add rows of its own to one that is `open`: what the sources
    lack can so be filled in.
    """

    id: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    open: bool = False
    titles: tuple[str, ...] = ()

    def title_of(self, column: str) -> str:
        """Return a column's name as people read it."""
        titles = dict(zip(self.columns, self.titles, strict=False))
        return titles.get(column) or in_words(column)


class Leg(Value):
    """One leg of a measured line: its own length, and the reasons beyond a plain count."""

    start: Cell
    end: Cell
    length: float
    reasons: tuple[str, ...] = ()


class Measured(Value):
    """A line measured over way-points, as ranges are: terrain does not count, diagonals do.

    What alternates goes on over way-points, so the total may differ from the sum of the legs
    measured alone. `label` is the total with its unit.
    """

    legs: tuple[Leg, ...]
    total: float
    label: str


class Issue(Value):
    """A broken invariant: where, and what is wrong."""

    where: str
    sentence: str


class Ruleset(Protocol):
    """One combat system; no base class, no state of its own.

    Deciding methods take a `Ruling`: they call `ruling.refuse(...)` for every rule that stands
    in the way, and go on if the GM overrules it. They raise Rejected, never change anything, and
    never draw dice: a roll is a prompt, answered by `advance`.
    """

    @property
    def id(self) -> str:
        """Return the word that names it in files."""

    @property
    def name(self) -> str:
        """Return the name for people."""

    @property
    def grids(self) -> frozenset[GridKind]:
        """Return the grids that it can be played on."""

    @property
    def sheet_type(self) -> type[Sheet]:
        """Return the type of its sheets; labels, units and bounds stand in the fields."""

    @property
    def options_type(self) -> type[TableRules]:
        """Return the type of its table rules."""

    @property
    def codec(self) -> Kinds:
        """Return its own sheet, options, state, frame, event and plan types by kind."""

    def presets(self) -> Mapping[str, Sheet]:
        """Return ready-made sheets by name, for new tokens."""

    def tables(self) -> tuple[Table, ...]:
        """Return its tables with their sources."""

    def footprint(self, encounter: Encounter, sheet: Sheet) -> str | None:
        """Return the footprint of somebody with this sheet, None where the rules have no say."""

    def card(self, sheet: Sheet) -> Card:
        """Return what the map shows of a sheet; the same for equal sheets."""

    def step(self, encounter: Encounter) -> Step:
        """Return where the fight stands."""

    def offers(
        self, encounter: Encounter, token_id: str, selected: tuple[str, ...] = ()
    ) -> tuple[Offer, ...]:
        """Return everything that the token could do, possible now or not.

        Where several tokens are `selected`, it may lead them in what they can do together.
        """

    def targets(self, encounter: Encounter, plan: Plan) -> tuple[TargetOffer, ...]:
        """Return everything that an offered plan could be aimed at, allowed or not.

        Those allowed come first, of these the foes, the nearest before others. Empty for a plan
        that is not aimed at one token or wall; what the plan is aimed at already does not count.
        """

    def forecast(self, encounter: Encounter, plan: Plan) -> Forecast:
        """Return what the plan would bring."""

    def words(self, encounter: Encounter, plan: Plan) -> str:
        """Return what a plan is in words, without who acts: "Attack Orc (Bow)"."""

    def planned(self, encounter: Encounter, token_id: str) -> Encounter:
        """Return the encounter as it will be when what the token has declared is done.

        Its next way begins there. The encounter itself where nothing is declared.
        """

    def movement(
        self, encounter: Encounter, token_id: str, plan: Plan | None = None
    ) -> MovementRules:
        """Return how the token moves next, by a `plan` of its own kind, and what it has left."""

    def measure(self, encounter: Encounter, cells: Sequence[Cell]) -> Measured:
        """Return the length of a line over at least two cells, as the ruleset counts ranges."""

    def cover(self, encounter: Encounter, viewer_id: str, target_id: str) -> tuple[Modifier, ...]:
        """Return every cover that the target has from the viewer, graded, with evidence."""

    def begin(self, encounter: Encounter, ruling: Ruling) -> Advance:
        """Begin the fight."""

    def start(self, encounter: Encounter, plan: Plan, ruling: Ruling) -> Advance:
        """Declare or resolve a plan, as the phase has it."""

    def advance(self, encounter: Encounter, answer: Answer, ruling: Ruling) -> Advance:
        """Continue the top frame with the answer to the open prompt."""

    def end_phase(self, encounter: Encounter, ruling: Ruling) -> Advance:
        """End the phase."""

    def end(self, encounter: Encounter, ruling: Ruling) -> Advance:
        """End the fight."""

    def check(self, encounter: Encounter) -> tuple[Issue, ...]:
        """Return every broken invariant of the ruleset's own."""
