import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeNetcdf } from '../../src/formats/netcdf/index.ts';

/** The grid of a continent at a quarter of a degree. */
export const GRID = { west: -25, north: 72, step: 0.25, width: 400, height: 300 } as const;

interface MonthVariable {
  readonly units: string;
  /** Numbers are packed as 16 bits, as the Climate Data Store does it. */
  readonly scale: number;
  readonly offset: number;
  readonly valueAt: (hour: number, cell: number) => number;
}

const wave = (hour: number, cell: number): number => Math.sin(hour / 24 + (cell % 400) / 40 + cell / 40_000);
/** Noise of a few bits, by which numbers do not pack better than real ones. */
const noise = (hour: number, cell: number): number => (((hour * 7919 + cell * 104_729) >>> 0) % 64) / 64;

const state = (units: string, scale: number, offset: number, size: number): MonthVariable => ({
  units,
  scale,
  offset,
  valueAt: (hour, cell) => offset + size * (wave(hour, cell) + noise(hour, cell) / 10),
});

/** Files of one month, as they are downloaded: variables that belong together are in one file. */
const FILES: Readonly<Record<string, Readonly<Record<string, MonthVariable>>>> = {
  temperature: { t2m: state('K', 0.002, 280, 15) },
  dew: { d2m: state('K', 0.002, 275, 12) },
  wind: { u10: state('m s**-1', 0.001, 0, 8), v10: state('m s**-1', 0.001, 0, 8) },
  cloud: { tcc: state('(0 - 1)', 0.00002, 0.5, 0.45) },
  soil: { stl1: state('K', 0.002, 280, 10) },
  rain: {
    tp: {
      units: 'm',
      scale: 1e-6,
      offset: 0.03,
      valueAt: (hour, cell) => Math.max(0, wave(hour, cell)) / 1000,
    },
  },
  radiation: {
    ssrd: {
      units: 'J m**-2',
      scale: 100,
      offset: 2e6,
      valueAt: (hour, cell) => 2e6 * (1 + wave(hour, cell)) * 0.9,
    },
  },
};

/** Hours from 1970 at which the month begins. */
const FIRST_HOUR = Date.UTC(2025, 6, 1) / 3_600_000;

/** Writes a month of hours of eight variables; returns how many fields there are. */
export async function makeMonth(folder: string, days: number): Promise<number> {
  const { west, north, step, width, height } = GRID;
  const [cells, count] = [width * height, 24 * days];
  let fields = 0;
  for (const [name, variables] of Object.entries(FILES)) {
    const made = Object.entries(variables).map(([short, { units, scale, offset, valueAt }]) => {
      const values = new Int16Array(cells * count);
      for (let hour = 0; hour < count; hour++)
        for (let cell = 0; cell < cells; cell++)
          values[hour * cells + cell] = Math.round((valueAt(hour, cell) - offset) / scale);
      fields += count;
      const attributes = { units, scale_factor: { float64: scale }, add_offset: { float64: offset } };
      return [short, { dimensions: ['time', 'lat', 'lon'], attributes, values }] as const;
    });
    const axis = (size: number, of: (i: number) => number) =>
      Float64Array.from({ length: size }, (_, i) => of(i));
    const file = encodeNetcdf({
      dimensions: { time: count, lat: height, lon: width },
      attributes: {},
      variables: {
        time: {
          dimensions: ['time'],
          attributes: { units: 'hours since 1970-01-01' },
          values: axis(count, (i) => FIRST_HOUR + i),
        },
        lat: {
          dimensions: ['lat'],
          attributes: { units: 'degrees_north' },
          values: axis(height, (i) => north - i * step),
        },
        lon: {
          dimensions: ['lon'],
          attributes: { units: 'degrees_east' },
          values: axis(width, (i) => west + i * step),
        },
        ...Object.fromEntries(made),
      },
    });
    await writeFile(join(folder, `era5_${name}.nc`), file);
  }
  return fields;
}
