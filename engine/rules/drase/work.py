"""A piece of resolution in progress: the candidate state, what has happened, what is left to do.

Rules emit events and push frames here; the driver in `resolution.py` runs the frames until one of
them asks something. The encounter that was handed in is never touched.
"""

from collections.abc import Sequence

from engine.events.event import Event
from engine.events.tokens import SheetChanged
from engine.events.turn import logged
from engine.model.encounter import Encounter
from engine.model.evidence import Modifier
from engine.model.pending import Answer, Choice, Frame, Prompt, PromptKind
from engine.model.refusal import Ruling, impossible
from engine.model.token import PARTY, Token
from engine.model.told import Told, named, told
from engine.rules import dice
from engine.rules.dice import Roll, RollResult
from engine.rules.drase.combat import Fighter
from engine.rules.drase.data import Book, book_of
from engine.rules.drase.events import ConcentrationTested, DeclarationFrozen
from engine.rules.drase.objects import object_of, wall_called
from engine.rules.drase.sheet import DraseSheet
from engine.rules.drase.situation import Look
from engine.rules.drase.state import DraseState, sheet_of, state_of
from engine.rules.ruleset import Advance


class Work:
    """The work of one decision."""

    def __init__(
        self,
        encounter: Encounter,
        ruling: Ruling,
        look: Look,
        frames: Sequence[Frame] = (),
    ) -> None:
        self.encounter = encounter
        self.ruling = ruling
        self.look = look
        self.frames: list[Frame] = list(frames)
        self.prompt: Prompt | None = None
        self.book: Book = book_of(encounter)
        self._events: list[Event] = []

    @property
    def state(self) -> DraseState:
        """Return where the fight stands by now."""
        return state_of(self.encounter)

    def token(self, token_id: str) -> Token:
        """Return a token as it is by now; raise Rejected if it is gone."""
        return self.encounter.token(token_id)

    def sheet(self, token_id: str) -> DraseSheet:
        """Return a token's sheet as it is by now."""
        return sheet_of(self.token(token_id))

    def fighter(self, target_id: str) -> Fighter:
        """Return a token, or a wall, as the sums of combat want it."""
        return Fighter(target_id, self.called(target_id), self.victim(target_id))

    def name(self, target_id: str) -> str:
        """Return the name of a token or of a wall."""
        return self.called(target_id).gm

    def called(self, target_id: str) -> Told:
        """Return the name of a token or of a wall, for both readers."""
        token = self.encounter.tokens.get(target_id)
        if token is not None:
            return named(token)
        wall = self.encounter.board.walls.get(target_id)
        return Told(target_id, "nobody") if wall is None else wall_called(wall)

    def victim(self, target_id: str) -> DraseSheet:
        """Return the sheet of a token, or of a wall as an object."""
        wall = self.encounter.board.walls.get(target_id)
        if target_id not in self.encounter.tokens and wall is not None:
            return object_of(wall)
        return self.sheet(target_id)

    def emit(self, event: Event) -> None:
        """Record a fact and let it count from now on."""
        self._events.append(event)
        self.encounter = event.apply(self.encounter)

    def log(
        self,
        text: str | Told,
        *about: str,
        lines: tuple[Modifier, ...] = (),
        secret: bool = False,
    ) -> None:
        """Tell something; what is secret the players never read."""
        self.emit(logged(text, *about, lines=lines, secret=secret))

    def log_points(self, text: Told, points: str, *about: str) -> None:
        """Tell something and what it does to the points of the last one named.

        The players read the points of their own; a foe's, and what befalls objects that are no
        tokens, are told to the GM alone.
        """
        token = self.encounter.tokens.get(about[-1]) if about else None
        if token is None or token.side == PARTY:
            self.log(told("{}: {}.", text, points), *about, secret=token is None)
            return
        self.log(told("{}.", text), *about)
        self.log(f"{token.name}: {points}.", token.id, secret=True)

    def put_sheet(self, token_id: str, sheet: DraseSheet) -> None:
        """Change a sheet, if it is another one."""
        if sheet != self.sheet(token_id):
            self.emit(SheetChanged(token_id=token_id, sheet=sheet))

    def note_hit(self, token_id: str) -> None:
        """Remember that a creature that keeps up a spell was hit this round."""
        hit = self.state.hit
        if token_id not in hit:
            self.emit(ConcentrationTested(hit=(*hit, token_id)))

    def push(self, *frames: Frame) -> None:
        """Add frames, to be run in this order before all that waits already."""
        self.frames.extend(reversed(frames))

    def ask_roll(
        self,
        frame: Frame,
        token_id: str,
        question: Told,
        roll: str,
        *,
        lines: tuple[Modifier, ...] = (),
        about: tuple[str, ...] = (),
    ) -> None:
        """Suspend a frame until its dice are rolled; a creature's first die freezes its plans."""
        self.frames.append(frame)
        self._freeze(token_id)
        token = self.token(token_id)
        self.prompt = Prompt(
            prompt=PromptKind.ROLL,
            side=token.side,
            question=question.gm,
            players=question.players,
            token_id=token_id,
            roll=roll,
            lines=lines,
            about=about or (token_id,),
        )

    def ask_choice(
        self, frame: Frame, token_id: str, question: Told, choices: Sequence[Choice]
    ) -> None:
        """Suspend a frame until one of the choices is made."""
        self.frames.append(frame)
        self.prompt = Prompt(
            prompt=PromptKind.CHOICE,
            side=self.token(token_id).side,
            question=question.gm,
            players=question.players,
            token_id=token_id,
            choices=tuple(choices),
            about=(token_id,),
        )

    def done(self) -> Advance:
        """Return what has happened and what is left."""
        return Advance(events=tuple(self._events), pending=tuple(self.frames), prompt=self.prompt)

    def _freeze(self, token_id: str) -> None:
        turn = self.state.turns.get(token_id)
        if turn is not None and turn.declared and not turn.frozen:
            self.emit(DeclarationFrozen(token_id=token_id))


def with_reason(text: Told, sentence: str) -> Told:
    """Return a text with a refusal behind it, whose names and places are the GM's alone."""
    return Told(f"{text}: {sentence}", f"{text.players}.")


def choice(value: str, label: str) -> Choice:
    """Return an answer in the rules' own words, which all may read."""
    return Choice(value=value, label=label, players=told("{}", label).players)


def rolled(roll: str, answer: Answer) -> RollResult:
    """Return what a roll came to; a number ruled by the GM replaces the total.

    Raise Rejected if something else than a number is ruled.
    """
    if answer.outcome is None:
        return dice.Roll.parse(roll).evaluate(answer.faces, answer.total)
    try:
        return RollResult(int(answer.outcome), None, f"ruled {answer.outcome}")
    except ValueError as error:
        sentence = f"The result of a roll is a number, not {answer.outcome!r}."
        raise impossible("bad_outcome", sentence) from error


def is_certain(roll: str) -> bool:
    """Tell whether a roll has no dice."""
    return not Roll.parse(roll).dice_sides()
