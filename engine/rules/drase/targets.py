"""Whom a plan could be aimed at: everybody on the map, each with the reason against it.

The reasons are those of `legality`. Geometry is asked once for all who are near enough.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import dist

from engine.model.encounter import Encounter
from engine.model.refusal import Rejected, Rejection
from engine.model.space import Point
from engine.model.token import Token
from engine.rules.drase.combat import (
    Exchange,
    attack_refusals,
    extras_of,
    fighter_of,
    reach_of,
    tiles,
    too_far,
)
from engine.rules.drase.data import ActionRow
from engine.rules.drase.desk import (
    STRIKES,
    Desk,
    action_row,
    choose_profile,
    desk_for,
    desk_of,
    extras_for,
    group_of,
    how_far,
    open_happenings,
    profile_of,
)
from engine.rules.drase.groups import Attack, situations_of
from engine.rules.drase.legality import target_refusals
from engine.rules.drase.objects import wall_name
from engine.rules.drase.plans import ActionPlan, GroupAttackPlan
from engine.rules.drase.sheet import AttackProfile
from engine.rules.drase.situation import (
    Distance,
    Look,
    Situation,
    center_of,
    look,
    looks,
    tiles_to_wall,
)
from engine.rules.drase.state import camp_of
from engine.rules.ruleset import Plan, TargetOffer

Found = tuple[Distance, TargetOffer]

STRETCH = 1.5
"""At the most so many times a distance in tiles is the straight length of its way, in cells."""

WIDE = 8
"""No two creatures together reach farther from their middles than this, in cells."""

FEW = 3
"""So many of a group are looked at beside the nearest one; looking is dear."""


def targets(encounter: Encounter, plan: Plan, asked: Look) -> tuple[TargetOffer, ...]:
    """Return everything that a plan could be aimed at: the allowed, of these the foes, the near."""
    if plan.token_id not in encounter.tokens:
        return ()
    desk = desk_for(encounter, plan, asked)
    try:
        found = list(_found(desk, plan))
    except Rejected:
        return ()  # the weapon is gone: the offer itself tells
    found.sort(
        key=lambda each: (not each[1].enabled, _is_friend(desk, each[1]), each[0], each[1].label)
    )
    return tuple(offer for _, offer in found)


def _is_friend(desk: Desk, offer: TargetOffer) -> bool:
    token = desk.encounter.tokens.get(offer.target_id)
    return token is not None and camp_of(token.side) == camp_of(desk.token.side)


def _found(desk: Desk, plan: Plan) -> Iterator[Found]:
    if isinstance(plan, GroupAttackPlan):
        yield from _of_group(desk, plan)
    elif isinstance(plan, ActionPlan):
        row = action_row(desk.book, plan)
        if row.cost == "reaction":
            yield from _who_gave_reason(desk, plan, row)
        elif row.target == "wall":
            yield from _doors(desk, plan)
        elif row.target == "token" and row.effect in (STRIKES, "cast"):
            profile = profile_of(desk, plan)
            if profile.area is None:
                yield from _of_attack(desk, plan, profile)
                yield from _objects(desk, plan)
        elif row.target == "token":
            yield from _in_arms_reach(desk, plan)


def _who_gave_reason(desk: Desk, plan: ActionPlan, row: ActionRow) -> Iterator[Found]:
    """Yield whom a reaction may answer; a plan that names its happening has its target."""
    if plan.happening is not None:
        return
    actors = dict.fromkeys(each.actor for each in open_happenings(desk, row))
    for token in (desk.encounter.tokens[each] for each in actors):
        far = how_far(desk, token, ranged=False)
        yield _offer(token, far, target_refusals(desk, plan.changed(target_id=token.id)))


def _of_attack(desk: Desk, plan: ActionPlan, profile: AttackProfile) -> Iterator[Found]:
    """Yield every token as the target of an attack; spells may also be cast on oneself."""
    extras = extras_for(desk, plan)
    ours = fighter_of(desk.token)
    everybody = [
        each for each in desk.encounter.tokens.values() if profile.spell or each.id != ours.id
    ]
    for token, situation in _situations(desk, profile, everybody, direct=extras.direct):
        theirs = fighter_of(token)
        attack = Exchange(ours, profile, theirs, situation, extras)
        yield _offer(token, situation.distance, attack_refusals(desk.book, attack))


def _situations(
    desk: Desk, profile: AttackProfile, everybody: list[Token], *, direct: bool
) -> Iterator[tuple[Token, Situation]]:
    """Yield how the attacker stands to each; for who is too far, the distance says it all."""
    encounter, book, ranged = desk.encounter, desk.book, profile.ranged
    if desk.look is not look:
        for token in everybody:
            yield token, desk.look(encounter, book, desk.token, token, ranged)
        return
    near = []
    for token in everybody:
        far = how_far(desk, token, ranged=ranged)
        if direct and too_far(profile, desk.sheet, far):
            yield token, Situation(distance=far)
        else:
            near.append(token)
    pairs = [(desk.token, token) for token in near]
    yield from zip(near, looks(encounter, book, pairs, ranged), strict=True)


def _in_arms_reach(desk: Desk, plan: ActionPlan) -> Iterator[Found]:
    for token in desk.encounter.tokens.values():
        if token.id != desk.token.id:
            far = how_far(desk, token, ranged=False)
            aimed = plan.changed(target_id=token.id)
            yield _offer(token, far, target_refusals(desk, aimed))


def _objects(desk: Desk, plan: ActionPlan) -> Iterator[Found]:
    """Yield the walls and doors that can be broken."""
    for wall in desk.encounter.board.walls.values():
        if wall.durability is not None:
            yield _wall(desk, plan.changed(target_id=wall.id))


def _doors(desk: Desk, plan: ActionPlan) -> Iterator[Found]:
    for wall in desk.encounter.board.walls.values():
        if wall.door is not None:
            yield _wall(desk, plan.changed(target_id=wall.id))


def _of_group(desk: Desk, plan: GroupAttackPlan) -> Iterator[Found]:
    """Yield every token as the target of a group: possible if one of the group can attack it."""
    members = attackers_of(desk, plan)
    own = {each.desk.token.id for each in members}
    others = [each for each in desk.encounter.tokens.values() if each.id not in own]
    if members:
        yield from judged_by(members, plan, others)


@dataclass(frozen=True, slots=True)
class Attacker:
    """One of a group that attacks: its desk, its weapon, and where it will stand."""

    desk: Desk
    profile: AttackProfile
    at: Point

    def reaches(self, token: Token, point: Point) -> bool:
        """Tell whether a token is near enough; its middle tells at once who is far off."""
        sheet = self.desk.sheet
        limit, penalty = reach_of(self.profile, sheet)
        if penalty is None and dist(self.at, point) > STRETCH * limit + WIDE:
            return False
        far = how_far(self.desk, token, ranged=self.profile.ranged)
        return not too_far(self.profile, sheet, far)


def attackers_of(desk: Desk, plan: GroupAttackPlan) -> list[Attacker]:
    """Return those who attack as a group, where their declared moves bring them."""
    encounter = desk.encounter
    chosen = plan.attackers or tuple(each.id for each in group_of(encounter, desk.token))
    found = []
    for token in (encounter.tokens[each] for each in chosen if each in encounter.tokens):
        own = desk_of(encounter, token, desk.look)
        profile = choose_profile(own.sheet, None, plan.attack)
        if profile is not None and own.sheet.hp > 0:
            found.append(Attacker(own, profile, center_of(own.encounter, own.token)))
    return found


def group_refusal(desk: Desk, plan: GroupAttackPlan, token: Token) -> Rejection | None:
    """Return why a group cannot attack a target at all, None if somebody of it can."""
    members = attackers_of(desk, plan)
    return judged_by(members, plan, [token])[0][1].refusal if members else None


def judged_by(
    members: Sequence[Attacker], plan: GroupAttackPlan, targets: Sequence[Token]
) -> list[Found]:
    """Judge targets, each by the nearest members; the reason is that of the nearest one.

    There is at least one member. If many might reach a target and the nearest few cannot, it
    stays possible: who takes part is settled when the attack is made.
    """
    encounter = members[0].desk.encounter
    orders = [_by_distance(members, center_of(encounter, token)) for token in targets]
    found = _by_members(
        [(order[0], each) for order, each in zip(orders, targets, strict=True)], plan
    )
    further: dict[int, list[Attacker]] = {}
    for number, (token, order) in enumerate(zip(targets, orders, strict=True)):
        if not found[number][1].enabled:
            point = center_of(encounter, token)
            reaching = (each for each in order[1:] if each.reaches(token, point))
            further[number] = list(islice(reaching, FEW + 1))
    pairs = [(each, targets[number]) for number, some in further.items() for each in some[:FEW]]
    judged = iter(_by_members(pairs, plan))
    for number, some in further.items():
        tried = [next(judged) for _ in some[:FEW]]
        better = next((each for each in tried if each[1].enabled), None)
        if better is None and len(some) > FEW:
            distance, offer = found[number]
            better = distance, offer.changed(refusal=None)
        found[number] = better or found[number]
    return found


def _by_distance(members: Sequence[Attacker], point: Point) -> list[Attacker]:
    return sorted(members, key=lambda each: dist(each.at, point))


def _by_members(pairs: Sequence[tuple[Attacker, Token]], plan: GroupAttackPlan) -> list[Found]:
    """Judge each target by one member; those who find the same map are asked together."""
    alike: dict[int, list[int]] = {}
    for number, (member, _) in enumerate(pairs):
        alike.setdefault(id(member.desk.encounter), []).append(number)
    situations: dict[int, Situation] = {}
    for some in alike.values():
        desk = pairs[some[0]][0].desk
        attacks = [
            Attack(member.desk.token, token, member.profile)
            for member, token in (pairs[number] for number in some)
        ]
        asked = situations_of(desk.encounter, desk.book, desk.look, attacks)
        situations.update(zip(some, asked, strict=True))
    extras = extras_of(0, plan.non_lethal, reaction=False, area=False)
    found = []
    for number, (member, token) in enumerate(pairs):
        ours, theirs = fighter_of(member.desk.token), fighter_of(token)
        attack = Exchange(ours, member.profile, theirs, situations[number], extras)
        against = attack_refusals(member.desk.book, attack)
        found.append(_offer(token, attack.situation.distance, against))
    return found


def _wall(desk: Desk, aimed: ActionPlan) -> Found:
    wall = desk.encounter.board.walls[aimed.target_id or ""]
    far = tiles_to_wall(desk.encounter, desk.token, wall)
    refusal = next(iter(target_refusals(desk, aimed)), None)
    if refusal is not None:
        refusal = refusal.changed(wall_id=wall.id)
    named = wall_name(wall)
    return far, TargetOffer(target_id=wall.id, label=named, detail=tiles(far), refusal=refusal)


def _offer(token: Token, far: Distance, against: Iterable[Rejection]) -> Found:
    refusal = next(iter(against), None)
    offer = TargetOffer(target_id=token.id, label=token.name, detail=tiles(far), refusal=refusal)
    return far, offer
