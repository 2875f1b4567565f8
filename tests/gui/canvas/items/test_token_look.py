"""What a token's picture depends on: one disc, where it stands, bars, badges; equal looks share."""

import pytest
from PySide6.QtWidgets import QApplication

from engine.grid.grid import Grid
from engine.model.space import GridKind
from gui.canvas.items.token_look import TokenLook, look_of, turned
from gui.canvas.items.token_picture import BUCKETS, TokenBaker, bucket_for
from gui.theme import DARK
from tests.helpers.shots import pixels_of
from tests.helpers.views import a_grid, a_token

SQUARES, HEXES = a_grid(), a_grid(kind=GridKind.HEX_POINTY)


def look(grid: Grid = SQUARES, **fields: object) -> TokenLook:
    token = a_token("Ila", (2, 2), grid=grid, **fields)  # type: ignore[arg-type]  # by name
    return look_of(token, grid, active=False, rotation_deg=0)


@pytest.mark.parametrize(
    ("footprint", "at", "radius"),
    [("1", (0, 0), 0.42), ("2", (0, 0), 0.84), ("4", (0, 0), 1.68)],
)
def test_a_block_of_squares_has_one_disc_in_its_middle(
    footprint: str, at: tuple[float, float], radius: float
):
    found = look(footprint=footprint)
    assert found.disc_at == at
    assert found.disc_radius == pytest.approx(radius)


def test_a_long_figure_has_its_disc_on_its_first_cell():
    found = look(HEXES, footprint="7L")
    assert found.disc_at != (0, 0)
    assert found.disc_radius == pytest.approx(0.42)


def test_a_round_figure_of_hexes_has_one_large_disc():
    found = look(HEXES, footprint="round-3")
    assert found.disc_at == (0, 0)
    assert found.disc_radius > 0.9


def test_equal_tokens_at_different_places_share_a_look():
    tokens = [a_token("Orc", (x, 3), side="foes") for x in (1, 7)]
    first, second = (look_of(each, SQUARES, active=False, rotation_deg=0) for each in tokens)
    assert first == second
    assert hash(first) == hash(second)


def test_many_badges_end_in_a_number():
    assert look(badges="ABC").badges == ("A", "B", "C")
    assert look(badges="ABCDE").badges == ("A", "B", "+3")


@pytest.mark.parametrize(("value", "filled"), [(-3, 0.0), (0, 0.0), (5, 0.5), (99, 1.0)])
def test_a_bar_is_never_less_than_empty_nor_more_than_full(value: int, filled: float):
    assert look(bars=[(value, 10)]).bars == (filled,)


def test_a_bar_without_maximum_is_empty():
    assert look(bars=[(0, 0)]).bars == (0.0,)


@pytest.mark.parametrize(("px", "bucket"), [(3, 16), (16, 16), (17, 32), (64.4, 64), (900, 256)])
def test_a_bucket_needs_no_enlarging_up_to_the_last(px: float, bucket: int):
    assert bucket_for(px) == bucket


def test_equal_looks_are_baked_once(qapp: QApplication):
    baker = TokenBaker(DARK)
    assert baker.bake(look(), 64, None) is baker.bake(look(), 64, None)


def test_a_crowd_with_other_names_shares_one_picture(qapp: QApplication):
    baker = TokenBaker(DARK)
    assert baker.bake(look(), 64, None) is baker.bake(look(label="Bo"), 64, None)


@pytest.mark.parametrize(
    "other",
    [
        {"side": "foes"},
        {"side": "neutral"},
        {"hidden": True},
        {"down": True},
        {"facing": 3},
        {"elevation": 2},
        {"bars": [(1, 10)]},
        {"badges": "S"},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_whatever_differs_is_seen(qapp: QApplication, other: dict[str, object]):
    baker = TokenBaker(DARK)
    plain, changed = (baker.bake(each, 64, None).pixmap for each in (look(), look(**other)))
    first, second = pixels_of(plain.toImage()), pixels_of(changed.toImage())
    assert first.shape != second.shape or (first != second).any()


def test_a_huge_figure_stays_within_bounds(qapp: QApplication):
    baked = TokenBaker(DARK).bake(look(footprint="7"), BUCKETS[-1], None)
    assert max(baked.pixmap.width(), baked.pixmap.height()) <= 2048
    assert baked.px_per_cell > 200


@pytest.mark.parametrize("bucket", BUCKETS)
def test_the_middle_of_the_picture_is_the_middle_of_the_token(qapp: QApplication, bucket: int):
    baked = TokenBaker(DARK).bake(look(bars=()), bucket, None)
    x, y = round(baked.middle.x()), round(baked.middle.y())
    alpha = baked.pixmap.toImage()
    reach = round(0.39 * bucket)
    for dx, dy in ((reach, 0), (-reach, 0), (0, reach), (0, -reach)):
        assert alpha.pixelColor(x + dx, y + dy).alpha() > 0
    assert alpha.pixelColor(0, 0).alpha() == 0


def test_the_writing_stays_upright_on_a_turned_map(qapp: QApplication):
    """Turned by a half, only the facing tick goes to the other side."""
    baker = TokenBaker(DARK)
    upright = look(bars=())
    first = baker.bake(upright, 64, None)
    second = baker.bake(turned(upright, 180), 64, None)

    def face(baked: object) -> object:
        x, y = round(baked.middle.x()), round(baked.middle.y())  # type: ignore[attr-defined]
        return pixels_of(baked.pixmap.copy(x - 16, y - 10, 32, 20).toImage())  # type: ignore[attr-defined]

    assert (face(first) == face(second)).all()  # type: ignore[attr-defined]
