"""A mouse and a keyboard over whole windows: menus, popups, file dialogs, and what holds them up.

A click may open something that holds the program up until it is closed: a menu, a dialog. `play`
therefore works from a timer, step by step, each as soon as the widget it wants is on the screen.
"""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QAction, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QStyle,
    QStyleOptionButton,
    QWidget,
)

LEFT = Qt.MouseButton.LeftButton
NOTHING = Qt.KeyboardModifier.NoModifier
LONGEST_MS = 10_000
"""How long a step may wait for its widget."""
TICK_MS = 4

Find = Callable[[], QWidget | None]


@dataclass(frozen=True)
class Step:
    """What is waited for, what is done to it, and the words for a failure.

    `after_ms` is how long a person would take before it.
    """

    words: str
    find: Find
    act: Callable[[QWidget], object]
    after_ms: int = 0


def click(widget: QWidget, at: QPoint | None = None) -> None:
    """Move the mouse over a widget and click; a widget that cannot be hit is a failure."""
    place = at if at is not None else widget.rect().center()
    _require_in_sight(widget, place)
    _move(widget, place)
    QTest.mouseClick(widget, LEFT, NOTHING, place)


def pressing(words: str, find: Find, after_ms: int = 0) -> Step:
    """Click a widget."""
    return Step(words, find, _press, after_ms)


def choosing(text: str) -> Step:
    """Click the entry of the open menu that reads so."""

    def act(menu: QWidget) -> None:
        assert isinstance(menu, QMenu)
        action = _entry(menu, text)
        assert action is not None
        assert action.isEnabled(), f"{text} is disabled: {action.toolTip()}"
        click(menu, menu.actionGeometry(action).center())

    return Step(f"the menu entry {text}", lambda: _menu_with(text), act)


def picking(text: str) -> Step:
    """Click the line of the open popup of a combo box that reads so."""

    def find() -> QWidget | None:
        popup = QApplication.activePopupWidget()
        if popup is None:
            return None
        return next((each for each in popup.findChildren(QAbstractItemView)), None)

    def act(view: QWidget) -> None:
        assert isinstance(view, QAbstractItemView)
        place = _line(view, text)
        view.scrollTo(place)
        at = view.visualRect(place).center()
        # The popup takes no click until the mouse has moved away from where the box was pressed.
        _move(view.viewport(), at + QPoint(30, 0))
        click(view.viewport(), at)

    return Step(f"the choice {text}", find, act)


def typing(words: str, find: Find, text: str, after_ms: int = 0) -> Step:
    """Click a text field and type in place of what stands there."""

    def act(widget: QWidget) -> None:
        assert isinstance(widget, QLineEdit)
        click(widget)
        widget.selectAll()
        QTest.keyClicks(widget, text)

    return Step(words, find, act, after_ms)


def checking(words: str, find: Find, test: Callable[[QWidget], object]) -> Step:
    """Look at a widget."""
    return Step(words, find, test)


def button_in(window: Find, text: str) -> Find:
    """Find the button of a window that begins so."""

    def find() -> QWidget | None:
        inside = window()
        if inside is None:
            return None
        for each in inside.findChildren(QPushButton):
            if each.isVisible() and each.text().replace("&", "").startswith(text):
                return each
        return None

    return find


def dialog(kind: type[QWidget]) -> Find:
    """Find the open dialog of a kind."""
    kept: list[QWidget] = []  # Python forgets the parts of a dialog of Qt's own with the dialog

    def find() -> QWidget | None:
        for each in QApplication.topLevelWidgets():
            if isinstance(each, kind) and each.isVisible():
                kept.append(each)
                return each
        return None

    return find


def part(window: Find, name: str) -> Find:
    """Find the widget that is this attribute of a window."""

    def find() -> QWidget | None:
        inside = window()
        return None if inside is None else getattr(inside, name)

    return find


def play(*steps: Step) -> None:
    """Do all steps, each when its widget is there; raise what one of them raised."""
    player = _Player(list(steps))
    QTimer.singleShot(TICK_MS, player.next)
    while not player.over:
        QTest.qWait(TICK_MS)
    if player.failure is not None:
        raise player.failure


class _Player(QObject):
    """Does steps from timers, which also run while a menu or a dialog holds the program up."""

    def __init__(self, steps: list[Step]) -> None:
        super().__init__()
        self._steps = steps
        self._waited = 0
        self._busy = 0
        self.failure: BaseException | None = None

    @property
    def over(self) -> bool:
        """Tell whether all is done, or nothing more can be."""
        return not self._busy and (not self._steps or self.failure is not None)

    def next(self) -> None:
        """Do the next step if its widget is there, and come again."""
        if not self._steps or self.failure is not None:
            return
        # Another timer each time: one does not ring again before its slot has returned.
        QTimer.singleShot(TICK_MS, self.next)
        self._busy += 1
        try:
            self._try(self._steps[0])
        except BaseException as error:  # noqa: BLE001 - told by `play`, after all is closed
            self.failure = error
            _close_all()
        finally:
            self._busy -= 1

    def _try(self, step: Step) -> None:
        QApplication.sendPostedEvents()  # a person sees what has been laid out
        widget = step.find() if self._waited >= step.after_ms else None
        if widget is None or not widget.isVisible():
            self._waited += TICK_MS
            assert self._waited < LONGEST_MS, f"{step.words} did not come"
            return
        self._steps.pop(0)
        self._waited = 0
        step.act(widget)


def _press(widget: QWidget) -> None:
    assert widget.isEnabled(), f"{widget.accessibleName() or widget} is disabled"
    _scroll_to(widget)
    click(widget, _handle(widget))


def _handle(widget: QWidget) -> QPoint | None:
    """Return where a check box can be clicked; its row may be wider than its words."""
    if isinstance(widget, QCheckBox):
        option = QStyleOptionButton()
        option.initFrom(widget)
        box = QStyle.SubElement.SE_CheckBoxIndicator
        return widget.style().subElementRect(box, option, widget).center()
    return None


def _scroll_to(widget: QWidget) -> None:
    """Turn the wheel over every list around a widget until the widget is in sight."""
    around = widget.parentWidget()
    while around is not None:
        if isinstance(around, QScrollArea):
            _wheel_to(around, widget)
        around = around.parentWidget()


def _wheel_to(area: QScrollArea, widget: QWidget) -> None:
    viewport = area.viewport()
    for _ in range(100):
        top = widget.mapTo(viewport, QPoint()).y()
        below = top + widget.height() - viewport.height()
        if (top >= 0 and below <= 0) or (top < 0 and below > 0):
            return
        middle = viewport.rect().center()
        wheel = QWheelEvent(
            QPointF(middle),
            QPointF(viewport.mapToGlobal(middle)),
            QPoint(),
            QPoint(0, 40 if top < 0 else -40),
            Qt.MouseButton.NoButton,
            NOTHING,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(viewport, wheel)


def _require_in_sight(widget: QWidget, place: QPoint) -> None:
    """Fail where a hand could not hit: hidden, scrolled away, or covered by something else."""
    name = widget.accessibleName() or widget.objectName() or type(widget).__name__
    assert widget.isVisible(), f"{name} is not shown"
    window = widget.window()
    hit = window.childAt(widget.mapTo(window, place)) or window
    assert hit is widget or widget.isAncestorOf(hit), f"{name} at {place.toTuple()} is under {hit}"


def _move(widget: QWidget, place: QPoint) -> None:
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(place),
        QPointF(widget.mapToGlobal(place)),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        NOTHING,
    )
    QApplication.sendEvent(widget, event)


def _menu_with(text: str) -> QMenu | None:
    for each in QApplication.topLevelWidgets():
        if isinstance(each, QMenu) and each.isVisible() and _entry(each, text) is not None:
            return each
    return None


def _entry(menu: QMenu, text: str) -> QAction | None:
    for action in menu.actions():
        if action.text().replace("&", "").startswith(text):
            return action
    return None


def _line(view: QAbstractItemView, text: str) -> QModelIndex:
    model = view.model()
    lines = [model.index(row, 0) for row in range(model.rowCount())]
    texts = [str(each.data()) for each in lines]
    assert text in texts, f"no {text} in {texts}"
    return lines[texts.index(text)]


def _close_all() -> None:
    """Close whatever holds the program up."""
    for _ in range(20):
        top = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if top is None:
            return
        top.close()
