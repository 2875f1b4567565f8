"""What the players see, case by case; the law behind all of it is `test_non_interference`."""

from dataclasses import fields
from typing import Any

import pytest

from engine.commands.board import CloseDoor, OpenDoor, PutLights, RemoveWalls
from engine.commands.combat import Act
from engine.commands.fog import HideFog, Outline, Rectangle, ResetFog, RevealFog, SwitchFog
from engine.commands.tokens import AddTokens, EditTokens, PlaceToken
from engine.commands.turn import BeginFight
from engine.model.audience import (
    PLAYERS,
    Frame2D,
    HealthShown,
    LiveDrag,
    Ping,
    Stage,
    StageMode,
    VisionMode,
)
from engine.model.encounter import Encounter
from engine.model.evidence import LogEntry
from engine.model.light import Ambient
from engine.model.region import Area, AreaShape, Note, Region, ShapeKind
from engine.model.space import Cell
from engine.model.token import PARTY
from engine.model.told import told
from engine.model.value import FrozenMap
from engine.model.wall import DoorState, WallKind
from engine.rules.ruleset import Badge, Card, DeclaredPlan, Step, TurnEntry
from engine.view import Projected, View, players, project
from engine.view.redaction import card_for_players, step_for_players
from tests.helpers.scenes import (
    LIVE,
    begun,
    done,
    door,
    hero,
    lamp,
    scene,
    seen,
    toggled,
    token,
    two_rooms,
    wall,
)
from tests.helpers.toy import TOY, StrikePlan, ToySheet

LEFT_ROOM = Rectangle(start=(0, 0), end=(5, 6))
RIGHT_ROOM = Rectangle(start=(5, 0), end=(10, 6))
OPEN = OpenDoor(wall_id="door")
CLOSE = CloseDoor(wall_id="door")


def with_board(encounter: Encounter, **board: Any) -> Encounter:
    return encounter.changed(board=encounter.board.changed(**board))


def explored(view: View) -> int:
    return sum(int.from_bytes(bits, "big").bit_count() for bits in view.fog.explored.values())


def test_players_see_their_own_and_whom_these_see() -> None:
    rooms = begun(two_rooms())
    assert list(seen(rooms).tokens) == ["ann"]
    assert list(seen(done(rooms, OPEN)).tokens) == ["ann", "grub"]


def test_nothing_secret_stands_anywhere_in_the_view() -> None:
    """C113, C118: no name, id or text of what is out of sight is in any part of the View."""
    secret = Region(id="SECRET-pit", name="SECRET", rings=(((7, 1), (9, 1), (9, 3)),))
    trap = Region(id="SECRET-trap", rings=(((1, 1), (3, 1), (3, 3)),), gm_only=True)
    shape = AreaShape(shape=ShapeKind.CIRCLE, origin=(8, 4))
    cloud = Area(id="SECRET-cloud", shape=shape, cells=(Cell(8, 4),))
    rune = Area(id="SECRET-rune", shape=shape, cells=(Cell(2, 4),), gm_only=True)
    notes = [
        Note(id="SECRET-1", position=(2, 2), text="SECRET"),
        Note(id="SECRET-2", position=(8, 2), text="SECRET", gm_only=False),
    ]
    rooms = two_rooms(
        token("SECRET-spy", 3, 3, hidden=True, name="SECRET"),
        token("SECRET-orc", 8, 3, name="SECRET", gm_note="SECRET"),
        token(
            "mask", 4, 4, name="SECRET", public_name="Stranger", gm_note="SECRET", group="SECRET"
        ),
        hero("bea", 1, 1, gm_note="SECRET"),
        wall("SECRET-wall", (6, 1), (8, 1)),
        wall(
            "hatch", (1, 5), (2, 5), kind=WallKind.SECRET_DOOR, door=DoorState.LOCKED, name="SECRET"
        ),
        lamp("SECRET-lamp", 8, 3),
        lamp("torch", 0, 0, carrier="SECRET-orc"),
        regions=FrozenMap({each.id: each for each in (secret, trap)}),
        areas=FrozenMap({each.id: each for each in (cloud, rune)}),
        notes=FrozenMap({each.id: each for each in notes}),
    )
    told = LogEntry(text="SECRET strikes.", about=("SECRET-orc",))
    rooms = done(begun(rooms), BeginFight()).changed(log=(told.changed(secret=True),))
    view = seen(rooms)
    assert "SECRET" not in repr(view)
    assert "secret_door" not in repr(view)
    assert "hatch" in view.walls


@pytest.mark.parametrize("orders", ["hide, reveal", "reveal, hide", "move in"])
def test_c115_a_hidden_token_stays_hidden_whatever_is_revealed(orders: str) -> None:
    """C115: hiding before or after the place is revealed, or moving in hidden."""
    hide = EditTokens(token_ids=("grub",), changes={"hidden": True})
    reveal = RevealFog(area=RIGHT_ROOM)
    commands = {
        "hide, reveal": (hide, reveal),
        "reveal, hide": (reveal, hide),
        "move in": (hide, RevealFog(area=LEFT_ROOM), PlaceToken(token_id="grub", cell=Cell(1, 1))),
    }
    assert "grub" not in seen(done(begun(two_rooms()), *commands[orders])).tokens


def test_c116_the_turn_list_closes_up_over_whom_the_players_do_not_know() -> None:
    """C116: no gap and no count tells of hidden combatants."""
    rooms = begun(two_rooms(token("spy", 3, 3, hidden=True)))
    step = seen(done(rooms, BeginFight())).step
    assert step is not None
    assert [entry.token_id for entry in step.entries] == ["ann"]


def test_a_title_that_speaks_of_somebody_unseen_is_not_read() -> None:
    rooms = two_rooms()
    title = told("{}'s turn", rooms.tokens["grub"])
    step = Step(
        title=title.gm,
        players=title.players,
        subtitle="Grub aims",
        round=3,
        about=("grub",),
        end_label="Go",
    )
    assert step_for_players(step, rooms, {"ann"}).title == "Round 3"
    both = step_for_players(step, rooms, {"ann", "grub"})
    assert (both.title, both.subtitle, both.end_label) == ("Grub's turn", "", "")


def test_a_third_side_is_not_named_before_one_of_it_is_seen() -> None:
    rooms = two_rooms(token("cat", 8, 3, side="cats"))
    step = Step(title="Cats declare", players="Cats declare", side="cats", round=2)
    unmet = step_for_players(step, rooms, {"ann"})
    assert (unmet.title, unmet.side) == ("Round 2", None)
    assert step_for_players(step, rooms, {"ann", "cat"}).title == "Cats declare"


def test_only_the_partys_plans_are_shown_and_none_names_an_unseen_target() -> None:
    rooms = two_rooms()
    shoot = told("Shoot {}", rooms.tokens["grub"])
    lines = (shoot.players, "Dodge")
    step = Step(
        title="Declare",
        plans=(
            DeclaredPlan(token_id="ann", label=shoot.gm, players=shoot.players, targets=("grub",)),
            DeclaredPlan(token_id="grub", label="Flee", players="Flee"),
        ),
        entries=(
            TurnEntry(token_id="ann", detail="Shoot Grub, Dodge", players=lines, badge="+1"),
            TurnEntry(token_id="grub", detail="2 left", players=("2 left",), badge="+1"),
        ),
    )
    both = step_for_players(step, rooms, {"ann", "grub"})
    assert [plan.label for plan in both.plans] == ["Shoot Grub"]
    assert [entry.detail for entry in both.entries] == ["Shoot Grub, Dodge", ""]
    assert [entry.badge for entry in both.entries] == ["+1", ""]
    alone = step_for_players(step, rooms, {"ann"})
    assert [entry.detail for entry in alone.entries] == ["Dodge"]
    assert [(plan.label, plan.targets) for plan in alone.plans] == [("", ())]


def test_a_prompt_is_shown_to_the_side_that_answers_it_and_only_about_the_seen() -> None:
    fight = done(begun(two_rooms(token("orc", 3, 2))), BeginFight())
    strike = done(fight, Act(plan=StrikePlan(token_id="ann", target_id="orc")))
    assert seen(strike).prompt is not None
    unseen = done(fight, Act(plan=StrikePlan(token_id="ann", target_id="grub")))
    assert unseen.prompt is not None
    assert seen(unseen).prompt is None


@pytest.mark.parametrize(
    ("health", "bars", "detail"),
    [
        (HealthShown.BARS, 1, ""),
        (HealthShown.WORDS, 0, "badly hurt"),
        (HealthShown.HIDDEN, 0, ""),
    ],
)
def test_health_of_others_is_shown_as_the_gm_chose(
    health: HealthShown, bars: int, detail: str
) -> None:
    view = seen(
        begun(scene(hero("ann", 1, 1), token("orc", 3, 1, sheet=ToySheet(hp=3)))), health=health
    )
    card, own = view.tokens["orc"].card, view.tokens["ann"].card
    assert card is not None
    assert own is not None
    assert (len(card.bars), card.detail) == (bars, detail)
    assert len(own.bars) == 1


def test_a_badge_without_words_for_the_players_is_read_by_its_own_side_only() -> None:
    prone = Badge(text="P", meaning="Prone (2 r)", players="Prone")
    badges = (Badge(text="H", meaning="Hides at 14"), prone)
    card = card_for_players(Card(badges=badges), HealthShown.WORDS)
    assert [(badge.text, badge.meaning) for badge in card.badges] == [("P", "Prone")]


def test_a_veil_covers_even_what_is_in_sight() -> None:
    field = begun(scene(hero("ann", 1, 1), token("orc", 6, 1), wall("fence", (5, 4), (8, 4))))
    veiled = seen(done(field, HideFog(area=Rectangle(start=(4.5, 0), end=(9, 5)))))
    assert list(veiled.tokens) == ["ann"]
    assert "fence" not in veiled.walls


def test_what_is_revealed_is_shown_with_whoever_stands_there() -> None:
    view = seen(done(begun(two_rooms()), RevealFog(area=RIGHT_ROOM)))
    assert list(view.tokens) == ["ann", "grub"]
    assert {"north", "door", "south"} <= view.walls.keys()


def test_without_fog_all_but_the_hidden_is_seen() -> None:
    rooms = begun(two_rooms(token("spy", 3, 3, hidden=True), wall("far", (7, 4), (9, 4))))
    view = seen(done(rooms, SwitchFog(enabled=False)))
    assert list(view.tokens) == ["ann", "grub"]
    assert "far" in view.walls
    assert view.fog.sight is None


def test_c80_fog_switched_on_covers_all_that_is_not_explored() -> None:
    """C80: from the first moment unexplored ground is wholly dark."""
    rooms = done(two_rooms().changed(tokens=FrozenMap()), SwitchFog(enabled=False))
    rooms = done(rooms, AddTokens(tokens=tuple(two_rooms().tokens.values())))
    assert explored(seen(rooms)) == 0
    view = seen(done(rooms, SwitchFog(enabled=True)))
    assert view.fog.enabled
    assert explored(view) == 5 * 6 * 64
    assert view == seen(begun(two_rooms()))


def test_c74_an_opened_door_or_a_moved_lamp_shows_what_it_shows_at_once() -> None:
    """C74: nobody has to move first."""
    rooms = begun(two_rooms())
    assert explored(seen(done(rooms, OPEN))) > explored(seen(rooms))
    dark = begun(scene(hero("ann", 1, 1), lamp("lamp", 8, 2, 1, 2), ambient=Ambient.DARK))
    moved = done(dark, PutLights(lights=(lamp("lamp", 5, 2, 1, 2),)))
    assert explored(seen(moved)) > explored(seen(dark))


def test_doors_and_walls_stand_as_they_were_last_seen() -> None:
    """C79: what was seen stays known, and a change out of sight does not show."""
    closet = door("closet", (7, 3), (8, 3))
    rooms = done(begun(two_rooms(closet, wall("shelf", (9, 1), (9, 3)))), OPEN)
    away = done(rooms, CLOSE)
    known = seen(away).walls
    assert known["closet"].door is DoorState.CLOSED
    changed = done(away, OpenDoor(wall_id="closet"), RemoveWalls(wall_ids=("shelf",)))
    assert seen(changed).walls == known
    back = seen(done(changed, OPEN))
    assert back.walls["closet"].door is DoorState.OPEN
    assert "shelf" not in back.walls


def test_a_door_that_the_players_see_moves_as_it_is_moved() -> None:
    rooms = begun(two_rooms())
    assert seen(rooms).walls["door"].door is DoorState.CLOSED
    assert seen(done(rooms, OPEN)).walls["door"].door is DoorState.OPEN


def test_of_a_long_wall_only_what_was_seen_is_known() -> None:
    long = wall("long", (1, 5), (9, 5))
    piece = seen(begun(two_rooms(long))).walls["long"]
    assert piece.points == ((1, 5), (5, 5))


def test_a_secret_door_is_a_wall_until_it_is_seen_open() -> None:
    hatch = door("hatch", (1, 4), (2, 4), kind=WallKind.SECRET_DOOR)
    field = begun(scene(hero("ann", 1, 1), hatch))
    unfound = seen(field).walls["hatch"]
    assert (unfound.kind, unfound.door) == (WallKind.WALL, None)
    found = done(field, OpenDoor(wall_id="hatch"))
    assert seen(found).walls["hatch"].kind is WallKind.DOOR
    shut = seen(done(found, CloseDoor(wall_id="hatch"))).walls["hatch"]
    assert (shut.kind, shut.door) == (WallKind.DOOR, DoorState.CLOSED)


def test_a_secret_door_opened_out_of_sight_stays_a_wall() -> None:
    hatch = door("hatch", (1, 4), (2, 4), kind=WallKind.SECRET_DOOR)
    field = begun(scene(hero("ann", 1, 1), hatch, wall("screen", (0, 3), (10, 3))))
    seen_first = done(
        field,
        PlaceToken(token_id="ann", cell=Cell(1, 4)),
        PlaceToken(token_id="ann", cell=Cell(1, 1)),
    )
    assert seen(done(seen_first, OpenDoor(wall_id="hatch"))).walls["hatch"].kind is WallKind.WALL


@pytest.mark.parametrize("state", [DoorState.CLOSED, DoorState.LOCKED])
def test_a_lock_is_not_seen(state: DoorState) -> None:
    rooms = begun(toggled(two_rooms(), "door", state))
    assert seen(rooms).walls["door"].door is DoorState.CLOSED


def test_an_illusory_wall_looks_like_any_other_and_an_invisible_one_like_none() -> None:
    illusion = wall("illusion", (1, 4), (3, 4), blocks_movement=False)
    barrier = wall("barrier", (4, 4), (6, 4), blocks_sight=False)
    walls = seen(begun(scene(hero("ann", 1, 1), illusion, barrier))).walls
    assert walls["illusion"].blocks_movement
    assert "barrier" not in walls


def test_regions_are_remembered_as_they_were_seen() -> None:
    mud = Region(id="mud", rings=(((6, 1), (9, 1), (9, 3), (6, 3)),), step_cost=2)
    rooms = begun(two_rooms(regions=FrozenMap({"mud": mud})))
    assert not seen(rooms).regions
    away = done(rooms, OPEN, CLOSE)
    assert seen(away).regions == FrozenMap({"mud": mud})
    dried = with_board(away, regions=FrozenMap())
    assert seen(dried).regions == FrozenMap({"mud": mud})
    assert not seen(done(dried, OPEN)).regions


def test_areas_are_seen_as_far_as_their_cells_are() -> None:
    cells = (Cell(4, 0), Cell(5, 0))
    shape = AreaShape(shape=ShapeKind.CIRCLE, origin=(5, 0.5))
    cloud = Area(
        id="cloud", shape=shape, cells=cells, source_token="grub", damage="2d6", follows="grub"
    )
    area = seen(begun(two_rooms(areas=FrozenMap({"cloud": cloud})))).areas["cloud"]
    assert area.cells == (Cell(4, 0),)
    assert (area.source_token, area.follows, area.damage) == (None, None, "")


def test_notes_for_the_players_appear_with_their_ground() -> None:
    note = Note(id="sign", position=(8.5, 2.5), text="Beware", gm_only=False)
    rooms = begun(two_rooms(notes=FrozenMap({"sign": note})))
    assert not seen(rooms).notes
    assert seen(done(rooms, OPEN, CLOSE)).notes == FrozenMap({"sign": note})


def test_lamps_are_shown_where_they_burn_and_without_whom_is_not_seen() -> None:
    rooms = begun(two_rooms(lamp("torch", 0, 0, carrier="ann"), lamp("far", 8, 2)))
    lights = seen(rooms).lights
    assert list(lights) == ["torch"]
    assert (lights["torch"].position, lights["torch"].carrier) == ((2.5, 2.5), "ann")


@pytest.mark.parametrize("mode", [StageMode.BLACKOUT, StageMode.PICTURE])
def test_a_dark_window_and_a_picture_show_nothing_of_the_map(mode: StageMode) -> None:
    stage = Stage(mode=mode, picture="map", pings=(Ping(point=(2, 2), side=PARTY, at_ms=0),))
    view = seen(begun(two_rooms()), stage)
    assert view.handout == ("map" if mode is StageMode.PICTURE else None)
    assert (len(view.tokens), len(view.walls), len(view.log), view.fog.sight) == (0, 0, 0, ())
    assert (view.pings, view.picture, view.step) == ((), None, None)


def test_pings_and_the_pointer_show_on_known_ground_only() -> None:
    rooms = begun(two_rooms())
    near, far = (Ping(point=(x, 2), side=PARTY, at_ms=0) for x in (2, 8))
    stage = LIVE.changed(
        pings=(near, far), pointer=(8, 3), frame=Frame2D(center=(5, 3), width=10, height=6)
    )
    view = seen(rooms, stage)
    assert (view.pings, view.pointer) == ((near,), None)
    assert view.frame == stage.frame
    assert seen(done(rooms, OPEN, CLOSE), stage).pointer == (8, 3)


def test_c65_dragging_a_token_explores_nothing() -> None:
    """C65: a token dragged through a wall shows its way, but neither ground nor walls."""
    rooms = begun(two_rooms())
    drag = LiveDrag(token_id="ann", path=(Cell(2, 2), Cell(7, 4)))
    view = seen(rooms, LIVE.changed(drag=drag))
    assert view.drag == drag
    plain = seen(rooms)
    for name in ("fog", "walls", "tokens"):
        assert getattr(view, name) == getattr(plain, name)


def test_the_drag_of_a_token_is_shown_as_far_as_it_is_seen() -> None:
    rooms = begun(two_rooms(token("orc", 3, 2)))
    out = LiveDrag(token_id="orc", path=(Cell(3, 2), Cell(4, 2), Cell(5, 2)))
    shown = seen(rooms, LIVE.changed(drag=out)).drag
    assert shown is not None
    assert shown.path == (Cell(3, 2), Cell(4, 2))
    hidden = LiveDrag(token_id="grub", path=(Cell(7, 2), Cell(3, 3)))
    assert seen(rooms, LIVE.changed(drag=hidden)).drag is None


def test_the_party_the_active_or_the_chosen_lend_their_eyes() -> None:
    """C92: the party's vision together, the active token's alone, or what the GM chose."""
    rooms = begun(two_rooms(hero("bea", 8, 4)))
    assert "grub" in seen(rooms).tokens
    assert "grub" not in seen(rooms, vision=VisionMode.CHOSEN, chosen=("ann",)).tokens
    assert "grub" in seen(rooms, vision=VisionMode.ACTIVE).tokens
    assert len(seen(rooms, vision=VisionMode.CHOSEN, chosen=("grub", "gone")).fog.sight or ()) == 1


def test_who_lends_eyes_without_being_of_the_party_shows_what_it_sees() -> None:
    rooms = begun(two_rooms(wall("far", (7, 4), (9, 4))))
    view = seen(rooms, vision=VisionMode.CHOSEN, chosen=("grub",))
    assert "far" in view.walls
    assert "far" not in seen(rooms).walls


def test_a_hidden_token_lends_no_eyes() -> None:
    rooms = begun(two_rooms(hero("bea", 8, 4, hidden=True)))
    assert "grub" not in seen(rooms).tokens
    assert seen(rooms, vision=VisionMode.CHOSEN, chosen=("bea",)).fog.sight == ()


def test_fog_fails_closed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no polygon")

    rooms = begun(two_rooms())
    monkeypatch.setattr(players, "known_tokens", broken)
    view = seen(rooms)
    assert (view.tokens, view.fog.enabled, view.fog.sight) == ({}, True, ())
    assert not view.walls
    assert "they see nothing" in caplog.text
    monkeypatch.undo()
    assert seen(rooms).tokens


def test_unchanged_parts_of_a_view_are_the_same_objects() -> None:
    before = begun(two_rooms(token("orc", 3, 2)))
    first = seen(before)
    moved = done(before, PlaceToken(token_id="orc", cell=Cell(3, 3)))
    second = project(moved, LIVE, PLAYERS, TOY, players_projected(before, first))
    kept = {f.name for f in fields(View) if getattr(first, f.name) is getattr(second, f.name)}
    assert {"walls", "fog", "log", "regions", "lights"} <= kept
    assert second.tokens["ann"] is first.tokens["ann"]
    assert second.tokens["orc"] is not first.tokens["orc"]


def test_a_change_out_of_sight_gives_the_very_same_view() -> None:
    before = begun(two_rooms())
    first = seen(before)
    after = done(before, PlaceToken(token_id="grub", cell=Cell(9, 4)))
    assert project(after, LIVE, PLAYERS, TOY, players_projected(before, first)) is first


def players_projected(encounter: Encounter, view: View) -> Projected:
    return Projected(encounter, LIVE, view)


def test_a_token_is_seen_by_its_side_around_a_corner() -> None:
    corner = scene(hero("ann", 1, 1), token("orc", 5, 3), wall("w", (3, 2.2), (3, 6)))
    assert "orc" in seen(begun(corner)).tokens


@pytest.mark.parametrize("x", [5.3, 5.45])
def test_a_token_that_pokes_through_a_wall_is_not_seen_by_that(x: float) -> None:
    behind = scene(hero("ann", 1, 2), token("orc", 5, 2), wall("w", (x, 0), (x, 6)))
    assert "orc" not in seen(begun(behind)).tokens
    assert "orc" in seen(begun(behind.changed(board=scene().board))).tokens


def test_reset_fog_forgets_all_but_what_is_in_sight() -> None:
    rooms = done(begun(two_rooms(wall("far", (7, 3), (9, 3)))), OPEN, CLOSE)
    assert "far" in seen(rooms).walls
    view = seen(done(rooms, ResetFog()))
    assert "far" not in view.walls
    assert explored(view) == 5 * 6 * 64


def test_what_lies_behind_a_veil_does_not_bend_the_outlines() -> None:
    gate = door("gate", (6, 2), (6, 3))
    screen = (wall("a", (6, 0), (6, 2)), gate, wall("b", (6, 3), (6, 6)))
    veil = HideFog(area=Outline(points=((4, 0), (10, 0), (10, 6), (4, 6))))
    field = done(begun(scene(hero("ann", 1, 1), *screen)), veil)
    assert seen(done(field, OpenDoor(wall_id="gate"))) == seen(field)
