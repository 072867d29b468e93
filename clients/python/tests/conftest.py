"""Tests run against a service with the demo world: `npm run clients -- --only "Python client"` starts one for them.

By hand: SWATH_CLIENT_URL=http://localhost:8080 SWATH_CLIENT_KEY=… pytest
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from swath_client import Scene, Swath

#: A field of the demo world.
FIELD = {
    "type": "Polygon",
    "coordinates": [
        [[-122.404, 48.216], [-122.396, 48.216], [-122.396, 48.224], [-122.404, 48.224], [-122.404, 48.216]]
    ],
}


@pytest.fixture(scope="session")
def address() -> tuple[str, str]:
    return os.environ["SWATH_CLIENT_URL"], os.environ["SWATH_CLIENT_KEY"]


@pytest.fixture(scope="session")
def swath(address: tuple[str, str]) -> Iterator[Swath]:
    url, key = address
    with Swath(url, key=key, timeout=600) as client:
        yield client


@pytest.fixture(scope="session")
def scene(swath: Swath) -> Scene:
    found = swath.search("sentinel2l2a", area=FIELD, max_cloud=20, limit=1)
    assert found, "the demo world has a clear scene"
    return found[0]
