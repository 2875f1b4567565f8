"""Every preference, in one typed table from which the dialog is drawn.

A setting that is not declared here does not exist: reading and writing go through the declared
constants, never through a key's name. What belongs to an encounter is no preference.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QByteArray, QObject, QSettings, Signal

T = TypeVar("T")

ORGANISATION = "battlemat"
APPLICATION = "battlemat"
RECENT_KEPT = 10


@dataclass(frozen=True, slots=True)
class Preference(Generic[T]):
    """One setting: where it is kept, what it is called, and what it may be.

    `group` is the page of the dialog, empty for what the program remembers by itself. Numbers
    have bounds and a unit; `choices` pairs values with words.
    """

    key: str
    default: T
    group: str = ""
    title: str = ""
    help: str = ""
    minimum: int = 0
    maximum: int = 0
    unit: str = ""
    choices: tuple[tuple[T, str], ...] = ()

    def valid(self, value: Any) -> T:
        """Return a stored value as this preference's type, or the default if it cannot be one."""
        try:
            made = self._converted(value)
        except (TypeError, ValueError):
            return self.default
        if self.choices and made not in {each for each, _ in self.choices}:
            return self.default
        if isinstance(made, int) and self.maximum > self.minimum:
            made = min(max(made, self.minimum), self.maximum)
        return made  # type: ignore[no-any-return]  # as converted

    def _converted(self, value: Any) -> Any:
        if value is None:
            return self.default
        if isinstance(self.default, bool):
            return value in (True, "true", "1", 1)
        if isinstance(self.default, tuple):
            return (value,) if isinstance(value, str) else tuple(value)
        if isinstance(self.default, QByteArray):
            return QByteArray(value)
        return type(self.default)(value)  # type: ignore[call-arg]  # str or int


LOOK, CANVAS, TABLE, PLAYERS = "Look", "Map", "At the table", "Players"

THEME = Preference(
    "look/theme",
    "dark",
    LOOK,
    "Theme",
    "The colours of both windows.",
    choices=(("dark", "Dark"), ("light", "Light"), ("high-contrast", "High contrast")),
)
LOG_SUMS = Preference(
    "look/log_sums",
    default=True,
    group=LOOK,
    title="Sums in the log",
    help="Write the lines of a sum under each entry of the log.",
)
MESSAGE_SECONDS = Preference(
    "look/message_seconds",
    8,
    LOOK,
    "Messages stay for",
    "How long the status line shows a message before the map's facts come back.",
    minimum=2,
    maximum=60,
    unit="s",
)
SHOW_REACH = Preference(
    "map/show_reach",
    default=True,
    group=CANVAS,
    title="Reach while moving",
    help="Mark the cells that the held token can still reach.",
)
WHEEL_PANS = Preference(
    "map/wheel_pans",
    default=False,
    group=CANVAS,
    title="Two fingers move the map",
    help="On a touchpad two fingers move the map; with Ctrl they zoom.",
)
DRAG_PIXELS = Preference(
    "map/drag_pixels",
    4,
    CANVAS,
    "A drag begins after",
    "How far the mouse must travel before a click becomes a drag.",
    minimum=1,
    maximum=20,
    unit="px",
)
BACKUP_ON_OPEN = Preference(
    "table/backup_on_open",
    default=True,
    group=TABLE,
    title="Backup when opening",
    help="Keep a dated copy of an encounter each time it is opened.",
)
BACKUP_MINUTES = Preference(
    "table/backup_minutes",
    15,
    TABLE,
    "Backup every",
    "Keep a dated copy so often while an encounter is open and was changed; 0 keeps none.",
    minimum=0,
    maximum=240,
    unit="min",
)
PARTY_DICE = Preference(
    "table/party_dice",
    default=False,
    group=TABLE,
    title="The party rolls real dice",
    help="Ask for what the party rolled on the table instead of rolling for it.",
)
PLAYERS_AT_START = Preference(
    "players/open_at_start",
    default=True,
    group=PLAYERS,
    title="Open the players' window at the start",
    help="It opens black, on the second screen if there is one.",
)
MIRROR_RULER = Preference(
    "players/ruler",
    default=False,
    group=PLAYERS,
    title="Show the players the ruler",
    help="What the GM measures is drawn on the players' map too.",
)
MIRROR_AREA = Preference(
    "players/area",
    default=False,
    group=PLAYERS,
    title="Show the players templates",
    help="Templates that the GM lays are drawn on the players' map too.",
)
OVERVIEW_SECONDS = Preference(
    "players/overview_seconds",
    10,
    PLAYERS,
    "Overview lasts",
    "How long the overview shows the players the whole map.",
    minimum=2,
    maximum=120,
    unit="s",
)

SHOWN: tuple[Preference[Any], ...] = (
    THEME,
    LOG_SUMS,
    MESSAGE_SECONDS,
    SHOW_REACH,
    WHEEL_PANS,
    DRAG_PIXELS,
    BACKUP_ON_OPEN,
    PARTY_DICE,
    PLAYERS_AT_START,
    MIRROR_RULER,
    MIRROR_AREA,
    OVERVIEW_SECONDS,
)
"""What the dialog offers, in its order."""

GEOMETRY = Preference("remembered/geometry", QByteArray())
DOCKS = Preference("remembered/docks", QByteArray())
RECENT: Preference[tuple[str, ...]] = Preference("remembered/recent", ())
LAST_FOLDER = Preference("remembered/folder", "")
LAST_RULESET = Preference("remembered/ruleset", "")
PLAYERS_SCREEN = Preference("remembered/players_screen", "")
PLAYERS_PLACE: Preference[tuple[str, ...]] = Preference("remembered/players_place", ())

REMEMBERED: tuple[Preference[Any], ...] = (
    GEOMETRY,
    DOCKS,
    RECENT,
    LAST_FOLDER,
    LAST_RULESET,
    PLAYERS_SCREEN,
    PLAYERS_PLACE,
)
"""What the program remembers by itself."""

KEYS = "keys"
"""The group in which rebound keys stand, by the id of their menu entry."""


class Preferences(QObject):
    """The stored values; `changed` carries the preference that got another value."""

    changed = Signal(object)

    def __init__(self, settings: QSettings | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings or QSettings(
            QSettings.defaultFormat(), QSettings.Scope.UserScope, ORGANISATION, APPLICATION
        )

    @property
    def settings(self) -> QSettings:
        """Return the file beneath, for what is kept by screen."""
        return self._settings

    def get(self, preference: Preference[T]) -> T:
        """Return the stored value, or the default."""
        return preference.valid(self._settings.value(preference.key))

    def set(self, preference: Preference[T], value: T) -> None:
        """Store a value and tell whoever watches."""
        value = preference.valid(value)
        if value == self.get(preference):
            return
        if value == preference.default:
            self._settings.remove(preference.key)
        else:
            kept = list(value) if isinstance(value, tuple) else value
            self._settings.setValue(preference.key, kept)
        self.changed.emit(preference)

    def watch(self, preference: Preference[T], listener: Callable[[T], None]) -> None:
        """Call `listener` with the value now and after each change."""
        listener(self.get(preference))
        self.changed.connect(
            lambda changed: listener(self.get(preference)) if changed is preference else None
        )

    def keys(self, entry_id: str) -> tuple[str, ...] | None:
        """Return the keys that somebody gave a menu entry, None if it has its own."""
        stored = self._settings.value(f"{KEYS}/{entry_id}")
        if stored is None:
            return None
        return tuple(key for key in str(stored).split("\n") if key)

    def set_keys(self, entry_id: str, keys: tuple[str, ...] | None) -> None:
        """Give a menu entry other keys, or its own back."""
        if keys is None:
            self._settings.remove(f"{KEYS}/{entry_id}")
        else:
            self._settings.setValue(f"{KEYS}/{entry_id}", "\n".join(keys))

    def add_recent(self, path: str) -> None:
        """Put a file at the head of the recent ones."""
        others = [each for each in self.get(RECENT) if each != path]
        self.set(RECENT, (path, *others)[:RECENT_KEPT])

    def forget_recent(self, path: str) -> None:
        """Take a file out of the recent ones."""
        self.set(RECENT, tuple(each for each in self.get(RECENT) if each != path))

    def sync(self) -> None:
        """Write everything to the disk now."""
        self._settings.sync()
