"""The one table of menu entries: words, keys, tooltips, and when each may be used.

The menus, the tool rail, the context menu, the list of keys and the dialog that rebinds them are
all made from it, by `gui.menu_actions`. What an entry does is not decided here: the window
connects each id to a function, and a test sees to it that none is left over.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from engine.model.light import Ambient


class When(StrEnum):
    """What must hold for an entry to be enabled; the value says what is missing."""

    OPEN = "Open an encounter first."
    WRITABLE = "This encounter is open elsewhere and can only be read."
    UNDO = "There is nothing to undo."
    REDO = "There is nothing to redo."
    SELECTION = "Select a token first."
    FIGHT = "Begin the fight first."
    PEACE = "The fight has already begun."
    NEXT = "The phase cannot be ended yet."
    REFUSED = "Nothing was refused."
    PLAN = "Choose an action first."
    PLAYERS = "Open the players' window first."
    HELD = "Nothing is held back: freeze the players' picture first."


class Where(StrEnum):
    """Where an entry's keys work: everywhere in the window, or only with the map in focus."""

    WINDOW = "window"
    MAP = "map"


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that can be done from a menu, by a key or with a button.

    `keys` are portable names, the first is the one shown. `rule` draws a line above it. `short`
    is the word under a button of the tool rail.
    """

    id: str
    menu: str
    text: str
    keys: tuple[str, ...] = ()
    tip: str = ""
    when: tuple[When, ...] = ()
    where: Where = Where.WINDOW
    checkable: bool = False
    rule: bool = False
    on_map: bool = False
    short: str = ""

    @property
    def plain_text(self) -> str:
        """Return the words without the mnemonic mark and the dots."""
        return self.text.replace("&", "").rstrip("…")

    @property
    def is_tool(self) -> bool:
        """Tell whether it takes up a tool."""
        return self.id.startswith("tool.")


_OPEN = (When.OPEN,)
_WRITE = (When.OPEN, When.WRITABLE)
_SELECTED = (When.OPEN, When.WRITABLE, When.SELECTION)
_MAP = Where.MAP

FILE, EDIT, VIEW, TOOLS, MAP, FIGHT, PLAYERS, HELP = (
    "&File",
    "&Edit",
    "&View",
    "&Tools",
    "&Map",
    "F&ight",
    "&Players",
    "&Help",
)
MENUS = (FILE, EDIT, VIEW, TOOLS, MAP, FIGHT, PLAYERS, HELP)

ENTRIES: tuple[Entry, ...] = (
    Entry("file.new", FILE, "&New encounter…", ("Ctrl+N",), "Begin an encounter on an empty board"),
    Entry("file.open", FILE, "&Open…", ("Ctrl+O",), "Open an encounter"),
    Entry(
        "file.import",
        FILE,
        "&Import a map…",
        ("Ctrl+I",),
        "Bring in a map: Universal VTT (dd2vtt, uvtt, df2vtt) or a picture",
    ),
    Entry(
        "file.copy", FILE, "Save a &copy…", ("Ctrl+Shift+S",), "Write a copy to another file", _OPEN
    ),
    Entry(
        "file.paste",
        FILE,
        "&Paste a map",
        ("Ctrl+V",),
        "Import the picture or the file that lies in the clipboard",
    ),
    Entry(
        "file.backups",
        FILE,
        "&Backups…",
        (),
        "Go back to an earlier copy of this file; what is there now is kept",
        _OPEN,
    ),
    Entry("file.rename", FILE, "&Rename encounter…", (), "Give it another title", _WRITE),
    Entry("file.close", FILE, "&Close", ("Ctrl+W",), "Close the encounter", _OPEN),
    Entry(
        "file.preferences",
        FILE,
        "&Preferences…",
        ("Ctrl+,",),
        "Colours, the map, the table",
        rule=True,
    ),
    Entry("file.quit", FILE, "&Quit", ("Ctrl+Q",), "Leave; everything is saved already", rule=True),
    Entry(
        "edit.undo",
        EDIT,
        "&Undo",
        ("Ctrl+Z",),
        "Take the last thing back",
        (When.OPEN, When.WRITABLE, When.UNDO),
    ),
    Entry(
        "edit.redo",
        EDIT,
        "&Redo",
        ("Ctrl+Y", "Ctrl+Shift+Z"),
        "Do it again",
        (When.OPEN, When.WRITABLE, When.REDO),
    ),
    Entry(
        "edit.overrule",
        EDIT,
        "O&verrule the last refusal",
        ("Ctrl+Return",),
        "Do what the rules refused; the log will say so",
        (When.OPEN, When.WRITABLE, When.REFUSED),
    ),
    Entry(
        "edit.token",
        EDIT,
        "&Token…",
        ("E",),
        "Name, side, size and secrets of the selected token",
        _SELECTED,
        _MAP,
        rule=True,
        on_map=True,
    ),
    Entry(
        "edit.hide",
        EDIT,
        "&Hide or show",
        ("Ctrl+H",),
        "Hide the selected tokens from the players, or show them",
        _SELECTED,
        on_map=True,
    ),
    Entry(
        "edit.duplicate",
        EDIT,
        "&Duplicate",
        ("Ctrl+D",),
        "Put copies of the selected tokens beside them",
        _SELECTED,
        on_map=True,
    ),
    Entry(
        "edit.delete",
        EDIT,
        "D&elete",
        ("Delete",),
        "Take away what is selected; undo brings it back",
        _SELECTED,
        _MAP,
        on_map=True,
    ),
    Entry(
        "edit.group",
        EDIT,
        "&Group or ungroup",
        ("Ctrl+Shift+G",),
        "Let the selected tokens move and attack together, or each alone again",
        _SELECTED,
        on_map=True,
    ),
    Entry("edit.all", EDIT, "Select &all", ("Ctrl+A",), "Select every token", _OPEN, _MAP),
    Entry(
        "edit.none",
        EDIT,
        "Select n&othing",
        ("Ctrl+Shift+A",),
        "Let go of the selection",
        (When.OPEN, When.SELECTION),
    ),
    Entry("view.fit", VIEW, "&Whole map", ("Home",), "Show the whole map", _OPEN, _MAP),
    Entry("view.in", VIEW, "Zoom &in", ("+", "="), "Come closer", _OPEN, _MAP),
    Entry("view.out", VIEW, "Zoom &out", ("-",), "Step back", _OPEN, _MAP),
    Entry(
        "view.center",
        VIEW,
        "&Centre the map on the selection",
        ("C",),
        "Bring the selected token into the middle",
        (When.OPEN, When.SELECTION),
        _MAP,
        on_map=True,
    ),
    Entry(
        "view.mini",
        VIEW,
        "What the &players see",
        ("Ctrl+M",),
        "Show the players' view small in the corner",
        checkable=True,
        rule=True,
    ),
    Entry(
        "tool.select", TOOLS, "&Move", ("V",), "Select and move tokens", _OPEN, _MAP, short="Move"
    ),
    Entry(
        "tool.ruler", TOOLS, "&Ruler", ("R",), "Measure range or a walk", _OPEN, _MAP, short="Ruler"
    ),
    Entry(
        "tool.area",
        TOOLS,
        "&Area",
        ("A",),
        "Lay a template over the map; Return leaves it there",
        _OPEN,
        _MAP,
        short="Area",
    ),
    Entry(
        "tool.fog",
        TOOLS,
        "&Fog",
        ("F",),
        "Reveal ground to the players; Shift covers it",
        _WRITE,
        _MAP,
        short="Fog",
    ),
    Entry(
        "tool.wall",
        TOOLS,
        "&Wall",
        ("W",),
        "Draw walls from corner to corner",
        _WRITE,
        _MAP,
        short="Wall",
    ),
    Entry(
        "tool.door",
        TOOLS,
        "&Door",
        ("D",),
        "Open and close doors; Shift locks; drag draws a new one",
        _WRITE,
        _MAP,
        short="Door",
    ),
    Entry(
        "tool.terrain",
        TOOLS,
        "&Terrain",
        ("T",),
        "Outline ground that is hard to walk",
        _WRITE,
        _MAP,
        short="Terrain",
    ),
    Entry(
        "tool.height",
        TOOLS,
        "&Height",
        ("H",),
        "Outline ground that is higher or lower",
        _WRITE,
        _MAP,
        short="Height",
    ),
    Entry(
        "tool.mist",
        TOOLS,
        "M&ist",
        ("O",),
        "Outline ground that is hard to see into",
        _WRITE,
        _MAP,
        short="Mist",
    ),
    Entry("tool.light", TOOLS, "&Light", ("L",), "Set a light", _WRITE, _MAP, short="Light"),
    Entry(
        "tool.token", TOOLS, "T&oken", ("N",), "Put tokens on the map", _WRITE, _MAP, short="Token"
    ),
    Entry("tool.note", TOOLS, "&Note", ("X",), "Pin a note", _WRITE, _MAP, short="Note"),
    Entry(
        "map.grid",
        MAP,
        "Fit the &grid…",
        ("Ctrl+G",),
        "Lay the grid over the picture; tokens keep their cells",
        _WRITE,
    ),
    Entry(
        "map.fog",
        MAP,
        "&Fog for the players",
        ("Ctrl+F",),
        "Without fog the players see the whole board",
        _WRITE,
        checkable=True,
        rule=True,
    ),
    *(
        Entry(
            f"map.{ambient.value}",
            MAP,
            words,
            (),
            tip,
            _WRITE,
            checkable=True,
            rule=ambient is Ambient.BRIGHT,
        )
        for ambient, words, tip in (
            (Ambient.BRIGHT, "&Daylight", "It is bright everywhere"),
            (Ambient.DIM, "T&wilight", "Where no lamp reaches, it is dim"),
            (Ambient.DARK, "&Night", "Where no lamp reaches, it is pitch dark"),
        )
    ),
    Entry("map.forget", MAP, "F&orget what was explored", (), "Cover all ground again", _WRITE),
    Entry(
        "map.door",
        MAP,
        "Open or close the &nearest door",
        ("Ctrl+E",),
        "The door nearest to the selected token",
        (*_SELECTED,),
    ),
    Entry(
        "fight.begin",
        FIGHT,
        "&Begin the fight",
        ("Ctrl+B",),
        "From now on the rules watch",
        (*_WRITE, When.PEACE),
    ),
    Entry(
        "fight.end", FIGHT, "&End the fight", (), "Tokens move freely again", (*_WRITE, When.FIGHT)
    ),
    Entry(
        "fight.next",
        FIGHT,
        "Ne&xt",
        ("Space",),
        "End this phase and go on",
        (*_WRITE, When.FIGHT, When.NEXT),
        _MAP,
        rule=True,
    ),
    Entry(
        "fight.roll",
        FIGHT,
        "&Roll",
        ("Return", "Enter"),
        "Carry out what is prepared",
        (*_WRITE, When.PLAN),
        _MAP,
    ),
    Entry("fight.after", FIGHT, "&Following token", (".",), "Select the token after", _OPEN, _MAP),
    Entry(
        "fight.before", FIGHT, "&Preceding token", (",",), "Select the token before", _OPEN, _MAP
    ),
    Entry(
        "fight.rules",
        FIGHT,
        "&Table rules…",
        ("Ctrl+T",),
        "The options of the ruleset, with their sources",
        _WRITE,
        rule=True,
    ),
    Entry(
        "fight.tables",
        FIGHT,
        "Ta&bles of the rules…",
        ("Ctrl+Shift+K",),
        "Actions, statuses and every number, to be corrected by the group",
        _WRITE,
    ),
    Entry(
        "fight.party_dice",
        FIGHT,
        "The party rolls &real dice",
        (),
        "Ask for the party's rolls instead of making them",
        _WRITE,
        checkable=True,
    ),
    Entry(
        "players.open",
        PLAYERS,
        "&Players' window",
        ("Ctrl+P",),
        "Open or close the players' window",
        checkable=True,
    ),
    Entry(
        "players.freeze",
        PLAYERS,
        "&Freeze",
        ("Ctrl+Shift+F",),
        "Work on while the players' picture stands still",
        _OPEN,
        checkable=True,
        rule=True,
    ),
    Entry(
        "players.publish",
        PLAYERS,
        "P&ublish",
        ("Ctrl+Shift+P",),
        "Show the players what was held back",
        (When.OPEN, When.HELD),
    ),
    Entry(
        "players.black",
        PLAYERS,
        "&Black out",
        ("Ctrl+Shift+B",),
        "Make the players' window black; once more brings back what it showed",
        _OPEN,
        checkable=True,
    ),
    Entry(
        "players.full",
        PLAYERS,
        "Full &screen",
        ("F11",),
        "Full screen on the screen where it is, or a window again",
        (When.PLAYERS,),
    ),
    Entry(
        "players.follow",
        PLAYERS,
        "F&ollow",
        ("Ctrl+Shift+L",),
        "The players' map follows this one",
        _OPEN,
        checkable=True,
        rule=True,
    ),
    Entry(
        "players.center",
        PLAYERS,
        "&Centre the players' map on the selection",
        ("Ctrl+Shift+C",),
        "Bring it into the middle of the players' map",
        (When.OPEN, When.SELECTION),
        on_map=True,
    ),
    Entry(
        "players.overview",
        PLAYERS,
        "O&verview",
        ("Ctrl+Shift+O",),
        "Show the whole map for a while, then exactly what was shown before",
        (When.OPEN, When.PLAYERS),
    ),
    Entry(
        "players.turn",
        PLAYERS,
        "&Turn by a quarter",
        ("Ctrl+Shift+R",),
        "Turn the players' map for a table top; writing stays upright",
        (When.OPEN, When.PLAYERS),
    ),
    Entry(
        "players.size",
        PLAYERS,
        "True si&ze",
        ("Ctrl+Shift+T",),
        "One cell is an inch on the table; measures the screen if need be",
        (When.OPEN, When.PLAYERS),
        checkable=True,
    ),
    Entry(
        "players.picture",
        PLAYERS,
        "Show a p&icture…",
        ("Ctrl+Shift+I",),
        "Show the players a picture in place of the map, or the map again",
        _OPEN,
        checkable=True,
    ),
    Entry(
        "players.bars",
        PLAYERS,
        "Health as ba&rs",
        (),
        "The players see how much is left",
        _OPEN,
        checkable=True,
        rule=True,
    ),
    Entry(
        "players.words",
        PLAYERS,
        "Health as &words",
        (),
        "The players see unhurt, hurt, down",
        _OPEN,
        checkable=True,
    ),
    Entry(
        "players.hidden",
        PLAYERS,
        "&No health",
        (),
        "The players see nothing of the others' health",
        _OPEN,
        checkable=True,
    ),
    Entry(
        "players.party",
        PLAYERS,
        "Through the eyes of the &party",
        (),
        "The players see what any of them sees",
        _OPEN,
        checkable=True,
        rule=True,
    ),
    Entry(
        "players.active",
        PLAYERS,
        "Through the eyes of who &acts",
        (),
        "The players see what the token sees whose turn it is",
        _OPEN,
        checkable=True,
    ),
    Entry(
        "players.chosen",
        PLAYERS,
        "Through the eyes of the se&lected",
        (),
        "The players see what the selected tokens see",
        (When.OPEN, When.SELECTION),
        checkable=True,
    ),
    Entry("help.keys", HELP, "&Keys", ("?", "F1"), "Every key, and how to change it"),
    Entry("help.about", HELP, "&About Battlemat", (), "Version and licence"),
)

BY_ID: Mapping[str, Entry] = {entry.id: entry for entry in ENTRIES}
TOOL_ENTRIES = tuple(entry for entry in ENTRIES if entry.is_tool)
