"""Objects that are walls: doors and the like, attacked by their AC and hit points (section 4).

An object with resistances of its own is a token whose sheet says that it is an object.
"""

from engine.model.told import Told, wall_named
from engine.model.wall import Durability, Wall
from engine.rules.drase.sheet import DraseSheet


def object_of(wall: Wall) -> DraseSheet:
    """Return the sheet of a wall: AC and hit points as the GM set them."""
    held = wall.durability or Durability(hp=1, hp_max=1)
    return DraseSheet(is_object=True, hp=held.hp, hp_max=held.hp_max, ac=held.ac, limbs=())


def durability_after(wall: Wall, hp: int) -> Wall:
    """Return the wall with these hit points left."""
    held = wall.durability or Durability(hp=1, hp_max=1)
    return wall.changed(durability=held.changed(hp=hp))


def wall_called(wall: Wall) -> Told:
    """Return what to call a wall; the players read what it looks like."""
    return wall_named(wall, wall_name(wall))


def wall_name(wall: Wall) -> str:
    """Return what to call a wall."""
    return wall.name or f"The {wall.kind.value.replace('_', ' ')}"
