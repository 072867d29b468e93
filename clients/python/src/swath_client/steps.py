"""What an operation does, step by step, without a network: requests to send and times to wait.

Every operation of this package is a generator of steps. The synchronous and the asynchronous client run the same ones, so an
operation is written, documented and typed once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, Union

T = TypeVar("T")

#: A GeoJSON geometry or feature.
GeoJson = Mapping[str, Any]

#: Told how much of something is done, from 0 to 1.
Progress = Callable[[float], None]


@dataclass(frozen=True)
class Request:
    """A request to the service."""

    method: str
    #: From the address of the service on, or a whole address.
    path: str
    params: Mapping[str, Any] = field(default_factory=dict)
    json: Any = None
    content: bytes | Path | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    #: Where the body of the answer is written, in place of memory.
    into: Path | None = None
    progress: Progress | None = None


@dataclass(frozen=True)
class Wait:
    """A time to wait before the next step."""

    seconds: float


@dataclass(frozen=True)
class Reply:
    """The answer to a request; its body is empty if it was written to a file."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


Step = Union[Request, Wait]
Steps = Generator[Step, Any, T]


class SwathError(Exception):
    """A refusal or a failure, as the service explains it."""

    def __init__(self, status: int, code: str, message: str, request_id: str | None = None) -> None:
        super().__init__(f"{message} ({status} {code})")
        self.status = status
        #: What programs can compare, such as `unknown-scene`.
        self.code = code
        self.message = message
        #: What the operator finds in the log.
        self.request_id = request_id


def to_error(reply: Reply) -> SwathError:
    """The error of an answer: Swath's own shape, and the shapes of STAC and OGC."""
    try:
        body = reply.json()
    except ValueError:
        body = {}
    body = body if isinstance(body, dict) else {}
    code = body.get("code") or body.get("title") or "http-error"
    message = body.get("error") or body.get("message") or body.get("detail") or body.get("description")
    request_id = reply.headers.get("x-request-id")
    return SwathError(reply.status, str(code), str(message or "The service refused the request."), request_id)


def ask(request: Request, *, accept: tuple[int, ...] = (200, 201, 202, 204)) -> Steps[Reply]:
    """Sends a request, and again if the service says that it is busy; raises SwathError for every other refusal."""
    for attempt in range(5):
        reply: Reply = yield request
        if reply.status in accept:
            return reply
        is_busy = reply.status == 429 or (reply.status == 503 and request.method == "GET")
        if not is_busy or attempt == 4:
            raise to_error(reply)
        try:
            seconds = float(reply.headers.get("retry-after", "1"))
        except ValueError:
            seconds = 1.0
        yield Wait(min(seconds, 60.0))
    raise AssertionError("unreachable")


def need(module: str) -> Any:
    """Imports a package that only some operations need, or says how to install it."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"This needs {module}: pip install 'swath-client[data]'") from error
