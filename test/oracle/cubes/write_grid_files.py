"""Writes NetCDF files of many kinds with the NetCDF library, and what it reads from them: write_grid_files.py FOLDER."""
import json
import sys
from pathlib import Path

import netCDF4
import numpy as np

folder = Path(sys.argv[1])
random = np.random.default_rng(17)

CASES = {
    "classic": dict(format="NETCDF3_CLASSIC"),
    "offset64": dict(format="NETCDF3_64BIT_OFFSET", south_first=True),
    "data64": dict(format="NETCDF3_64BIT_DATA", type="i8", packed=True),
    "records": dict(format="NETCDF3_CLASSIC", unlimited=True, type="i2", packed=True),
    "nc4": dict(format="NETCDF4"),
    "nc4-deflate": dict(format="NETCDF4", zlib=True, shuffle=True, complevel=6, chunksizes=(7, 5, 4)),
    "nc4-checksum": dict(format="NETCDF4", zlib=True, fletcher32=True, unlimited=True),
    "nc4-packed": dict(format="NETCDF4", zlib=True, type="i2", packed=True, south_first=True),
    "nc4-big-endian": dict(format="NETCDF4", endian="big", unlimited=True),
    "nc4-classic-model": dict(format="NETCDF4_CLASSIC", zlib=True, type="f8", hours=True, around=True),
    "nc4-group": dict(format="NETCDF4", group="Retrieval", zlib=True),
}


def write(name, format, type="f4", packed=False, south_first=False, unlimited=False, hours=False, around=False,
          group=None, **how):
    times, height, width = 9, 11, 16 if around else 13
    with netCDF4.Dataset(folder / f"{name}.nc", "w", format=format) as file:
        target = file.createGroup(group) if group else file
        target.createDimension("time", None if unlimited else times)
        target.createDimension("lat", height)
        target.createDimension("lon", width)
        time = target.createVariable("time", "f8", ("time",))
        time.units = "hours since 1900-01-01 00:00:00" if hours else "days since 2000-01-01"
        time.calendar = "standard"
        time[:] = (1_104_000 + 3 * np.arange(times)) if hours else (9000.5 + np.arange(times))
        lat = target.createVariable("lat", "f4", ("lat",))
        lat.units = "degrees_north"
        lats = 52.05 - 0.1 * np.arange(height)
        lat[:] = lats[::-1] if south_first else lats
        lon = target.createVariable("lon", "f4", ("lon",))
        lon.units = "degrees_east"
        lon[:] = 22.5 * np.arange(width) if around else 10.05 + 0.1 * np.arange(width)
        fill = -9999 if type.startswith("f") else -32767
        water = target.createVariable("sm", type, ("time", "lat", "lon"), fill_value=fill, **how)
        water.units = "m3 m-3"
        water.long_name = "Soil moisture"
        if packed:
            water.scale_factor = 0.0001
            water.add_offset = 0.2
            water.valid_range = np.array([-1900, 3000], dtype=type)
        # A second variable, so that records hold more than one.
        other = target.createVariable("flag", "i1", ("time", "lat", "lon"))
        other[:] = random.integers(0, 4, (times, height, width))
        values = random.uniform(0.02, 0.55, (times, height, width))
        water[:] = np.ma.masked_where(random.uniform(size=values.shape) < 0.2, values)
    with netCDF4.Dataset(folder / f"{name}.nc") as file:
        target = file[group] if group else file
        read = target["sm"][:]
        if south_first:
            read = read[:, ::-1, :]
        dates = netCDF4.num2date(target["time"][:], target["time"].units, only_use_cftime_datetimes=False)
        return {
            "name": name,
            "times": [date.strftime("%Y-%m-%dT%H:%M:%S") for date in dates],
            "north": float(target["lat"][:].max()),
            "west": float(target["lon"][0]),
            "values": [None if masked else float(value) for value, masked in
                       zip(read.data.ravel(), np.ma.getmaskarray(read).ravel())],
        }


print(json.dumps([write(name, **case) for name, case in CASES.items()]))
