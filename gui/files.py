"""Opening, creating, importing and copying encounters: dialogs before and after, never a loss.

Long work runs beside the window. Only one encounter is open; taking up another closes the one
before, which is saved already.
"""

import hashlib
import shutil
import tempfile
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, QStandardPaths, QThreadPool, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog, QInputDialog, QWidget

from engine.commands.board import ImportMap
from engine.commands.command import Command
from engine.commands.turn import ChangeSettings
from engine.formats import pixels
from engine.formats.imported import ImportedMap, ImportOptions, NoGrid
from engine.formats.importing import import_map
from engine.formats.sniffing import HEAD_BYTES, sniff
from engine.formats.sniffing import PICTURES as PICTURE_KINDS
from engine.model.board import Board, GridSpec
from engine.model.encounter import Encounter
from engine.model.refusal import FileProblem, Rejected
from engine.rules.registry import ruleset_ids, ruleset_of
from engine.rules.ruleset import Ruleset
from engine.samples import create_sample, sample_named
from engine.session import Images, Session
from engine.storage import backups
from engine.storage.disk import put_in_place
from engine.storage.document import SUFFIX, Document
from engine.storage.unfinished import unfinished_file
from gui.bridge import Bridge
from gui.dialogs.backups import BackupsDialog
from gui.dialogs.import_map import ImportDialog
from gui.dialogs.new_encounter import NewEncounter, NewEncounterDialog, free_path
from gui.dialogs.picture_grid import SHOWN_PX, PictureGridDialog, Thumbnail
from gui.preferences import BACKUP_MINUTES, BACKUP_ON_OPEN, LAST_FOLDER, LAST_RULESET, Preferences
from gui.theme import DARK, Theme
from gui.work import Work

MAP_FILES = "Maps (*.dd2vtt *.uvtt *.df2vtt *.json *.png *.jpg *.jpeg *.webp *.avif *.svg)"
PICTURES = "Pictures (*.png *.jpg *.jpeg *.webp *.avif *.gif *.bmp)"
ENCOUNTERS = f"Encounters (*{SUFFIX})"


class Files(QObject):
    """What the File menu does, and the backups that nobody asks for.

    `backup_failed` carries the FileProblem of one of those, from its own thread.
    """

    backup_failed = Signal(object)

    def __init__(self, bridge: Bridge, preferences: Preferences, window: QWidget) -> None:
        super().__init__(window)
        self.bridge, self.preferences, self.window = bridge, preferences, window
        self.work: Work[ImportedMap] | None = None
        self._backups = QTimer(self)
        self._backups.timeout.connect(self.back_up)
        self.backup_failed.connect(bridge.messages.problem)
        preferences.watch(BACKUP_MINUTES, self._time_backups)
        self.theme: Callable[[], Theme] = lambda: DARK
        self.rulesets: Callable[[], tuple[Ruleset, ...]] = lambda: tuple(
            ruleset_of(each) for each in ruleset_ids()
        )

    @property
    def folder(self) -> Path:
        """Return the folder in which encounters are kept; it is made if need be."""
        last = self.preferences.get(LAST_FOLDER)
        if last and Path(last).is_dir():
            return Path(last)
        kind = QStandardPaths.StandardLocation.DocumentsLocation
        folder = Path(QStandardPaths.writableLocation(kind) or Path.home()) / "Battlemat"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            return Path.home()
        return folder

    def open_path(self, path: Path) -> bool:
        """Open an encounter; tell whether it could be."""
        try:
            session = Session.open(path)
        except FileProblem as error:
            self.bridge.messages.problem(error)
            if not path.exists():
                self.preferences.forget_recent(str(path))
            return False
        self._take_up(session)
        if session.document.read_only:
            self.bridge.messages.say(f"{path.name} {session.document.obstacle}: read only.")
        return True

    def open_any(self, path: Path) -> None:
        """Open an encounter, or import a map: whatever the file is."""
        if path.suffix == SUFFIX:
            self.open_path(path)
        else:
            self.import_path(path)

    def ask_open(self) -> None:
        """Ask for an encounter and open it."""
        chosen, _ = QFileDialog.getOpenFileName(
            self.window, "Open an encounter", str(self.folder), ENCOUNTERS
        )
        if chosen:
            self.open_path(Path(chosen))

    def ask_new(self) -> None:
        """Ask for title, ruleset and board, and begin an encounter."""
        dialog = self._new_dialog("", None)
        if dialog.exec():
            self.create(dialog.result_value)

    def create(
        self, wanted: NewEncounter, first: Sequence[Command] = (), images: Images | None = None
    ) -> bool:
        """Begin an encounter, with what the first commands put into it; tell whether it could be.

        There is nothing to undo in it yet. `images` are the pictures that the commands bring.
        """
        ruleset = ruleset_of(wanted.ruleset)
        encounter = Encounter(
            title=wanted.title,
            ruleset=ruleset.id,
            board=Board(grid=wanted.grid),
            options=ruleset.options_type(kind=ruleset.options_type.model_fields["kind"].default),
        )
        try:
            session = Session.create(wanted.path, encounter, first=first, images=images)
        except FileProblem as error:
            self.bridge.messages.problem(error)
            return False
        except Rejected as error:
            self.bridge.messages.refuse(error.rejection)
            return False
        self.preferences.set(LAST_RULESET, ruleset.id)
        self._take_up(session)
        return True

    def open_sample(self, name: str) -> None:
        """Make a copy of a sample encounter and open it."""
        try:
            sample = sample_named(name)
            session = create_sample(sample, free_path(self.folder, sample.title))
        except FileProblem as error:
            self.bridge.messages.problem(error)
            return
        self._take_up(session)

    def ask_import(self) -> None:
        """Ask for a map and import it."""
        chosen, _ = QFileDialog.getOpenFileName(
            self.window, "Import a map", str(self.folder), f"{MAP_FILES};;All files (*)"
        )
        if chosen:
            self.import_path(Path(chosen))

    def import_path(self, path: Path) -> None:
        """Read a map beside the window, then show its report.

        A picture that tells no grid is shown, for the grid to be laid over it.
        """

        def sorry(problem: FileProblem) -> None:
            if isinstance(problem, NoGrid):
                self._read_picture(path)
            else:
                self.bridge.messages.problem(problem)

        def ready(imported: ImportedMap) -> None:
            if is_picture(path):
                grid = imported.board.grid
                self._read_picture(path, (grid.columns, grid.rows))
            else:
                self._report(path, imported, ImportOptions())

        self._read(path, ImportOptions(), sorry, ready)

    def paste(self) -> None:
        """Import what lies in the clipboard: a file, or a picture."""
        data = QGuiApplication.clipboard().mimeData()
        if data is None or not self.take(data):
            self.bridge.messages.say("There is no map in the clipboard.", topic="paste")

    def take(self, data: QMimeData) -> bool:
        """Open or import what was dropped or pasted; tell whether it could be anything."""
        local = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
        if local:
            self.open_any(Path(local[0]))
            return True
        if data.hasImage():
            return self._take_image(QImage(data.imageData()))
        if data.hasUrls():
            self.bridge.messages.say(
                "Battlemat loads nothing from the net; save the picture and drop the file."
            )
            return True
        return False

    def _take_image(self, image: QImage) -> bool:
        """Import a bare picture as if it were a file."""
        if image.isNull():
            return False
        folder = Path(tempfile.mkdtemp(prefix="battlemat-"))
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        path = folder / "picture.png"
        if not image.save(str(path), "PNG"):  # type: ignore[call-overload]  # the stubs want bytes
            return False
        self.import_path(path)
        return True

    def ask_picture(self) -> tuple[str, bytes] | None:
        """Ask for a picture; return its digest and its bytes, None if there is none to be had."""
        chosen, _ = QFileDialog.getOpenFileName(
            self.window, "Choose a picture", str(self.folder), PICTURES
        )
        if not chosen:
            return None
        try:
            return read_picture(Path(chosen))
        except FileProblem as error:
            self.bridge.messages.problem(error)
            return None

    def ask_backup(self) -> None:
        """Offer the backups of the open encounter, and go back to the one that is chosen."""
        document = self.bridge.open_session.document
        try:
            found = document.backups()
        except FileProblem as error:
            self.bridge.messages.problem(error)
            return
        dialog = BackupsDialog(found, self.window)
        dialog.accepted.connect(lambda: self.go_back_to(dialog.chosen.path))
        dialog.open()

    def back_up(self) -> None:
        """Keep a dated copy of the open encounter, beside the window; the oldest copies go."""
        session = self.bridge.session
        if session is None or session.document.read_only:
            return
        document = session.document

        def copy() -> None:
            try:
                document.backup()
            except FileProblem as error:
                if not document.closed:
                    self.backup_failed.emit(error)

        QThreadPool.globalInstance().start(copy)

    def _time_backups(self, minutes: int) -> None:
        self._backups.stop()
        if minutes:
            self._backups.start(minutes * 60_000)

    def go_back_to(self, backup: Path) -> bool:
        """Put a backup in the place of the open encounter; what was there is kept beside it."""
        path = self.bridge.open_session.document.path
        self.bridge.attach(None)
        try:
            backups.restore(backup, path)
        except FileProblem as error:
            self.bridge.messages.problem(error)
            self.open_path(path)
            return False
        return self.open_path(path)

    def ask_copy(self) -> None:
        """Ask for a name and write a copy there."""
        session = self.bridge.open_session
        chosen, _ = QFileDialog.getSaveFileName(
            self.window, "Save a copy", str(session.document.path), ENCOUNTERS
        )
        if not chosen:
            return
        target = Path(chosen)
        target = target if target.suffix == SUFFIX else target.with_name(target.name + SUFFIX)
        try:
            copy_document(session.document, target)
        except FileProblem as error:
            self.bridge.messages.problem(error)
        else:
            self.bridge.messages.say(f"A copy was written to {target.name}.")

    def ask_title(self) -> None:
        """Ask for another title."""
        title, fine = QInputDialog.getText(
            self.window, "Rename", "Title", text=self.bridge.encounter.title
        )
        if fine:
            self.bridge.execute(ChangeSettings(title=title.strip()))

    def close(self) -> None:
        """Close the encounter."""
        self.bridge.attach(None)

    def take_in(self, imported: ImportedMap, *, into_open: bool) -> bool:
        """Put a map into the open encounter, or into a new one that is asked for."""
        command = ImportMap(title=imported.title, board=imported.board)
        if into_open:
            made = bool(self.bridge.execute(command, images=imported.images))
        else:
            dialog = self._new_dialog(imported.title, imported.board.grid)
            wanted = dialog.result_value if dialog.exec() else None
            made = wanted is not None and self.create(wanted, (command,), imported.images)
        if made:
            self.bridge.messages.say(f"{imported.title} is in.")
        return made

    def _new_dialog(self, title: str, board: GridSpec | None) -> NewEncounterDialog:
        return NewEncounterDialog(
            self.rulesets(),
            self.folder,
            ruleset_id=self.preferences.get(LAST_RULESET),
            title=title,
            board=board,
            parent=self.window,
        )

    def _take_up(self, session: Session) -> None:
        path = session.document.path
        self.preferences.add_recent(str(path))
        self.preferences.set(LAST_FOLDER, str(path.parent))
        if self.preferences.get(BACKUP_ON_OPEN) and not session.document.read_only:
            try:
                session.document.backup()
            except FileProblem as error:
                self.bridge.messages.problem(error)
        self.bridge.attach(session)

    def _read(
        self,
        path: Path,
        options: ImportOptions,
        sorry: Callable[[FileProblem], object] | None = None,
        then: Callable[[ImportedMap], object] | None = None,
    ) -> None:
        def read() -> ImportedMap:
            return import_map(path, options)

        self.work = Work(
            f"Reading {path.name}…",
            read,
            then or (lambda imported: self._report(path, imported, options)),
            sorry or self.bridge.messages.problem,
            self.window,
        )

    def _read_picture(self, path: Path, size: tuple[int, int] | None = None) -> None:
        """Show a picture, ask for its grid, and take it in so; `size` is what its name gives."""

        def show(thumbnail: Thumbnail) -> None:
            dialog = PictureGridDialog(
                path.name,
                thumbnail,
                self.theme(),
                self.window,
                size=size,
                into_open=self.bridge.session is not None,
            )

            def ready(imported: ImportedMap) -> None:
                self.take_in(imported, into_open=dialog.into_open_encounter)
                for line in imported.report.warnings:
                    self.bridge.messages.say(line)

            dialog.accepted.connect(lambda: self._read(path, dialog.options, then=ready))
            dialog.open()

        Work(
            f"Reading {path.name}…",
            lambda: thumbnail_of(path),
            show,
            self.bridge.messages.problem,
            self.window,
        )

    def _report(self, path: Path, imported: ImportedMap, options: ImportOptions) -> None:
        session = self.bridge.session
        dialog = ImportDialog(imported, options, into_open=session is not None, parent=self.window)

        def again(other: ImportOptions) -> None:
            def show(anew: ImportedMap) -> None:
                dialog.options = other
                dialog.show_map(anew)

            self._read(path, other, then=show)

        dialog.again.connect(again)
        dialog.accepted.connect(
            lambda: self.take_in(dialog.imported, into_open=dialog.into_open_encounter)
        )
        dialog.open()


def is_picture(path: Path) -> bool:
    """Tell by a file's first bytes whether it is a picture that Pillow decodes."""
    with path.open("rb") as stream:
        return sniff(stream.read(HEAD_BYTES)) in PICTURE_KINDS


def thumbnail_of(path: Path) -> Thumbnail:
    """Read a picture small enough to be shown; raise FileProblem if it is none."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FileProblem(f"{path.name} cannot be read ({error.strerror}).") from error
    picture = pixels.decode(data, path.name)
    width, height = picture.size
    picture.thumbnail((2 * SHOWN_PX[0], 2 * SHOWN_PX[1]))
    raw = picture.convert("RGBA").tobytes()
    small = QImage(raw, *picture.size, 4 * picture.width, QImage.Format.Format_RGBA8888)
    return Thumbnail(small.copy(), width, height)


def read_picture(path: Path) -> tuple[str, bytes]:
    """Return a picture's digest and its bytes; raise FileProblem if it is none."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FileProblem(f"{path.name} cannot be read ({error.strerror}).") from error
    pixels.check(data, path.name)
    return hashlib.sha256(data).hexdigest(), data


def copy_document(document: Document, target: Path) -> None:
    """Write a copy of an open document, whole or not at all.

    The backup is copied and not the file itself: to open and close that one here would drop the
    locks that SQLite holds on it.
    """
    try:
        if target.exists() and target.samefile(document.path):
            raise FileProblem(f"{target.name} is the encounter that is open; choose another name.")
        backup = document.backup()
        with unfinished_file(target.parent, target.name) as unfinished:
            shutil.copyfile(backup, unfinished)
            put_in_place(unfinished, target)
    except OSError as error:
        raise FileProblem(f"{target.name} cannot be written ({error.strerror}).") from error
