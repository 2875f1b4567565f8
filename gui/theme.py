"""The one theme table: every colour that a window or the map is drawn with, and how sides look.

Nothing else in the program names a colour. Text has a contrast of at least 4.5:1 on the grounds
it stands on, lines and marks at least 3:1 (`tests/gui/test_theme.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from zlib import crc32

from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

from engine.model.token import FOES, NEUTRAL, PARTY
from gui.style_sheet import STYLE_SHEET

MIN_TEXT_PX = 12
ICONS = Path(__file__).resolve().parents[1] / "assets" / "icons"
"""The small marks of combo and check boxes, one of each for every theme by its name."""


class RingStyle(StrEnum):
    """The shape of a token's ring, so that colour is never the only sign of its side."""

    SOLID = "solid"
    NOTCHED = "notched"
    DASHED = "dashed"
    DOUBLE = "double"


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours by use, each "#rrggbb".

    The first group draws windows, the second the map: `disc` is the face of a token, `halo` the
    dark or bright edge that keeps a line legible on any picture.
    """

    name: str
    title: str
    ground: str
    panel: str
    raised: str
    line: str
    text: str
    muted: str
    amber: str
    on_amber: str
    party: str
    foe: str
    neutral: str
    ok: str
    others: tuple[str, ...]

    surround: str
    disc: str
    disc_text: str
    halo: str
    mark: str
    grid: str
    grid_alpha: int
    wall: str
    door: str
    door_locked: str
    window: str
    rough: str
    mist: str
    water: str
    high: str
    light: str
    fog: str


DARK = Theme(
    name="dark",
    title="Dark",
    ground="#15171b",
    panel="#1d2026",
    raised="#272b33",
    line="#353a45",
    text="#ece8df",
    muted="#9aa1ad",
    amber="#e6a23c",
    on_amber="#15171b",
    party="#56a8e8",
    foe="#e0654f",
    neutral="#b9b4a6",
    ok="#5cb88a",
    others=("#b98be0", "#d9c04a", "#4fc3c0", "#e08fb4"),
    surround="#15171b",
    disc="#15171b",
    disc_text="#ece8df",
    halo="#0b0c0e",
    mark="#ece8df",
    grid="#000000",
    grid_alpha=92,
    wall="#d9d0bd",
    door="#a8773f",
    door_locked="#c9543f",
    window="#7fb7d9",
    rough="#c08a4a",
    mist="#c9d0d8",
    water="#4f93c4",
    high="#9fb66a",
    light="#f2c669",
    fog="#000000",
)

LIGHT = Theme(
    name="light",
    title="Light",
    ground="#e7e4dd",
    panel="#f6f4ef",
    raised="#ffffff",
    line="#c3bdb0",
    text="#1c1e22",
    muted="#565c66",
    amber="#a5660a",
    on_amber="#ffffff",
    party="#1f6fae",
    foe="#b53a25",
    neutral="#66624f",
    ok="#21734b",
    others=("#7a4bb0", "#7d6a00", "#12706d", "#a63a70"),
    surround="#d5d1c7",
    disc="#fbfaf7",
    disc_text="#1c1e22",
    halo="#15171b",
    mark="#ffffff",
    grid="#000000",
    grid_alpha=80,
    wall="#d9d0bd",
    door="#a8773f",
    door_locked="#c9543f",
    window="#7fb7d9",
    rough="#c08a4a",
    mist="#c9d0d8",
    water="#4f93c4",
    high="#9fb66a",
    light="#f2c669",
    fog="#000000",
)

HIGH_CONTRAST = Theme(
    name="high-contrast",
    title="High contrast",
    ground="#000000",
    panel="#000000",
    raised="#1a1a1a",
    line="#8f8f8f",
    text="#ffffff",
    muted="#dcdcdc",
    amber="#ffd23f",
    on_amber="#000000",
    party="#4cc2ff",
    foe="#ff7d61",
    neutral="#f2f2f2",
    ok="#3fe08f",
    others=("#d9a6ff", "#fff07a", "#5ff0e6", "#ff9fd0"),
    surround="#000000",
    disc="#000000",
    disc_text="#ffffff",
    halo="#000000",
    mark="#ffffff",
    grid="#ffffff",
    grid_alpha=110,
    wall="#ffffff",
    door="#ffb347",
    door_locked="#ff7d61",
    window="#7fd7ff",
    rough="#ffb347",
    mist="#e8eef5",
    water="#4cc2ff",
    high="#d4ff7a",
    light="#ffe08a",
    fog="#000000",
)

THEMES: Mapping[str, Theme] = MappingProxyType(
    {theme.name: theme for theme in (DARK, LIGHT, HIGH_CONTRAST)}
)

_SIDE_RINGS = MappingProxyType(
    {PARTY: RingStyle.SOLID, FOES: RingStyle.NOTCHED, NEUTRAL: RingStyle.DASHED}
)


@dataclass(frozen=True, slots=True)
class SideStyle:
    """How a side's tokens are told apart: by colour and by the shape of the ring."""

    color: str
    ring: RingStyle


def theme_named(name: str) -> Theme:
    """Return the theme of that name, the dark one for a name that no version knows."""
    return THEMES.get(name, DARK)


def side_style(theme: Theme, side: str) -> SideStyle:
    """Return the look of a side; a further named side gets a colour of its own, always the same."""
    color = {PARTY: theme.party, FOES: theme.foe, NEUTRAL: theme.neutral}.get(side)
    if color is not None:
        return SideStyle(color, _SIDE_RINGS[side])
    return SideStyle(theme.others[crc32(side.encode()) % len(theme.others)], RingStyle.DOUBLE)


def color(code: str, alpha: int = 255) -> QColor:
    """Return a colour with an alpha of 0 to 255, the caller's own; a broken code gives black."""
    return QColor(_color(code, alpha))


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2.2, relative luminance)."""
    bright, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def ui_font(size_px: int, *, bold: bool = False) -> QFont:
    """Return the system's font in pixels, never below 12, with figures of one width.

    A font of the caller's own: it may be changed.
    """
    return QFont(_ui_font(max(MIN_TEXT_PX, size_px), bold))


def palette(theme: Theme) -> QPalette:
    """Return the palette that Fusion draws its widgets with."""
    role = QPalette.ColorRole
    roles = {
        role.Window: theme.panel,
        role.WindowText: theme.text,
        role.Base: theme.ground,
        role.AlternateBase: theme.panel,
        role.Text: theme.text,
        role.Button: theme.raised,
        role.ButtonText: theme.text,
        role.BrightText: theme.text,
        role.ToolTipBase: theme.raised,
        role.ToolTipText: theme.text,
        role.PlaceholderText: theme.muted,
        role.Highlight: theme.amber,
        role.HighlightedText: theme.on_amber,
        role.Link: theme.amber,
        role.LinkVisited: theme.amber,
        role.Light: theme.line,
        role.Midlight: theme.line,
        role.Mid: theme.line,
        role.Dark: theme.ground,
        role.Shadow: theme.ground,
    }
    made = QPalette()
    for each, code in roles.items():
        made.setColor(each, color(code))
    for each in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, each, color(theme.muted))
    return made


def style_sheet(theme: Theme) -> str:
    """Return the style sheet of a theme."""
    words = {name: getattr(theme, name) for name in Theme.__slots__ if name != "others"}
    return STYLE_SHEET.substitute(words, icons=ICONS.as_posix())


def apply_theme(app: QApplication, theme: Theme) -> None:
    """Dress the whole program: style, palette, sheet and font."""
    app.setStyle(QStyleFactory.create("Fusion"))
    app.setPalette(palette(theme))
    app.setFont(ui_font(13))
    app.setStyleSheet(style_sheet(theme))


def _luminance(code: str) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    made = QColor(code)
    red, green, blue = linear(made.redF()), linear(made.greenF()), linear(made.blueF())
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@lru_cache(maxsize=64)
def _ui_font(size_px: int, bold: bool) -> QFont:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    font.setPixelSize(size_px)
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


@lru_cache(maxsize=512)
def _color(code: str, alpha: int) -> QColor:
    made = QColor(code) if QColor.isValidColorName(code) else QColor("#000000")
    made.setAlpha(alpha)
    return made
