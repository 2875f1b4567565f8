"""Fills the GM window from the Views and the desk, and passes on what the docks decide.

Runs after every change and every selection: whatever is as before is left alone.
"""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer

from engine.commands.board import RemoveAreas, RemoveLights, RemoveNotes, RemoveRegions, RemoveWalls
from engine.commands.combat import AnswerPrompt, OverruleResult, RollDice
from engine.commands.command import Command
from engine.commands.tokens import RemoveTokens, SetSheet, SetValue
from engine.model.audience import StageMode
from engine.model.encounter import Encounter
from engine.model.evidence import Evidence
from engine.model.pending import Prompt
from engine.rules.ruleset import Offer
from engine.view import View
from gui.canvas.overlays.overlay import EvidencePreview, TargetsPreview
from gui.canvas.pointer import PointerEvent, PointerKind
from gui.docks.targets import TargetRow
from gui.facts import in_words
from gui.layers import without
from gui.messages import Message
from gui.planning import turn_passed
from gui.plans import plans_preview
from gui.preferences import LOG_SUMS, WHEEL_PANS
from gui.tools.door import toggled
from gui.tools.fog import FogTool
from gui.tools.target import ASKS
from gui.windows.gm_window import GmWindow

NAMED = 3
"""So many names stand in a hint."""

REMOVERS: dict[str, Callable[[str], Command]] = {
    "token": lambda each: RemoveTokens(token_ids=(each,)),
    "door": lambda each: RemoveWalls(wall_ids=(each,)),
    "region": lambda each: RemoveRegions(region_ids=(each,)),
    "light": lambda each: RemoveLights(light_ids=(each,)),
    "area": lambda each: RemoveAreas(area_ids=(each,)),
    "note": lambda each: RemoveNotes(note_ids=(each,)),
}
"""How each kind of thing on the map is taken away."""


class Presenter(QObject):
    """Keeps one window in step; `update_actions` is put in by whoever knows the menu."""

    def __init__(self, window: GmWindow) -> None:
        super().__init__(window)
        self.window = window
        self.bridge, self.desk = window.bridge, window.desk
        self.planner = window.desk.planner
        self.update_actions: Callable[[], None] = lambda: None
        self.players_where: Callable[[], str] = lambda: ""
        self._offers_of: tuple[Encounter, tuple[str, ...]] | None = None
        self._offers: tuple[Offer, ...] = ()
        self._holding = False
        self._hidden: frozenset[str] = frozenset()
        self._selected_before: tuple[str, ...] = ()
        self._connect_board()
        self._connect_docks()
        self._connect_forecast()

    def _connect_board(self) -> None:
        window, desk, bridge = self.window, self.desk, self.bridge
        desk.px_per_cell = lambda: window.board.px_per_cell
        desk.shown.connect(window.board.set_preview)
        desk.said.connect(window.say)
        desk.selection.changed.connect(self.show_selection)
        desk.planner.changed.connect(self.show_plan)
        desk.tool_changed.connect(self._show_tool)
        window.board.pointer.connect(self._pointer)
        window.board.camera_changed.connect(self._show_state)
        bridge.opened.connect(self.show_session)
        bridge.changed.connect(self.show_change)
        bridge.players_changed.connect(lambda _before, _after: self._show_mini())
        bridge.staged.connect(self.show_stage)
        bridge.messages.listen(self._message)

    def _connect_docks(self) -> None:
        window, bridge = self.window, self.bridge
        window.preferences.watch(LOG_SUMS, window.log.set_sums)
        window.preferences.watch(WHEEL_PANS, partial(setattr, window.board, "wheel_pans"))
        window.turn.picked.connect(self._pick)
        window.things.picked.connect(self._pick)
        window.things.activated.connect(self._go_to)
        window.things.removed.connect(lambda kind, each: bridge.execute(REMOVERS[kind](each)))
        window.things.layer.connect(self._show_layer)
        window.things.visibilityChanged.connect(self._things_seen)
        window.history.visibilityChanged.connect(self._history_seen)
        window.history.asked.connect(bridge.jump)
        window.sheet.value_set.connect(
            lambda token, field, value: bridge.execute(
                SetValue(token_id=token, field=field, value=value)
            )
        )
        window.sheet.preset_chosen.connect(self._give_sheet)
        window.offers.chosen.connect(self._choose)
        window.offers.overruled.connect(self._choose_overruled)
        window.offers.left.connect(self.planner.cancel)
        window.offers.targets.pointed.connect(self._point_at_target)
        window.offers.targets.picked.connect(lambda each: self.planner.fix(target_id=each))
        window.offers.targets.overruled.connect(self._aim_overruled)
        window.offers.armed.connect(lambda on: self.planner.arm(on=on))

    def _connect_forecast(self) -> None:
        dock, bridge = self.window.forecast, self.bridge
        dock.evidence.connect(self._show_evidence)
        dock.roll.connect(self.planner.commit)
        dock.roll_typed.connect(self._roll_by_hand)
        dock.overruled.connect(self._commit_overruled)
        dock.answered.connect(self._answer)
        dock.rolled.connect(self._let_roll)
        dock.faces.connect(self._typed)
        dock.given.connect(self.planner.give)
        dock.ruled.connect(lambda text: bridge.execute(OverruleResult(outcome=_outcome(text))))

    # What the window shows

    def show_session(self) -> None:
        """Show another encounter, or none."""
        window, session = self.window, self.bridge.session
        view = self.bridge.view if session is not None else None
        self._offers_of, self._holding = None, False
        window.middle.setCurrentWidget(window.board if view is not None else window.welcome)
        for dock in window.docks:
            dock.setEnabled(view is not None)
        if view is not None:
            window.scene.sync(without(view, self._hidden))
            window.mini.show_warnings(view.warnings)
            QTimer.singleShot(0, window.board.fit_board)
            window.board.setFocus()
        window.strip.show_tool(self.desk.tools[self.desk.tool_id])
        self._show_title(view)
        window.turn.show_view(view)
        self._show_things()
        window.log.show_log(view.log if view is not None else ())
        self._show_history()
        self._show_marks(view)
        self._show_blank()
        self.show_selection()
        self.show_stage()
        self._offer_overruling()

    def show_change(self, before: View, after: View) -> None:
        """Follow a change of the encounter or the stage."""
        window = self.window
        window.scene.sync(without(after, self._hidden))
        if (before.title, before.grid) != (after.title, after.grid):
            self._show_title(after)
        if before.grid != after.grid:
            window.board.fit_board()
        window.turn.show_view(after)
        if self.bridge.stage.mode is not StageMode.LIVE:
            self._show_mini()
        if before.warnings != after.warnings:
            window.mini.show_warnings(after.warnings)
        self._show_things()
        window.log.show_log(after.log)
        self._show_marks(after)
        self._show_blank()
        self._show_history()
        self.show_selection()
        self._follow_prompt(before.prompt, after)
        self._offer_overruling()
        if turn_passed(before, after, self.desk.selection.focus):
            self._pick_who_acts(after)

    def _follow_prompt(self, before: Prompt | None, after: View) -> None:
        """Select who is asked, and after the last question whoever was selected before."""
        prompt = after.prompt
        if prompt is None:
            self._holding = False
            if before is not None:
                self._leave_dice()
                self.desk.select(each for each in self._selected_before if each in after.tokens)
        elif prompt is not before:
            if before is None:
                self._selected_before = self.desk.selection.ids
            if prompt.token_id is not None and prompt.token_id in after.tokens:
                self.desk.select((prompt.token_id,))
            self.window.forecast.show()
            self.window.forecast.raise_()
            self.window.forecast.take_focus()

    def _leave_dice(self) -> None:
        """Give the keyboard back to the map when nothing is left to be typed in."""
        focused = self.window.focusWidget()
        if focused is None or self.window.forecast.dice.isAncestorOf(focused):
            self.window.board.setFocus()

    def _pick_who_acts(self, view: View) -> None:
        """Select the first who may act now, unless somebody who may is selected already."""
        acting = [each for each in view.active if each in view.tokens]
        if acting and self.desk.selection.focus not in acting:
            self.desk.select(acting[:1])

    def show_selection(self) -> None:
        """Show who is selected, everywhere."""
        window, session = self.window, self.bridge.session
        ids, focus = self.desk.selection.ids, self.desk.selection.focus
        window.scene.set_selected(ids)
        window.turn.show_selection(ids)
        window.things.show_selection(ids)
        token = session.encounter.tokens.get(focus or "") if session is not None else None
        if session is None or token is None:
            window.sheet.show_token(None, None, None)
        else:
            window.sheet.show_token(self.bridge.view.tokens[token.id], token.sheet, session.ruleset)
        self.show_plan()

    def show_plan(self) -> None:
        """Show the offers of the focused token, and the plan or the prompt."""
        offer = self.planner.offer
        self.window.offers.show_offers(
            self._current_offers(),
            offer.id if offer is not None else "",
            armed=self.planner.armed,
        )
        self._show_targets()
        self._show_forecast()
        self.update_actions()

    def _show_targets(self) -> None:
        """Show what the plan could be aimed at, in the list and, while pointing, on the map."""
        planner, targets = self.planner, self.planner.targets
        label = planner.offer.label if planner.offer is not None else ""
        chosen = planner.plan.target_id if planner.plan is not None else None
        tokens = self.bridge.view.tokens if targets else {}
        chances = planner.chances
        rows = [
            TargetRow(
                each,
                tokens[each.target_id].side if each.target_id in tokens else "",
                chances.get(each.target_id),
            )
            for each in targets
        ]
        self.window.offers.show_targets(label, rows, chosen, armed=planner.armed)
        marks = None
        if targets and planner.aiming:
            marks = TargetsPreview(
                frozenset(each.target_id for each in targets if each.enabled),
                frozenset(each.target_id for each in targets if not each.enabled),
            )
        self.window.board.set_preview("targets", marks)

    def show_stage(self) -> None:
        """Show what the players see, and where."""
        window = self.window
        window.top.show_players(self.bridge.stage, self.players_where(), window.theme)
        self._show_mini()
        self.update_actions()

    def _show_mini(self) -> None:
        """Show in the corner what the players see, or what they would see but for a cover."""
        if self.bridge.session is not None:
            self.window.mini.show_view(self.bridge.foreseen, self.bridge.stage.mode)

    def _offer_overruling(self) -> None:
        """Offer to overrule the last refusal for as long as it can be."""
        self.window.offer_overruling(possible=self.bridge.refused_command is not None)

    def _current_offers(self) -> tuple[Offer, ...]:
        """Return the focus' offers; asked of the ruleset once per state and selection."""
        session, selection = self.bridge.session, self.desk.selection
        focus = selection.focus
        if session is None or focus is None or focus not in session.encounter.tokens:
            return ()
        asked = self._offers_of
        if asked is None or asked[0] is not session.encounter or asked[1] != selection.ids:
            self._offers_of = (session.encounter, selection.ids)
            self._offers = session.ruleset.offers(session.encounter, focus, selection.ids)
        return self._offers

    def _show_forecast(self) -> None:
        dock, session, planner = self.window.forecast, self.bridge.session, self.planner
        prompt = session.encounter.prompt if session is not None else None
        if session is not None and prompt is not None:
            token = session.encounter.tokens.get(prompt.token_id or "")
            dock.show_prompt(prompt, token.name if token is not None else prompt.side)
        elif planner.offer is not None:
            forecast = planner.forecast
            step = self.bridge.view.step
            asks = ASKS.get(planner.offer.target, "") if planner.aiming else ""
            dock.show_plan(
                forecast.title if forecast is not None else planner.offer.label,
                forecast,
                planner.refusals,
                ready=planner.ready,
                armed=planner.armed,
                declares=step is not None and step.declares and not planner.offer.at_once,
                hint=f"{asks}; Esc lets go." if asks else "",
            )
            opens = planner.offer.opens
            dock.show_fields(planner.open_fields, planner.plan, opens=opens)
        else:
            dock.show_nothing(self._what_next())
            self._show_evidence(None)

    def _what_next(self) -> str:
        """Return what the GM could do now, while nothing is prepared."""
        if self.bridge.session is None:
            return ""
        view, focus = self.bridge.view, self.desk.selection.focus
        names = [view.tokens[each].name for each in view.active if each in view.tokens]
        if not view.tokens:
            return "Place tokens first: take the Token tool and click on the map."
        if view.step is None:
            return "Tokens move freely. Begin the fight to act by the rules."
        if focus in view.active:
            return "Drag to move, or choose an action to see what it would bring."
        if names:
            some = names if len(names) <= NAMED else [*names[: NAMED - 1], "others"]
            return f"Now {in_words(some)} may act: click one of them."
        return f"Nobody declares now. Go on with {view.step.end_label or 'Next'}."

    def _show_title(self, view: View | None) -> None:
        self.window.top.show_view(view, read_only=self.bridge.read_only)
        title = f"{view.title or 'Untitled'} – Battlemat" if view is not None else "Battlemat"
        self.window.setWindowTitle(title)
        self._show_state()

    def _show_state(self) -> None:
        session = self.bridge.session
        saved = "" if session is None else "read only" if self.bridge.read_only else "saved"
        self.window.show_state(saved=saved)

    def _show_history(self) -> None:
        session, dock = self.bridge.session, self.window.history
        if session is None:
            dock.show_history((), (), 0)
        elif dock.isVisible():
            dock.show_history(session.history(), session.current_line(), session.head)

    def _things_seen(self, seen: bool) -> None:
        if seen:
            self._show_things()
        QTimer.singleShot(0, self.window, self.window.share_bottom)

    def _history_seen(self, seen: bool) -> None:
        if seen:
            self._show_history()
        QTimer.singleShot(0, self.window, self.window.share_bottom)

    def _show_things(self) -> None:
        things = self.window.things
        if self.bridge.session is None:
            things.show_view(None)
        elif things.isVisible():
            things.show_view(self.bridge.view)
            things.show_selection(self.desk.selection.ids)

    def _show_layer(self, name: str, shown: bool) -> None:
        self._hidden = self._hidden - {name} if shown else self._hidden | {name}
        if self.bridge.session is not None:
            self.window.scene.sync(without(self.bridge.view, self._hidden))

    def _show_blank(self) -> None:
        """Say on an empty board how to begin."""
        view = self.bridge.view if self.bridge.session is not None else None
        self.window.blank.show_view(view, at_work=self.desk.tool_id != "select")

    def _show_marks(self, view: View | None) -> None:
        """Show declared plans; the board shows pings by itself."""
        self.window.board.set_preview("plans", plans_preview(view))

    def _show_evidence(self, evidence: Evidence | None) -> None:
        preview = EvidencePreview(evidence) if evidence is not None else None
        self.window.board.set_preview("evidence", preview)

    # What somebody does

    def _show_tool(self, tool_id: str) -> None:
        """Show a tool's settings, and for the fog what the players have never seen."""
        self._show_blank()
        self.window.strip.show_tool(self.desk.tools[tool_id])
        self.window.board.show_fog_hints(on=tool_id == FogTool.id)

    def _pointer(self, event: PointerEvent) -> None:
        if event.kind is PointerKind.PRESS:
            self.window.end_message()
        self.window.scene.set_hovered(event.token_id)
        self.desk.pointer(event)

    def _message(self, message: Message) -> None:
        self.update_actions()
        self.window.show_message(message)
        self._offer_overruling()

    def _pick(self, ids: tuple[str, ...]) -> None:
        self.desk.select(ids)
        if len(ids) == 1:
            center = self.bridge.view.tokens[ids[0]].center
            board = self.window.board
            if not board.viewport().rect().contains(board.position_of(center).toPoint()):
                board.center_on(center)

    def _go_to(self, kind: str, each: str) -> None:
        """Bring a thing into the middle; a door is opened or closed."""
        board = self.bridge.encounter.board
        if kind == "token":
            self.window.board.center_on(self.bridge.view.tokens[each].center)
        elif kind == "door":
            self.bridge.execute(toggled(board.walls[each]))
        elif kind == "region":
            self.window.board.center_on(board.regions[each].rings[0][0])
        elif kind == "light":
            self.window.board.center_on(board.lights[each].position)
        elif kind == "note":
            self.window.board.center_on(board.notes[each].position)

    def _give_sheet(self, preset: str) -> None:
        focus = self.desk.selection.focus
        if focus is not None:
            self.bridge.execute(SetSheet(token_id=focus, preset=preset))

    def _choose(self, offer: Offer) -> None:
        """Prepare an offer; the map gets the focus, for Esc, Space and Return to work there."""
        self.window.board.setFocus()
        self.planner.choose(offer)

    def _choose_overruled(self, offer: Offer) -> None:
        self.planner.arm(on=True)
        self._choose(offer)

    def _point_at_target(self, target_id: str | None) -> None:
        """Show what the target under the mouse in the list would bring, and where it is."""
        self.window.scene.set_hovered(target_id)
        if target_id is not None:
            self.planner.aim(target_id=target_id)

    def _aim_overruled(self, target_id: str) -> None:
        """Aim at a refused target; it is carried out like any other."""
        self.planner.arm(on=True)
        self.planner.fix(target_id=target_id)

    def _commit_overruled(self) -> None:
        self.planner.arm(on=True)
        self.planner.commit()

    def _roll_by_hand(self) -> None:
        self._holding = True
        if not self.planner.commit(typed=True):
            self._holding = False

    def _answer(self, choice: str) -> None:
        """Answer; whoever rolls by hand goes on doing so."""
        self.bridge.execute(AnswerPrompt(choice=choice), hold_dice=self._holding)

    def _let_roll(self) -> None:
        self._holding = False
        self.bridge.execute(RollDice())

    def _typed(self, faces: tuple[int, ...], total: int | None) -> None:
        """Enter dice; whoever does so where the program would have rolled goes on doing so."""
        session = self.bridge.open_session
        prompt = session.encounter.prompt
        self._holding = prompt is not None and prompt.side not in session.real_dice
        self.bridge.execute(RollDice(faces=faces, total=total), hold_dice=self._holding)


def _outcome(text: str) -> int | str:
    """Return a ruling as a number where it is one."""
    try:
        return int(text)
    except ValueError:
        return text
