"""What a GM does at the window to run a fight, by mouse alone; names and paths are typed."""

from pathlib import Path

from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QComboBox, QFileDialog, QFileSystemModel, QWidget

from engine.model.pending import Prompt
from engine.rules.ruleset import DeclaredPlan
from gui.docks.actions import OfferButton
from tests.helpers.gm_hand import Hand
from tests.helpers.mouse import Step, button_in, choosing, dialog, picking, play, pressing, typing


def choose_menu(gm: Hand, *path: str, then: tuple[Step, ...] = ()) -> None:
    """Open the menu, go down to an entry and click it; `then` is what it leads to."""
    first = pressing("the menu button", lambda: gm.window.top.menu_button)
    play(first, *(choosing(each) for each in path), *then)


def naming_a_file(path: Path) -> tuple[Step, ...]:
    """Type a path into the file dialog and click Open."""
    box = dialog(QFileDialog)

    def name_field() -> QWidget | None:
        found = box()
        return None if found is None else found.findChild(QWidget, "fileNameEdit")

    def accept() -> QWidget | None:
        # Qt reads folders in a thread of its own and takes no file before it has found it.
        found = box()
        files = None if found is None else found.findChild(QFileSystemModel)
        known = files is not None and files.fileInfo(files.index(str(path))).isFile()
        return button() if known else None

    button = button_in(box, "Open")
    return (
        typing("the file's name", name_field, str(path), after_ms=300),
        pressing("Open", accept, after_ms=100),
    )


def take_tool(gm: Hand, words: str) -> None:
    """Click a tool of the rail."""

    def find() -> QWidget | None:
        buttons = gm.window.rail.findChildren(QWidget)
        return next((b for b in buttons if b.accessibleName() == f"{words} tool"), None)

    play(pressing(f"the {words} tool", find))


def setting(gm: Hand, name: str, value: str) -> tuple[Step, ...]:
    """Choose or type a setting of the tool in hand, in the strip over the map."""

    def find() -> QWidget | None:
        for each in gm.window.strip.findChildren(QWidget):
            if each.accessibleName() == name and each.isVisible():
                return each
        return None

    if isinstance(find(), QComboBox):
        return (pressing(f"the box {name}", find), picking(value))
    return (typing(f"the field {name}", find, value),)


def put_token(gm: Hand, name: str, side: str, preset: str, cell: tuple[int, int]) -> str:
    """Set the token tool's strip and put one token on the map; return its id."""
    play(*setting(gm, "Side", side), *setting(gm, "Preset", preset), *setting(gm, "Name", name))
    gm.click(cell[0] + 0.5, cell[1] + 0.5)
    (made,) = gm.window.desk.selected
    assert gm.encounter.tokens[made].name == name
    return made


def pick(gm: Hand, token_id: str) -> None:
    """Click a token on the map."""
    gm.click(*middle(gm, token_id))
    assert gm.window.desk.selected[-1:] == (token_id,)


def middle(gm: Hand, token_id: str) -> tuple[float, float]:
    """Return the middle of a token, where it is clicked."""
    return gm.app.bridge.view.tokens[token_id].center


def offer_button(gm: Hand, start: str) -> OfferButton:
    """Return the first offer whose label begins so, one that is possible before others."""
    found = [each for each in gm.window.offers.buttons if each.name.text().startswith(start)]
    labels = [f"{b.name.text()}: {b.detail.text()}" for b in gm.window.offers.buttons]
    assert found, f"no offer {start!r} in {labels}"
    return next((each for each in found if each.isEnabled()), found[0])


def choose_offer(gm: Hand, start: str) -> None:
    """Click an offer, scrolling to it."""
    play(pressing(f"the offer {start}", lambda: offer_button(gm, start)))


def carry_out(gm: Hand) -> None:
    """Click the button that declares, rolls or does what is prepared."""
    play(pressing("the button that carries out", lambda: gm.window.forecast.do))


def walk(gm: Hand, token_id: str, *cells: tuple[int, int]) -> None:
    """Drag a token over cells to the last one."""
    pick(gm, token_id)
    gm.drag(middle(gm, token_id), *((x + 0.5, y + 0.5) for x, y in cells))


def press_next(gm: Hand) -> None:
    """Click the button that begins the fight or ends the phase."""
    play(pressing("Next", lambda: gm.window.turn.next))


def answer(gm: Hand, prompt: Prompt, *, by_hand: bool = False) -> None:
    """Click the first possible answer of a prompt, let it roll, or type dice and enter them."""
    if prompt.choices:
        choice = next(each for each in prompt.choices if each.enabled)
        play(pressing(choice.label, lambda: gm.window.forecast.choice(choice.value)))
    elif by_hand:
        type_dice(gm)
    else:
        play(pressing("Let Battlemat roll", lambda: gm.window.forecast.by_program))


def type_dice(gm: Hand) -> None:
    """Type faces three quarters up each die, or such a sum, and click Enter."""
    dice = gm.window.forecast.dice
    fields = dice.fields

    def typed(number: int) -> Step:
        validator = fields[number].validator()
        assert isinstance(validator, QIntValidator)
        face = str(validator.top() * 3 // 4)
        return typing(f"die {number + 1}", lambda: fields[number], face)

    play(*map(typed, range(len(fields))), pressing("Enter", lambda: dice.accept))


def answer_all(gm: Hand, *, by_hand: bool = False) -> list[str]:
    """Answer every open prompt; return the questions."""
    asked: list[str] = []
    while (prompt := gm.encounter.prompt) is not None:
        assert len(asked) < 40, asked
        asked.append(prompt.question)
        answer(gm, prompt, by_hand=by_hand)
    return asked


def title_of(gm: Hand) -> str:
    """Return the title of the phase."""
    step = gm.app.bridge.view.step
    assert step is not None
    return step.title


def go_on(gm: Hand, until: str, *, by_hand: bool = False) -> list[str]:
    """Click Next, answering what is asked, until the phase's title holds a word."""
    asked: list[str] = []
    for _ in range(12):
        asked += answer_all(gm, by_hand=by_hand)
        if until in title_of(gm):
            return asked
        press_next(gm)
    raise AssertionError(f"no phase {until!r}")


def attack(gm: Hand, who: str, whom: str, offer: str = "Attack") -> None:
    """Select a token, choose an attack, click its target on the map, and declare."""
    pick(gm, who)
    choose_offer(gm, offer)
    gm.hover(*middle(gm, whom))
    gm.click(*middle(gm, whom))
    assert gm.window.desk.planner.refusals == ()
    carry_out(gm)
    assert (who, whom) in [(each.token_id, *each.targets) for each in plans_of(gm)]


def plans_of(gm: Hand) -> tuple[DeclaredPlan, ...]:
    """Return what has been declared."""
    step = gm.app.bridge.view.step
    assert step is not None
    return step.plans
