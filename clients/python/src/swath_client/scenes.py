"""Search for scenes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from .steps import GeoJson, Request, Steps, ask

#: The largest page of the service.
PAGE = 500


@dataclass(frozen=True)
class Scene:
    """A scene that a search has found."""

    view_id: str
    scene_id: str
    date: date
    #: Percent of the scene; None if the dataset does not say.
    cloud_cover: float | None
    #: GeoJSON of its outline.
    footprint: GeoJson | None
    #: Template of its tiles, with {band}, {z}, {x} and {y}; without a key.
    tiles: str
    #: A small picture that needs no key.
    thumbnail: str | None
    #: All fields of the hit.
    fields: Mapping[str, Any]


def search(
    dataset: str,
    *,
    start: date | str | None = None,
    end: date | str | None = None,
    area: GeoJson | None = None,
    max_cloud: float | None = None,
    where: Mapping[str, Any] | None = None,
    sort: Mapping[str, str] | None = None,
    limit: int | None = 100,
) -> Steps[list[Scene]]:
    """Finds scenes of a dataset, newest first.

    ``dataset`` is an id such as ``sentinel2l2a`` or the abbreviation of a sensor such as ``S2L2A``. ``start`` and ``end`` are
    days, both included. ``area`` is GeoJSON. ``max_cloud`` is a percentage. ``where`` has further filters in the words of the
    interface. ``limit`` is how many scenes are wanted; None for all.
    """
    filters: dict[str, Any] = dict(where or {})
    if start is not None or end is not None:
        ends = {"from": start, "to": end}
        filters["date"] = {name: str(day) for name, day in ends.items() if day is not None}
    if max_cloud is not None:
        filters["cloudCoverage"] = {"to": max_cloud}
    if area is not None:
        filters["shape"] = to_geometry(area)
    found: list[Scene] = []
    page = 1
    while limit is None or len(found) < limit:
        # Pages of one size, so that none overlaps the one before.
        size = PAGE if limit is None else min(PAGE, limit)
        body = {"search": filters, "sort": dict(sort or {"date": "desc"}), "page": page, "limit": size}
        reply = yield from ask(Request("POST", f"/api/lms/search/v2/{dataset}", json=body))
        answer = reply.json()
        found += [_to_scene(hit) for hit in answer["results"]]
        if page * size >= answer["meta"]["found"] or not answer["results"]:
            break
        page += 1
    return found if limit is None else found[:limit]


def _to_scene(hit: Mapping[str, Any]) -> Scene:
    cloud = hit.get("cloudCoverage")
    return Scene(
        view_id=hit["view_id"],
        scene_id=hit["sceneID"],
        date=date.fromisoformat(hit["date"][:10]),
        cloud_cover=None if cloud is None else float(cloud),
        footprint=hit.get("dataGeometry"),
        tiles=hit["tms"],
        thumbnail=hit.get("thumbnail"),
        fields=hit,
    )


def sensors() -> Steps[list[Mapping[str, Any]]]:
    """The sensors of the service, with their datasets and bands."""
    reply = yield from ask(Request("GET", "/api/sensors"))
    listed: list[Mapping[str, Any]] = reply.json()["sensors"]
    return listed


def to_geometry(area: GeoJson) -> GeoJson:
    """The geometry of a feature; a geometry itself."""
    return area["geometry"] if area.get("type") == "Feature" else area


def to_view_id(scene: Scene | str) -> str:
    """The view id of a scene, or a view id itself."""
    return scene if isinstance(scene, str) else scene.view_id


def join(names: str | Sequence[str]) -> str:
    """One expression, or several with commas between them."""
    return names if isinstance(names, str) else ",".join(names)
