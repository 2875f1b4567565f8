"""The token tool: each click puts a token on the map."""

from pydantic import Field
from typing_extensions import override

from engine.commands.places import fit
from engine.commands.tokens import AddTokens
from engine.grid.footprint import footprint_named
from engine.model.refusal import Rejected
from engine.model.token import FOES, PARTY, Token
from engine.model.value import Value
from gui.canvas.overlays.overlay import GhostsPreview
from gui.canvas.pointer import PointerEvent
from gui.tools.tool import Host, Tool
from gui.tools.walking import ghost


class TokenSettings(Value):
    """What a new token is; `preset` is a ready-made sheet of the ruleset, or nothing.

    Without a `size` the sheet gives it.
    """

    kind: str = "token"
    name: str = ""
    side: str = FOES
    preset: str = ""
    size: str = ""
    hidden: bool = False
    label: str = Field(default="", max_length=4)


class TokenTool(Tool):
    """Placing tokens."""

    id = "token"
    hint = "Click puts a token down"
    shows = ("ghosts",)

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.settings: Value = TokenSettings()

    @override
    def release(self, event: PointerEvent) -> None:
        made = self._token(event)
        settings = self.settings
        if made is None or not isinstance(settings, TokenSettings):
            return
        before = set(self.host.encounter.tokens)
        if self.host.execute(AddTokens(tokens=(made,), preset=settings.preset or None)):
            self.host.select(each for each in self.host.encounter.tokens if each not in before)

    @override
    def double(self, event: PointerEvent) -> None:
        """Ignore the second press of a quick double click; its release puts the second token."""

    @override
    def hover(self, event: PointerEvent) -> None:
        made, settings = self._token(event), self.settings
        if made is None or not isinstance(settings, TokenSettings):
            self.host.show("ghosts", None)
            return
        outline = ghost(self.host, self._standing(made, settings), made.cell)
        self.host.show("ghosts", GhostsPreview((outline,)))

    @override
    def leave(self, event: PointerEvent) -> None:
        self.reset()

    def _token(self, event: PointerEvent) -> Token | None:
        settings = self.settings
        if not isinstance(settings, TokenSettings):
            return None
        token = Token(
            id="",
            name=self._name(settings),
            label=settings.label,
            side=settings.side,
            cell=event.cell,
            footprint=settings.size or "1",
            fitted=not settings.size,
            hidden=settings.hidden,
        )
        try:
            footprint_named(self.host.grid.kind, token.footprint)
        except Rejected as error:
            self.host.mark(event.cell, error.rejection.sentence)
            return None
        return token

    def _standing(self, token: Token, settings: TokenSettings) -> Token:
        """Return the token as it will stand, for its ghost."""
        sheet = self.host.ruleset.presets().get(settings.preset)
        return fit(self.host.encounter, self.host.ruleset, token.changed(sheet=sheet))

    def _name(self, settings: TokenSettings) -> str:
        """Return the name, with the next free number where it is taken."""
        stem = settings.name or settings.preset.capitalize()
        stem = stem or ("Hero" if settings.side == PARTY else "Foe")
        taken = {token.name for token in self.host.encounter.tokens.values()}
        if stem not in taken:
            return stem
        return next(f"{stem} {n}" for n in range(2, len(taken) + 3) if f"{stem} {n}" not in taken)
