"""One table of colours: legible in every theme, and never colour alone."""

import pytest
from PySide6.QtWidgets import QApplication

from engine.model.token import FOES, NEUTRAL, PARTY
from gui.theme import (
    DARK,
    THEMES,
    Theme,
    apply_theme,
    color,
    contrast,
    palette,
    side_style,
    style_sheet,
    theme_named,
    ui_font,
)

EACH_THEME = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)


@EACH_THEME
def test_text_is_legible_on_every_ground(theme: Theme):
    for ground in (theme.ground, theme.panel, theme.raised):
        for ink in (theme.text, theme.muted):
            assert contrast(ink, ground) >= 4.5, (ink, ground)
    assert contrast(theme.on_amber, theme.amber) >= 4.5
    assert contrast(theme.disc_text, theme.disc) >= 4.5


@EACH_THEME
def test_accents_and_sides_stand_out_from_panels_and_discs(theme: Theme):
    for ink in (theme.amber, theme.party, theme.foe, theme.neutral, theme.ok, *theme.others):
        assert contrast(ink, theme.panel) >= 3, ink
        assert contrast(ink, theme.disc) >= 3, ink


@EACH_THEME
def test_map_marks_stand_out_from_their_halo(theme: Theme):
    for ink in (theme.mark, theme.wall, theme.door, theme.door_locked, theme.window, theme.light):
        assert contrast(ink, theme.halo) >= 3, ink


@EACH_THEME
def test_sides_differ_in_ring_and_colour(theme: Theme):
    styles = [side_style(theme, side) for side in (PARTY, FOES, NEUTRAL, "cultists")]
    assert len({style.ring for style in styles}) == 4
    assert len({style.color for style in styles}) == 4


def test_a_further_side_always_looks_the_same():
    assert side_style(DARK, "cultists") == side_style(DARK, "cultists")


def test_an_unknown_theme_is_the_dark_one():
    assert theme_named("sepia") is DARK


def test_a_broken_colour_of_a_document_is_black_and_no_error():
    assert color("no colour").name() == "#000000"


def test_contrast_is_that_of_the_standard():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@EACH_THEME
def test_the_style_sheet_leaves_nothing_to_fill_in(theme: Theme, qapp: QApplication):
    before = qapp.styleSheet(), qapp.palette()
    assert "$" not in style_sheet(theme)
    apply_theme(qapp, theme)
    assert qapp.palette() == palette(theme)
    qapp.setStyleSheet(before[0])
    qapp.setPalette(before[1])


def test_no_font_is_smaller_than_twelve_pixels(qapp: QApplication):
    assert ui_font(5).pixelSize() == 12


def test_a_font_that_somebody_changes_is_his_own(qapp: QApplication):
    ui_font(14).setPixelSize(99)
    assert ui_font(14).pixelSize() == 14
