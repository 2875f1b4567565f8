"""Write the document of the present format that the tests keep for ever.

Run once per format version, before its release, from the root of the repository:
`python -m tests.helpers.make_document`. It never overwrites a file.
"""

import hashlib
from pathlib import Path

from engine.events.board import (
    AreasChanged,
    BoardFitted,
    BoardReplaced,
    DoorMoved,
    LightsChanged,
    NotesChanged,
    RegionsChanged,
    WallsChanged,
)
from engine.events.event import Event
from engine.events.fog import FogChanged, FogReset, FogSwitched, PlayersLearned
from engine.events.registry import CORE_EVENTS
from engine.events.tokens import SheetChanged, TokenMoved, TokensPut, TokensRemoved
from engine.events.turn import (
    FightSwitched,
    Logged,
    PendingChanged,
    RulesChanged,
    SettingsChanged,
    TableRulesChanged,
)
from engine.model.board import Board, GridSpec, Picture
from engine.model.evidence import Evidence, LogEntry, Modifier, Ray
from engine.model.fog import TILE_BYTES
from engine.model.light import Ambient, Light
from engine.model.pending import Choice, Prompt, PromptKind
from engine.model.region import Area, AreaShape, Note, Obscuration, Region, ShapeKind, Surface
from engine.model.sheet import NoRulesState, NoTableRules, Sheet
from engine.model.space import Cell, GridKind
from engine.model.token import Token, Vision
from engine.model.value import FrozenMap, Kinds
from engine.model.wall import CoverLabel, DoorState, Durability, OneSided, Wall, WallKind
from engine.storage import schema
from engine.storage.document import SUFFIX, Document
from tests.helpers.documents import encounter, record

FOLDER = Path("tests/files/documents")

PICTURE = b"\x89PNG\r\n\x1a\nno picture, but bytes that must come back"
SHA256 = hashlib.sha256(PICTURE).hexdigest()


class KeptSheet(Sheet):
    """The sheet of the ruleset "toy" in the kept files."""

    kind: str = "kept_sheet"
    hp: int = 7


KINDS = Kinds(KeptSheet)


def kept(version: int) -> Path:
    """Return where the file of a format version is kept."""
    return FOLDER / f"format-{version}{SUFFIX}"


def main() -> None:
    """Write the file of the present format, with an event of every shared kind."""
    assert {event.kind for event in events()} == set(CORE_EVENTS)
    with Document.create(kept(schema.FORMAT), encounter(2, walls=3), KINDS) as document:
        for number, event in enumerate(events(), start=1):
            images = {SHA256: PICTURE} if isinstance(event, BoardReplaced) else {}
            document.append(record(number, events=(event,)), images)
        last = document.head
        document.put_snapshot(last, document.encounter_at(last))
        document.move_head(3)
        document.append(record(last + 1, parent=3))
        document.move_head(last)


def events() -> tuple[Event, ...]:
    """Return events of every shared kind that can follow one another."""
    picture = Picture(sha256=SHA256, width_px=640, height_px=480, to_world=(0.1, 0, 0, 0, 0.1, 0))
    grid = GridSpec(kind=GridKind.HEX_POINTY, columns=30, rows=20, cell_label="5 ft")
    door = Wall(
        id="d-1",
        points=((1, 1), (1, 2.5)),
        kind=WallKind.DOOR,
        door=DoorState.CLOSED,
        one_sided=OneSided.LEFT,
        base=0,
        top=2,
        cover=CoverLabel.HALF,
        durability=Durability(hp=5, hp_max=9),
        name="Oak door",
    )
    ring = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0))
    region = Region(
        id="r-1", rings=(ring,), step_cost=2, ground=0.5, obscuration=Obscuration.LIGHT,
        surface=Surface.WATER,
    )  # fmt: skip
    shape = AreaShape(shape=ShapeKind.CONE, origin=(2, 2), size=3, direction_deg=90)
    area = Area(id="a-1", shape=shape, cells=(Cell(2, 2), Cell(2, 3)), rounds_left=3, damage="1d6")
    ogre = Token(
        id="o-1", name="Ogre", cell=Cell(5, 5), facing=3, elevation=1.5, height=2, footprint="2",
        sheet=KeptSheet(), hidden=True, public_name="Something", vision=Vision(darkvision=6),
    )  # fmt: skip
    ray = Ray(start=(0.5, 0.5), end=(5, 5), clear=False)
    why = Modifier(label="Cover", value=-5, text="-5", evidence=Evidence(rays=(ray,)))
    tile = FrozenMap({(0, -1): bytes(TILE_BYTES - 1) + b"\x07"})
    ask = Prompt(
        prompt=PromptKind.CHOICE, side="party", question="Dodge?", token_id="t-0", lines=(why,),
        choices=(Choice(value="yes", label="Dodge"), Choice(value="no", label="No", reason="!")),
    )  # fmt: skip
    return (
        BoardReplaced(board=Board(grid=grid, picture=picture, ambient=Ambient.DARK)),
        BoardFitted(grid=grid, picture=picture, ambient=Ambient.DIM, background="#102030"),
        WallsChanged(put=(door,)),
        DoorMoved(wall_id="d-1", state=DoorState.OPEN),
        RegionsChanged(put=(region,)),
        LightsChanged(put=(Light(id="l-1", position=(3, 3), bright=2, dim=4, carrier="o-1"),)),
        AreasChanged(put=(area,)),
        NotesChanged(put=(Note(id="n-1", position=(1, 1), text="Füße & “quotes”"),)),
        TokensPut(tokens=(ogre,)),
        TokensRemoved(token_ids=("t-1",)),
        TokenMoved(token_id="o-1", path=(Cell(5, 5), Cell(6, 5)), facing=0, elevation=0),
        SheetChanged(token_id="o-1", sheet=KeptSheet(hp=3)),
        FogReset(),
        FogChanged(explored=tile, revealed=tile),
        FogSwitched(enabled=True),
        PlayersLearned(
            walls=FrozenMap({"d-1": door}),
            parts=FrozenMap({"d-1": 0b11}),
            regions=FrozenMap({region.id: region}),
            names=FrozenMap({"o-1": "Ogre"}),
        ),
        FightSwitched(fighting=True),
        RulesChanged(rules=NoRulesState()),
        Logged(entry=LogEntry(text="The ogre is hit.", lines=(why,), about=("o-1",), secret=True)),
        TableRulesChanged(options=NoTableRules(), corrections=FrozenMap({"weapons/axe/damage": 9})),
        SettingsChanged(title="Kept for ever", real_dice=("party",)),
        PendingChanged(prompt=ask),
    )


if __name__ == "__main__":
    main()
