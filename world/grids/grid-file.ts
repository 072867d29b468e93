import type { NetcdfVariable } from '../../src/formats/netcdf/index.ts';
import { encodeNetcdf } from '../../src/formats/netcdf/index.ts';
import type { DegreeGrid } from './degree-grid.ts';

/** A quantity over time and location: times, then rows from north to south, then columns. */
export interface GridQuantity {
  readonly units: string;
  readonly longName: string;
  readonly values: Float32Array;
}

interface GridFile {
  readonly title: string;
  readonly grid: DegreeGrid;
  readonly time: { readonly units: string; readonly values: Float64Array };
  /** When the forecast was made, as ISO 8601; absent where nothing was foretold. */
  readonly run?: string;
  readonly quantities: Readonly<Record<string, GridQuantity>>;
}

/** Value of a cell without one, as in the climate data sets this follows. */
const FILL = -9999;

/** A NetCDF file after the CF conventions, as weather services give them out. */
export function encodeGridFile({ title, grid, time, run, quantities }: GridFile): Uint8Array {
  const axis = (standardName: string, units: string, values: Float64Array): NetcdfVariable => ({
    dimensions: [standardName === 'time' ? 'time' : standardName === 'latitude' ? 'lat' : 'lon'],
    attributes: { standard_name: standardName, units },
    values,
  });
  return encodeNetcdf({
    dimensions: { time: time.values.length, lat: grid.latitudes.length, lon: grid.longitudes.length },
    attributes: {
      Conventions: 'CF-1.8',
      title,
      institution: 'Swath demo world: invented, for trying things out',
      ...(run === undefined ? {} : { forecast_reference_time: run }),
    },
    variables: {
      time: axis('time', time.units, time.values),
      lat: axis('latitude', 'degrees_north', grid.latitudes),
      lon: axis('longitude', 'degrees_east', grid.longitudes),
      ...Object.fromEntries(
        Object.entries(quantities).map(([name, { units, longName, values }]): [string, NetcdfVariable] => [
          name,
          {
            dimensions: ['time', 'lat', 'lon'],
            attributes: { long_name: longName, units, _FillValue: { float32: FILL } },
            values,
          },
        ]),
      ),
    },
  });
}
