"""The list of backups of an encounter, newest first."""

from collections.abc import Sequence

from PySide6.QtWidgets import QListWidget, QWidget

from engine.storage.backups import Backup
from gui.dialogs.form import FormDialog


class BackupsDialog(FormDialog):
    """`chosen` is the backup that was picked."""

    def __init__(self, backups: Sequence[Backup], parent: QWidget | None = None) -> None:
        super().__init__("Backups", "Go back to this one", parent)
        self.setMinimumWidth(440)
        self._backups = tuple(backups)
        self.list = QListWidget(self)
        self.list.setAccessibleName("Backups, newest first")
        for backup in self._backups:
            at = backup.at.astimezone().strftime("%A, %d %B %Y, %H:%M:%S")
            self.list.addItem(f"{at}   ·   {backup.size / 1_000_000:.1f} MB")
        self.list.setCurrentRow(0)
        self.list.itemActivated.connect(lambda _item: self.try_accept())
        self.column.insertWidget(0, self.list)
        words = "What is there now is kept in the folder of the backups."
        self.note(words if self._backups else "There is no backup of this encounter yet.")
        self.ok.setEnabled(bool(self._backups))

    @property
    def chosen(self) -> Backup:
        """Return the picked backup."""
        return self._backups[max(0, self.list.currentRow())]
