"""A client of Swath: scenes, pictures, statistics, fields, orders and weather, as NumPy, xarray and pandas."""

from .client import AsyncSwath, Swath, progress_bar
from .scenes import Scene
from .steps import SwathError
from .version import __version__

__all__ = ["AsyncSwath", "Scene", "Swath", "SwathError", "__version__", "progress_bar"]
