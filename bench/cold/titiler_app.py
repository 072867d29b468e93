"""TiTiler's tiles of STAC items, and nothing else: needs titiler.core and uvicorn."""

from fastapi import FastAPI
from rio_tiler.io import STACReader
from titiler.core.errors import DEFAULT_STATUS_CODES, add_exception_handlers
from titiler.core.factory import MultiBaseTilerFactory

app = FastAPI()
app.include_router(MultiBaseTilerFactory(reader=STACReader, router_prefix="/stac").router, prefix="/stac")
add_exception_handlers(app, DEFAULT_STATUS_CODES)


@app.get("/healthz")
def healthz() -> dict[str, bool]:
    return {"ok": True}
