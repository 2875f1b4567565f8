"""What the players learn from a record, and what one undo takes back."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.commands import registry
from engine.commands.board import CloseDoor, OpenDoor, PutLights, PutWalls
from engine.commands.combat import Act, AnswerPrompt, RollDice
from engine.commands.command import Command
from engine.commands.discovery import discover
from engine.commands.fog import (
    ClearFog,
    HideFog,
    Outline,
    Rectangle,
    RevealFog,
    Room,
    Stroke,
    SwitchFog,
)
from engine.commands.tokens import (
    AddTokens,
    EditTokens,
    MoveToken,
    PlaceToken,
    RemoveTokens,
    SetValue,
)
from engine.commands.turn import BeginFight, EndPhase, SetTableRule
from engine.events.fog import FogChanged, PlayersLearned
from engine.events.tokens import TokenMoved
from engine.events.turn import Logged
from engine.geometry.explored import marked, mask_of_tiles
from engine.grid.grid import grid_of
from engine.model.board import Board, GridSpec
from engine.model.encounter import Encounter
from engine.model.evidence import Evidence, LogEntry, Modifier
from engine.model.fog import PX_PER_CELL
from engine.model.light import Ambient
from engine.model.refusal import Rejected
from engine.model.space import Cell, GridKind
from engine.model.token import Vision as Eyes
from tests.helpers.scenes import begun, done, hero, lamp, scene, seen, token, two_rooms, wall
from tests.helpers.toy import TOY, StrikePlan

ROLL, DODGE = RollDice(faces=(9,)), AnswerPrompt(choice="none")


def size(encounter: Encounter) -> int:
    return sum(int.from_bytes(t, "big").bit_count() for t in encounter.fog.explored.values())


def logged(encounter: Encounter, **entry: Any) -> LogEntry:
    """Return the entry as it would be recorded."""
    _, after = discover(encounter, (Logged(entry=LogEntry(**entry)),))
    return after.log[-1]


def test_every_entered_cell_explores() -> None:
    niche = wall("niche", (0, 5), (4, 5), (4, 1), (5, 1), (5, 5), (10, 5))
    lane = begun(scene(niche, hero("ann", 0, 6), rows=7))
    deep = np.array([(4.5, 1.5)])
    walked = done(lane, MoveToken(token_id="ann", path=(Cell(9, 6),)))
    assert marked(walked.fog.explored, deep).all()
    assert "niche" in seen(walked).walls
    put = done(lane, PlaceToken(token_id="ann", cell=Cell(9, 6)))
    assert not marked(put.fog.explored, deep).any()


def test_a_move_that_shows_nothing_new_records_nothing_more() -> None:
    field = begun(scene(hero("ann", 1, 1)))
    events, _ = registry.resolve(MoveToken(token_id="ann", path=(Cell(2, 1),)), field, TOY)
    assert [type(event) for event in events] == [TokenMoved]


def test_opening_a_door_reveals_the_room_behind_it_in_the_same_record() -> None:
    events, after = registry.resolve(OpenDoor(wall_id="door"), begun(two_rooms()), TOY)
    assert {PlayersLearned, FogChanged} <= {type(event) for event in events}
    assert size(after) > 5 * 6 * 64


def test_events_lead_where_resolve_says() -> None:
    before = begun(two_rooms())
    events, after = registry.resolve(OpenDoor(wall_id="door"), before, TOY)
    folded = before
    for event in events:
        folded = event.apply(folded)
    assert folded == after


def test_who_is_not_of_the_party_explores_nothing() -> None:
    rooms = begun(two_rooms())
    assert size(done(rooms, MoveToken(token_id="grub", path=(Cell(9, 5),)))) == size(rooms)


def test_what_is_veiled_is_not_explored_and_what_is_revealed_is() -> None:
    left, right = Rectangle(start=(0, 0), end=(5, 6)), Rectangle(start=(5, 0), end=(10, 6))
    rooms = two_rooms().changed(tokens=two_rooms().tokens.without("ann", "grub"))
    veiled = done(rooms, HideFog(area=left), AddTokens(tokens=(hero("ann", 2, 2),)))
    assert size(veiled) == 0
    assert size(done(veiled, RevealFog(area=left))) == 5 * 6 * 64
    assert size(done(rooms, RevealFog(area=right))) == 5 * 6 * 64


movers = st.sampled_from(["ann", "bea", "grub"])
cells = st.builds(Cell, st.integers(0, 9), st.integers(0, 5))
spots = st.tuples(st.integers(0, 10), st.integers(0, 6))
commands = st.one_of(
    st.builds(lambda who, to: MoveToken(token_id=who, path=(to,)), movers, cells),
    st.builds(lambda who, to: PlaceToken(token_id=who, cell=to), movers, cells),
    st.builds(lambda who: RemoveTokens(token_ids=(who,)), movers),
    st.builds(lambda spot: PutLights(lights=(lamp("lamp", *spot),)), spots),
    st.builds(lambda a, b: PutWalls(walls=(wall("w", a, b),)), spots, spots),
    st.builds(lambda a, b: HideFog(area=Rectangle(start=a, end=b)), spots, spots),
    st.builds(lambda a: RevealFog(area=Stroke(points=(a,), radius=1)), spots),
    st.sampled_from([OpenDoor(wall_id="door"), CloseDoor(wall_id="door")]),
    st.builds(lambda on: SwitchFog(enabled=on), st.booleans()),
    st.builds(
        lambda who, radius: EditTokens(token_ids=(who,), changes={"vision": Eyes(radius=radius)}),
        movers,
        st.sampled_from([None, 1, 3]),
    ),
)


@settings(max_examples=60)
@given(st.lists(commands, max_size=6), st.sampled_from(Ambient))
def test_c77_explored_ground_never_shrinks(happening: list[Command], ambient: Ambient) -> None:
    """C77: whatever moves, opens, burns or is hidden by hand; only a reset shrinks it."""
    rooms = begun(two_rooms(hero("bea", 4, 4), lamp("torch", 0, 0, carrier="bea"), ambient=ambient))
    for command in happening:
        try:
            after = done(rooms, command)
        except Rejected:
            continue
        lost = mask_of_tiles(rooms.fog.explored) - mask_of_tiles(after.fog.explored)
        assert not lost.tiles.any()
        rooms = after


def test_an_entry_about_somebody_unseen_is_secret_for_ever() -> None:
    rooms = begun(two_rooms())
    told = logged(rooms, text="Grub laughs.", about=("grub",))
    assert told.secret
    met = done(rooms.changed(log=(told,)), OpenDoor(wall_id="door"))
    assert "grub" in seen(met).tokens
    assert not seen(met).log


def test_an_entry_about_somebody_in_sight_or_nobody_is_told() -> None:
    rooms = begun(two_rooms())
    assert not logged(rooms, text="Ann waits.", about=("ann",)).secret
    assert not logged(rooms, text="Round 2.").secret
    assert [entry.text for entry in seen(done(rooms, SetTableRule(rule="deadly", value=True))).log]


def test_who_fell_and_left_the_map_in_the_same_record_was_in_sight() -> None:
    before = begun(two_rooms(token("orc", 3, 3)))
    events = (*RemoveTokens(token_ids=("orc", "grub")).decide(registry.Case(before, TOY)),)
    fallen = Logged(entry=LogEntry(text="Orc falls.", about=("orc",)))
    gone = Logged(entry=LogEntry(text="Grub falls.", about=("grub",)))
    _, after = discover(before, (*events, fallen, gone))
    assert [entry.secret for entry in after.log] == [False, True]


def test_a_fight_out_of_sight_is_not_heard() -> None:
    rooms = begun(two_rooms(token("orc", 8, 2)))
    fight = done(rooms, BeginFight(), EndPhase())
    fight = done(fight, Act(plan=StrikePlan(token_id="orc", target_id="grub")), ROLL, DODGE)
    assert len(fight.log) > 0
    assert seen(fight).log == ()


def test_a_value_set_by_hand_is_told_of_the_party_only() -> None:
    rooms = begun(two_rooms(token("orc", 3, 3)))
    hurt = done(rooms, *(SetValue(token_id=i, field="hp", value=3) for i in ("ann", "orc")))
    assert [entry.text for entry in seen(hurt).log] == ["Ann: Hit points 3."]


def test_the_players_read_the_names_that_they_know() -> None:
    rooms = begun(
        two_rooms(
            token("boss", 3, 3, name="Strahd", public_name="Stranger"),
            token("g", 4, 3, name="Guard 5"),
        )
    )
    told = logged(rooms, text="Strahd and Guard 5 strike. Strahds? Guard 55?", about=("boss", "g"))
    assert told.text.startswith("Strahd")
    assert told.players is not None
    assert told.players.text == "Stranger and Guard strike. Strahds? Guard 55?"
    view = seen(rooms.changed(log=(told,)))
    assert [entry.text for entry in view.log] == [told.players.text]


def test_lines_that_an_unseen_token_explains_are_not_read() -> None:
    rooms = begun(two_rooms())
    flanked = Modifier(
        label="Flanked", players="Flanked", value=2, evidence=Evidence(tokens=("grub",))
    )
    told = logged(rooms, text="Ann is hit.", about=("ann",), lines=(flanked,))
    assert told.players is not None
    assert told.players.lines == ()


def test_evidence_stays_with_the_gm() -> None:
    cover = Modifier(label="Cover", players="Cover", value=-2, evidence=Evidence(walls=("w7",)))
    told = logged(begun(two_rooms()), text="Ann shoots.", about=("ann",), lines=(cover,))
    view = seen(begun(two_rooms()).changed(log=(told,)))
    assert view.log[0].lines == (Modifier(label="Cover", value=-2),)


def test_tokens_are_counted_in_the_order_in_which_they_are_seen() -> None:
    field = begun(
        scene(
            hero("ann", 1, 1),
            wall("w", (5, 0), (5, 6)),
            token("a", 8, 1, name="Guard"),
            token("b", 3, 1, name="Guard 4"),
            token("c", 8, 2, name="Guard 7"),
        )
    )
    assert seen(field).tokens["b"].name == "Guard"
    met = done(field, PutWalls(walls=(wall("w", (5, 0), (5, 0.5)),)))
    assert {i: each.name for i, each in seen(met).tokens.items() if i != "ann"} == {
        "a": "Guard 2",
        "b": "Guard",
        "c": "Guard 3",
    }


def test_if_sight_fails_the_fight_goes_on_and_nothing_is_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no polygon")

    rooms = begun(two_rooms())
    monkeypatch.setattr(registry, "discover", broken)
    after = done(rooms, SetValue(token_id="ann", field="hp", value=2), OpenDoor(wall_id="door"))
    assert after.board.walls["door"].is_open
    assert all(entry.secret for entry in after.log)
    assert size(after) == size(rooms)
    assert "could not be computed" in caplog.text


def test_who_leaves_the_map_takes_the_light_along() -> None:
    dark = begun(two_rooms(lamp("torch", 0, 0, carrier="grub"), ambient=Ambient.DARK))
    assert not done(dark, RemoveTokens(token_ids=("grub",))).board.lights


@pytest.mark.parametrize(
    ("area", "count"),
    [
        (Rectangle(start=(4, 3), end=(2, 1)), 2 * 2 * 64),
        (Outline(points=((0, 0), (4, 0), (4, 4), (0, 4))), 16 * 64),
        (Room(point=(7, 1)), 5 * 6 * 64),
        (Rectangle(start=(-9, -9), end=(1e8, 1e8)), 10 * 6 * 64),
    ],
)
def test_ground_is_marked_by_shapes(area: Any, count: int) -> None:
    after = done(two_rooms(), RevealFog(area=area))
    assert sum(int.from_bytes(t, "big").bit_count() for t in after.fog.revealed.values()) == count


def test_a_room_ends_at_doors_open_or_not_and_at_the_edge_of_the_board() -> None:
    for state in (OpenDoor(wall_id="door"), CloseDoor(wall_id="door")):
        try:
            rooms = done(two_rooms(), state)
        except Rejected:
            rooms = two_rooms()
        revealed = done(rooms, RevealFog(area=Room(point=(1, 1)))).fog.revealed
        assert sum(int.from_bytes(t, "big").bit_count() for t in revealed.values()) == 5 * 6 * 64


def test_a_room_off_the_board_is_refused() -> None:
    with pytest.raises(Rejected, match="off the board"):
        done(two_rooms(), RevealFog(area=Room(point=(12, 1))))


def test_to_clear_takes_back_what_was_marked() -> None:
    rooms = begun(two_rooms())
    left = Rectangle(start=(0, 0), end=(5, 6))
    assert done(rooms, HideFog(area=left), ClearFog(area=left)).fog == rooms.fog
    shown = done(rooms, HideFog(area=left), RevealFog(area=left))
    assert not shown.fog.veiled


@pytest.mark.parametrize("kind", GridKind)
@pytest.mark.parametrize("cell", [Cell(0, 0), Cell(3, 2), Cell(1, 5)])
def test_c10_a_cell_is_revealed_as_the_grid_has_it(kind: GridKind, cell: Cell) -> None:
    """C10: the cell that is revealed and the cell of the map are the same polygon."""
    grid = grid_of(kind, 8, 8)
    board = Board(grid=GridSpec(kind=kind, columns=8, rows=8))
    field = scene().changed(board=board)
    revealed = done(field, RevealFog(area=Outline(points=grid.polygon(cell)))).fog.revealed
    middles = (np.stack(np.mgrid[-8:88, -8:88], axis=-1).reshape(-1, 2) + 0.5) / PX_PER_CELL
    owners = grid.cells_at(middles)
    inside = (owners == cell).all(axis=1)
    assert np.array_equal(marked(revealed, middles), inside)


@pytest.mark.parametrize("kind", GridKind)
def test_on_every_grid_a_wall_parts_the_seen_from_the_unseen(kind: GridKind) -> None:
    board = Board(grid=GridSpec(kind=kind, columns=10, rows=10))
    screen = wall("screen", (5.2, -1), (5.2, 12))
    walls = board.changed(walls=board.walls.put("screen", screen))
    tokens = (hero("ann", 1, 3), token("near", 3, 2), token("far", 7, 2))
    field = done(scene().changed(board=walls), AddTokens(tokens=tokens))
    assert list(seen(field).tokens) == ["ann", "near"]
    assert list(seen(field).walls) == ["screen"]
