"""Cut segments where they meet, so that walls touch at shared, bit-identical points only.

Visibility sorts walls between events, which is sound only if no two walls swap there. Noding is
done once, when walls are edited; doors are toggled by flags afterwards.
"""

from typing import NamedTuple

import numpy as np

from engine.geometry.arrays import TOUCH, Bools, Floats, Ints, cross, near_pairs

_MAX_ROUNDS = 4  # what is still uncut then crosses by rounding only

_PAIRS, _PAIRS_EACH = 1 << 18, 32
_CUTS, _CUTS_EACH = 1 << 18, 4
_CHUNKS = 16
"""So many pairs are looked at and cuts made at most, and so many more for each segment.

A drawn map has three pairs and less than one cut per segment; twenty thousand segments across
one another would have hundreds of millions, more than memory holds. Chunks of the join are
counted too: pieces that share a small place cost time although their boxes do not touch.
"""


class Noded(NamedTuple):
    """Noded segments: vertices (v, 2), ends (n, 2) into them, and each one's source (n,).

    Sources from number `taken` on were left out.
    """

    vertices: Floats
    ends: Ints
    source: Ints
    taken: int


class _CrowdedError(Exception):
    """There are more pairs or more cuts than can be looked at."""


class _Cuts(NamedTuple):
    """Places at which segments must be cut: segment, fraction of its length, vertex."""

    segment: Ints
    fraction: Floats
    vertex: Ints


def weld(points: Floats) -> tuple[Floats, Ints]:
    """Return vertices (v, 2) and the vertex of each point; points within TOUCH become one.

    The vertex is the first of its points, unchanged, so that untouched coordinates keep their bits.
    """
    strip = _clusters(points[:, 0], np.zeros(len(points), dtype=np.int64))
    group = _clusters(points[:, 1], strip)
    _, first, inverse = np.unique(group, return_index=True, return_inverse=True)
    return points[first], inverse


def node(segs: Floats) -> Noded:
    """Cut segments (n, 2, 2) at crossings, T-joints and overlaps.

    Pieces keep the direction of their source. Segments shorter than TOUCH vanish. Where too many
    lie across or upon one another, only a first half, quarter and so on of all is taken.
    """
    taken = len(segs)
    while True:
        try:
            return _node(segs[:taken])
        except _CrowdedError:
            taken //= 2


def _node(segs: Floats) -> Noded:
    vertices, inverse = weld(segs.reshape(-1, 2))
    ends = inverse.reshape(-1, 2)
    source = np.arange(len(segs))
    settled = np.zeros(len(segs), dtype=np.bool_)
    for _ in range(_MAX_ROUNDS):
        keep = ends[:, 0] != ends[:, 1]
        ends, source, settled = ends[keep], source[keep], settled[keep]
        known = vertices
        vertices, cuts = _find_cuts(vertices, ends, settled)
        if not len(cuts.segment):
            break
        vertices, inverse = weld(vertices)
        stayed = (vertices[inverse[: len(known)]] == known).all(axis=1)[ends].all(axis=1)
        stayed[cuts.segment] = False
        ends, piece_of = _cut(inverse[ends], cuts._replace(vertex=inverse[cuts.vertex]))
        source, settled = source[piece_of], stayed[piece_of]
    return Noded(vertices, ends, source, len(segs))


def _clusters(values: Floats, within: Ints) -> Ints:
    """Return cluster numbers: values nearer than TOUCH to the next one, inside each group."""
    order = np.lexsort((values, within))
    new = np.diff(values[order], prepend=-np.inf) > TOUCH
    new |= np.diff(within[order], prepend=-1) != 0
    label = np.empty(len(values), dtype=np.int64)
    label[order] = np.cumsum(new)
    return label


def _find_cuts(vertices: Floats, ends: Ints, settled: Bools) -> tuple[Floats, _Cuts]:
    """Return the vertices, crossings added, and every cut that the segments need.

    Settled segments are known not to cut one another.
    """
    segs = vertices[ends]
    rest = np.flatnonzero(~settled)
    found: list[_Cuts] = []
    crossings: list[Floats] = []
    count = len(vertices)
    pairs = cut = 0
    for chunk, (place, j) in enumerate(near_pairs(segs[rest], segs)):
        i = rest[place]
        once = (i < j) | settled[j]
        i, j = np.minimum(i, j)[once], np.maximum(i, j)[once]  # noqa: PLW2901
        pairs += len(i)
        if chunk >= _CHUNKS or pairs > _PAIRS + _PAIRS_EACH * len(segs):
            raise _CrowdedError
        jointed = np.zeros(len(i), dtype=np.bool_)
        for one, other in ((i, j), (j, i)):
            for end in (0, 1):
                hit, cuts = _joints(segs, ends, one, ends[other, end], vertices)
                jointed |= hit
                found.append(cuts)
        points, i, j, at_i, at_j = _crossings(segs, i[~jointed], j[~jointed])  # noqa: PLW2901
        index = count + np.arange(len(points))
        count += len(points)
        crossings.append(points)
        found += [_Cuts(i, at_i, index), _Cuts(j, at_j, index)]
        cut += sum(len(each.segment) for each in found[-6:])
        if cut > _CUTS + _CUTS_EACH * len(segs):
            raise _CrowdedError
    if not found:
        nothing = np.zeros(0, dtype=np.int64)
        return vertices, _Cuts(nothing, np.zeros(0), nothing)
    return np.concatenate((vertices, *crossings)), _Cuts(
        *(np.concatenate(parts) for parts in zip(*found, strict=True))
    )


def _joints(
    segs: Floats, ends: Ints, segment: Ints, vertex: Ints, vertices: Floats
) -> tuple[Bools, _Cuts]:
    """Tell which vertices lie on the given segments, and the cuts of those inside."""
    start = segs[segment, 0]
    along = segs[segment, 1] - start
    offset = vertices[vertex] - start
    squared = (along**2).sum(axis=1)
    fraction = np.clip((along * offset).sum(axis=1) / squared, 0, 1)
    gap = offset - fraction[:, None] * along
    on = (gap**2).sum(axis=1) <= TOUCH**2
    inside = on & (vertex != ends[segment, 0]) & (vertex != ends[segment, 1])
    return on, _Cuts(segment[inside], fraction[inside], vertex[inside])


def _crossings(segs: Floats, i: Ints, j: Ints) -> tuple[Floats, Ints, Ints, Floats, Floats]:
    """Return the points at which pairs cross in their inside, the pairs and their fractions."""
    start_i, start_j = segs[i, 0], segs[j, 0]
    along_i, along_j = segs[i, 1] - start_i, segs[j, 1] - start_j
    area = cross(along_i, along_j)
    with np.errstate(divide="ignore", invalid="ignore"):
        at_i = cross(start_j - start_i, along_j) / area
        at_j = cross(start_j - start_i, along_i) / area
    hit = (at_i > 0) & (at_i < 1) & (at_j > 0) & (at_j < 1)
    points = start_i[hit] + at_i[hit, None] * along_i[hit]
    return points, i[hit], j[hit], at_i[hit], at_j[hit]


def _cut(ends: Ints, cuts: _Cuts) -> tuple[Ints, Ints]:
    """Return ends and segments of the pieces, each in the direction of its segment."""
    whole = np.arange(len(ends))
    segment = np.concatenate((whole, cuts.segment, whole))
    fraction = np.concatenate((np.full(len(ends), -1.0), cuts.fraction, np.full(len(ends), 2.0)))
    vertex = np.concatenate((ends[:, 0], cuts.vertex, ends[:, 1]))
    order = np.lexsort((fraction, segment))
    segment, vertex = segment[order], vertex[order]
    piece = (segment[1:] == segment[:-1]) & (vertex[1:] != vertex[:-1])
    pieces = np.stack((vertex[:-1][piece], vertex[1:][piece]), axis=1)
    return pieces, segment[:-1][piece]
