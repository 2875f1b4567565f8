"""Declared plans as ghosts: the way, the target, the template."""

import pytest

from engine.model.region import AreaShape, ShapeKind
from engine.model.space import Cell
from engine.rules.ruleset import DeclaredPlan
from gui.plans import declared_ghosts
from tests.helpers.views import a_token, a_view


def test_a_template_is_shown_by_the_border_of_its_cells():
    view = a_view(a_token("ann", (2, 2)))
    shape = AreaShape(shape=ShapeKind.CIRCLE, origin=(6.5, 4.5), size=1)
    (ghost,) = declared_ghosts(view, [DeclaredPlan(token_id="ann", label="Ball", shape=shape)])
    xs, ys = zip(*(point for ring in ghost.area for point in ring), strict=True)
    assert (min(xs), max(xs), min(ys), max(ys)) == (5, 8, 3, 6)


def test_a_way_is_shown_and_whom_nobody_sees_is_left_out():
    view = a_view(a_token("ann", (2, 2)))
    plans = [
        DeclaredPlan(token_id="ann", label="Move", path=(Cell(3, 2), Cell(4, 2))),
        DeclaredPlan(token_id="unseen", label="Move", path=(Cell(3, 2),)),
    ]
    (ghost,) = declared_ghosts(view, plans)
    assert ghost.way[1:] == ((3.5, 2.5), (4.5, 2.5))
    assert ghost.way[0] == pytest.approx((2.825, 2.5))
    assert ghost.area == ()


def test_an_arrow_leaves_the_names_free_and_the_words_stand_on_the_other_side():
    view = a_view(a_token("ann", (2, 4)), a_token("grub", (2, 2)))
    plan = DeclaredPlan(token_id="ann", label="Attack: grub (Bow)", targets=("grub",))
    (ghost,) = declared_ghosts(view, [plan])
    ((start, tip),) = ghost.arrows
    assert start == pytest.approx((2.5, 4.5 - 0.325))
    assert tip == pytest.approx((2.5, 2.5 + 0.325))
    assert ghost.label == "Attack (Bow)"
    assert ghost.label_at[1] > 5


def test_what_follows_a_way_begins_where_the_way_ends():
    view = a_view(a_token("ann", (2, 2)), a_token("grub", (6, 2)))
    way = DeclaredPlan(token_id="ann", label="Move", path=(Cell(3, 2), Cell(4, 2)))
    blow = DeclaredPlan(token_id="ann", label="Attack", targets=("grub",))
    _, ghost = declared_ghosts(view, [way, blow])
    ((start, _tip),) = ghost.arrows
    assert start == pytest.approx((4.5 + 0.325, 2.5))
    assert ghost.label_at[0] == 4.5


def test_several_words_beside_one_token_stand_in_rows():
    view = a_view(a_token("ann", (2, 2)))
    plans = [DeclaredPlan(token_id="ann", label=each) for each in ("Dodge", "Aim")]
    assert [each.label_row for each in declared_ghosts(view, plans)] == [0, 1]
