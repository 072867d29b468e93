import { encodeNetcdf } from '../../formats/netcdf/index.ts';
import type { CubeGrid } from '../cube-grid.ts';

/** What a made-up file says. */
interface MadeGrid {
  readonly grid: CubeGrid;
  /** Days or hours since 1970. */
  readonly steps: readonly number[];
  readonly valueAt: (step: number, cell: number) => number;
  readonly name?: string;
  readonly units?: string;
  readonly timeUnits?: 'days' | 'hours';
}

/** A NetCDF file of one variable over time, latitude and longitude; NaN becomes its fill value. */
export function makeGridNetcdf({
  grid,
  steps,
  valueAt,
  name = 'sm',
  units = 'm3 m-3',
  timeUnits = 'days',
}: MadeGrid): Uint8Array {
  const cells = grid.width * grid.height;
  const values = new Float32Array(steps.length * cells).map((_, i) => {
    const value = valueAt(steps[Math.floor(i / cells)]!, i % cells);
    return Number.isNaN(value) ? -9999 : value;
  });
  const axis = (count: number, of: (i: number) => number) => new Float64Array(count).map((_, i) => of(i));
  return encodeNetcdf({
    dimensions: { time: steps.length, lat: grid.height, lon: grid.width },
    attributes: {},
    variables: {
      time: {
        dimensions: ['time'],
        attributes: { units: `${timeUnits} since 1970-01-01` },
        values: Float64Array.from(steps),
      },
      lat: {
        dimensions: ['lat'],
        attributes: { units: 'degrees_north' },
        values: axis(grid.height, (i) => grid.north - i * grid.latStep),
      },
      lon: {
        dimensions: ['lon'],
        attributes: { units: 'degrees_east' },
        values: axis(grid.width, (i) => grid.west + i * grid.lonStep),
      },
      [name]: {
        dimensions: ['time', 'lat', 'lon'],
        attributes: { units, _FillValue: { float32: -9999 } },
        values,
      },
    },
  });
}
