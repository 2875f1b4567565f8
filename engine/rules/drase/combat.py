"""The sum of an attack, line by line, and its odds: one place for forecast and log alike.

Nothing here asks the map or draws dice: the situation comes in, the roll goes out as an
expression of `engine.rules.dice`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from engine.geometry.memo import Kept, Memo
from engine.model.evidence import Evidence, Modifier
from engine.model.refusal import Rejection
from engine.model.region import Obscuration
from engine.model.token import Token
from engine.model.told import Told, named, told
from engine.model.wall import CoverLabel
from engine.rules import dice
from engine.rules.dice import Roll
from engine.rules.drase.cover import Cover
from engine.rules.drase.data import Book
from engine.rules.drase.effects import Part, condition, has
from engine.rules.drase.options import DraseOptions
from engine.rules.drase.sheet import AttackProfile, Attribute, DraseSheet
from engine.rules.drase.situation import Distance, Haze, Situation, within
from engine.rules.drase.state import sheet_of

MISS, HIT, CRITICAL = "miss", "hit", "critical"


@dataclass(frozen=True, slots=True)
class Fighter:
    """Who attacks or is attacked: the id for refusals, the name for both readers, the sheet."""

    id: str
    called: Told
    sheet: DraseSheet

    @property
    def name(self) -> str:
        """Return the name in sentences to the GM."""
        return self.called.gm


def fighter_of(token: Token) -> Fighter:
    """Return a token as the sums want it."""
    return _FIGHTERS(token)


def _fighter(_: Kept[Fighter] | None, token: Token) -> Fighter:
    return Fighter(token.id, named(token), sheet_of(token))


_FIGHTERS: Memo[Fighter] = Memo(_fighter, size=2048)


@dataclass(frozen=True, slots=True)
class Extras:
    """What the moment adds to an attack: aimed before, declared non-lethal.

    A reaction, and an attack on everybody in an `area`, ask neither for reach nor for cover.
    """

    aim: int = 0
    non_lethal: bool = False
    reaction: bool = False
    area: bool = False

    @property
    def direct(self) -> bool:
        """Tell whether reach, range and cover count."""
        return not (self.reaction or self.area)


@lru_cache(maxsize=64)
def extras_of(aim: int, non_lethal: bool, reaction: bool, area: bool) -> Extras:
    """Return the extras of an attack; equal ones are the same object."""
    return Extras(aim, non_lethal, reaction, area)


@dataclass(frozen=True, slots=True)
class Exchange:
    """Everything that one attack is judged by."""

    attacker: Fighter
    profile: AttackProfile
    target: Fighter
    situation: Situation
    extras: Extras = Extras()


@dataclass(frozen=True, slots=True)
class AttackSum:
    """An attack before its dice: the lines, the roll, the number to reach, what is against it."""

    lines: tuple[Modifier, ...]
    roll: Roll
    text: str
    number: int
    number_name: str
    refusals: tuple[Rejection, ...] = ()
    bonuses: int = 0
    maluses: int = 0
    flat: int = 0


class Tally(NamedTuple):
    """The numbers alone: the flat sum, bonuses and maluses, and what is against it."""

    flat: int
    bonuses: int
    maluses: int
    refusals: tuple[Rejection, ...]


class _Flat(NamedTuple):
    """A flat number of an attack, and what it comes from; a cover has words of its own."""

    value: int
    label: str = ""
    proposal: bool = False
    cover: Cover | None = None

    def line(self, book: Book) -> Modifier:
        if self.cover is not None:
            return cover_line(book, self.cover)
        return sum_line(self.label, self.value, f"{self.value:+d}", self.proposal)


@dataclass(slots=True)
class _Stacks:
    """Bonuses and maluses as they are gathered, with a line for each."""

    bonuses: int = 0
    maluses: int = 0
    lines: list[Modifier] = field(default_factory=list)

    def bonus(self, label: str, count: int, *, proposal: bool = False) -> None:
        if count:
            self.bonuses += count
            self.lines.append(sum_line(label, None, _stacked(count, "bonus"), proposal))

    def malus(
        self,
        label: Told | str,
        count: int,
        *,
        proposal: bool = False,
        evidence: Evidence | None = None,
    ) -> None:
        if count:
            self.maluses += count
            line = sum_line(label, None, _stacked(count, "malus"), proposal)
            self.lines.append(line if evidence is None else line.changed(evidence=evidence))

    def bonus_parts(self, parts: tuple[Part, ...], suffix: str = "") -> None:
        for part in parts:
            self.bonus(part.label + suffix, part.stacks, proposal=part.proposal)

    def malus_parts(self, parts: tuple[Part, ...], suffix: str = "") -> None:
        for part in parts:
            self.malus(part.label + suffix, part.stacks, proposal=part.proposal)


def attack_sum(book: Book, attack: Exchange) -> AttackSum:
    """Return the sum of an attack with everything that counts, and every refusal."""
    gathered, flat = _stacks(book, attack), _flats(book, attack)
    tally = _tally(book, attack, gathered, flat)
    stacks = [line for each in gathered for line in each.lines]
    rules = (book.options.bonus_die, book.options.bonus_cancel)
    roll, text, net = _attack_roll(rules, tally.bonuses, tally.maluses, tally.flat)
    if net is not None and len(stacks) > 1:
        stacks.append(net)
    number, name, against = target_number(attack.profile, attack.target)
    return AttackSum(
        lines=(*(each.line(book) for each in flat), *stacks, *against),
        roll=roll,
        text=text,
        number=number,
        number_name=name,
        refusals=tally.refusals,
        bonuses=tally.bonuses,
        maluses=tally.maluses,
        flat=tally.flat,
    )


def attack_tally(book: Book, attack: Exchange) -> Tally:
    """Return the numbers of an attack without the words."""
    return _tally(book, attack, _stacks(book, attack), _flats(book, attack))


def _tally(book: Book, attack: Exchange, stacks: tuple[_Stacks, ...], flat: list[_Flat]) -> Tally:
    return Tally(
        flat=sum(each.value for each in flat),
        bonuses=sum(each.bonuses for each in stacks),
        maluses=sum(each.maluses for each in stacks),
        refusals=tuple(attack_refusals(book, attack)),
    )


@lru_cache(maxsize=1024)
def _attack_roll(
    rules: tuple[str, str], bonuses: int, maluses: int, flat: int
) -> tuple[Roll, str, Modifier | None]:
    """Return the whole roll, its notation, and the line of what the stacks come to."""
    options = DraseOptions.model_validate({"bonus_die": rules[0], "bonus_cancel": rules[1]})
    stacked, words = stacked_roll(options, bonuses, maluses)
    roll = dice.dice(1, 20) + flat + stacked
    net = None if str(stacked) == "0" else sum_line(words, None, _signed(stacked), False)
    return roll, str(roll), net


def stack_value(options: DraseOptions, count: int) -> Roll:
    """Return what N bonuses are worth by the table rule `bonus_die`."""
    if count <= 0:
        return Roll()
    if options.bonus_die == "d6k1":
        return dice.dice(count, 6, highest=1)
    return Roll(constant=count if options.bonus_die == "flat(1)" else 3 + (count - 1))


def stacked_roll(options: DraseOptions, bonuses: int, maluses: int) -> tuple[Roll, str]:
    """Return what bonuses and maluses on one roll come to, and the net in words."""
    if options.bonus_cancel == "roll_both":
        both = stack_value(options, bonuses) - stack_value(options, maluses)
        return both, "Both are rolled"
    net = bonuses - maluses
    if net >= 0:
        return stack_value(options, net), f"Net {_stacked(net, 'bonus')}"
    return -stack_value(options, -net), f"Net {_stacked(-net, 'malus')}"


_Needed = tuple[int, str, tuple[Modifier, ...]]


def target_number(profile: AttackProfile, target: Fighter) -> _Needed:
    """Return what the attack must reach: AC or a Save, moved by the defence of the round."""
    return _NEEDED(profile, target)


def _needed(_: Kept[_Needed] | None, profile: AttackProfile, target: Fighter) -> _Needed:
    sheet = target.sheet
    if profile.against == "ac":
        name, base = "AC", sheet.ac
    else:
        name, base = f"{profile.against.capitalize()} Save", sheet.save(Attribute(profile.against))
    number = base + sheet.round_def
    lines = [sum_line(told("{} of {}", name, target.called), None, str(base), False)]
    if sheet.round_def:
        lines.append(sum_line("Defence this round", None, f"{sheet.round_def:+d}", False))
        lines.append(sum_line(f"{name} now", None, str(number), False))
    return number, name, tuple(lines)


_NEEDED: Memo[_Needed] = Memo(_needed, size=2048)


def judge(options: DraseOptions, natural: int | None, margin: int, *, can_crit: bool) -> str:
    """Tell miss, hit or critical by the natural face and the total minus the number.

    The total must reach the number (`meet_beats`), or exceed it. (Clarification 3.)
    """
    if options.natural == "auto" and natural == 1:
        return MISS
    hits = margin >= 0 if options.meet_beats else margin > 0
    if natural == 20:
        if hits or options.natural == "auto":
            return CRITICAL if can_crit and options.crit == "natural20" else HIT
        return MISS
    return HIT if hits else MISS


def can_crit(profile: AttackProfile) -> bool:
    """Tell whether an attack can be critical: a spell aimed at a Save never is."""
    return not (profile.spell and profile.against != "ac")


@dataclass(frozen=True, slots=True, eq=False)
class Odds:
    """The exact chances of an attack; like attacks share one."""

    miss: Fraction
    hit: Fraction
    critical: Fraction


def odds(book: Book, total: AttackSum, profile: AttackProfile) -> Odds:
    """Return the exact chances; rolls that differ by constants alone share one table."""
    options = book.options
    rules = (options.natural, options.crit, options.meet_beats)
    bare = Roll(total.roll.plus, total.roll.minus)
    return _odds(bare, total.number - total.roll.constant, rules, can_crit(profile))


@lru_cache(maxsize=4096)
def _odds(bare: Roll, need: int, rules: tuple[str, str, bool], critical: bool) -> Odds:
    options = DraseOptions(natural=rules[0], crit=rules[1], meet_beats=rules[2])
    bands = bare.classify(
        lambda natural, value: judge(options, natural, value - need, can_crit=critical), (1, 20)
    )
    return Odds(bands.of(MISS), bands.of(HIT), bands.of(CRITICAL))


def attack_refusals(book: Book, attack: Exchange) -> Iterator[Rejection]:
    """Yield every rule that stands against the attack."""
    attacker, profile = attack.attacker, attack.profile
    if attack.extras.direct:
        yield from _distance_refusals(attack)
        yield from _cover_refusals(attack.target, attack.situation)
    yield from _sight_refusals(book, attack)
    if attack.extras.non_lethal and not profile.physical:
        yield _refusal(
            "not_physical", f"{profile.name} is no physical attack; only those can spare.", attacker
        )
    if profile.spell:
        yield from _casting_refusals(book, attacker, profile)


def _distance_refusals(attack: Exchange) -> Iterator[Rejection]:
    profile, target = attack.profile, attack.target
    if not too_far(profile, attack.attacker.sheet, attack.situation.distance):
        return
    limit, _ = reach_of(profile, attack.attacker.sheet)
    what = "range" if profile.ranged else "reach"
    yield _refusal(
        f"out_of_{what}",
        f"{target.name} is {tiles(attack.situation.distance)} away; the {what} of {profile.name} "
        f"is {limit}.",
        target,
    )


def too_far(profile: AttackProfile, sheet: DraseSheet, distance: Distance) -> bool:
    """Tell whether a weapon cannot strike at this distance at all."""
    limit, _ = reach_of(profile, sheet)
    return not within(distance, limit) and has_limit(profile, sheet)


def has_limit(profile: AttackProfile, sheet: DraseSheet) -> bool:
    """Tell whether a weapon cannot strike at all beyond its reach or range."""
    return not profile.ranged or reach_of(profile, sheet)[1] is None


def reach_of(profile: AttackProfile, sheet: DraseSheet) -> tuple[int, int | None]:
    """Return the reach or range of a weapon, and the penalty beyond it, None if there is none.

    Under water normal range is halved unless the weapon is thrown, and nothing flies beyond it.
    """
    if profile.range_tiles is None:
        return profile.reach_tiles, None
    if not has(sheet, "immersed"):
        return profile.range_tiles, profile.beyond_range_penalty
    return profile.range_tiles if profile.thrown else profile.range_tiles // 2, None


def _cover_refusals(target: Fighter, situation: Situation) -> Iterator[Rejection]:
    for cover in situation.covers:
        if cover.grade is CoverLabel.FULL:
            yield _refusal(
                "full_cover", f"{target.name} is behind full cover: {cover.words}.", target
            )
        elif cover.grade is CoverLabel.EMBRASURE:
            yield _refusal(
                "embrasure",
                f"{target.name} is behind an embrasure; only an archer right behind it may shoot "
                "through.",
                target,
            )


def _sight_refusals(book: Book, attack: Exchange) -> Iterator[Rejection]:
    attacker, target, situation = attack.attacker, attack.target, attack.situation
    if not (situation.perceived or attack.extras.area):
        number = target.sheet.hidden_number
        text = f"{target.name} hides from {attacker.name}, who must perceive it first ({number})."
        yield _refusal("not_perceived", text, target)
    if situation.there.level is Obscuration.TOTAL:
        words = situation.there.words
        yield _refusal(
            "totally_obscured", f"{target.name} is totally obscured ({words}): no target.", target
        )
    blind = situation.here.level is Obscuration.TOTAL
    if blind and book.options.blind_inside_total == "no_targeting":
        words = situation.here.words
        yield _refusal("blind", f"{attacker.name} sees nothing out of the {words}.", attacker)
    includes = book.options.obscuration_between == "include"
    if includes and situation.between.level is Obscuration.TOTAL:
        words = situation.between.words
        yield _refusal("hidden_between", f"Nothing can be seen through the {words}.", target)


def mana_cost(book: Book, profile: AttackProfile) -> int:
    """Return what casting costs: mana for each level, a little for level 0."""
    if not profile.spell:
        return 0
    return book.number("mana_per_level") * profile.level or book.number("mana_level_zero")


def _casting_refusals(book: Book, attacker: Fighter, profile: AttackProfile) -> Iterator[Rejection]:
    sheet, cost = attacker.sheet, mana_cost(book, profile)
    if not sheet.free_hand:
        yield _refusal("no_free_hand", f"{attacker.name} has no free hand to cast with.", attacker)
    if not sheet.can_speak:
        yield _refusal("cannot_speak", f"{attacker.name} cannot speak the spell.", attacker)
    if sheet.mana < cost:
        yield _refusal(
            "no_mana",
            f"{profile.name} costs {cost} mana; {attacker.name} has {sheet.mana}.",
            attacker,
        )


def _own_stacks(
    _: Kept[_Stacks] | None,
    book: Book,
    sheet: DraseSheet,
    profile: AttackProfile,
    extras: Extras,
) -> _Stacks:
    """Gather the stacks that an attacker brings."""
    found = _Stacks()
    state = condition(book, sheet)
    found.bonus("Attack bonuses", sheet.attack_bonuses)
    found.bonus(profile.name, profile.bonuses)
    found.bonus_parts(state.of("attack_bonus"))
    found.bonus("Aimed", extras.aim, proposal=True)
    found.malus("Attack maluses", sheet.attack_maluses)
    found.malus_parts(state.of("attack_malus"))
    if not profile.ranged and not sheet.swims:
        found.malus_parts(state.of("melee_malus"))
    if profile.spell and sheet.impeded:
        found.malus("Impeding armour", book.number("impede_maluses"))
    if extras.non_lethal and not profile.non_lethal:
        found.malus("Non-lethal", book.number("non_lethal_maluses"))
    return found


def _their_stacks(
    _: Kept[_Stacks] | None, book: Book, sheet: DraseSheet, profile: AttackProfile
) -> _Stacks:
    """Gather the stacks that come from a target's statuses."""
    found = _Stacks()
    state = condition(book, sheet)
    found.bonus_parts(state.of("target_bonus"), " target")
    if profile.ranged:
        found.malus_parts(state.of("ranged_target_malus"), " target")
    else:
        found.bonus_parts(state.of("melee_target_bonus"), " target")
    if profile.against != "ac":
        found.bonus_parts(state.of("save_malus"), " target")
    return found


_OWN: Memo[_Stacks] = Memo(_own_stacks, size=1024)
_THEIRS: Memo[_Stacks] = Memo(_their_stacks, size=1024)
"""Sheets and weapons are told apart by identity: they are the same from forecast to forecast."""


def _stacks(book: Book, attack: Exchange) -> tuple[_Stacks, ...]:
    """Return the stacks of an attack: those of both creatures, and those of where they stand."""
    return (
        _OWN(book, attack.attacker.sheet, attack.profile, attack.extras),
        _THEIRS(book, attack.target.sheet, attack.profile),
        _place_stacks(book, attack.situation),
    )


def _place_stacks(book: Book, situation: Situation) -> _Stacks:
    """Gather the stacks that come from where the two stand."""
    found = _Stacks()
    if situation.drop > 0 and book.options.height_bonus == "1 bonus":
        found.bonus("Target is lower", book.number("height_bonus"))
    for words, count, proposal, evidence in obscuration(book, situation):
        found.malus(words, count, proposal=proposal, evidence=evidence)
    return found


def obscuration(
    book: Book, situation: Situation
) -> Iterator[tuple[Told, int, bool, Evidence | None]]:
    """Yield the maluses of obscuration: words, stacks, whether it is a proposal, evidence.

    The worst of both ends, once; or, by `obscuration_combine`, both ends, a shared area once.
    """
    ends = [situation.here, situation.there]
    if book.options.obscuration_between == "include":
        ends.append(situation.between)
    hazes = [haze for haze in ends if haze.level is not Obscuration.NONE]
    if book.options.obscuration_combine == "worst":
        hazes = sorted(hazes, key=lambda haze: haze.level.rank)[-1:]
    seen: set[str] = set()
    for haze in hazes:
        if haze.sources and haze.sources <= seen:
            continue
        seen |= haze.sources
        yield haze.words, haze_maluses(book, haze), haze.level is Obscuration.TOTAL, haze.evidence


def haze_maluses(book: Book, haze: Haze) -> int:
    """Return the maluses of a level; total counts as heavy for who aims out of it."""
    if haze.level is Obscuration.NONE:
        return 0
    return book.number("light_maluses" if haze.level is Obscuration.LIGHT else "heavy_maluses")


def _flats(book: Book, attack: Exchange) -> list[_Flat]:
    """Return the flat numbers: to hit, height as a number, cover, the range penalty."""
    profile, situation = attack.profile, attack.situation
    found = [_Flat(attack.attacker.sheet.to_hit + profile.to_hit, "To hit")]
    if situation.drop > 0 and book.options.height_bonus == "flat +1":
        found.append(_Flat(book.number("height_bonus"), "Target is lower"))
    if not attack.extras.direct:
        return found
    for cover in counted_covers(book, situation):
        row = book.covers[cover.grade]
        found.append(_Flat(0 if row.blocks else -row.penalty, cover=cover))
    limit, penalty = reach_of(profile, attack.attacker.sheet)
    if profile.ranged and penalty and not within(situation.distance, limit):
        found.append(_Flat(-penalty, "Beyond the range", proposal=True))
    return found


def counted_covers(book: Book, situation: Situation) -> list[Cover]:
    """Return the covers with a penalty: the worst single one, or all by `cover_stack`."""
    partial = [each for each in situation.covers if book.covers[each.grade].penalty]
    partial.sort(key=lambda each: book.covers[each.grade].penalty)
    return partial[-1:] if book.options.cover_stack == "worst" else partial


def cover_line(book: Book, cover: Cover) -> Modifier:
    """Return the line of one cover; one that forbids the attack has no number."""
    row = book.covers[cover.grade]
    value = None if row.blocks else -row.penalty
    text = "no attack" if value is None else f"-{row.penalty}"
    line = sum_line(told("{}: {}", row.label, cover.words), value, text, row.proposal)
    return line if cover.evidence is None else line.changed(evidence=cover.evidence)


def tiles(value: Distance) -> str:
    """Return a distance in words."""
    number = f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return f"{number} tile" if number == "1" else f"{number} tiles"


@lru_cache(maxsize=2048)
def sum_line(label: Told | str, value: int | None, text: str, proposal: bool = False) -> Modifier:
    """Return a line; a label that is a string is in the rules' own words, which all may read."""
    words = told("{}", label)
    return Modifier(
        label=words.gm, value=value, text=text, proposal=proposal, players=words.players
    )


def _refusal(code: str, sentence: str, about: Fighter) -> Rejection:
    return Rejection(code=code, sentence=sentence, token_id=about.id)


def _stacked(count: int, word: str) -> str:
    if count == 1:
        return f"1 {word}"
    return f"{count} {word}es"


def _signed(roll: Roll) -> str:
    text = str(roll)
    return text if text.startswith("-") else f"+{text}"
