"""Pictures that were looked at and found right, kept under `tests/golden`.

`UPDATE_GOLDEN=1 python -m pytest ...` writes them anew; look at them before committing. Compared
with a little patience, because another release of Qt may round a colour otherwise.
"""

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

FOLDER = Path(__file__).resolve().parents[1] / "golden"
_CLEAR = 24
_SHARE = 0.004


def assert_golden(pixels: NDArray[np.uint8], name: str) -> None:
    """Compare (height, width, 3) pixels with a golden picture."""
    path = FOLDER / f"{name}.png"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(pixels).save(path)
    golden = np.asarray(Image.open(path).convert("RGB"))
    assert pixels.shape == golden.shape, f"{name}: {pixels.shape} instead of {golden.shape}"
    off = np.abs(pixels.astype(int) - golden.astype(int)).max(axis=2)
    share = float((off > _CLEAR).mean())
    assert share <= _SHARE, f"{name}: {share:.2%} of the pixels differ"
