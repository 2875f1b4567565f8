"""What one audience may see of an encounter and its stage: a pure projection.

Secrets are removed by `project` and nowhere else.
"""

from engine.view.projection import project
from engine.view.values import FogView, Projected, TokenView, View

__all__ = ["FogView", "Projected", "TokenView", "View", "project"]
