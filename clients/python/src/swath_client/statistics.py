"""Statistics of areas and fields over time, and seasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from .scenes import to_geometry
from .steps import GeoJson, Progress, Reply, Request, Steps, ask, need
from .tasks import download_result, wait_for

if TYPE_CHECKING:
    import pandas as pd


def statistics(
    area: GeoJson,
    expressions: str | Sequence[str],
    *,
    start: date | str,
    end: date | str,
    sensors: str | Sequence[str] = "sentinel2l2a",
    max_cloud: float | None = None,
    **more: Any,
) -> Steps[pd.DataFrame]:
    """Indices in an area, scene by scene: one row for each scene and expression, oldest first.

    Columns: date, view_id, expression, average, min, max, std, median, p10, p90 and others, and cloud (percent of the area).
    ``more`` has further params of the interface. Scenes that could not be read are in ``attrs["errors"]`` of the table.
    """
    pd = need("pandas")
    body = {
        "geometry": to_geometry(area),
        "expressions": expressions,
        "sensors": sensors,
        "date_start": str(start),
        "date_end": str(end),
        **({} if max_cloud is None else {"max_cloud_cover_in_aoi": max_cloud}),
        **more,
    }
    answer = yield from _ask_patiently("/api/statistics", body)
    rows = [
        {
            "date": row["date"],
            "view_id": row["view_id"],
            "expression": expression,
            **{name: value for name, value in values.items() if not isinstance(value, (dict, list))},
            "cloud": row.get("cloud"),
        }
        for row in answer["results"]
        for expression, values in row["values"].items()
    ]
    table = pd.DataFrame(rows)
    if not table.empty:
        table["date"] = pd.to_datetime(table["date"])
        table = table.sort_values(["date", "expression"], ignore_index=True)
    table.attrs["errors"] = answer.get("errors", [])
    return table


def field_statistics(
    expressions: str | Sequence[str],
    *,
    start: date | str,
    end: date | str,
    group: str | None = None,
    fields: Sequence[str] | str | None = None,
    sensors: str | Sequence[str] = "sentinel2l2a",
    layout: str = "wide",
    progress: Progress | None = None,
    **more: Any,
) -> Steps[pd.DataFrame]:
    """Indices of many stored fields in every scene of a period, as one table.

    ``group`` names a group of fields; ``fields`` is a list of ids, or ``"all"``. ``more`` may ask for ``weather``,
    ``growing_degree_days`` and ``soil_moisture``. ``progress`` is called with the part that is done, from 0 to 1.
    """
    pd = need("pandas")
    chosen: dict[str, Any] = {} if group is None else {"group": group}
    if fields is not None:
        chosen["fields"] = fields
    params = {
        "bm_type": [expressions] if isinstance(expressions, str) else list(expressions),
        "sensors": sensors,
        "date_start": str(start),
        "date_end": str(end),
        "format": "parquet",
        "layout": layout,
        **chosen,
        **more,
    }
    reply = yield from ask(Request("POST", "/api", json={"type": "mt_stats", "params": params}))
    task_id = reply.json()["task_id"]
    yield from wait_for(task_id, progress=progress)
    with TemporaryDirectory() as folder:
        path = yield from download_result(task_id, Path(folder) / "table.parquet")
        return pd.read_parquet(path)


def season(
    area: GeoJson, expression: str = "NDVI", *, end: date | str, years: int = 5, **more: Any
) -> Steps[Mapping[str, Any]]:
    """The smooth curve of an index in an area, its seasons, normals of earlier years, and the anomaly of the newest value."""
    body = {
        "geometry": to_geometry(area),
        "expression": expression,
        "date_end": str(end),
        "years": years,
        **more,
    }
    return (yield from _ask_patiently("/api/phenology", body))


def _ask_patiently(path: str, body: Mapping[str, Any]) -> Steps[Mapping[str, Any]]:
    """An answer that may take longer than a request: then it is polled."""
    reply: Reply = yield from ask(Request("POST", path, json=body))
    if reply.status == 202:
        task_id = reply.json()["task_id"]
        yield from wait_for(task_id)
        where = urlsplit(reply.headers["location"]).path
        # Polls of statistics answer in the words of tasks; asked again, the measured values are at hand.
        again = Request("GET", where) if where.startswith(path) else Request("POST", path, json=body)
        reply = yield from ask(again)
    answer: Mapping[str, Any] = reply.json()
    return answer
