"""What a person does with the client, against a real service."""

from __future__ import annotations

import asyncio
import json
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest
from conftest import FIELD

from swath_client import AsyncSwath, Scene, Swath, SwathError


def test_search_finds_scenes_newest_first_and_reads_all_pages(swath: Swath) -> None:
    found = swath.search("sentinel2l2a", limit=None)
    assert len(found) >= 3
    assert [s.date for s in found] == sorted((s.date for s in found), reverse=True)
    assert len({s.view_id for s in found}) == len(found)
    clear = swath.search("S2L2A", max_cloud=10, limit=None)
    assert {s.view_id for s in clear} == {s.view_id for s in found if s.cloud_cover is not None and s.cloud_cover <= 10}
    day = found[0].date
    assert all(s.date == day for s in swath.search("sentinel2l2a", start=day, end=day))


def test_a_tile_and_an_image_are_arrays_of_the_same_picture(swath: Swath, scene: Scene) -> None:
    tile = swath.tile(scene, ["B04", "B03", "B02"], 12, 655, 1420, STRETCH="natural")
    assert tile.shape == (256, 256, 4) and tile.dtype == np.uint8
    assert tile[..., 3].any(), "the tile has pixels"
    image = swath.image(scene, "B04,B03,B02", (-122.41, 48.21, -122.39, 48.23), width=64, STRETCH="natural")
    assert image.sizes == {"y": 64, "x": 64, "band": 4}
    assert image.x[0] < image.x[-1] and image.y[0] > image.y[-1]
    assert image.sel(band="alpha").values.all()


def test_a_point_equals_the_pixel_of_the_values_around_it(swath: Swath, scene: Scene) -> None:
    values = swath.values(scene, "(B08-B04)/(B08+B04)", area=FIELD)
    assert values.attrs["crs"].startswith("EPSG:326")
    assert -1 <= float(values.mean()) <= 1
    from rasterio.warp import transform

    row, column = values.sizes["y"] // 2, values.sizes["x"] // 2
    (lon,), (lat,) = transform(values.attrs["crs"], "EPSG:4326", [float(values.x[column])], [float(values.y[row])])
    point = swath.point(scene, "(B08-B04)/(B08+B04)", lat, lon, calibrate=False)
    assert point == pytest.approx(float(values[0, row, column]), abs=1e-6)


def test_statistics_are_a_table_with_a_row_for_each_scene(swath: Swath, scene: Scene) -> None:
    table = swath.statistics(FIELD, ["NDVI", "NDMI"], start=scene.date - timedelta(40), end=scene.date)
    assert set(table["expression"]) == {"NDVI", "NDMI"}
    assert table["date"].is_monotonic_increasing
    ndvi = table[table["expression"] == "NDVI"]
    assert (ndvi["min"].dropna() <= ndvi["max"].dropna()).all()
    assert scene.view_id in set(ndvi["view_id"])


def test_fields_are_imported_measured_and_deleted(swath: Swath, scene: Scene, tmp_path: Path) -> None:
    file = tmp_path / "fields.geojson"
    features = [
        {"type": "Feature", "properties": {"name": name, "group": "client test"}, "geometry": FIELD}
        for name in ("East", "West")
    ]
    file.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    swath.import_fields(file, group="client test")
    try:
        table = swath.fields(group="client test")
        assert set(table["name"]) == {"East", "West"}
        seen: list[float] = []
        measured = swath.field_statistics(
            "NDVI", group="client test", start=scene.date, end=scene.date, progress=seen.append
        )
        assert set(measured["name"]) == {"East", "West"}
        assert seen[-1] == 1.0 and seen == sorted(seen)
        single = swath.statistics(FIELD, "NDVI", start=scene.date, end=scene.date)
        assert float(measured["NDVI_average"].iloc[0]) == pytest.approx(
            float(single.set_index("view_id").loc[measured["view_id"].iloc[0], "average"]), abs=1e-9
        )
    finally:
        for field_id in swath.fields(group="client test")["id"]:
            swath.delete_field(field_id)
    assert swath.fields(group="client test").empty


def test_an_order_is_stored_as_a_whole_file(swath: Swath, scene: Scene, tmp_path: Path) -> None:
    seen: list[float] = []
    path = swath.download(scene, "B04", tmp_path, area=FIELD, progress=seen.append)
    assert path.parent == tmp_path and path.stat().st_size > 100
    assert seen[-1] == 1.0
    assert [file.name for file in tmp_path.iterdir()] == [path.name], "no part of a file is left"
    assert any(task["state"] == "finished" for task in swath.tasks())


def test_weather_and_elevation_of_the_field(swath: Swath, scene: Scene) -> None:
    table = swath.weather(FIELD, start=scene.date - timedelta(7), end=scene.date, fields=["growing_degree_days"])
    assert len(table) == 8 and "growing_degree_days" in table
    assert (table["temperature_min"] <= table["temperature_max"]).all()
    assert table.attrs["source"]
    height = swath.elevation(48.22, -122.4)
    assert height is not None and -100 < height < 5000


def test_a_refusal_has_the_code_and_the_sentence_of_the_service(swath: Swath, scene: Scene) -> None:
    with pytest.raises(SwathError) as refused:
        swath.point(scene, "NDVJ", 48.22, -122.4)
    assert refused.value.status == 422 and refused.value.code == "unknown-band"
    assert "NDVJ" in refused.value.message and refused.value.request_id
    with pytest.raises(SwathError) as unknown:
        swath.search("sentinel9")
    assert unknown.value.code == "unknown-dataset"
    with pytest.raises(SwathError) as wrong:
        Swath(swath.url, key="wrong").search("sentinel2l2a")
    assert wrong.value.status in (401, 403)


def test_several_operations_run_side_by_side(address: tuple[str, str], scene: Scene) -> None:
    async def ask() -> list[float | None]:
        async with AsyncSwath(address[0], key=address[1], timeout=600) as swath:
            found = await swath.search("sentinel2l2a", limit=2)
            assert len(found) == 2
            calls = [swath.point(scene, band, 48.22, -122.4) for band in ("B02", "B03", "B04", "NDVI")]
            return list(await asyncio.gather(*calls))

    assert all(value is not None for value in asyncio.run(ask()))


def test_addresses_for_other_programs(swath: Swath, scene: Scene) -> None:
    template = swath.tile_url(scene, "(B08-B04)/(B08+B04)", COLORMAP="viridis")
    assert "{z}/{x}/{y}" in template and "%2F" in template and "COLORMAP=viridis" in template
    assert swath.stac_url.endswith("/stac")
    assert isinstance(scene.date, date)
