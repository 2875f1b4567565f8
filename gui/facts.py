"""What the status line tells of the cell under the mouse; the list twin of a look at the map."""

from collections.abc import Sequence

from engine.geometry.terrain import terrain_of
from engine.grid.grid import board_grid
from engine.model.encounter import Encounter
from engine.model.region import Obscuration
from engine.model.space import Cell
from engine.rules.ruleset import Ruleset


def facts(encounter: Encounter, ruleset: Ruleset, cell: Cell, focus: str | None) -> str:
    """Return cell, ground and its cost, height, obscuration, and the way from the focus."""
    grid = board_grid(encounter.board.grid)
    if not grid.contains(cell):
        return ""
    parts = [grid.label(cell), *_ground(encounter, cell)]
    standing = [token.name for token in encounter.tokens.values() if token.cell == cell]
    parts += standing[:3]
    token = encounter.tokens.get(focus or "")
    if token is not None and token.cell != cell:
        measured = ruleset.measure(encounter, (token.cell, cell))
        parts.append(f"{measured.label} from {token.name}")
    return " · ".join(parts)


def _ground(encounter: Encounter, cell: Cell) -> list[str]:
    terrain = terrain_of(encounter.board)
    place = terrain.layout.element(cell)
    if place is None:
        return []
    name = terrain.names.get(cell, "")
    if terrain.impassable[place]:
        parts = [name or "closed ground", "impassable"]
    else:
        cost = int(terrain.step_cost[place])
        parts = [name] if name else []
        parts += [f"cost {cost}"] if cost != 1 or name else []
    height = float(terrain.height[place])
    if height:
        parts.append(f"height {height:g}")
    mist = terrain.obscuration_at((cell,))
    if mist is not Obscuration.NONE:
        parts.append(f"{mist.value} obscuration")
    return parts


def in_words(names: Sequence[str]) -> str:
    """Return names as a list in a sentence: "Ila", "Ila and Brunna", "Ila, Brunna and others"."""
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)
