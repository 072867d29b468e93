"""Orders: work that takes longer than a request, and its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from .scenes import Scene, join, to_geometry, to_view_id
from .steps import GeoJson, Progress, Request, Steps, SwathError, Wait, ask, need

if TYPE_CHECKING:
    import xarray as xr


def order(kind: str, **params: Any) -> Steps[str]:
    """Orders a task (``lbe``, ``bandmath``, ``jpeg`` or ``mt_stats``), and gives its id."""
    reply = yield from ask(Request("POST", "/api", json={"type": kind, "params": params}))
    return str(reply.json()["task_id"])


def tasks(*, limit: int = 20) -> Steps[list[Mapping[str, Any]]]:
    """The newest tasks of the key, with their state and progress."""
    reply = yield from ask(Request("GET", "/api/tasks", params={"limit": limit}))
    listed: list[Mapping[str, Any]] = reply.json()["tasks"]
    return listed


def wait_for(task_id: str, *, progress: Progress | None = None) -> Steps[str | None]:
    """Waits until a task has ended, and gives the link to its file; raises SwathError if it failed."""
    pause = 0.2
    while True:
        reply = yield from ask(Request("GET", f"/api/{task_id}"), accept=(200, 303))
        if reply.status == 303:
            if progress is not None:
                progress(1.0)
            return reply.headers["location"]
        state = reply.json()
        if state.get("task_type") == "error" or state.get("error_status"):
            raise SwathError(200, str(state.get("error_status")), str(state.get("error_message")))
        if state.get("task_type") == "finish":
            return None
        if progress is not None:
            progress(float(state.get("progress") or 0))
        yield Wait(pause)
        pause = min(pause * 1.5, 5.0)


def cancel(task_id: str) -> Steps[None]:
    """Cancels an open task; removes one that has ended, with its file."""
    yield from ask(Request("DELETE", f"/api/{task_id}"))


def download_result(task_id: str, path: Path | str | None = None, *, progress: Progress | None = None) -> Steps[Path]:
    """Waits for a task and stores its file at ``path``: a file, a folder, or by default the file's own name here."""
    link = yield from wait_for(task_id)
    if link is None:
        raise SwathError(200, "no-file", "This task has no file.")
    name = Path(unquote(urlsplit(link).path)).name
    target = Path(name) if path is None else Path(path)
    target = target / name if target.is_dir() else target
    yield from ask(Request("GET", link, into=target, progress=progress))
    return target


def download(
    scene: Scene | str,
    bands: str | Sequence[str],
    path: Path | str | None = None,
    *,
    area: GeoJson | None = None,
    progress: Progress | None = None,
    **params: Any,
) -> Steps[Path]:
    """Orders bands of a scene as they are stored, waits, and stores the file.

    ``progress`` is called with the part of the order that is done, and then with that of the download.
    """
    cut = {} if area is None else {"geometry": to_geometry(area)}
    task_id = yield from order("lbe", view_id=to_view_id(scene), bands=join(bands), **cut, **params)
    yield from wait_for(task_id, progress=progress)
    return (yield from download_result(task_id, path, progress=progress))


def values(
    scene: Scene | str,
    expressions: str | Sequence[str],
    *,
    area: GeoJson | None = None,
    progress: Progress | None = None,
    **params: Any,
) -> Steps[xr.DataArray]:
    """Values of band math in an area, pixel by pixel, as an array with coordinates ``band``, ``y`` and ``x``.

    The grid is that of the scene; ``attrs["crs"]`` names its reference system. Pixels without data are NaN.
    """
    np, rasterio, xr = need("numpy"), need("rasterio"), need("xarray")
    cut = {} if area is None else {"geometry": to_geometry(area)}
    names = [expressions] if isinstance(expressions, str) else list(expressions)
    task_id = yield from order("bandmath", view_id=to_view_id(scene), bm_type=names, **cut, **params)
    yield from wait_for(task_id, progress=progress)
    with TemporaryDirectory() as folder:
        path = yield from download_result(task_id, Path(folder) / "values.tif")
        with rasterio.open(path) as file:
            pixels = file.read(masked=True).filled(np.nan)
            step = file.transform
            return xr.DataArray(
                pixels,
                dims=("band", "y", "x"),
                coords={
                    "band": names,
                    "y": step.f + (np.arange(file.height) + 0.5) * step.e,
                    "x": step.c + (np.arange(file.width) + 0.5) * step.a,
                },
                attrs={"crs": str(file.crs), "view_id": to_view_id(scene)},
            )
