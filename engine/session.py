"""The one gate: a session executes commands on a document, undoes, redoes and tells its observers.

Menus, docks, the command line and tests all come through here. The order never changes: decide,
apply to a candidate, check it, commit to the document, and only then is the candidate current; so
a failure at any point leaves everything as it was.
"""

import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from secrets import SystemRandom

from pydantic import ValidationError

from engine.check import broken_by
from engine.commands.combat import Overrule, RollDice, answers_roll
from engine.commands.command import Command
from engine.commands.registry import decide, decode_command, resolve
from engine.events.event import Event, Record
from engine.events.turn import PendingChanged
from engine.geometry.memo import changes
from engine.model.audience import Audience, Stage, StageMode
from engine.model.encounter import Encounter
from engine.model.pending import PromptKind
from engine.model.refusal import Rejected, Rejection, complaint, impossible
from engine.model.value import FrozenMap
from engine.rules import dice
from engine.rules.registry import kinds_of, ruleset_of
from engine.rules.ruleset import Issue, Ruleset
from engine.storage.document import Document, RecordSummary
from engine.storage.tree import RecordTree
from engine.view import Projected, View, project

STATES_KEPT = 200
SNAPSHOT_EVERY = 200

_DONE = object()

Observer = Callable[[View, View], None]
"""Called once per change with the Views before and after it."""

Images = Mapping[str, bytes]
NO_IMAGES: Images = FrozenMap()


@dataclass(frozen=True, slots=True)
class Difference:
    """A record that decides otherwise today than when it was made."""

    record_id: int
    sentence: str


class Session:
    """An open encounter: the only holder of changing state in the engine."""

    def __init__(
        self,
        document: Document,
        *,
        entropy: Random | None = None,
        real_dice: Sequence[str] = (),
    ) -> None:
        self._document = document
        self._entropy = entropy or SystemRandom()
        self._real_dice = tuple(real_dice)
        self._tree = RecordTree(document.records())
        self._states: OrderedDict[int, Encounter] = OrderedDict()
        self._head = document.head
        self._encounter = self.state(self._head)
        self._snapshot: Iterator[None] | None = None
        self._ruleset = ruleset_of(self._encounter.ruleset)
        self._stage = Stage()
        self._observers: dict[Audience, list[Observer]] = {}
        self._projected: dict[Audience, Projected] = {}
        self._held: dict[Audience, Projected] = {}
        self._foreseen: dict[Audience, Projected] = {}

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        entropy: Random | None = None,
        real_dice: Sequence[str] = (),
        read_only: bool = False,
    ) -> "Session":
        """Open a document; raise FileProblem if it cannot be.

        `real_dice` adds sides whose rolls stay open to those that the encounter names. With
        `read_only` the right to write is left to others.
        """
        document = Document.open(path, kinds_of, read_only=read_only)
        return cls(document, entropy=entropy, real_dice=real_dice)

    @classmethod
    def create(
        cls,
        path: Path,
        encounter: Encounter,
        *,
        first: Sequence[Command] = (),
        images: Images | None = None,
        entropy: Random | None = None,
    ) -> "Session":
        """Create a document that begins with what the first commands make of the encounter.

        They are no records: there is nothing to undo in a new document. `images` are the pictures
        that the encounter shows. Raises FileProblem if the file exists, Rejected for a command
        that may not be; then no file is made.
        """
        ruleset = ruleset_of(encounter.ruleset)
        start = encounter
        for command in first:
            start = _resolved(command, start, ruleset)[1]
        missing = _fresh_pictures(encounter, start) - (images or NO_IMAGES).keys()
        if missing:
            raise impossible("unknown_picture", f"There is no picture {min(missing)[:12]} here.")
        kinds = kinds_of(encounter.ruleset)
        return cls(Document.create(path, start, kinds, images or NO_IMAGES), entropy=entropy)

    @property
    def document(self) -> Document:
        """Return the document beneath."""
        return self._document

    @property
    def encounter(self) -> Encounter:
        """Return the current state."""
        return self._encounter

    @property
    def ruleset(self) -> Ruleset:
        """Return the encounter's ruleset."""
        return self._ruleset

    @property
    def head(self) -> int:
        """Return the id of the current record, 0 at the very start."""
        return self._head

    @property
    def stage(self) -> Stage:
        """Return what is on show."""
        return self._stage

    def decode(self, data: object) -> Command:
        """Turn JSON data into a command; raise Rejected with a sentence if it is none."""
        return decode_command(data, self._encounter.ruleset)

    @property
    def real_dice(self) -> tuple[str, ...]:
        """Return the sides whose rolls stay open until their dice are typed in."""
        return tuple(dict.fromkeys((*self._encounter.real_dice, *self._real_dice)))

    def type_dice_of(self, sides: Sequence[str]) -> None:
        """Leave these sides' rolls open from now on, beside those that the encounter names.

        It is no part of the encounter: nothing is recorded, and undo leaves it alone.
        """
        self._real_dice = tuple(sides)

    def execute(
        self,
        command: Command,
        *,
        images: Images | None = None,
        roll: bool = True,
    ) -> tuple[Record, ...]:
        """Execute a command, then answer its roll prompts; return the records made.

        They are one gesture, and so is a roll with the gesture that it completes. With `roll` off
        the prompts stay open, and so does one that was open before and is not the command's
        affair. Raises Rejected or FileProblem; then nothing has changed, unless a later roll
        failed to be stored.
        """
        before = self._encounter
        group = self._gesture_completed_by(command)
        made = [self._commit(command, group, images or NO_IMAGES)]
        roll = roll and (answers_roll(command) or self._encounter.prompt is not before.prompt)
        while roll and (asked := self._roll_for(self._encounter)) is not None:
            made.append(self._commit(asked, made[0].group, NO_IMAGES))
        return tuple(made)

    def execute_together(self, commands: Iterable[Command]) -> tuple[Record, ...]:
        """Execute all commands or none, as one gesture.

        Rolls are answered in between, unless the next command does it.
        """
        encounter, parent = self._encounter, self._head
        first = self._document.next_id()
        made: list[Record] = []
        states: list[Encounter] = []
        listed = tuple(commands)
        group = (self._gesture_completed_by(listed[0]) if listed else None) or first
        for command, following in zip(listed, (*listed[1:], None), strict=False):
            asked: Command | None = command
            while asked is not None:
                before = encounter
                record, encounter = self._step(asked, before, (parent, first + len(made), group))
                made.append(record)
                states.append(encounter)
                parent = record.id
                awaited = following is not None and answers_roll(following)
                settled = encounter.prompt is before.prompt and not answers_roll(asked)
                asked = None if awaited or settled else self._roll_for(encounter)
        if made:
            self._document.append_all(made)
            for record, state in zip(made, states, strict=True):
                self._remember(record, state)
            self._arrive(made[-1].id, encounter)
        return tuple(made)

    def undo(self, count: int = 1) -> int:
        """Go back by gestures; return how many were undone."""
        return self._travel(count, self._tree.before_gesture)

    def redo(self, count: int = 1) -> int:
        """Go forward by gestures along the newest branch; return how many were redone."""
        return self._travel(count, self._tree.after_gesture)

    def can_undo(self) -> bool:
        """Tell whether there is anything to undo."""
        return self._head != 0

    def can_redo(self) -> bool:
        """Tell whether there is anything to redo."""
        return self._tree.newest_child(self._head) is not None

    def jump(self, record_id: int) -> None:
        """Go to the state after any record, on any branch; 0 is the start."""
        if record_id != 0 and record_id not in self._tree:
            raise impossible("unknown_record", f"There is no record {record_id}.")
        self._move_head(record_id)

    def history(self) -> tuple[RecordSummary, ...]:
        """Return all records of all branches, oldest first."""
        return self._tree.summaries()

    def current_line(self) -> tuple[int, ...]:
        """Return the ids from the first record to the current one."""
        return tuple(reversed(self._document.lineage(self._head)[:-1]))

    def state(self, record_id: int) -> Encounter:
        """Return the state after a record, folding from the nearest one that is known."""
        line = self._document.lineage(record_id)
        start, encounter = self._nearest(line)
        for each in reversed(line[:start]):
            encounter = self._document.fold(encounter, self._document.record(each))
            self._keep(each, encounter)
        return encounter

    def replay(self) -> tuple[Difference, ...]:
        """Decide every record again and return the differences."""
        differences = []
        for summary in self.history():
            record = self._document.record(summary.id)
            before = self.state(record.parent)
            try:
                events = decide(_parse(record.command, before.ruleset), before, self._ruleset)
            except Rejected as error:
                differences.append(Difference(record.id, f"is refused now: {error}"))
                continue
            if events != record.events:
                differences.append(Difference(record.id, "decides otherwise now."))
        return tuple(differences)

    def view(self, audience: Audience) -> View:
        """Return the View of an audience: the current one, or the one that is held."""
        return self._project(audience).view

    def foresee(self, audience: Audience) -> View:
        """Return what an audience would see if what lies on top were lifted or published."""
        stage, mode = self._stage, self._stage.mode
        if audience.gm or mode in {StageMode.LIVE, StageMode.PICTURE}:
            return self.view(audience)
        below = stage.lifted(mode)
        if below.mode is StageMode.FROZEN:
            return self._hold(audience).view
        known = self._foreseen.get(audience) or self._projected.get(audience)
        made = self._made(audience, below, known)
        self._foreseen[audience] = made
        return made.view

    def observe(self, audience: Audience, observer: Observer) -> Callable[[], None]:
        """Call `observer` after every change; return the function that stops it."""
        self.view(audience)
        self._observers.setdefault(audience, []).append(observer)

        def stop() -> None:
            self._observers[audience].remove(observer)

        return stop

    def set_stage(self, stage: Stage) -> None:
        """Change what is on show; nothing is recorded."""
        if stage == self._stage:
            return
        if stage.frozen and not self._stage.frozen:
            self._held = {}
            for audience in self._projected:
                if not audience.gm:
                    self._hold(audience)
        elif not stage.frozen:
            self._held = {}
        self._stage = stage
        self._tell()

    def publish(self) -> None:
        """Show the players the held changes, also while the stage is frozen."""
        self._held = {}
        for audience in list(self._projected):
            if not audience.gm:
                if self._stage.frozen:
                    self._hold(audience)
                self._tell_one(audience)

    def succeed(self, before: Audience, after: Audience) -> None:
        """Let an audience take the place of another: what is held for that one is held for it."""
        if self._stage.frozen:
            self._held[after] = self._hold(before)

    def close(self) -> None:
        """Keep a snapshot of the current state and close the document."""
        if not self._document.read_only and self._head:
            self._document.put_snapshot(self._head, self._encounter)
        self._document.close()

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _roll_for(self, encounter: Encounter) -> Command | None:
        """Return the roll that the program makes for the open prompt, if it is the program's."""
        prompt = encounter.prompt
        if prompt is None or prompt.prompt is not PromptKind.ROLL or prompt.roll is None:
            return None
        if prompt.side in encounter.real_dice or prompt.side in self._real_dice:
            return None
        return RollDice(faces=dice.roll_faces(dice.Roll.parse(prompt.roll), self._entropy))

    def _gesture_completed_by(self, command: Command) -> int | None:
        """Return the gesture that still waits for a roll, if a command answers that roll.

        None where something else was done in between, and where the side always types its dice:
        there each roll is a step of its own, for taking a slip of the hand back must not draw
        everybody else's dice anew.
        """
        prompt = self._encounter.prompt
        if prompt is None or prompt.prompt is not PromptKind.ROLL or not answers_roll(command):
            return None
        if prompt.side in self.real_dice or not self._head:
            return None
        latest = self._document.record(self._head)
        return latest.group if any(isinstance(e, PendingChanged) for e in latest.events) else None

    def _commit(self, command: Command, group: int | None, images: Images) -> Record:
        number = self._document.next_id()
        place = (self._head, number, group or number)
        record, after = self._step(command, self._encounter, place, images)
        self._document.append(record, images)
        self._remember(record, after)
        self._arrive(record.id, after)
        return record

    def _remember(self, record: Record, after: Encounter) -> None:
        """Note a record that is stored, and store the state after it now and then."""
        self._tree.add(record)
        self._keep(record.id, after)
        if len(self._tree) % SNAPSHOT_EVERY == 0 and self._snapshot is None:
            self._snapshot = self._document.snapshot_in_turns(record.id, after)
        # With every record a turn: a thousand creatures at once would be waited for.
        if self._snapshot is not None and next(self._snapshot, _DONE) is _DONE:
            self._snapshot = None

    def _step(
        self,
        command: Command,
        before: Encounter,
        place: tuple[int, int, int],
        images: Images = NO_IMAGES,
    ) -> tuple[Record, Encounter]:
        """Decide a command and fold its events into a sound candidate; store nothing.

        `place` is where the record hangs: its parent, its own id, its gesture group.
        """
        parent, number, group = place
        command = self._with_dice(command, before)
        text = _written(command)
        events, after = _resolved(command, before, self._ruleset)
        record = Record(
            id=number,
            parent=parent,
            group=group,
            label=command.label(before),
            at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            command=text,
            events=events,
            dice=command.rolled(),
        )
        self._require_pictures(before, after, images)
        return record, after

    def _require_pictures(self, before: Encounter, after: Encounter, images: Images) -> None:
        """Refuse a step after which something shows a picture that the file does not hold."""
        if after.tokens is before.tokens and after.board is before.board:
            return
        missing = _fresh_pictures(before, after) - images.keys()
        if missing - {each.sha256 for each in self._document.images() if missing}:
            raise impossible("unknown_picture", f"There is no picture {min(missing)[:12]} here.")

    def _with_dice(self, command: Command, before: Encounter) -> Command:
        """Give a roll that brings neither faces nor total fresh dice."""
        if isinstance(command, Overrule):
            return command.changed(command=self._with_dice(command.command, before))
        prompt = before.prompt
        bare = isinstance(command, RollDice) and not command.faces and command.total is None
        if not bare or prompt is None or prompt.roll is None:
            return command
        return RollDice(faces=dice.roll_faces(dice.Roll.parse(prompt.roll), self._entropy))

    def _travel(self, count: int, step: Callable[[int], int | None]) -> int:
        target, done = self._head, 0
        while done < count and (further := step(target)) is not None:
            target = further
            done += 1
        if done:
            self._move_head(target)
        return done

    def _move_head(self, record_id: int) -> None:
        after = self.state(record_id)
        self._document.move_head(record_id)
        self._arrive(record_id, after)

    def _arrive(self, record_id: int, encounter: Encounter) -> None:
        self._head = record_id
        self._encounter = encounter
        self._tell()

    def _tell(self) -> None:
        for audience in list(self._projected):
            held = self._held.get(audience) if self._holds(audience) else None
            if held is None or held is not self._projected[audience]:
                self._tell_one(audience)

    def _holds(self, audience: Audience) -> bool:
        """Tell whether an audience sees no change until it is published."""
        return not audience.gm and self._stage.mode is StageMode.FROZEN

    def _tell_one(self, audience: Audience) -> None:
        before = self._projected[audience]
        if not self._observers.get(audience):
            return  # projected when somebody asks
        after = self._project(audience)
        for observer in tuple(self._observers[audience]):
            observer(before.view, after.view)

    def _project(self, audience: Audience) -> Projected:
        if self._holds(audience):
            made = self._hold(audience)
        else:
            made = self._made(audience, self._stage, self._projected.get(audience))
        self._projected[audience] = made
        return made

    def _hold(self, audience: Audience) -> Projected:
        """Return what is held back for an audience; from now on it is this."""
        held = self._held.get(audience)
        if held is None:
            stage = self._stage.lifted(StageMode.BLACKOUT).lifted(StageMode.PICTURE)
            held = self._made(audience, stage, self._projected.get(audience))
            self._held[audience] = held
        return held

    def _made(self, audience: Audience, stage: Stage, before: Projected | None) -> Projected:
        """Project the current encounter on a stage, or return what was made of both before."""
        if before is not None and before.encounter is self._encounter and before.stage == stage:
            return before
        view = project(self._encounter, stage, audience, self._ruleset, before)
        return Projected(self._encounter, stage, view)

    def _keep(self, record_id: int, encounter: Encounter) -> None:
        self._states[record_id] = encounter
        self._states.move_to_end(record_id)
        while len(self._states) > STATES_KEPT:
            self._states.popitem(last=False)

    def _nearest(self, line: Sequence[int]) -> tuple[int, Encounter]:
        """Return where on a line, newest first, a state is known, and that state."""
        for index, record_id in enumerate(line):
            if record_id in self._states:
                return index, self._states[record_id]
        kept, encounter = self._document.nearest_snapshot(line)
        self._keep(kept, encounter)
        return line.index(kept), encounter


def _resolved(
    command: Command, before: Encounter, ruleset: Ruleset
) -> tuple[tuple[Event, ...], Encounter]:
    """Decide a command; numbers and dice that cannot be are no more than a refusal."""

    def require_sound(after: Encounter) -> None:
        for issue in broken_by(before, after, ruleset):
            raise Rejected(_refusal(issue))

    try:
        return resolve(command, before, ruleset, require_sound)
    except dice.DiceError as error:
        raise impossible("bad_dice", str(error)) from error
    except ValidationError as error:
        raise impossible("bad_value", f"{command.kind}: {complaint(error)}") from error


def _parse(text: str, ruleset_id: str) -> Command:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise impossible("bad_command", "It is no JSON.") from error
    return decode_command(data, ruleset_id)


def _fresh_pictures(before: Encounter, after: Encounter) -> set[str]:
    """Return the digests of the pictures that are shown after a step and not before it."""
    changed = changes(before.tokens, after.tokens)
    shown = {token.portrait for i in changed if (token := after.tokens.get(i)) is not None}
    shown.add(after.board.picture.sha256 if after.board.picture else None)
    shown -= {token.portrait for i in changed if (token := before.tokens.get(i)) is not None}
    shown -= {None, before.board.picture.sha256 if before.board.picture else None}
    known = {token.portrait for token in before.tokens.values()} if shown else set()
    return {each for each in shown if each is not None} - known


def _written(command: Command) -> str:
    """Return a command as JSON; raise Rejected for text that is no Unicode and the like."""
    try:
        return command.model_dump_json()
    except ValueError as error:
        sentence = f"{command.kind}: it holds something that cannot be written down."
        raise impossible("bad_command", sentence) from error


def _refusal(issue: Issue) -> Rejection:
    """Return the refusal of a step that would leave something broken."""
    noun, _, name = issue.where.partition(" ")
    return Rejection(
        code="would_break",
        sentence=f"That cannot be done: {issue.where}: {issue.sentence}",
        token_id=name if noun == "token" else None,
        wall_id=name if noun == "wall" else None,
        overrulable=False,
    )
