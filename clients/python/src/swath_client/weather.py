"""Weather and terrain of a place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from .scenes import to_geometry
from .steps import GeoJson, Request, Steps, ask, need

if TYPE_CHECKING:
    import pandas as pd


def weather(
    place: GeoJson,
    *,
    start: date | str,
    end: date | str,
    fields: Sequence[str] = (),
    step: str = "day",
    **more: Any,
) -> Steps[pd.DataFrame]:
    """Past weather of a point or an area, one row for each day (or hour, with ``step="hour"``).

    ``fields`` may add ``growing_degree_days``, ``reference_evapotranspiration``, ``water_balance`` and others. The source is
    in ``attrs["source"]`` of the table.
    """
    body = {
        "geometry": to_geometry(place),
        "start_date": str(start),
        "end_date": str(end),
        "step": step,
        **({"fields": list(fields)} if fields else {}),
        **more,
    }
    return (yield from _to_table(Request("POST", "/api/cz/backend/forecast-history", json=body)))


def forecast(place: GeoJson, *, days: int = 14) -> Steps[pd.DataFrame]:
    """The coming days of a point or an area."""
    body = {"geometry": to_geometry(place), "days": days}
    return (yield from _to_table(Request("POST", "/api/cz/backend/forecast", json=body)))


def elevation(lat: float, lon: float) -> Steps[float | None]:
    """Metres above the sea at a point; None where no model knows."""
    reply = yield from ask(Request("GET", f"/api/render/terrain/point/{lat}/{lon}"))
    value = reply.json()["index_value"]
    return None if value is None else float(value)


def _to_table(request: Request) -> Steps[pd.DataFrame]:
    pd = need("pandas")
    reply = yield from ask(request)
    rows: Sequence[Mapping[str, Any]] = reply.json()
    table = pd.DataFrame(rows)
    if "date" in table:
        table["date"] = pd.to_datetime(table["date"])
    table.attrs["source"] = reply.headers.get("x-weather-source")
    return table
