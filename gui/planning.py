"""The plan in preparation: the chosen offer, its target, its forecast; until it is carried out.

Nothing here is stored: a plan becomes part of the encounter only by its command.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pydantic import ValidationError
from PySide6.QtCore import QObject, Signal

from engine.commands.combat import Act, Overrule
from engine.commands.command import Command
from engine.commands.tokens import MoveToken
from engine.model.encounter import Encounter
from engine.model.refusal import Rejected, Rejection
from engine.rules.ruleset import Forecast, MovePlan, Offer, Plan, TargetKind, TargetOffer
from engine.session import Session
from engine.view import View
from gui.bridge import Bridge
from gui.docks.fields import FieldSpec, specs_of

MOST_CHANCES = 40
"""So many targets are listed with the chance against them; who waits for more sees nobody."""

LISTED = frozenset({TargetKind.TOKEN, TargetKind.WALL})
"""What plans are aimed at that can be listed one by one."""


def turn_passed(before: View, after: View, token_id: str | None) -> bool:
    """Tell whether another phase has begun, or the token's turn is over."""
    phases = [(v.step.title, v.step.side) if v.step is not None else None for v in (before, after)]
    return phases[0] != phases[1] or (token_id in before.active and token_id not in after.active)


class Planner(QObject):
    """What the focused token is about to do.

    An offer is chosen, then aimed if it wants a target, then committed. `armed` says that the
    GM overrules: impossible offers may be chosen and their refusals are waived. `selected`, put
    in by the desk, tells who might act together with it.
    """

    changed = Signal()

    def __init__(self, bridge: Bridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self.selected: Callable[[], tuple[str, ...]] = lambda: ()
        self._offer: Offer | None = None
        self._plan: Plan | None = None
        self._forecast: Forecast | None = None
        self._problem: Rejection | None = None
        self._given: dict[str, Any] = {}
        self._fixed = False
        self._armed = False
        self._targets_of: tuple[Encounter, Plan] | None = None
        self._targets: tuple[TargetOffer, ...] = ()
        self._chances: dict[str, Fraction] = {}
        bridge.changed.connect(self._follow)
        bridge.opened.connect(self.cancel)

    @property
    def offer(self) -> Offer | None:
        """Return the chosen offer."""
        return self._offer

    @property
    def plan(self) -> Plan | None:
        """Return the plan as far as it is known."""
        return self._plan

    @property
    def forecast(self) -> Forecast | None:
        """Return what the plan would bring."""
        return self._forecast

    @property
    def problem(self) -> Rejection | None:
        """Return why there is no forecast."""
        return self._problem

    @property
    def armed(self) -> bool:
        """Tell whether the next thing is done against the rules."""
        return self._armed

    @property
    def aiming(self) -> bool:
        """Tell whether the plan still wants a target from the map."""
        return self._offer is not None and not self._fixed

    @property
    def ready(self) -> bool:
        """Tell whether the plan can be carried out."""
        return self._plan is not None and self._fixed and not self.wants_text

    @property
    def wants_text(self) -> bool:
        """Tell whether the plan still has to be put into words."""
        return (
            self._offer is not None
            and self._offer.target is TargetKind.TEXT
            and self._plan is not None
            and not self._plan.note
        )

    @property
    def open_fields(self) -> tuple[FieldSpec, ...]:
        """Return the fields of the ruleset's own that the offer leaves open and has a use for."""
        if self._offer is None:
            return ()
        plan, wants = self._offer.plan, self._offer.wants
        own = [
            spec
            for spec in specs_of(type(plan))
            if spec.name not in Plan.model_fields
            and getattr(plan, spec.name) == spec.default
            and (wants is None or spec.name in wants)
        ]
        told = [spec for spec in specs_of(Plan) if spec.name == "note"]
        choices = self._offer.choices
        return tuple(
            replace(spec, kind="choice", choices=choices[spec.name])
            if spec.name in choices
            else spec
            for spec in (*(told if self._offer.target is TargetKind.TEXT else ()), *own)
        )

    @property
    def targets(self) -> tuple[TargetOffer, ...]:
        """Return what the plan could be aimed at; asked of the ruleset once for all pointing."""
        offer, session = self._offer, self._bridge.session
        if offer is None or session is None or offer.target not in LISTED:
            return ()
        plan = offer.plan.changed(**self._given)
        known = self._targets_of
        if known is None or known[0] is not session.encounter or known[1] != plan:
            self._targets_of = (session.encounter, plan)
            self._targets = session.ruleset.targets(session.encounter, plan)
            self._chances = self._chances_against(session, plan)
        return self._targets

    @property
    def chances(self) -> Mapping[str, Fraction]:
        """Return the chance against each target that is allowed, by the opponent's first answer."""
        return self._chances if self.targets else {}

    def _chances_against(self, session: Session, plan: Plan) -> dict[str, Fraction]:
        found = {}
        for target in self._targets[:MOST_CHANCES]:
            if not target.enabled:
                continue
            aimed = plan.changed(target_id=target.target_id)
            try:
                rows = session.ruleset.forecast(session.encounter, aimed).rows
            except Rejected:
                continue
            if rows:
                found[target.target_id] = rows[0].chance
        return found

    def reason_against(self, target_id: str) -> str:
        """Return why the plan may not be aimed at something, empty if it may."""
        found = (each.reason for each in self.targets if each.target_id == target_id)
        return next(found, "")

    @property
    def refusals(self) -> tuple[str, ...]:
        """Return every reason why the rules do not allow the plan."""
        if self._offer is None:
            return ()
        reasons = [self._offer.reason] if self._offer.reason else []
        if self._problem is not None:
            reasons.append(self._problem.sentence)
        if self._forecast is not None:
            reasons += [each.sentence for each in self._forecast.refusals]
        return tuple(dict.fromkeys(reasons))

    def arm(self, *, on: bool) -> None:
        """Take up or lay down the GM's right to overrule."""
        if on != self._armed:
            self._armed = on
            self.changed.emit()

    def choose(self, offer: Offer) -> None:
        """Prepare an offer; one that asks and rolls nothing is carried out at once."""
        self._offer, self._plan, self._given = offer, offer.plan, {}
        self._fixed = offer.target in {TargetKind.NONE, TargetKind.TEXT}
        self._forecast_now()
        if self._fixed and self._nothing_to_see():
            self.commit()
        else:
            self.changed.emit()

    def aim(self, **fields: Any) -> None:
        """Try a target: `target_id`, `path` or `shape`, until one is fixed."""
        if self._offer is None or self._fixed:
            return
        plan = self._offer.plan.changed(**self._given, **fields)
        if plan != self._plan:
            self._plan = plan
            self._forecast_now()
            self.changed.emit()

    def fix(self, **fields: Any) -> None:
        """Settle on a target; what rolls nothing is carried out at once."""
        if self._offer is None:
            return
        self._plan = self._offer.plan.changed(**self._given, **fields)
        self._fixed = True
        self._forecast_now()
        if self._nothing_to_see():
            self.commit()
        else:
            self.changed.emit()

    def give(self, name: str, value: Any) -> None:
        """Settle a field that the offer leaves open; one of an earlier plan is not."""
        if self._plan is None or name not in type(self._plan).model_fields:
            return
        fields = {each: getattr(self._plan, each) for each in type(self._plan).model_fields}
        try:
            self._plan = type(self._plan).model_validate({**fields, name: value})
        except ValidationError as error:
            sentence = f"{name.replace('_', ' ')}: {error.errors()[0]['msg']}."
            self._bridge.messages.refuse(
                Rejection(code="bad_value", sentence=sentence, overrulable=False)
            )
            return
        self._given[name] = getattr(self._plan, name)
        self._forecast_now()
        self.changed.emit()

    def again(self) -> None:
        """Take the target back and aim anew."""
        if self._offer is not None and self._offer.target is not TargetKind.NONE:
            self._fixed = False
            self._plan = self._offer.plan.changed(**self._given)
            self._forecast_now()
            self.changed.emit()

    def commit(self, *, typed: bool = False) -> bool:
        """Carry the plan out; with `typed` its roll is left open for dice from the table."""
        if self._plan is None or not self.ready:
            return False
        command = self.command(self._plan)
        made = self._bridge.execute(command, hold_dice=typed)
        if made:
            self.cancel()
        return bool(made)

    def command(self, plan: Plan) -> Command:
        """Return the command that carries a plan out, overruled if the GM says so."""
        command: Command
        if isinstance(plan, MovePlan):
            command = MoveToken(token_id=plan.token_id, path=plan.path, facing=plan.facing)
        else:
            command = Act(plan=plan)
        return Overrule(command=command) if self._armed else command

    def cancel(self) -> bool:
        """Drop the plan; tell whether there was one."""
        had = self._offer is not None or self._armed
        self._offer = self._plan = self._forecast = self._problem = None
        self._given = {}
        self._fixed = self._armed = False
        if had:
            self.changed.emit()
        return had

    def _nothing_to_see(self) -> bool:
        """Tell whether the plan asks for no look at numbers and meets no refusal."""
        opens = self._offer is not None and self._offer.opens
        if (self.refusals and not self._armed) or self.wants_text or opens:
            return False
        forecast = self._forecast
        return forecast is None or not (forecast.roll or forecast.rows or forecast.lines)

    def _follow(self, before: View, after: View) -> None:
        """Look again after a change; with the turn goes whatever was prepared in it."""
        if turn_passed(before, after, self._plan.token_id if self._plan is not None else None):
            self.cancel()
        else:
            self._refresh()

    def _refresh(self) -> None:
        """Look again after a change; the offer itself may have become another."""
        if self._offer is None or self._plan is None:
            return
        encounter = self._bridge.encounter
        token_id = self._offer.plan.token_id
        if encounter.prompt is not None or token_id not in encounter.tokens:
            self.cancel()
            return
        offers = self._bridge.ruleset.offers(encounter, token_id, self.selected())
        offer = next((each for each in offers if each.id == self._offer.id), None)
        if offer is None:
            self.cancel()
            return
        self._offer = offer
        self._forecast_now()
        self.changed.emit()

    def _forecast_now(self) -> None:
        self._forecast = self._problem = None
        if self._plan is None:
            return
        try:
            self._forecast = self._bridge.ruleset.forecast(self._bridge.encounter, self._plan)
        except Rejected as error:
            # Before there is a target the ruleset may well ask for one; that is no complaint.
            if self._fixed or self._plan != getattr(self._offer, "plan", None):
                self._problem = error.rejection
