import type { CubeGrid } from '../../cubes/index.ts';
import { encodeNetcdf } from '../../formats/netcdf/index.ts';

/** A variable of a made-up file. */
interface MadeVariable {
  readonly units: string;
  /** Value at a time and a cell; NaN is a gap. */
  readonly valueAt: (hour: number, cell: number) => number;
  readonly attributes?: Readonly<Record<string, string>>;
  /** True for a field without time. */
  readonly isStatic?: boolean;
}

/** What a made-up file says. */
interface MadeWeather {
  readonly grid: CubeGrid;
  /** Hours since 1970. */
  readonly hours: readonly number[];
  readonly variables: Readonly<Record<string, MadeVariable>>;
  /** When the model run began, in hours since 1970. */
  readonly runHour?: number;
}

const FILL = -9999;
const HOURS = 'hours since 1970-01-01';

/** A NetCDF file of several variables over time, latitude and longitude. */
export function makeWeatherNetcdf({ grid, hours, variables, runHour }: MadeWeather): Uint8Array {
  const cells = grid.width * grid.height;
  const axis = (count: number, of: (i: number) => number) => new Float64Array(count).map((_, i) => of(i));
  const made = Object.entries(variables).map(([name, { units, valueAt, attributes = {}, isStatic }]) => {
    const times = isStatic ? [0] : hours;
    const values = new Float32Array(times.length * cells).map((_, i) => {
      const value = valueAt(times[Math.floor(i / cells)]!, i % cells);
      return Number.isNaN(value) ? FILL : value;
    });
    const dimensions = isStatic ? ['lat', 'lon'] : ['time', 'lat', 'lon'];
    return [
      name,
      { dimensions, attributes: { units, _FillValue: { float32: FILL }, ...attributes }, values },
    ] as const;
  });
  const run =
    runHour === undefined
      ? {}
      : {
          run: {
            dimensions: [],
            attributes: { units: HOURS, standard_name: 'forecast_reference_time' },
            values: Float64Array.of(runHour),
          },
        };
  return encodeNetcdf({
    dimensions: { time: hours.length, lat: grid.height, lon: grid.width },
    attributes: {},
    variables: {
      time: { dimensions: ['time'], attributes: { units: HOURS }, values: Float64Array.from(hours) },
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
      ...run,
      ...Object.fromEntries(made),
    },
  });
}
