"""The style sheet of all windows, with the theme's colours to be filled in by `gui.theme`.

Widgets opt into a role by a dynamic property: `accent` (the one amber button), `quiet` (muted
text), `title` (a heading), `rail` (the tool rail's buttons).
"""

from string import Template

STYLE_SHEET = Template("""
QMainWindow, QDialog { background: $panel; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QMainWindow::separator { background: $line; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: $amber; }

QToolTip { background: $raised; color: $text; border: 1px solid $line; padding: 4px 6px; }
QLabel[quiet="true"] { color: $muted; }
QLabel[title="true"] { color: $text; font-size: 15px; font-weight: 600; }

QPushButton, QToolButton {
    background: $raised; color: $text; border: 1px solid transparent; border-radius: 6px;
    padding: 5px 12px; min-height: 18px;
}
QToolButton { padding: 5px 8px; }
QPushButton:hover, QToolButton:hover { border-color: $line; }
QPushButton:focus, QToolButton:focus { border-color: $amber; }
QPushButton:pressed, QToolButton:pressed { background: $ground; }
QPushButton:checked, QToolButton:checked,
QPushButton[accent="true"], QToolButton[accent="true"] {
    background: $amber; color: $on_amber; font-weight: 600;
}
QPushButton[accent="true"]:focus { border-color: $text; }
QPushButton:disabled, QToolButton:disabled { background: $panel; color: $muted; }
QToolButton[rail="true"] { padding: 6px 2px; min-width: 40px; font-size: 12px; }
QToolButton::menu-indicator { image: none; }

QLineEdit, QPlainTextEdit, QTextEdit, QSpinBox, QDoubleSpinBox, QComboBox {
    background: $ground; color: $text; border: 1px solid $line; border-radius: 5px;
    padding: 3px 6px; min-height: 20px;
    selection-background-color: $amber; selection-color: $on_amber;
}
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus,
QComboBox:focus { border-color: $amber; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { width: 0; border: none; }
QComboBox { padding-right: 20px; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url("$icons/down-$name.svg"); width: 10px; height: 6px; }
QCheckBox { spacing: 8px; }
QCheckBox::indicator {
    width: 14px; height: 14px; border: 1px solid $muted; border-radius: 4px; background: $ground;
}
QCheckBox::indicator:focus, QCheckBox::indicator:hover { border-color: $amber; }
QCheckBox::indicator:checked {
    border-color: $amber; background: $amber; image: url("$icons/check-$name.svg");
}
QCheckBox::indicator:disabled { border-color: $line; }
QComboBox QAbstractItemView { background: $raised; color: $text; border: 1px solid $line; }

QAbstractItemView {
    background: $panel; color: $text; border: none; outline: none;
    selection-background-color: $raised; selection-color: $text;
}
QAbstractItemView::item { padding: 3px 4px; }
QAbstractItemView::item:hover { background: $raised; }
QHeaderView::section {
    background: $panel; color: $muted; border: none; border-bottom: 1px solid $line; padding: 4px;
}

QDockWidget { color: $muted; titlebar-close-icon: none; titlebar-normal-icon: none; }
QDockWidget::title { background: $panel; padding: 6px 10px; border-bottom: 1px solid $line; }
QStatusBar { background: $ground; color: $muted; }
QStatusBar::item { border: none; }
QToolBar { background: $panel; border: none; spacing: 4px; padding: 4px; }

QMenuBar { background: $panel; color: $text; }
QMenuBar::item { padding: 4px 10px; background: transparent; }
QMenuBar::item:selected, QMenu::item:selected { background: $amber; color: $on_amber; }
QMenu { background: $raised; color: $text; border: 1px solid $line; padding: 4px; }
QMenu::item { padding: 5px 22px 5px 18px; border-radius: 4px; }
QMenu::item:disabled { color: $muted; background: transparent; }
QMenu::separator { background: $line; height: 1px; margin: 4px 8px; }

QTabBar::tab {
    background: transparent; color: $muted; padding: 6px 12px;
    border-bottom: 2px solid transparent;
}
QTabBar::tab:selected { color: $text; border-bottom-color: $amber; }
QTabWidget::pane { border: none; border-top: 1px solid $line; }
QGroupBox { border: 1px solid $line; border-radius: 6px; margin-top: 10px; padding-top: 8px; }
QGroupBox::title { subcontrol-origin: margin; left: 10px; padding: 0 4px; color: $muted; }

QProgressBar {
    background: $ground; color: $text; border: none; border-radius: 3px; text-align: center;
    min-height: 6px;
}
QProgressBar::chunk { background: $ok; border-radius: 3px; }

QScrollBar { background: transparent; border: none; margin: 0; }
QScrollBar:vertical { width: 10px; }
QScrollBar:horizontal { height: 10px; }
QScrollBar::handle { background: $line; border-radius: 4px; margin: 1px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
""")
