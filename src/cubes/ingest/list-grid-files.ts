import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { notFound } from '../../errors.ts';
import type { FoundFile } from '../../files/index.ts';
import { walkFolder } from '../../files/index.ts';

/** A copy of a file that is only there to be read. */
interface GridCopy {
  readonly path: string;
  remove(): Promise<void>;
}

/** A file of fields, or a folder of Zarr, and its state. */
export interface FoundGrid {
  readonly path: string;
  /** Changes whenever the file does. */
  readonly stamp: string;
  /** Why it is not read. */
  readonly skipped?: { readonly code: string; readonly reason: string };
  /** Copies what is not a file of this machine, before it is read; its name says what it is. */
  readonly makeCopy?: () => Promise<GridCopy>;
}

/** By extension; files of GFS, and of models that NCEP distributes with it, have the forecast hour instead of one. */
const FILE = /\.(?:nc|nc4|cdf|h5|hdf5|he5|tif|tiff|gri?b|gri?b1|gri?b2)$|\.p?grb2?[a-z]*\..*f\d{2,3}$/i;
/** Files of one run, those in folders of Zarr included; two a day for 80 years are 58,000. */
const LIMITS = { maxDepth: 24, maxFiles: 500_000 };

/**
 * Lists the files of fields at a path, by name: itself, or those below a folder. Links below a folder are listed with why
 * they are not followed.
 */
export async function listGridFiles(from: string): Promise<readonly FoundGrid[]> {
  const stats = await stat(from).catch((cause: unknown) => {
    throw notFound('no-files', `There is no file or folder ${from}.`, { cause });
  });
  if (!stats.isDirectory()) return [{ path: from, stamp: toStamp([stats]) }];
  const { files, skipped } = await walkFolder(from, {
    limits: LIMITS,
    isLeftOut: (parts) => parts.at(-1)?.startsWith('.') === true,
  });
  const zarrs = findZarrs(files);
  const inZarr = Map.groupBy(files, ({ parts }) => zarrs.find((zarr) => isBelow(parts, zarr)));
  const found = [...inZarr].flatMap(([zarr, inside]) =>
    zarr === undefined
      ? inside.filter(isFileOfFields).map((file) => ({ parts: file.parts, stamp: toStamp([toStats(file)]) }))
      : [{ parts: zarr, stamp: toStamp(inside.map(toStats)) }],
  );
  const grids = found
    .filter(({ parts }) => parts.at(-1)?.startsWith('.') !== true)
    .sort((one, other) => compareParts(one.parts, other.parts))
    .map(({ parts, stamp }) => ({ path: join(from, ...parts), stamp }));
  const links = skipped
    .filter(({ name }) => FILE.test(name) && !basename(name).startsWith('.'))
    .map(({ name, code, reason }) => ({ path: join(from, name), stamp: '', skipped: { code, reason } }));
  return [...grids, ...links];
}

/** Folders of Zarr that do not lie in another one. */
function findZarrs(files: readonly FoundFile[]): readonly (readonly string[])[] {
  const tops: (readonly string[])[] = [];
  const folders = files
    .filter(({ parts }) => parts.at(-1) === 'zarr.json' || parts.at(-1) === '.zgroup')
    .map(({ parts }) => parts.slice(0, -1))
    .sort((one, other) => one.length - other.length);
  for (const folder of folders) {
    if (!tops.some((top) => isBelow(folder, top))) tops.push(folder);
  }
  return tops;
}

const isBelow = (parts: readonly string[], folder: readonly string[]): boolean =>
  folder.every((name, i) => parts[i] === name);

const isFileOfFields = ({ parts }: FoundFile): boolean => FILE.test(parts.at(-1) ?? '');

/** Folder by folder, each in the order of its names. */
function compareParts(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((name, i) => name !== other[i]);
  const [first, second] = [one[at] ?? '', other[at] ?? ''];
  return first < second ? -1 : 1;
}

const toStats = ({ sizeBytes, modifiedMs }: FoundFile) => ({ size: sizeBytes, mtimeMs: modifiedMs });

/** A folder of Zarr has changed when any of its files has. */
function toStamp(stats: readonly { readonly size: number; readonly mtimeMs: number }[]): string {
  let [size, latestMs] = [0, 0];
  for (const one of stats) [size, latestMs] = [size + one.size, Math.max(latestMs, one.mtimeMs)];
  return `${stats.length}-${size}-${latestMs}`;
}
