/** `swath demo`: its commands, and how the truth of the demo world is printed. */

import { command, flag, option, required, reshape, topic, withDefault } from './command.ts';
import { badInput } from './errors.ts';
import { parseAmount, parseDay, parsePosition } from './parse-values.ts';
import { jsonList } from './report.ts';
import type { Terminal } from './terminal.ts';

const build = command('demo', {
  about:
    'Makes the demo world in the data directory. Files that exist already stay, so a run that was stopped can simply be repeated. "swath serve" does the same by itself if the catalog is empty.',
  options: {
    small: flag('--small', 'one Sentinel-2 scene and the terrain only, in a few seconds'),
    full: flag('--full', 'full-size scenes for benchmarks: many gigabytes, and a long time'),
    remove: flag(
      '--remove',
      'remove the scenes, the elevation model and the soil moisture of the demo, and delete all its files',
    ),
  },
});

const truth = command('demo truth', {
  about:
    'Prints what the world is like at a location on a day: height, land cover, field, reflectance and indices, and whether a cloud hides it from a sensor.',
  options: {
    at: required(option('--at LON,LAT', 'location, in degrees', parsePosition), '-122.4,48.4'),
    day: required(option('--date DAY', 'day, such as 2026-06-21', parseDay), '2026-06-21'),
    sensor: withDefault(
      option('--sensor ABBREVIATION', 'sensor by its abbreviation in view ids (S2L2A)'),
      'S2L2A',
    ),
    ...jsonList,
  },
});

const fields = command('demo fields', {
  about:
    'Prints fields of the demo world as GeoJSON, those that its series of scenes shows first, to import them with POST /api/fields/import.',
  options: {
    limit: withDefault(option('--limit N', 'how many at most (5000)', parseAmount), 5_000),
  },
});

/** `swath demo`. */
export const demo = topic({
  name: 'demo',
  summary: 'make or remove the demo world, and ask for its truth and its fields',
  about: [
    'The demo world is an invented landscape between sea and mountains, seen by many sensors, with terrain, weather and soil moisture that agree with it.',
  ],
  commands: [
    reshape(build, ({ small, full, remove }) => {
      const chosen = Object.entries({ full, small, remove }).flatMap(([name, is]) => (is ? [name] : []));
      if (chosen.length > 1) throw badInput('usage', `--${chosen.join(' and --')} exclude each other.`);
      if (remove) return { name: 'demo remove' as const };
      const set: 'small' | 'standard' | 'full' = full ? 'full' : small ? 'small' : 'standard';
      return { name: 'demo build' as const, set };
    }),
    fields,
    reshape(truth, ({ at: [longitude, latitude], ...rest }) => ({ ...rest, longitude, latitude })),
  ],
});

/** What is printed of one location of the demo world. */
interface PrintedTruth {
  /** The moment, ISO 8601: of the demo's scene of that day when it has one. */
  readonly at: string;
  readonly hasScene: boolean;
  readonly heightM: number;
  readonly slopeDeg: number;
  readonly cover: string;
  readonly field: { readonly id: number; readonly meanNdvi: number } | null;
  /** Null if no scene says whether the sky was clear. */
  readonly cloud: string | null;
  readonly bands: readonly { readonly name: string; readonly surface: number; readonly top: number }[];
  readonly indices: Readonly<Record<string, number>>;
}

/** Prints what is true at one location of the demo world. */
export function printTruth(truth: PrintedTruth, { line, style }: Terminal): void {
  const { heightM, slopeDeg, cover, field, bands, indices, cloud, at, hasScene } = truth;
  const row = (name: string, value: string): void => line(`${style.dim(name.padEnd(14))}${value}`);
  row('moment', `${at}${hasScene ? '' : ' (no scene of that day: noon)'}`);
  row('height', `${heightM.toFixed(1)} m, slope ${slopeDeg.toFixed(1)}°`);
  row('cover', cover);
  row('field', field === null ? 'none' : `${field.id}, mean NDVI ${field.meanNdvi.toFixed(3)}`);
  row('sky', cloud === null ? 'not asked' : cloud);
  line();
  line(style.bold(`${'band'.padEnd(14)}${'surface'.padStart(10)}${'top'.padStart(10)}`));
  for (const { name, surface, top } of bands) {
    line(`${name.padEnd(14)}${toText(surface).padStart(10)}${toText(top).padStart(10)}`);
  }
  line();
  for (const [name, value] of Object.entries(indices)) row(name, value.toFixed(4));
}

/** Reflectances to four digits, temperatures to a hundredth of a kelvin. */
const toText = (value: number): string => (value > 100 ? `${value.toFixed(2)} K` : value.toFixed(4));
