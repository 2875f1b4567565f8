"""Geometry queries: they answer with evidence and change nothing."""

import argparse
import os
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from pydantic import ValidationError

from engine.cli.output import modifier_line, percent, say, say_json, say_table
from engine.cli.places import cell_of, figure_of, token_of
from engine.formats.safe_json import parse_json
from engine.geometry.area import Coverage, area_cells
from engine.geometry.boards import wall_set
from engine.geometry.cover import covers
from engine.geometry.knowledge import sees
from engine.geometry.routes import reach_of, route
from engine.geometry.visibility import visibility_polygon
from engine.geometry.vision import light_at, look_of
from engine.grid.footprint import token_cells
from engine.grid.grid import board_grid
from engine.model.encounter import Encounter
from engine.model.light import Ambient
from engine.model.refusal import Rejected, complaint, impossible
from engine.model.region import AreaShape
from engine.model.space import Cell, Point
from engine.session import Session


def reach(arguments: argparse.Namespace) -> None:
    """List the cells that a token can get to, with their costs."""
    with Session.open(Path(arguments.file), read_only=True) as session:
        encounter = session.encounter
        token = token_of(encounter, arguments.token)
        rules = session.ruleset.movement(encounter, token.id)
        if arguments.budget is not None:
            rules = replace(rules, budget=arguments.budget)
        found = reach_of(encounter, token, rules)
        grid = board_grid(encounter.board.grid)
    if arguments.json:
        cells = [{"cell": cell, "cost": cost} for cell, cost in found.cells().items()]
        say_json({"token": token.id, "budget": rules.budget, "cells": cells})
        return
    say_table((grid.label(cell), str(cost)) for cell, cost in found.cells().items())


def measure(arguments: argparse.Namespace) -> None:
    """Measure over cells: as a range, or with --token as that token would walk."""
    with Session.open(Path(arguments.file), read_only=True) as session:
        encounter = session.encounter
        grid = board_grid(encounter.board.grid)
        cells = [cell_of(grid, text) for text in arguments.cells]
        if arguments.token is None:
            _measure_range(arguments, session, cells)
            return
        token = token_of(encounter, arguments.token)
        rules = replace(session.ruleset.movement(encounter, token.id), budget=None)
        found = route(encounter, token, cells, rules)
    if found.path is None:
        raise Rejected(found.refusals[0])
    if arguments.json:
        say_json({"cost": found.path.cost, "steps": [step._asdict() for step in found.path.steps]})
        return
    say_table(
        (grid.label(step.cell), str(step.cost), ", ".join(step.reasons))
        for step in found.path.steps
    )
    say(f"{found.path.cost} in all")


def sight(arguments: argparse.Namespace) -> None:
    """Show how much of a target is seen, by what light, and what stands in the way."""
    with Session.open(Path(arguments.file), read_only=True) as session:
        encounter = session.encounter
    encounter, viewer = figure_of(encounter, arguments.viewer)
    encounter, target = figure_of(encounter, arguments.target)
    (found,) = covers(encounter, viewer, [target])
    visible, seen = 1 - found.hidden, sees(encounter, viewer, target)
    light = light_at(encounter, look_of(encounter.board, target).place.point)
    if arguments.json:
        say_json({"visible": visible, "light": light, "seen": seen, "evidence": found.evidence})
        return
    say(f"Walls leave {percent(visible)} of {target.name} in the line of sight of {viewer.name}.")
    if seen:
        say(f"{viewer.name} sees {target.name}; the light there is {light}.")
    else:
        say(f"{viewer.name} does not see {target.name}: {_why_unseen(visible, light)}.")
    if found.evidence.walls:
        say(f"walls: {', '.join(found.evidence.walls)}")


def _why_unseen(visible: Fraction, light: Ambient) -> str:
    if not visible:
        return "walls hide all of it"
    if light is Ambient.DARK:
        return "it is dark there"
    return "only an edge is in view, no middle of a cell, or it is beyond sight"


def cover(arguments: argparse.Namespace) -> None:
    """Show what a target is covered by: the ruleset's grade, the hidden fraction, the evidence."""
    with Session.open(Path(arguments.file), read_only=True) as session:
        encounter, viewer = figure_of(session.encounter, arguments.viewer)
        encounter, target = figure_of(encounter, arguments.target)
        (found,) = covers(encounter, viewer, [target])
        graded = session.ruleset.cover(encounter, viewer.id, target.id)
    if arguments.json:
        say_json({"hidden": found.hidden, "evidence": found.evidence, "covers": graded})
        return
    say(f"{target.name} is {percent(found.hidden)} hidden by walls from {viewer.name}.")
    say_table(modifier_line(line) for line in graded)
    if found.evidence.walls:
        say(f"walls: {', '.join(found.evidence.walls)}")


def area(arguments: argparse.Namespace) -> None:
    """List the cells that a shape covers, and who stands there."""
    try:
        shape = AreaShape.model_validate(parse_json(os.fsencode(arguments.shape), "the shape"))
    except ValidationError as error:
        raise impossible("bad_shape", f"shape: {complaint(error)}") from error
    with Session.open(Path(arguments.file), read_only=True) as session:
        encounter = session.encounter
    grid = board_grid(encounter.board.grid)
    seen = _seen_from(encounter, shape) if arguments.blocked else None
    cells = area_cells(grid, shape, Coverage(arguments.coverage), seen=seen)
    held = frozenset(cells)
    inside = [
        token.id
        for token in encounter.tokens.values()
        if held.intersection(token_cells(grid, token))
    ]
    if arguments.json:
        say_json({"cells": cells, "tokens": inside})
        return
    say(" ".join(grid.label(cell) for cell in cells) or "no cell")
    say(*inside)


def _seen_from(encounter: Encounter, shape: AreaShape) -> list[tuple[Point, ...]]:
    grid = board_grid(encounter.board.grid)
    sight = visibility_polygon(wall_set(encounter.board), shape.origin, bounds=grid.bounds)
    return [tuple((float(x), float(y)) for x, y in sight.ring)]


def _measure_range(arguments: argparse.Namespace, session: Session, cells: list[Cell]) -> None:
    if len(cells) < 2:
        raise impossible("one_cell", "Name at least two cells to measure between.")
    found = session.ruleset.measure(session.encounter, cells)
    if arguments.json:
        say_json(found)
        return
    grid = board_grid(session.encounter.board.grid)
    say_table(
        (grid.label(leg.start), grid.label(leg.end), f"{leg.length:g}", ", ".join(leg.reasons))
        for leg in found.legs
    )
    say(found.label)
