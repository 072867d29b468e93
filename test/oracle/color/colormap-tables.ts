import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { listColormaps, parseColormapName, planColormap } from '../../../src/color/index.ts';

/** Colours that matplotlib gives a map when asked for `count`; a discrete map has as many as it has. */
export interface ColormapTable {
  readonly name: string;
  readonly type: string;
  readonly count: number;
  /** Six hexadecimal digits each. */
  readonly colors: string;
  /** The same as matplotlib's pictures have them, cut off instead of rounded; not recorded. */
  readonly drawn?: string;
}

/** What matplotlib answered, and which it was. */
export interface ColormapTables {
  readonly version: string;
  readonly tables: readonly ColormapTable[];
}

export const GOLDEN_FILE = new URL('../../golden/color/colormaps.br', import.meta.url);

/** The answers recorded by approve-golden.ts. */
export const readGolden = (): ColormapTables =>
  JSON.parse(brotliDecompressSync(readFileSync(GOLDEN_FILE)).toString());

/** How our colours compare with matplotlib's: sentences about what is wrong, and how many channels are off by one. */
export function compareTables({ tables }: ColormapTables): { problems: string[]; offByOne: number } {
  const problems: string[] = [];
  let offByOne = 0;
  const types = new Map(listColormaps().map(({ name, type }) => [name, type]));
  const names = [...new Set(tables.map(({ name }) => name))];
  const missing = names.filter((name) => !types.has(name));
  const unknown = [...types.keys()].filter((name) => !names.includes(name));
  if (missing.length > 0) problems.push(`we lack ${missing.join(', ')}`);
  if (unknown.length > 0) problems.push(`matplotlib lacks ${unknown.join(', ')}`);
  for (const { name, type, count, colors, drawn } of tables.filter((table) => types.has(table.name))) {
    if (types.get(name) !== type) problems.push(`${name} is ${type}`);
    const reference = parseColormapName(name);
    if (reference.kind !== 'named') throw new Error(`${name} was taken for an id`);
    const ours = planColormap(reference, { colorsLimit: count, range: null }).colors;
    const [a, b] = [Buffer.from(ours, 'hex'), Buffer.from(colors, 'hex')];
    if (a.length !== b.length) problems.push(`${name} has ${a.length / 3} colours of ${b.length / 3}`);
    const distances = [...b].map((level, i) => Math.abs(level - (a[i] ?? Number.POSITIVE_INFINITY)));
    const worst = Math.max(...distances);
    if (worst > 1) problems.push(`${name} of ${count} is off by ${worst} levels`);
    const cut = [...Buffer.from(drawn ?? '', 'hex')].map((level, i) => Math.abs(level - a[i]!));
    if (cut.some((distance) => distance > 1))
      problems.push(`${name} of ${count} is off by 2 levels as drawn`);
    offByOne += distances.filter((distance) => distance === 1).length;
  }
  return { problems, offByOne };
}
