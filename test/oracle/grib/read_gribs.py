"""Says what ecCodes reads from GRIB files: read_gribs.py FOLDER FILE…; values go to FOLDER, all facts to the output."""
import json
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import eccodes as ec
import numpy as np

folder = Path(sys.argv[1])
ec.codes_grib_multi_support_on()


def arrange(handle):
    """Values north up, by the coordinates of each, and the corner and steps of the grid."""
    ec.codes_set(handle, "missingValue", 1e30)
    values = ec.codes_get_values(handle)
    if ec.codes_get(handle, "bitmapPresent") or (values == 1e30).any():
        values = np.where(values == 1e30, np.nan, values)
    lats = ec.codes_get_array(handle, "latitudes")
    lons = ec.codes_get_array(handle, "longitudes")
    width, height = ec.codes_get(handle, "Ni"), ec.codes_get(handle, "Nj")
    if ec.codes_get(handle, "edition") == 2 and ec.codes_get(handle, "alternativeRowScanning"):
        # ecCodes gives coordinates as if all rows went the same way; GDAL turns every second one, as the flag means.
        lines = values.reshape((width, height) if ec.codes_get(handle, "jPointsAreConsecutive") else (height, width))
        values = np.where(np.arange(lines.shape[0])[:, None] % 2 == 1, lines[:, ::-1], lines).ravel()
    north, south = lats.max(), lats.min()
    first = ec.codes_get(handle, "longitudeOfFirstGridPointInDegrees")
    last = ec.codes_get(handle, "longitudeOfLastGridPointInDegrees")
    west = last if ec.codes_get(handle, "iScansNegatively") else first
    east = first if ec.codes_get(handle, "iScansNegatively") else last
    lat_step = (north - south) / (height - 1)
    lon_step = ((east - west) % 360) / (width - 1)
    rows = np.rint((north - lats) / lat_step).astype(int)
    columns = np.rint(((lons - west + lon_step / 2) % 360 - lon_step / 2) / lon_step).astype(int)
    field = np.full((height, width), 1e31)
    field[rows, columns] = values
    return field, (west, north, lon_step, lat_step)


def moment(handle):
    parts = [ec.codes_get(handle, key, int) for key in ("year", "month", "day", "hour", "minute")] \
        if ec.codes_get(handle, "edition") == 2 else None
    if parts:
        return datetime(*parts, ec.codes_get(handle, "second", int), tzinfo=timezone.utc)
    date, time = ec.codes_get(handle, "dataDate"), ec.codes_get(handle, "dataTime")
    return datetime(date // 10000, date // 100 % 100, date % 100, time // 100, time % 100, tzinfo=timezone.utc)


facts = []
for path in sys.argv[2:]:
    fields = []
    with open(path, "rb") as file:
        while (handle := ec.codes_grib_new_from_file(file)) is not None:
            values, grid = arrange(handle)
            target = folder / f"{len(facts)}-{len(fields)}.f64"
            values.astype("<f8").tofile(target)
            run = moment(handle)
            ec.codes_set(handle, "stepUnits", "s" if ec.codes_get(handle, "edition") == 2 else "h")
            seconds = 1 if ec.codes_get(handle, "edition") == 2 else 3600
            start, end = (run + timedelta(seconds=seconds * int(ec.codes_get(handle, key, int)))
                          for key in ("startStep", "endStep"))
            fields.append({
                "values": str(target), "width": values.shape[1], "height": values.shape[0], "grid": list(map(float, grid)),
                "name": ec.codes_get(handle, "shortName"), "units": ec.codes_get(handle, "units"),
                "method": ec.codes_get(handle, "stepType"), "packing": ec.codes_get(handle, "packingType"),
                "run": run.timestamp() * 1000, "start": start.timestamp() * 1000, "end": end.timestamp() * 1000,
            })
            ec.codes_release(handle)
    facts.append({"path": path, "fields": fields})
print(json.dumps(facts))
