"""What the windows get: cards, the turn list, measured lines, forecasts of areas."""

from engine.commands.turn import BeginFight
from engine.model.region import AreaShape, ShapeKind
from engine.model.space import Cell
from engine.model.token import Token
from engine.model.value import FrozenMap
from engine.rules.drase.plans import Mode, SetupPlan, TravelPlan
from engine.rules.drase.sheet import AttackProfile, Effect
from engine.rules.drase.state import Phase
from engine.rules.ruleset import MovePlan, TargetKind
from tests.helpers.drase import Fight, creature, encounter, foe, plan, token


def duel(**fields: object) -> Fight:
    return Fight(encounter(token("Arn", 5, 5, **fields), foe("Orc", 6, 5)))


def test_a_card_shows_hit_points_statuses_and_the_defence():
    sheet = creature(
        temp_hp=4,
        round_def=-2,
        surprised=True,
        concentration="Glow",
        hidden_number=12,
        effects=(Effect(id="bleeding"), Effect(id="bleeding", duration_rounds=3)),
    )
    card = duel().ruleset.card(sheet)
    assert [(bar.label, bar.value) for bar in card.bars] == [
        ("Hit points", 20),
        ("Temporary hit points", 4),
    ]
    assert [badge.text for badge in card.badges] == ["Bl x2", "!", "C", "H"]
    assert card.badges[0].meaning == "Bleeding x2 (1 r, 3 r)"
    assert (card.detail, card.down) == ("AC 12 -2", False)


def test_equal_sheets_have_the_same_card():
    assert duel().ruleset.card(creature()) is duel().ruleset.card(creature())


def test_the_turn_list_begins_with_those_whose_phase_it_is():
    fight = duel()
    step = fight.ruleset.step(fight.now)
    assert (step.title, step.side) == ("Round 1: Players declare", "party")
    assert [(each.token_id, each.may_act) for each in step.entries] == [
        ("arn", True),
        ("orc", False),
    ]
    assert step.entries[0].detail == "2 half actions, reaction, 6 tiles"
    gm = fight.until(Phase.G3)
    assert [each.token_id for each in gm.ruleset.step(gm.now).entries] == ["orc", "arn"]


def test_the_button_says_what_it_will_do():
    fight = Fight(encounter(token("Arn", 5, 5), foe("Orc", 6, 5)), begin=False)
    fight.do(BeginFight())
    labels = [fight.ruleset.step(fight.now).end_label]
    fight.end()
    labels.append(fight.ruleset.step(fight.now).end_label)
    fight.action("arn", "attack", "orc").end()
    step = fight.ruleset.step(fight.now)
    labels.append(step.end_label)
    assert labels == ["Begin round 1", "End declaring", "Resolve all (1)"]
    assert step.entries[0].detail == "Attack: Orc (Sword)"


def test_the_incapacitated_and_the_surprised_are_told():
    fight = duel(hp=0)
    assert fight.ruleset.step(fight.now).entries[0].detail == "incapacitated"
    made = encounter(token("Arn", 5, 5, surprised=True))
    assert Fight(made).ruleset.step(made).title == "Setup"
    fight = Fight(made)
    assert fight.ruleset.step(fight.now).entries[0].detail == "surprised"


def test_setup_offers_surprise():
    fight = Fight(encounter(token("Arn", 5, 5), foe("Orc", 6, 5)), begin=False)
    fight.do(BeginFight())
    offer = fight.offers("orc")["surprised"]
    assert offer.plan == SetupPlan(token_id="orc", surprised=True)
    assert "surprised" not in fight.end().offers("orc")


def test_every_offer_names_cost_target_and_source():
    offers = duel().offers("arn")
    assert offers["attack:Sword"].target is TargetKind.TOKEN
    assert offers["move:walk"].target is TargetKind.PATH
    assert offers["ruling"].target is TargetKind.TEXT
    assert offers["attack:Sword"].proposal
    assert all(offer.source for offer in offers.values())


def test_a_line_is_measured_by_the_diagonal_rule_over_its_legs():
    fight = duel()
    found = fight.ruleset.measure(fight.now, [Cell(0, 0), Cell(1, 1), Cell(2, 2)])
    assert (found.total, [leg.length for leg in found.legs]) == (3, [1, 2])
    assert found.label == "3 tiles (6 m)"
    assert found.legs[0].reasons == ("1 diagonal: every second counts 2",)


def test_an_area_is_forecast_target_by_target_and_strikes_them_all():
    blast = AttackProfile(
        name="Blast", range_tiles=9, damage="3", area={"shape": "circle", "size": 1}
    )
    arn = token("Arn", 2, 5, attacks=[blast])
    foes = [foe("Orc", 8, 5), foe("Rat", 9, 5), foe("Owl", 11, 5)]
    fight = Fight(encounter(arn, *foes))
    shape = AreaShape(shape=ShapeKind.CIRCLE, origin=(8.5, 5.5), size=9)
    attack = plan("arn", "attack", shape=shape)
    found = fight.ruleset.forecast(fight.now, attack)
    assert [row.answer for row in found.rows] == ["Orc", "Rat"]
    assert fight.offers("arn")["attack:Blast"].target is TargetKind.AREA
    fight.act(attack).end().end().roll(19).roll(19)
    assert [fight.sheet(name).hp for name in ("orc", "rat", "owl")] == [17, 17, 20]


def test_a_move_is_forecast_with_its_price():
    fight = duel()
    found = fight.ruleset.forecast(fight.now, MovePlan(token_id="arn", path=(Cell(5, 8),)))
    assert [line.text for line in found.lines] == ["3 tiles", "6 tiles"]
    crawl = TravelPlan(token_id="arn", path=(Cell(5, 9),), mode=Mode.CRAWL)
    found = fight.ruleset.forecast(fight.now, crawl)
    assert found.refusals[0].sentence == (
        "Arn needs 8 tiles (crawl) and has 6 tiles of movement left."
    )


def test_tokens_without_a_sheet_are_scenery():
    chair = Token(id="chair", name="Chair", cell=Cell(7, 5))
    made = encounter(token("Arn", 5, 5), foe("Orc", 6, 5))
    fight = Fight(made.changed(tokens=FrozenMap({**made.tokens, "chair": chair})))
    assert fight.offers("chair") == {}
    assert "chair" not in [each.token_id for each in fight.ruleset.step(fight.now).entries]
    fight.until(Phase.P1, 2)


def test_every_kind_of_drase_has_a_name_of_its_own():
    kinds = duel().ruleset.codec
    assert len(kinds) == len(set(kinds))
    assert all(kind.startswith("drase_") for kind in kinds)


def test_while_a_roll_is_open_nothing_is_resolved_and_the_actor_is_not_done():
    fight = duel().action("arn", "attack", "orc", attack="Sword").end().end()
    assert fight.prompt is not None
    step = fight.ruleset.step(fight.now)
    assert step.subtitle == "A roll is open."
    (line,) = (each for each in step.entries if each.token_id == "arn")
    assert (line.done, line.detail) == (False, "at it now")


def test_who_acted_in_the_round_before_is_not_done_in_this_one():
    def done(fight: Fight) -> list[str]:
        return [each.token_id for each in fight.ruleset.step(fight.now).entries if each.done]

    fight = duel().action("arn", "total_defence").until(Phase.G3)
    assert done(fight) == ["arn"]
    assert done(fight.action("orc", "total_defence").until(Phase.P1, 2)) == []
