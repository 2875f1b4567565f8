"""The note tool: click pins a note, a click on one rewrites it, drag moves it."""

from collections.abc import Mapping

from typing_extensions import override

from engine.commands.board import PutNotes, RemoveNotes
from engine.model.encounter import fresh_id
from engine.model.region import Note
from engine.model.space import Point
from engine.model.value import Value
from gui.canvas.pointer import PointerEvent
from gui.tools.pins import PinTool
from gui.tools.tool import Host


class NoteSettings(Value):
    """Who reads a new note."""

    kind: str = "note"
    players_read_it: bool = False


class NoteTool(PinTool):
    """Pinning notes."""

    id = "note"
    hint = "Click pins a note, a click on one rewrites it, drag moves it; Delete removes it"

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.settings: Value = NoteSettings()

    @override
    def pins(self) -> Mapping[str, Note]:
        return self.host.encounter.board.notes

    @override
    def put(self, point: Point, event: PointerEvent) -> None:
        settings = self.settings
        assert isinstance(settings, NoteSettings)
        text = self.host.ask("Note")
        if text:
            note = Note(
                id=fresh_id(self.pins(), "note"),
                position=point,
                text=text,
                gm_only=not settings.players_read_it,
            )
            self.host.execute(PutNotes(notes=(note,)))

    @override
    def shift(self, pin_id: str, point: Point) -> None:
        self.host.execute(PutNotes(notes=(self.pins()[pin_id].changed(position=point),)))

    @override
    def edit(self, pin_id: str) -> None:
        note = self.pins()[pin_id]
        text = self.host.ask("Note", note.text)
        if text is not None and text != note.text:
            self.host.execute(PutNotes(notes=(note.changed(text=text),)))

    @override
    def remove(self, pin_id: str) -> bool:
        return self.host.execute(RemoveNotes(note_ids=(pin_id,)))
