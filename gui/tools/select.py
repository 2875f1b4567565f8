"""The Move tool: select, box, drag tokens over a path, turn them, ping.

Left-drag on empty ground opens a box, Shift or Ctrl adds. While a token is held: Space sets a
way-point, Backspace takes it back, A tries another way, the wheel turns the token, Alt sets it
down by hand without a walk, Esc or the right button cancels.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import dist

from typing_extensions import override

from engine.commands.board import CloseDoor, OpenDoor
from engine.commands.command import Command
from engine.commands.tokens import MoveToken, PlaceToken
from engine.geometry.routes import MovementRules
from engine.grid.footprint import footprint_named
from engine.model.space import Cell, Facing, Point
from engine.model.token import Token
from engine.model.wall import DoorState
from gui.canvas.overlays.overlay import BoxPreview, GhostsPreview, RefusedPreview
from gui.canvas.pointer import PointerEvent
from gui.tools.looking import look_preview
from gui.tools.tool import Host, Tool
from gui.tools.walking import (
    Walk,
    ghost,
    other_ways,
    path_preview,
    plain,
    reach_preview,
    rules_of,
    walk,
)

PING_MS = 400


@dataclass
class _Held:
    """Tokens in the hand: the one grabbed first, the cell of it that was grabbed."""

    tokens: tuple[Token, ...]
    rules: MovementRules
    grabbed: Cell
    target: Cell
    waypoints: list[Cell] = field(default_factory=list)
    turned: int = 0
    ways: tuple[tuple[Cell, ...], ...] = ()
    way: int = 0
    by_hand: bool = False

    @property
    def lead(self) -> Token:
        return self.tokens[0]

    @property
    def facing(self) -> Facing | None:
        return None if self.turned == 0 else self.lead.facing + self.turned


class SelectTool(Tool):
    """Selecting and moving."""

    id = "select"
    hint = "Click selects, drag moves; Space sets a way-point, Alt sets down by hand"
    shows = ("box", "path", "ghosts", "reach", "refused", "look")

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self._pressed: PointerEvent | None = None
        self._held: _Held | None = None
        self._boxing = False
        self._no_ping: Callable[[], None] | None = None
        self._click_narrows = False
        self._looks: tuple[str, str] | None = None

    @property
    @override
    def busy(self) -> bool:
        return self._held is not None or self._boxing

    @override
    def press(self, event: PointerEvent) -> None:
        self.reset()
        self._pressed = event
        adds = event.shift or event.ctrl
        token_id = event.token_id
        if token_id is None:
            self._no_ping = self.host.after(PING_MS, lambda: self._ping(event.world))
        elif adds:
            others = tuple(each for each in self.host.selected if each != token_id)
            self.host.select(others if token_id in self.host.selected else (*others, token_id))
        elif token_id not in self.host.selected:
            self.host.select((token_id,))
        else:
            # A click on one of many narrows to it, but only if no drag follows.
            self._click_narrows = True

    @override
    def move(self, event: PointerEvent) -> None:
        pressed = self._pressed
        if pressed is None:
            return
        if not self.busy and dist(pressed.world, event.world) < self.host.drag_distance:
            return
        self._stop_ping()
        if pressed.token_id is None:
            self._boxing = True
            self.host.show("box", BoxPreview(pressed.world, event.world))
        elif self._held is not None or self._take(pressed):
            self._drag(event)

    @override
    def release(self, event: PointerEvent) -> None:
        pressed, held, boxing = self._pressed, self._held, self._boxing
        narrows = self._click_narrows and pressed is not None
        self.reset()
        if pressed is None:
            return
        if boxing:
            self._select_box(pressed, event)
        elif held is not None:
            self._drop(held)
        elif pressed.token_id is None and not (pressed.shift or pressed.ctrl):
            self.host.select(())
        elif narrows and pressed.token_id is not None:
            self.host.select((pressed.token_id,))

    @override
    def double(self, event: PointerEvent) -> None:
        self.reset()
        if event.token_id is not None:
            self.host.details(event.token_id)
            return
        wall = self.host.encounter.board.walls.get(event.wall_id or "")
        if wall is not None and wall.is_door:
            opens = wall.door is not DoorState.OPEN
            make = OpenDoor if opens else CloseDoor
            self.host.execute(make(wall_id=wall.id))

    @override
    def hover(self, event: PointerEvent) -> None:
        """Show how the selected token looks at the one under the pointer."""
        focus, target = (self.host.selected or (None,))[-1], event.token_id
        looks = (focus, target) if focus and target and focus != target else None
        if looks != self._looks:
            self._looks = looks
            self.host.show("look", look_preview(self.host, *looks) if looks else None)

    @override
    def leave(self, event: PointerEvent) -> None:
        self._looks = None
        self.host.show("look", None)

    @override
    def wheel(self, event: PointerEvent) -> bool:
        if self._held is None or event.wheel_steps == 0:
            return False
        self._held.turned += 1 if event.wheel_steps < 0 else -1
        self._preview(self._held)
        return True

    @override
    def key(self, name: str) -> bool:
        held = self._held
        if held is None:
            return False
        if name == "space":
            if held.target != (held.waypoints[-1] if held.waypoints else held.lead.cell):
                held.waypoints.append(held.target)
            held.ways = ()
        elif name == "backspace":
            if held.waypoints:
                held.waypoints.pop()
        elif name == "a":
            self._other_way(held)
        else:
            return False
        self._preview(held)
        return True

    @override
    def reset(self) -> None:
        self._stop_ping()
        self._pressed = self._held = None
        self._boxing = self._click_narrows = False
        self._looks = None
        super().reset()

    @override
    def refresh(self) -> None:
        held = self._held
        known = self.host.encounter.tokens
        if held is not None and any(known.get(each.id) is not each for each in held.tokens):
            self.cancel()
        if self._looks is not None:
            self._looks = None
            self.host.show("look", None)

    def _take(self, pressed: PointerEvent) -> bool:
        """Take the selected tokens up, the one under the mouse first."""
        encounter = self.host.encounter
        first = encounter.tokens.get(pressed.token_id or "")
        if first is None or first.id not in self.host.selected:
            return False
        others = (encounter.tokens.get(each) for each in self.host.selected if each != first.id)
        tokens = (first, *(each for each in others if each is not None))
        rules = rules_of(self.host, first)
        self._held = _Held(tokens, rules, grabbed=pressed.cell, target=first.cell)
        if self.host.shows_reach and len(tokens) == 1:
            self.host.show("reach", reach_preview(self.host, first, rules))
        return True

    def _drag(self, event: PointerEvent) -> None:
        held = self._held
        if held is None:
            return
        footprint = footprint_named(self.host.grid.kind, held.lead.footprint)
        target = footprint.anchor_dragged(held.lead.cell, held.grabbed, event.cell)
        if target != held.target or event.alt != held.by_hand:
            held.target, held.by_hand, held.ways = target, event.alt, ()
            self._preview(held)

    def _other_way(self, held: _Held) -> None:
        """Go on to the next way, around what makes the best one dear."""
        if held.waypoints or held.by_hand:
            return
        if not held.ways:
            held.way = 0
            held.ways = other_ways(self.host, held.lead, held.target, held.rules)
        held.way = (held.way + 1) % max(1, len(held.ways))

    def _preview(self, held: _Held) -> None:
        offset = _offset(held)
        ghosts = tuple(ghost(self.host, each, _shifted(each.cell, offset)) for each in held.tokens)
        self.host.show("ghosts", GhostsPreview(ghosts))
        if held.by_hand:
            self.host.show("path", None)
            self.host.show("refused", None)
            self.host.say("Set down by hand: no walk, no cost")
            return
        made = walk(self.host, held.lead, _path(held), held.rules)
        self.host.show("path", path_preview(self.host, made))
        self._tell(made)

    def _tell(self, made: Walk) -> None:
        refusal = made.refusal
        self.host.show(
            "refused", RefusedPreview(cell=refusal.cell) if refusal is not None else None
        )
        if refusal is not None:
            self.host.say(refusal.sentence)
            return
        place = self.host.grid.label(made.waypoints[-1])
        parts = (f"{made.token.name} to {place}, cost {plain(made.cost)}", made.left, *made.remarks)
        self.host.say(" · ".join(part for part in parts if part))

    def _drop(self, held: _Held) -> None:
        if held.target == held.lead.cell and not held.waypoints and held.facing is None:
            return
        commands = tuple(self._commands(held))
        if len(commands) == 1:
            self.host.execute(commands[0])
        else:
            self.host.together(commands)

    def _commands(self, held: _Held) -> Iterable[Command]:
        offset = _offset(held)
        facing = held.facing
        turned = None if facing is None else facing % self.host.grid.facings
        for token in held.tokens:
            if held.by_hand:
                yield PlaceToken(token_id=token.id, cell=_shifted(token.cell, offset))
                continue
            alone = token is held.lead
            path = _path(held) if alone else (_shifted(token.cell, offset),)
            moves = path if held.target != held.lead.cell or held.waypoints else ()
            yield MoveToken(token_id=token.id, path=moves, facing=turned if alone else None)

    def _select_box(self, pressed: PointerEvent, event: PointerEvent) -> None:
        (x1, x2), (y1, y2) = (sorted(pair) for pair in zip(pressed.world, event.world, strict=True))
        inside = [
            token.id
            for token in self.host.view.tokens.values()
            if x1 <= token.center[0] <= x2 and y1 <= token.center[1] <= y2
        ]
        adds = pressed.shift or pressed.ctrl
        before = self.host.selected if adds else ()
        self.host.select((*before, *(each for each in inside if each not in before)))

    def _ping(self, point: Point) -> None:
        self._no_ping = None
        if not self.busy:
            self._pressed = None
            self.host.ping(point)

    def _stop_ping(self) -> None:
        if self._no_ping is not None:
            self._no_ping()
            self._no_ping = None


def _path(held: _Held) -> tuple[Cell, ...]:
    """Return the way-points and the target; a target on the last way-point is not said twice.

    Another way than the best one is said cell by cell.
    """
    if held.ways and held.way:
        return held.ways[held.way]
    if held.waypoints and held.waypoints[-1] == held.target:
        return tuple(held.waypoints)
    return (*held.waypoints, held.target)


def _offset(held: _Held) -> Cell:
    return Cell(held.target.x - held.lead.cell.x, held.target.y - held.lead.cell.y)


def _shifted(cell: Cell, offset: Cell) -> Cell:
    return Cell(cell.x + offset.x, cell.y + offset.y)
