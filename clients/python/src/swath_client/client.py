"""The clients: the same operations, one request after the other or with asyncio."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator
from functools import wraps
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar

import httpx

from . import fields as _fields
from . import pictures as _pictures
from . import scenes as _scenes
from . import statistics as _statistics
from . import tasks as _tasks
from . import weather as _weather
from .steps import Reply, Request, Steps, Wait, need
from .version import __version__

P = ParamSpec("P")
T = TypeVar("T")

#: Bytes of a file that are sent or written at a time.
CHUNK = 256 * 1024


def _blocking(operation: Callable[P, Steps[T]]) -> Callable[Concatenate[Swath, P], T]:
    @wraps(operation)
    def method(self: Swath, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.run(operation(*args, **kwargs))

    return method


def _awaited(operation: Callable[P, Steps[T]]) -> Callable[Concatenate[AsyncSwath, P], Coroutine[Any, Any, T]]:
    @wraps(operation)
    async def method(self: AsyncSwath, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.run(operation(*args, **kwargs))

    return method


def _to_headers(key: str | None) -> dict[str, str]:
    return {"user-agent": f"swath-client/{__version__}", **({} if key is None else {"x-api-key": key})}


def _to_url(base_url: str, path: str) -> str:
    return path if path.startswith(("http://", "https://")) else base_url + path


def _to_arguments(base_url: str, request: Request, key: str | None) -> dict[str, Any]:
    """What httpx is asked. The key goes to the service and to no other address, such as that of a bucket."""
    url = _to_url(base_url, request.path)
    is_ours = url.startswith(base_url + "/")
    content = request.content
    return {
        "method": request.method,
        "url": url,
        "params": dict(request.params) or None,
        "json": request.json,
        "content": _read_chunks(content) if isinstance(content, Path) else content,
        "headers": {**_to_headers(key if is_ours else None), **request.headers},
    }


def _read_chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk


class _File:
    """A file that is there only once it is whole."""

    def __init__(self, request: Request, headers: httpx.Headers) -> None:
        assert request.into is not None
        self._target = request.into
        self._part = request.into.with_name(request.into.name + ".part")
        self._progress = request.progress
        self._total = int(headers.get("content-length", 0))
        self._done = 0
        self._file = self._part.open("wb")

    def write(self, chunk: bytes) -> None:
        self._file.write(chunk)
        self._done += len(chunk)
        if self._progress is not None and self._total > 0:
            self._progress(min(1.0, self._done / self._total))

    def finish(self) -> None:
        self._file.close()
        if self._total and self._done != self._total:
            self.abandon()
            raise httpx.ReadError(f"The download ended after {self._done} of {self._total} bytes.")
        self._part.replace(self._target)

    def abandon(self) -> None:
        self._file.close()
        self._part.unlink(missing_ok=True)


class _Addresses:
    """Addresses for other programs."""

    url: str

    def tile_url(self, scene: _scenes.Scene | str, bands: str, **style: Any) -> str:
        """The address template of tiles for map programs, without a key."""
        return _pictures.tile_url(self.url, scene, bands, **style)

    @property
    def stac_url(self) -> str:
        """The STAC API of the service, for pystac-client and others; the key goes into the header ``x-api-key``."""
        return f"{self.url}/stac"


class Swath(_Addresses):
    """A Swath service.

    >>> swath = Swath("http://localhost:8080", key="…")
    >>> scene = swath.search("sentinel2l2a", max_cloud=10, limit=1)[0]
    >>> swath.point(scene, "NDVI", 48.22, -122.41)
    """

    def __init__(self, url: str, *, key: str | None = None, timeout: float = 60.0) -> None:
        self.url = url.rstrip("/")
        self._key = key
        self._http = httpx.Client(timeout=timeout, follow_redirects=False)

    search = _blocking(_scenes.search)
    sensors = _blocking(_scenes.sensors)
    tile = _blocking(_pictures.tile)
    image = _blocking(_pictures.image)
    mosaic_tile = _blocking(_pictures.mosaic_tile)
    point = _blocking(_pictures.point)
    store_area = _blocking(_pictures.store_area)
    statistics = _blocking(_statistics.statistics)
    field_statistics = _blocking(_statistics.field_statistics)
    season = _blocking(_statistics.season)
    fields = _blocking(_fields.fields)
    add_field = _blocking(_fields.add_field)
    delete_field = _blocking(_fields.delete_field)
    import_fields = _blocking(_fields.import_fields)
    order = _blocking(_tasks.order)
    tasks = _blocking(_tasks.tasks)
    wait_for = _blocking(_tasks.wait_for)
    cancel = _blocking(_tasks.cancel)
    download_result = _blocking(_tasks.download_result)
    download = _blocking(_tasks.download)
    values = _blocking(_tasks.values)
    weather = _blocking(_weather.weather)
    forecast = _blocking(_weather.forecast)
    elevation = _blocking(_weather.elevation)

    def run(self, steps: Steps[T]) -> T:
        """Runs an operation, step by step."""
        answer: Reply | None = None
        try:
            while True:
                step = steps.send(answer)
                answer = None
                if isinstance(step, Wait):
                    time.sleep(step.seconds)
                else:
                    answer = self._send(step)
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            steps.close()

    def _send(self, request: Request) -> Reply:
        with self._http.stream(**_to_arguments(self.url, request, self._key)) as response:
            if request.into is None or response.status_code != 200:
                return Reply(response.status_code, response.headers, response.read())
            file = _File(request, response.headers)
            try:
                for chunk in response.iter_raw(CHUNK):
                    file.write(chunk)
            except BaseException:
                file.abandon()
                raise
            file.finish()
            return Reply(response.status_code, response.headers, b"")

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Swath:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncSwath(_Addresses):
    """The same with asyncio: ``await swath.search(…)``. Requests of several operations are sent side by side."""

    def __init__(self, url: str, *, key: str | None = None, timeout: float = 60.0) -> None:
        self.url = url.rstrip("/")
        self._key = key
        self._http = httpx.AsyncClient(timeout=timeout, follow_redirects=False)

    search = _awaited(_scenes.search)
    sensors = _awaited(_scenes.sensors)
    tile = _awaited(_pictures.tile)
    image = _awaited(_pictures.image)
    mosaic_tile = _awaited(_pictures.mosaic_tile)
    point = _awaited(_pictures.point)
    store_area = _awaited(_pictures.store_area)
    statistics = _awaited(_statistics.statistics)
    field_statistics = _awaited(_statistics.field_statistics)
    season = _awaited(_statistics.season)
    fields = _awaited(_fields.fields)
    add_field = _awaited(_fields.add_field)
    delete_field = _awaited(_fields.delete_field)
    import_fields = _awaited(_fields.import_fields)
    order = _awaited(_tasks.order)
    tasks = _awaited(_tasks.tasks)
    wait_for = _awaited(_tasks.wait_for)
    cancel = _awaited(_tasks.cancel)
    download_result = _awaited(_tasks.download_result)
    download = _awaited(_tasks.download)
    values = _awaited(_tasks.values)
    weather = _awaited(_weather.weather)
    forecast = _awaited(_weather.forecast)
    elevation = _awaited(_weather.elevation)

    async def run(self, steps: Steps[T]) -> T:
        """Runs an operation, step by step."""
        answer: Reply | None = None
        try:
            while True:
                step = steps.send(answer)
                answer = None
                if isinstance(step, Wait):
                    await asyncio.sleep(step.seconds)
                else:
                    answer = await self._send(step)
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            steps.close()

    async def _send(self, request: Request) -> Reply:
        arguments = _to_arguments(self.url, request, self._key)
        if isinstance(request.content, Path):
            # httpx wants the body of an asynchronous request whole, or from an asynchronous iterator.
            arguments["content"] = request.content.read_bytes()
        async with self._http.stream(**arguments) as response:
            if request.into is None or response.status_code != 200:
                return Reply(response.status_code, response.headers, await response.aread())
            file = _File(request, response.headers)
            try:
                async for chunk in response.aiter_raw(CHUNK):
                    file.write(chunk)
            except BaseException:
                file.abandon()
                raise
            file.finish()
            return Reply(response.status_code, response.headers, b"")

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> AsyncSwath:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def progress_bar(title: str = "") -> Callable[[float], None]:
    """A bar in the terminal or notebook for ``progress`` (needs tqdm)."""
    bar = need("tqdm.auto").tqdm(total=100, desc=title, unit="%", bar_format="{l_bar}{bar}| {elapsed}")

    def show(done: float) -> None:
        percent = round(100 * done)
        # A download after an order begins again at 0.
        bar.n = percent
        bar.refresh()

    return show
