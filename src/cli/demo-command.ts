import type { Terminal } from './terminal.ts';

/** What is printed of one location of the demo world. */
interface PrintedTruth {
  /** The moment, ISO 8601: of the demo's scene of that day when it has one. */
  readonly at: string;
  readonly hasScene: boolean;
  readonly heightM: number;
  readonly slopeDeg: number;
  readonly cover: string;
  readonly field: { readonly id: number; readonly meanNdvi: number } | null;
  /** Null where no scene tells of a sky. */
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
