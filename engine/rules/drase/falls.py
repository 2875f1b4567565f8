"""Falls: how deep, how many dice, and what they do to the legs (section 10)."""

from typing import NamedTuple

from engine.model.region import Surface
from engine.rules.drase.data import Book
from engine.rules.drase.sheet import DraseSheet, Limb


class Fall(NamedTuple):
    """The dice of a fall, and whether one lies prone after it."""

    dice: int
    prone: bool

    def roll(self, book: Book) -> str:
        """Return the damage roll, "0" for none."""
        return f"{self.dice}d{book.number('fall_die')}" if self.dice else "0"


def fall(
    book: Book,
    sheet: DraseSheet,
    tiles: int,
    surface: Surface = Surface.HARD,
    *,
    broken: bool = False,
) -> Fall:
    """Return what a fall of so many tiles brings.

    A broken fall is capped. With `soft_mode = subtract` the dice come from the effective height,
    prone from the actual one (clarification 5).
    """
    soft = {
        Surface.WATER: book.number("soft_water"),
        Surface.SOFT: book.number("soft_ground"),
    }.get(surface, 0)
    if book.options.soft_mode == "subtract":
        deep = tiles - soft
        gentle = deep < book.number("fall_damage")
    else:
        deep = tiles
        gentle = 0 < tiles <= soft
    count = 0 if gentle else _dice(book, sheet, deep)
    if broken:
        count = min(count, book.number("break_fall_dice"))
    prone = tiles >= book.number("fall_prone")
    landed_soft = soft > 0 and count == 0
    return Fall(count, prone and (book.options.soft_prone or not landed_soft))


def _dice(book: Book, sheet: DraseSheet, tiles: int) -> int:
    if tiles < book.number("fall_damage"):
        return 0
    per_die = book.number("fall_tiles_per_die")
    count = -(-tiles // per_die) if book.options.fall_round == "up" else tiles // per_die
    if book.options.fall_size == "multiply_by_size_rank":
        count *= book.sizes[sheet.size].rank
    return min(count, book.number("fall_dice_max"))


def leg_wounds(book: Book, before: DraseSheet, after: DraseSheet) -> int:
    """Return the wounds on each leg: by what left the hit points in this fall (clarification 5)."""
    lost = before.hp - after.hp
    if before.hp > 0 >= after.hp:
        return book.number("fall_wounds_down")
    if 100 * lost >= book.number("fall_wound_percent") * before.hp_max and before.hp > 0:
        return book.number("fall_wounds")
    return 0


def with_leg_wounds(sheet: DraseSheet, wounds: int) -> DraseSheet:
    """Add wounds to everything that the creature stands on."""
    return sheet.changed(limbs=tuple(_wounded(limb, wounds) for limb in sheet.limbs))


def _wounded(limb: Limb, wounds: int) -> Limb:
    return limb.changed(wounds=limb.wounds + wounds) if limb.kind == "leg" else limb
