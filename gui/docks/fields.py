"""Fields of a pydantic type as widgets: labels, units, bounds and choices come from the type.

The sheet dock and the dialog of the table rules are drawn with it, for every ruleset alike.
"""

import json
import types
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic import TypeAdapter
from pydantic.fields import FieldInfo
from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QSpinBox, QWidget

from engine.model.value import Value

WIDEST = 2**31 - 1

Tell = Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field: its name in the type, its words, and what it may be.

    `kind` is flag, whole, choice, words or text; `text` reads and writes JSON where the value is
    not plain text.
    """

    name: str
    title: str
    help: str
    unit: str
    kind: str
    minimum: int = -WIDEST
    maximum: int = WIDEST
    choices: tuple[Any, ...] = ()
    optional: bool = False
    source: str = ""
    proposal: bool = False
    default: Any = None
    group: str = ""


def specs_of(value_type: type[Value]) -> tuple[FieldSpec, ...]:
    """Return the fields that people may edit, in the order of the type."""
    return tuple(
        _spec(name, info) for name, info in value_type.model_fields.items() if name != "kind"
    )


def _spec(name: str, info: FieldInfo) -> FieldSpec:
    extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
    kind, choices, optional = _kind(info.annotation)
    low, high = _bounds(info)
    return FieldSpec(
        name=name,
        title=info.title or name.replace("_", " ").capitalize(),
        help=info.description or "",
        unit=str(extra.get("unit", "")),
        kind=kind,
        minimum=low,
        maximum=high,
        choices=choices,
        optional=optional,
        source=str(extra.get("source", "")),
        proposal=bool(extra.get("proposal", False)),
        default=None if info.is_required() else info.get_default(call_default_factory=True),
        group=str(extra.get("group", "")),
    )


def _kind(annotation: Any) -> tuple[str, tuple[Any, ...], bool]:
    """Return how a type is edited, its choices, and whether None is allowed."""
    if get_origin(annotation) not in {Union, types.UnionType}:
        return *_plain_kind(annotation), False
    inner = [each for each in get_args(annotation) if each is not type(None)]
    optional = len(inner) < len(get_args(annotation))
    kind, choices = _plain_kind(inner[0]) if len(inner) == 1 else ("text", ())
    if optional and kind == "choice":
        choices = (None, *choices)
    elif optional and kind == "whole":
        kind = "text"  # a spin box cannot be empty
    return kind, choices, optional


def _plain_kind(annotation: Any) -> tuple[str, tuple[Any, ...]]:
    origin = get_origin(annotation)
    if origin is Literal:
        return "choice", get_args(annotation)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return "choice", tuple(annotation)
    if origin is tuple and get_args(annotation) == (str, ...):
        return "words", ()
    return {bool: "flag", int: "whole"}.get(annotation, "text"), ()


def _bounds(info: FieldInfo) -> tuple[int, int]:
    low, high = -WIDEST, WIDEST
    for rule in info.metadata:
        if isinstance(rule, Ge) and isinstance(rule.ge, int):
            low = rule.ge
        elif isinstance(rule, Gt) and isinstance(rule.gt, int):
            low = rule.gt + 1
        elif isinstance(rule, Le) and isinstance(rule.le, int):
            high = rule.le
        elif isinstance(rule, Lt) and isinstance(rule.lt, int):
            high = rule.lt - 1
    return low, high


def words_of(value: Any) -> str:
    """Return a value as people read and type it."""
    if isinstance(value, str):
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, (int, float, Fraction)):
        return str(value)
    if value is None:
        return ""
    plain = TypeAdapter(type(value)).dump_python(value, mode="json")
    return json.dumps(plain, ensure_ascii=False)


def choice_words(value: Any) -> str:
    """Return a choice's value as words."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = value.value if isinstance(value, Enum) else value
    return str(text).replace("_", " ")


class Editor:
    """A widget for one field: `put` shows a value, `tell` is called with what somebody entered."""

    def __init__(self, spec: FieldSpec, tell: Tell, parent: QWidget | None = None) -> None:
        self.spec = spec
        self._tell = tell
        self._shown: Any = None
        self.widget = _MAKERS[spec.kind](self, parent)
        self.widget.setAccessibleName(spec.title)
        self.widget.setAccessibleDescription(spec.help)
        self.widget.setToolTip(spec.help)
        # Wheeling over a form must scroll it, not change what stands in it.
        self.widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.widget.wheelEvent = lambda event: event.ignore()  # type: ignore[method-assign]

    def put(self, value: Any) -> None:
        """Show a value without telling anybody."""
        self._shown = value
        blocker = QSignalBlocker(self.widget)
        _PUTTERS[self.spec.kind](self.widget, value)
        blocker.unblock()

    def told(self, value: Any) -> None:
        """Pass on what somebody entered, if it is something else."""
        if value != self._shown:
            self._tell(value)

    def told_text(self, text: str) -> None:
        """Pass on entered text, read as JSON where the value is not plain text."""
        spec = self.spec
        if spec.kind == "words":
            self.told(tuple(part.strip() for part in text.split(",") if part.strip()))
        elif not text.strip() and spec.optional:
            self.told(None)
        elif isinstance(self._shown, str):
            self.told(text)
        else:
            self.told(_read(text))


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _flag(editor: Editor, parent: QWidget | None) -> QWidget:
    box = QCheckBox(parent)
    box.toggled.connect(editor.told)
    return box


def _whole(editor: Editor, parent: QWidget | None) -> QWidget:
    spin = QSpinBox(parent)
    spin.setRange(editor.spec.minimum, editor.spec.maximum)
    spin.setKeyboardTracking(False)
    spin.setButtonSymbols(QSpinBox.ButtonSymbols.NoButtons)
    if editor.spec.unit:
        spin.setSuffix(f" {editor.spec.unit}")
    spin.valueChanged.connect(editor.told)
    return spin


def _choice(editor: Editor, parent: QWidget | None) -> QWidget:
    box = QComboBox(parent)
    for each in editor.spec.choices:
        box.addItem(choice_words(each), each)
    box.activated.connect(lambda number: editor.told(editor.spec.choices[number]))
    return box


def _text(editor: Editor, parent: QWidget | None) -> QWidget:
    line = QLineEdit(parent)
    line.editingFinished.connect(lambda: editor.told_text(line.text()))
    return line


def _put_text(widget: Any, value: Any) -> None:
    text = ", ".join(value) if isinstance(value, tuple) and _all_words(value) else words_of(value)
    widget.setText(text)
    widget.setCursorPosition(0)


def _all_words(values: tuple[Any, ...]) -> bool:
    return all(isinstance(each, str) for each in values)


def _put_choice(widget: Any, value: Any) -> None:
    widget.setCurrentIndex(
        next((i for i in range(widget.count()) if widget.itemData(i) == value), -1)
    )


_MAKERS: dict[str, Callable[[Editor, QWidget | None], QWidget]] = {
    "flag": _flag,
    "whole": _whole,
    "choice": _choice,
    "words": _text,
    "text": _text,
}
_PUTTERS: dict[str, Callable[[Any, Any], None]] = {
    "flag": lambda widget, value: widget.setChecked(bool(value)),
    "whole": lambda widget, value: widget.setValue(int(value)),
    "choice": _put_choice,
    "words": _put_text,
    "text": _put_text,
}
