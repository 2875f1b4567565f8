"""The style sheet of the GM window's own parts, on top of the sheet that all windows share."""

from string import Template

from gui.theme import Theme

_SHEET = Template("""
#topBar, #rail, #dockHeader, #dockBody { background: $panel; }
#topBar { border-bottom: 1px solid $line; }
#rail { border-right: 1px solid $line; }
QDockWidget > QWidget { background: $panel; }
QScrollArea, QTextBrowser { background: $panel; border: none; }
QTextBrowser { color: $text; padding: 0; }
QListView, QTreeWidget { background: $panel; }
QListView::item:hover, QListView::item:selected { background: transparent; }
#history QListView::item { padding: 3px 6px; border-radius: 5px; }
#history QListView::item:hover, QTreeWidget::item:hover { background: $raised; }
QTreeWidget::item:selected { background: $raised; color: $text; }

QLabel#encounterTitle { font-size: 15px; font-weight: 600; }
QToolButton#pill { border-radius: 13px; padding: 4px 16px; min-height: 16px; }
QStatusBar QLabel { color: $muted; padding: 2px 4px; }
QStatusBar QPushButton[look="rows"] { text-align: left; padding: 3px 8px; }
QLabel[look="refusal"] { color: $foe; }
QStatusBar QLabel[look="problem"] { color: $amber; font-weight: 600; }

#rail QToolButton { padding: 4px 0; }
QToolButton[look="quiet"] { background: transparent; color: $muted; padding: 0 5px; }
QToolButton[look="quiet"]:hover { color: $text; background: $raised; }
QToolButton[look="bar"] { padding: 4px 10px; min-height: 18px; }
QToolButton[look="bar"]:checked {
    background: $ground; color: $text; border-color: $muted; font-weight: 400;
}
QToolButton[look="switch"] {
    background: transparent; color: $muted; padding: 1px 8px; font-size: 12px;
}
QToolButton[look="switch"]:hover { color: $text; }
QToolButton[look="switch"]:checked { background: $foe; color: $on_amber; }
QToolButton[look="switch"]:disabled { background: transparent; }

QToolButton[look="either"] {
    background: transparent; color: $muted; padding: 0 8px; min-height: 18px; font-size: 12px;
}
QToolButton[look="either"]:checked { background: $line; color: $text; font-weight: 400; }

QToolButton[look="overrule"] {
    background: transparent; color: $amber; border: 1px solid $amber; border-radius: 5px;
    padding: 0 8px; min-height: 16px; font-size: 12px;
}
QPushButton[look="link"] {
    background: transparent; border: none; color: $amber; padding: 0; text-decoration: underline;
    font-weight: 400;
}
QPushButton[look="link"]:hover, QPushButton[look="link"]:checked {
    background: transparent; color: $text; font-weight: 400;
}
QPushButton[look="link"]:focus { color: $text; }

QPushButton[look="offer"] { padding: 0; min-height: 30px; border-radius: 7px; }
QPushButton[look="offer"]:disabled { background: transparent; border-color: $raised; }
QPushButton[look="offer"][chosen="true"] { background: $amber; }
QPushButton[look="offer"][overruled="true"] { border: 1px dashed $foe; }
QLabel[look="offerName"] { background: transparent; }
QLabel[look="offerName"]:disabled { color: $muted; }
QLabel[look="offerName"][chosen="true"] { color: $on_amber; font-weight: 600; }
QLabel[look="offerDetail"] { background: transparent; color: $muted; font-size: 12px; }
QLabel[look="offerDetail"][chosen="true"] { color: $on_amber; }

QLabel[look="refusal"] { color: $foe; }
QLabel[look="legend"] { color: $muted; font-size: 12px; }
QLabel[look="chance"] { font-size: 20px; font-weight: 700; }
QLabel[look="rowChance"] { font-weight: 600; min-width: 46px; }
QPushButton[look="answer"] { padding: 2px 10px; text-align: left; min-width: 92px; }
QPushButton[look="answer"]:checked { background: $line; color: $text; font-weight: 400; }
QPushButton[look="choice"] { text-align: left; padding: 7px 12px; }
QLineEdit[look="number"] {
    background: transparent; border: 1px solid transparent; padding: 1px 4px; min-height: 16px;
}
QLineEdit[look="number"]:hover { border-color: $line; }
QLineEdit[look="number"]:focus { background: $ground; border-color: $amber; }
QLineEdit[look="die"] { font-size: 15px; padding: 4px 2px; }

#strip { background: $panel; border: 1px solid $line; border-radius: 8px; }
#welcome { background: $ground; }
#welcome QLabel#big { font-size: 26px; font-weight: 600; }
QPushButton[look="card"] {
    text-align: left; padding: 12px 16px; min-height: 36px; border-radius: 8px;
}
#mini { border: 1px solid $line; border-radius: 6px; background: $fog; }
#mini QLabel { background: $fog; color: $mark; }
#mini QLabel[look="warning"] { color: $amber; font-weight: 600; }
#mini QLabel[look="covered"] {
    background: $halo; color: $amber; font-weight: 600; border-radius: 9px; padding: 2px 10px;
}
""")


def window_sheet(theme: Theme) -> str:
    """Return the sheet with a theme's colours."""
    return _SHEET.substitute({name: getattr(theme, name) for name in _SHEET.get_identifiers()})
