"""Tiles, images and points of scenes and mosaics."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from .scenes import Scene, join, to_view_id
from .steps import GeoJson, Request, Steps, ask, need

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import xarray as xr

#: west, south, east, north in degrees.
Bounds = tuple[float, float, float, float]


def tile(
    scene: Scene | str, bands: str | Sequence[str], z: int, x: int, y: int, **style: Any
) -> Steps[npt.NDArray[np.uint8]]:
    """A map tile as an array of rows, columns and red, green, blue, alpha.

    ``style`` has the parameters of a picture, such as ``STRETCH="natural"``, ``COLORMAP="viridis"`` or ``MIN_MAX="0,1"``.
    """
    path = f"/api/render/{to_view_id(scene)}/{_to_segment(bands)}/{z}/{x}/{y}"
    return (yield from _draw(path, style))


def image(
    scene: Scene | str,
    bands: str | Sequence[str],
    bounds: Bounds,
    *,
    width: int = 512,
    height: int | None = None,
    **style: Any,
) -> Steps[xr.DataArray]:
    """A picture of bounds in degrees, as an array with coordinates ``y``, ``x`` and ``band`` (red, green, blue, alpha).

    The height follows from the bounds if it is left out. The reference system is EPSG:4326, unless ``crs`` is given.
    """
    xr = need("xarray")
    np = need("numpy")
    west, south, east, north = bounds
    rows = height or max(1, round(width * (north - south) / (east - west)))
    path = f"/api/render/{to_view_id(scene)}/{_to_segment(bands)}/0/{west};{east};4326/{north};{south};4326"
    pixels = yield from _draw(path, {"crs": "EPSG:4326", "TILE_SIZE": f"{width},{rows}", **style})
    step_x, step_y = (east - west) / width, (north - south) / rows
    return xr.DataArray(
        pixels,
        dims=("y", "x", "band"),
        coords={
            "y": north - (np.arange(rows) + 0.5) * step_y,
            "x": west + (np.arange(width) + 0.5) * step_x,
            "band": ["red", "green", "blue", "alpha"],
        },
        attrs={"crs": style.get("crs", "EPSG:4326"), "view_id": to_view_id(scene), "bands": join(bands)},
    )


def mosaic_tile(
    sensors: str | Sequence[str], period: str, bands: str | Sequence[str], z: int, x: int, y: int, **style: Any
) -> Steps[npt.NDArray[np.uint8]]:
    """A tile of a mosaic of many scenes, such as ``mosaic_tile("S2L2A", "2026-07", "B04,B03,B02", …)``."""
    path = f"/api/mosaic/{join(sensors)}/{period}/{_to_segment(bands)}/{z}/{x}/{y}"
    return (yield from _draw(path, style))


def point(
    scene: Scene | str, expression: str, lat: float, lon: float, *, calibrate: bool = True
) -> Steps[float | None]:
    """The value of a band, an index or band math at a point; None where there is no data.

    With ``calibrate`` (the default) values are reflectance, kelvins or sigma nought, and otherwise the stored numbers.
    """
    sensor, _, name = to_view_id(scene).partition("/")
    path = f"/api/render/{sensor}/point/{name}/{_to_segment(expression)}/{lat}/{lon}"
    reply = yield from ask(Request("GET", path, params={"CALIBRATE": 1 if calibrate else 0}))
    value = reply.json()["index_value"]
    return None if value is None else float(value)


def tile_url(base_url: str, scene: Scene | str, bands: str | Sequence[str], **style: Any) -> str:
    """The address template of tiles for map programs, without a key."""
    query = "&".join(f"{name}={quote(str(value))}" for name, value in style.items())
    path = f"{base_url}/api/render/{to_view_id(scene)}/{_to_segment(bands)}/{{z}}/{{x}}/{{y}}"
    return f"{path}?{query}" if query else path


def store_area(area: GeoJson) -> Steps[str]:
    """Stores an area, and gives the reference that pictures take as ``cropper_ref``."""
    reply = yield from ask(Request("POST", "/api/render/cropper", json=area))
    return str(reply.json()["cropper_ref"])


def _to_segment(bands: str | Sequence[str]) -> str:
    # Slashes are division in an expression, and would be folders in an address.
    return quote(join(bands), safe=",;")


def _draw(path: str, style: Mapping[str, Any]) -> Steps[npt.NDArray[np.uint8]]:
    np = need("numpy")
    pil = need("PIL.Image")
    reply = yield from ask(Request("GET", path, params={"mimetype": "image/png", **style}))
    with pil.open(io.BytesIO(reply.body)) as picture:
        return np.asarray(picture.convert("RGBA"))
