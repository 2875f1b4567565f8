"""The driver: runs frames from the top of the stack until one asks something or none is left."""

from collections.abc import Callable, Mapping
from typing import Any

from engine.model.pending import Answer, Frame
from engine.model.refusal import impossible
from engine.rules.drase import contests, harm, perception, perform, rounds, strikes, tumble, upkeep
from engine.rules.drase import state as frames
from engine.rules.drase.declare import declare
from engine.rules.drase.gm import BY_HAND
from engine.rules.drase.work import Work
from engine.rules.ruleset import Plan

RUN: Mapping[type[Frame], Callable[[Work, Any], None]] = {
    frames.PhaseFrame: rounds.enter,
    frames.PrepareFrame: upkeep.run_prepare,
    frames.DefenceFrame: upkeep.run_defence,
    frames.DotFrame: upkeep.run_dot,
    frames.TickFrame: upkeep.run_tick,
    frames.ConcentrationFrame: upkeep.run_concentration,
    frames.WoundFrame: upkeep.run_wound,
    frames.StepFrame: perform.run_step,
    frames.PlanFrame: perform.run_plan,
    frames.AttackFrame: strikes.run_attack,
    frames.DamageFrame: harm.run_damage,
    frames.CheckFrame: perception.run_check,
    frames.FallFrame: tumble.run_fall,
}

ANSWERED: Mapping[type[Frame], Callable[[Work, Any, Answer], None]] = {
    frames.DefenceFrame: upkeep.answer_defence,
    frames.ConcentrationFrame: upkeep.answer_concentration,
    frames.WoundFrame: upkeep.answer_wound,
    frames.AttackFrame: strikes.answer_attack,
    frames.DamageFrame: harm.answer_damage,
    frames.ContestFrame: contests.answer_contest,
    frames.CheckFrame: perception.answer_check,
    frames.FallFrame: tumble.answer_fall,
}


def run(work: Work) -> None:
    """Run frames until one asks something or none is left."""
    while work.frames and work.prompt is None:
        frame = work.frames.pop()
        if not _gone(work, frame):
            RUN[type(frame)](work, frame)


def answer(work: Work, given: Answer) -> None:
    """Give the answer to the frame that asked, then run on."""
    if not work.frames or type(work.frames[-1]) not in ANSWERED:
        raise impossible("nothing_asked", "Nothing waits for an answer.")
    frame = work.frames.pop()
    if not _gone(work, frame):
        ANSWERED[type(frame)](work, frame, given)
    run(work)


def _gone(work: Work, frame: Frame) -> bool:
    """Tell whether the creature that a frame is about was taken off the map meanwhile."""
    named = [getattr(frame, name, None) for name in ("token_id", "attacker", "actor")]
    if isinstance(frame, frames.PlanFrame):
        named.append(frame.plan.token_id)
    return any(each is not None and each not in work.encounter.tokens for each in named)


def start(work: Work, plan: Plan) -> None:
    """Begin a plan: declare it, or carry out what the GM does by hand."""
    doer = BY_HAND.get(type(plan))
    if doer is not None:
        doer(work, plan)
    else:
        declare(work, plan)
    run(work)
