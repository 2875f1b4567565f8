"""The forecast dock: sums, odds, prompts and dice from the table."""

from fractions import Fraction

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from engine.model.evidence import Evidence, Modifier
from engine.model.pending import Choice, Prompt, PromptKind
from engine.rules.dice import Roll
from engine.rules.ruleset import Band, Forecast, ForecastRow
from gui.docks.dice_field import DiceField
from gui.docks.forecast import ForecastDock, is_fine, row_words, signed
from gui.docks.histogram import buckets, percent
from gui.theme import DARK
from tests.gui.docks.conftest import Dock

HALF = Fraction(1, 2)
LINES = (
    Modifier(label="Skill", value=5),
    Modifier(label="Cover", value=-2, evidence=Evidence(walls=("w",))),
    Modifier(label="Dice", text="-2d6k1", evidence=Evidence(tokens=("t",))),
)
ROWS = (
    ForecastRow(answer="no_defence", chance=HALF, damage=((0, HALF), (3, HALF)), mean=3 * HALF),
    ForecastRow(answer="dodge", chance=Fraction(1, 4), bands=(Band(label="hit", chance=HALF),)),
)
FORECAST = Forecast(title="Strike Orc", lines=LINES, roll="1d10+5", rows=ROWS)


@pytest.fixture
def dock(docked: Dock[ForecastDock]) -> ForecastDock:
    return docked(ForecastDock(DARK))


def show(dock: ForecastDock, *refusals: str, **how: bool) -> None:
    states = {"ready": True, "armed": False, "declares": False, **how}
    dock.show_plan("Strike Orc", FORECAST, refusals, hint="", **states)


def test_every_line_has_its_sign():
    assert [signed(line) for line in LINES] == ["+5", "\u22122", "\u22122d6k1"]


def test_show_draws_one_reason_at_a_time(dock: ForecastDock):
    show(dock)
    shown: list[object] = []
    dock.evidence.connect(shown.append)
    cover, dice = dock.lines.buttons.buttons()
    cover.click()
    dice.click()
    dice.click()
    assert shown == [LINES[1].evidence, None, LINES[2].evidence, None]


def test_a_line_without_evidence_has_nothing_to_show(dock: ForecastDock):
    show(dock)
    assert len(dock.lines.buttons.buttons()) == 2


def test_one_row_for_each_answer_of_the_opponent(dock: ForecastDock):
    show(dock)
    assert [button.text() for button in dock.odds.group.buttons()] == ["no defence", "dodge"]
    assert dock.histogram.isVisible()
    dock.odds.group.buttons()[1].click()
    assert not dock.histogram.isVisible()


def test_the_bands_and_the_mean_stand_beside_the_chance():
    assert row_words(ROWS[0]) == "mean 1.5"
    assert row_words(ROWS[1]) == "hit 50\N{NO-BREAK SPACE}%"


def test_bands_add_up_to_the_chance_as_it_is_written():
    bands = (Band(label="critical", chance=Fraction(5, 100)),)
    row = ForecastRow(chance=Fraction(425, 1000), bands=bands)
    assert row_words(row) == "critical 5.0\N{NO-BREAK SPACE}%"
    assert percent(row.chance, fine=is_fine(row)) == "42.5 %"
    assert percent(Fraction(1, 2000), fine=True) == "< 0.1 %"


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (Fraction(0), "0 %"),
        (Fraction(1, 1000), "< 1 %"),
        (Fraction(54, 100), "54 %"),
        (Fraction(999, 1000), "> 99 %"),
        (Fraction(1), "100 %"),
    ],
)
def test_a_chance_is_never_rounded_to_certainty(chance: Fraction, text: str):
    assert percent(chance) == text


def test_the_histogram_joins_neighbours_and_loses_nothing():
    damage = tuple((amount, Fraction(1, 101)) for amount in range(101))
    bars = buckets(damage, most=10)
    assert len(bars) <= 10
    assert sum(chance for _, _, chance in bars) == Fraction(100, 101)
    assert (bars[0][0], bars[-1][1]) == (1, 100)
    assert buckets(((0, Fraction(1)),)) == ()


def test_roll_and_i_rolled_are_told(qtbot: QtBot, dock: ForecastDock):
    show(dock)
    with qtbot.waitSignal(dock.roll):
        dock.do.click()
    with qtbot.waitSignal(dock.roll_typed):
        dock.typed.click()


def test_a_refused_plan_offers_to_overrule_instead(qtbot: QtBot, dock: ForecastDock):
    show(dock, "It is too far.")
    assert "It is too far." in dock.refusal.text()
    assert dock.do.text() == "Overrule"
    with qtbot.waitSignal(dock.overruled):
        dock.do.click()


def test_a_declaration_rolls_nothing(dock: ForecastDock):
    show(dock, declares=True)
    assert dock.do.text().startswith("Declare")
    assert not dock.typed.isVisible()


def test_a_plan_that_wants_a_target_cannot_be_carried_out(dock: ForecastDock):
    show(dock, ready=False)
    assert not dock.do.isEnabled()


def test_a_choice_is_answered_and_an_impossible_one_says_why(qtbot: QtBot, dock: ForecastDock):
    prompt = Prompt(
        prompt=PromptKind.CHOICE,
        side="foes",
        question="Defend?",
        choices=(
            Choice(value="dodge", label="Dodge"),
            Choice(value="parry", label="Parry", reason="No weapon."),
        ),
    )
    dock.show_prompt(prompt, "Orc")
    assert not dock.choice("parry").isEnabled()
    assert "No weapon." in dock.choice("parry").text()
    with qtbot.waitSignal(dock.answered) as answer:
        dock.choice("dodge").click()
    assert answer.args == ["dodge"]


def test_a_roll_is_typed_in_or_left_to_the_program(qtbot: QtBot, dock: ForecastDock):
    prompt = Prompt(prompt=PromptKind.ROLL, side="party", question="Strike", roll="1d20+3")
    dock.show_prompt(prompt, "Hero")
    with qtbot.waitSignal(dock.rolled):
        dock.by_program.click()
    QTest.keyClicks(dock.dice.fields[0], "14")
    with qtbot.waitSignal(dock.faces) as typed:
        QTest.keyClick(dock.dice.fields[0], Qt.Key.Key_Return)
    assert typed.args == [(14,), None]


def test_a_result_can_be_ruled(qtbot: QtBot, dock: ForecastDock):
    prompt = Prompt(prompt=PromptKind.ROLL, side="party", question="Strike", roll="1d20")
    dock.show_prompt(prompt, "Hero")
    dock.ruling.click()
    QTest.keyClicks(dock.result, "17")
    with qtbot.waitSignal(dock.ruled) as ruled:
        QTest.keyClick(dock.result, Qt.Key.Key_Return)
    assert ruled.args == ["17"]


def test_the_title_says_who_rolls_and_what_is_typed_stays_while_it_is_asked(dock: ForecastDock):
    prompt = Prompt(prompt=PromptKind.ROLL, side="party", question="Strike", roll="1d20")
    dock.show_prompt(prompt, "Hero")
    assert (dock.header.title.whole_text, dock.subject.text()) == ("Hero rolls", "Strike")
    QTest.keyClicks(dock.dice.fields[0], "14")
    dock.ruling.click()
    QTest.keyClicks(dock.result, "lots")
    QTest.keyClick(dock.result, Qt.Key.Key_Return)
    dock.show_prompt(prompt, "Hero")
    assert (dock.dice.fields[0].text(), dock.result.text()) == ("14", "lots")
    dock.show_prompt(prompt.changed(roll="1d6"), "Hero")
    assert (dock.dice.fields[0].text(), dock.result.text()) == ("", "")


def ask(qtbot: QtBot, roll: str) -> DiceField:
    field = DiceField()
    qtbot.addWidget(field)
    field.put(Roll.parse(roll))
    return field


@pytest.mark.parametrize(
    ("roll", "placeholders"),
    [
        ("1d20+5", ["d20"]),
        ("3d6", ["sum"]),
        ("2d6k1", ["d6", "d6"]),
        ("1d20+2d6k1", ["d20", "d6", "d6"]),
        ("12d6k3", ["faces"]),
    ],
)
def test_the_field_asks_for_exactly_what_the_roll_needs(
    qtbot: QtBot, roll: str, placeholders: list[str]
):
    field = ask(qtbot, roll)
    assert [each.placeholderText() for each in field.fields] == placeholders


def test_the_dice_are_named_in_words_also_while_the_cursor_hides_their_names(qtbot: QtBot):
    assert ask(qtbot, "1d20+5").asked.text() == "Type what the d20 shows."
    several = ask(qtbot, "1d20+2d6k1").asked
    assert several.text() == "Type what the d20, d6 and d6 show, in this order."
    assert several.toolTip() == "For 1d20+2d6k1"


def test_faces_that_cannot_be_are_refused_in_words(qtbot: QtBot):
    field = ask(qtbot, "2d6k1")
    heard: list[object] = []
    field.entered.connect(lambda *typed: heard.append(typed))
    field.fields[0].setText("7")
    field.fields[1].setText("2")
    field.accept.click()
    assert heard == []
    assert "7" in field.error.text()
    field.fields[0].setText("5")
    field.accept.click()
    assert heard == [((5, 2), None)]


def test_the_sum_is_enough_where_only_it_matters(qtbot: QtBot):
    field = ask(qtbot, "3d6")
    with qtbot.waitSignal(field.entered) as entered:
        QTest.keyClicks(field.fields[0], "11")
        QTest.keyClick(field.fields[0], Qt.Key.Key_Return)
    assert entered.args == [(), 11]


def test_typing_goes_on_to_the_next_die_when_this_one_is_full(dock: ForecastDock):
    prompt = Prompt(prompt=PromptKind.ROLL, side="party", question="Strike", roll="2d6k1")
    dock.show_prompt(prompt, "Hero")
    field = dock.dice
    field.take_focus()
    QTest.keyClicks(field.fields[0], "4")
    assert dock.window().focusWidget() is field.fields[1]


def test_the_next_roll_has_the_cursor_that_the_one_before_had(dock: ForecastDock):
    for roll in ("1d20", "1d6", "1d6"):
        dock.show_prompt(Prompt(prompt=PromptKind.ROLL, side="party", question="?", roll=roll), "A")
        dock.dice.take_focus()
        (die,) = dock.dice.fields
        assert dock.window().focusWidget() is die
        assert die.text() == ""
        die.setText("3")
