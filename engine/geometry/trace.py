"""The way back through a finished flood."""

from collections.abc import Collection
from typing import NamedTuple

from engine.geometry.flood import Flood
from engine.geometry.network import Link, Network
from engine.model.space import Point


class State(NamedTuple):
    """A figure in a flood: the cost at which it is there, its layer, its bit, and if it halted."""

    cost: int
    layer: int
    bit: int
    ended: bool


class Taken(NamedTuple):
    """A link that was taken and the state that it led to."""

    link: Link
    state: State


def trace(
    net: Network, found: Flood, end: State, starts: Collection[tuple[int, int, int]]
) -> tuple[State, tuple[Taken, ...]]:
    """Return the start state of a path to `end`, and its moves in order.

    `starts` are (cost, layer, bit). Among equally cheap ways the one nearest to the straight line
    is taken: it looks the way a person would move the figure.
    """
    grid, frame = net.grid, net.frame
    goal = grid.center(frame.cell(end.bit))
    begin = grid.center(frame.cell(next(iter(starts))[2]))

    def off_line(state: State) -> float:
        return _off(begin, goal, grid.center(frame.cell(state.bit)))

    moves: list[Taken] = []
    here = end
    while (here.cost, here.layer, here.bit) not in starts or here.ended:
        before = _paid_steps(net, found, here)
        if not before:
            turns = _free_turns(net, found, here, starts)
            moves += turns
            here = _source(turns[-1])
            continue
        link, state = min(before, key=lambda pair: off_line(pair[1]))
        moves.append(Taken(link, here))
        here = state
    return here, tuple(reversed(moves))


def _source(move: Taken) -> State:
    link, state = move
    return State(state.cost - link.cost, link.source, state.bit - link.shift, False)


def _stands(found: Flood, state: State) -> bool:
    level = found.levels.get(state.cost)
    return state.bit >= 0 and level is not None and bool(level.live[state.layer] >> state.bit & 1)


def _steps(net: Network, found: Flood, here: State, free: bool) -> list[tuple[Link, State]]:
    """Return the links that lead here, and where each comes from."""
    ways = []
    for link in net.links_into.get((here.layer, here.ended), ()):
        source = _source(Taken(link, here))
        if (link.cost == 0) == free and _stands(found, source) and link.mask >> source.bit & 1:
            ways.append((link, source))
    return ways


def _paid_steps(net: Network, found: Flood, here: State) -> list[tuple[Link, State]]:
    return _steps(net, found, here, free=False)


def _free_turns(
    net: Network, found: Flood, here: State, starts: Collection[tuple[int, int, int]]
) -> list[Taken]:
    """Return the shortest chain of free turns, last first, behind which a paid step stands."""
    chains: list[tuple[State, list[Taken]]] = [(here, [])]
    seen = {here}
    for state, chain in chains:
        arrived = (state.cost, state.layer, state.bit) in starts or _paid_steps(net, found, state)
        if chain and arrived:
            return chain
        for link, source in _steps(net, found, state, free=True):
            if source not in seen:
                seen.add(source)
                chains.append((source, [*chain, Taken(link, state)]))
    raise AssertionError("a state of the flood has no way that leads to it")


def _off(begin: Point, goal: Point, point: Point) -> float:
    """Return how far a point lies off the line from begin to goal, times its length, rounded."""
    dx, dy = goal[0] - begin[0], goal[1] - begin[1]
    return round(abs(dx * (point[1] - begin[1]) - dy * (point[0] - begin[0])), 6)
