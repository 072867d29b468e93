"""Fields: pieces of land with names, stored at the service."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .scenes import to_geometry
from .steps import GeoJson, Request, Steps, ask, need

if TYPE_CHECKING:
    import pandas as pd


def fields(*, group: str | None = None, limit: int | None = None, **filters: Any) -> Steps[pd.DataFrame]:
    """The fields of the key as a table: id, name, group, crop, sown_on, hectares, last_values and others.

    ``filters`` are those of the interface: ``crop``, ``text``, ``bbox``, ``sort`` and others.
    """
    pd = need("pandas")
    rows: list[Mapping[str, Any]] = []
    after: str | None = None
    while True:
        wanted = {"limit": 1000 if limit is None else min(1000, limit - len(rows)), "group": group, "after": after}
        params = {name: value for name, value in {**filters, **wanted}.items() if value is not None}
        answer = (yield from ask(Request("GET", "/api/fields", params=params))).json()
        rows += answer["fields"]
        after = answer["next"]
        if after is None or (limit is not None and len(rows) >= limit):
            return pd.DataFrame(rows)


def add_field(area: GeoJson, *, name: str, **properties: Any) -> Steps[Mapping[str, Any]]:
    """Stores a field; ``properties`` may have ``group``, ``crop``, ``sown_on`` and ``external_id``."""
    body = {"geometry": to_geometry(area), "name": name, **properties}
    reply = yield from ask(Request("POST", "/api/fields", json=body))
    field: Mapping[str, Any] = reply.json()
    return field


def delete_field(field_id: str) -> Steps[None]:
    """Deletes a field."""
    yield from ask(Request("DELETE", f"/api/fields/{field_id}"))


def import_fields(file: Path | str, **options: Any) -> Steps[Mapping[str, Any]]:
    """Imports all fields of a file (GeoJSON, GeoPackage, zipped Shapefile, GeoParquet, KML, CSV), and gives the report."""
    request = Request("POST", "/api/fields/import", params=options, content=Path(file))
    report: Mapping[str, Any] = (yield from ask(request)).json()
    return report
