"""Rests (section 5 and clarification 12)."""

from fractions import Fraction

from engine.rules.dice import Rounding, rounded
from engine.rules.drase.data import Book
from engine.rules.drase.sheet import DraseSheet


def short_rest(book: Book, sheet: DraseSheet) -> DraseSheet:
    """Refill focus, and mana within the mana limit since the last long rest."""
    limit = book.number("mana_limit_factor") * sheet.mana_max
    wanted = max(0, sheet.mana_max - sheet.mana)
    gained = min(wanted, max(0, limit - sheet.mana_regen_used))
    return sheet.changed(
        focus=max(sheet.focus, sheet.focus_max),
        mana=sheet.mana + gained,
        mana_regen_used=sheet.mana_regen_used + gained,
    )


def long_rest(book: Book, sheet: DraseSheet, *, rested: bool) -> DraseSheet:
    """Refill focus and mana and give hit points back.

    A quarter of the maximum if well rested and the creature has focus or mana; else a tenth, but
    not beyond half the maximum, and unchanged above it (clarification 11).
    """
    good = rested and (sheet.focus_max > 0 or sheet.mana_max > 0)
    percent = book.number("rest_percent" if good else "rest_percent_poor")
    gain = rounded(Fraction(percent * sheet.hp_max, 100), Rounding.DOWN)
    top = sheet.hp_max
    if not good:
        cap = Fraction(book.number("rest_poor_cap") * sheet.hp_max, 100)
        top = max(sheet.hp, rounded(cap, Rounding.DOWN))
    hp = max(sheet.hp, min(sheet.hp + gain, top))
    return sheet.changed(
        focus=max(sheet.focus, sheet.focus_max),
        mana=max(sheet.mana, sheet.mana_max),
        mana_regen_used=0,
        hp=hp,
        downed=None if hp > 0 else sheet.downed,
    )
