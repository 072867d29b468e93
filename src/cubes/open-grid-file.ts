import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FoundFile } from '../files/index.ts';
import { walkFolder } from '../files/index.ts';
import type { GribDescription, GribField, GribFile } from '../formats/grib/index.ts';
import { describeField, findGrib, openGrib } from '../formats/grib/index.ts';
import type { Hdf5Thread } from '../formats/hdf5/index.ts';
import { openNetcdf } from '../formats/netcdf/index.ts';
import type { Tiff } from '../formats/tiff/index.ts';
import { openTiff, readBlock, toBandPixels } from '../formats/tiff/index.ts';
import { openZarr } from '../formats/zarr/index.ts';
import type { ByteSource } from '../sources/index.ts';
import type { CubeGrid } from './cube-grid.ts';
import { MAX_CELLS } from './cube-grid.ts';
import { notFound, sourceBroken, tooLarge, unsupported } from './errors.ts';
import type { GridFile, GridVariable } from './grid-file.ts';
import { parseFileDate, toGridFile } from './grid-file.ts';

/** How files are opened. */
export interface OpenGridDeps {
  /** Opens a file of this machine in ranges, by its path. */
  readonly open: (path: string) => Promise<ByteSource>;
  readonly hdf5: Hdf5Thread;
}

/** Enough for every signature, and for GRIB after a WMO heading. */
const HEAD_BYTES = 1_024;
const SIGNATURE_BYTES = 8;
const HDF5_HEAD = '894844460d0a1a0a';

/** Opens a file of fields, whichever of the known formats it has: NetCDF 3 and 4, HDF5, GeoTIFF, GRIB, or a folder of Zarr. */
export async function openGridFile(path: string, { open, hdf5 }: OpenGridDeps): Promise<GridFile> {
  const name = basename(path);
  const stats = await stat(path).catch((cause: unknown) => {
    throw sourceBroken('source-gone', 'The file cannot be opened.', { cause });
  });
  if (stats.isDirectory()) return toGridFile(await openZarr(path), name);
  const source = await open(path);
  try {
    const head = Buffer.from(await source.read(0, Math.min(HEAD_BYTES, source.size)));
    if (head.subarray(0, SIGNATURE_BYTES).toString('hex') === HDF5_HEAD) {
      await source.close();
      return await toGridFile(await hdf5.open(path), name);
    }
    const text = head.toString('latin1');
    if (text.startsWith('CDF'))
      return closing(await toGridFile(await openNetcdf(source), name), source.close);
    if (/^(II[*+]\0|MM\0[*+])/.test(text)) return closing(await openTiffGrid(source, name), source.close);
    if (findGrib(head) >= 0) return closing(await openGribGrid(source), source.close);
    throw unsupported('unknown-format', 'The file is neither NetCDF nor HDF5 nor GeoTIFF nor GRIB.');
  } catch (error) {
    await source.close();
    throw error;
  }
}

const closing = (file: GridFile, close: () => Promise<void>): GridFile => ({
  variables: file.variables,
  async close() {
    await file.close();
    await close();
  },
});

/** Opens a GeoTIFF of one field: its first band, of the day in its name. */
export async function openTiffGrid(source: ByteSource, name: string): Promise<GridFile> {
  const tiff = await openTiff(source);
  const [image] = tiff.images;
  const { width, height } = image;
  if (width * height > MAX_CELLS)
    throw tooLarge('grid-too-large', `The grid has ${width * height} cells; at most ${MAX_CELLS} are read.`);
  const ms = parseFileDate(name);
  if (ms === null)
    throw unsupported('no-time', 'The name of the GeoTIFF has no date such as 20260502 in it.');
  const [west, lonStep, turnX, north, turnY, latStep] = tiff.transform ?? [0, 0, 0, 0, 0, 0];
  if (tiff.epsg !== 4326 || turnX !== 0 || turnY !== 0 || !(lonStep > 0) || !(latStep < 0))
    throw unsupported(
      'grid-not-degrees',
      'The GeoTIFF is not a grid of degrees (EPSG:4326) with north up; warp it first.',
    );
  const band = tiff.bands[0];
  return {
    variables: [
      {
        name: band?.description ?? '',
        standardName: '',
        longName: '',
        units: band?.unit ?? '',
        grid: {
          west: west + lonStep / 2,
          north: north + latStep / 2,
          lonStep,
          latStep: -latStep,
          width,
          height,
        },
        timesMs: [ms],
        readField: () => readFirstBand(tiff),
      },
    ],
    close: async () => {},
  };
}

async function readFirstBand(tiff: Tiff): Promise<Float32Array> {
  const [image] = tiff.images;
  const { width, height, blockWidth, blockHeight } = image;
  const { scale, offset } = tiff.bands[0] ?? { scale: 1, offset: 0 };
  const field = new Float32Array(width * height);
  for (let row = 0; row < image.blocksDown; row++) {
    for (let column = 0; column < image.blocksAcross; column++) {
      const block = await readBlock(tiff, image, { band: 0, column, row });
      const pixels = toBandPixels(block, 0);
      const [left, top] = [column * blockWidth, row * blockHeight];
      for (let y = top; y < Math.min(top + block.height, height); y++) {
        for (let x = left; x < Math.min(left + blockWidth, width); x++) {
          const stored = Number(pixels[(y - top) * block.width + (x - left)]);
          const isGap = stored === tiff.nodata || !Number.isFinite(stored);
          field[y * width + x] = isGap ? Number.NaN : stored * scale + offset;
        }
      }
    }
  }
  if (field.length === 0) throw sourceBroken('tiff-empty', 'The GeoTIFF has no pixels.');
  return field;
}

/** A field and what it is. */
interface Described extends Omit<GribDescription, 'method'> {
  readonly field: GribField;
  readonly method: GribDescription['method'];
}

/**
 * Opens a GRIB file: a variable is a parameter at a level with one method on one grid. Where periods of different length end
 * together, as in files of GFS, those from the beginning of the run are one variable, and the shortest ones another.
 */
export async function openGribGrid(source: ByteSource): Promise<GridFile> {
  const file = await openGrib(source);
  const groups = new Map<string, Described[]>();
  for (const field of file.fields) {
    const described: Described = { field, ...describeField(field) };
    const { west, north, lonStep, latStep, width, height } = field.grid;
    const grid = [west, north, lonStep, latStep, width, height].join();
    const key = `${described.name} ${described.method} ${grid}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [described]);
    else group.push(described);
  }
  const variables: GridVariable[] = [];
  let refusal: unknown = file.refusal;
  for (const group of groups.values()) {
    try {
      const grid = toCubeGrid(group[0]!.field);
      for (const part of splitPeriods(group)) variables.push(toVariable(file, grid, part));
    } catch (error) {
      // Another grid may do; without one this is why.
      refusal ??= error;
    }
  }
  if (variables.length === 0) throw refusal;
  return { variables, close: async () => {} };
}

function toCubeGrid({ grid: { west, north, lonStep, latStep, width, height } }: GribField): CubeGrid {
  if (lonStep * width > 360 * (1 + 1e-6))
    throw unsupported('grid-turn', 'The columns of the file go around the world more than once.');
  return { west, north, lonStep, latStep, width, height };
}

/** Fields of one variable, or of two if some have the same end in the same run and begin at different times. */
function splitPeriods(group: readonly Described[]): readonly (readonly Described[])[] {
  const startOf = ({ startMs, field }: Described): number => startMs ?? field.endMs;
  const shortest = new Map<string, Described>();
  let hasSeveral = false;
  for (const one of group) {
    const key = `${one.field.runMs} ${one.field.endMs}`;
    const other = shortest.get(key);
    if (other !== undefined && startOf(other) !== startOf(one)) hasSeveral = true;
    if (other === undefined || startOf(one) >= startOf(other)) shortest.set(key, one);
  }
  if (!hasSeveral) return [group];
  const fromRun = group.filter((one) => startOf(one) === one.field.runMs);
  return fromRun.length === 0 ? [[...shortest.values()]] : [fromRun, [...shortest.values()]];
}

function toVariable(file: GribFile, grid: CubeGrid, group: readonly Described[]): GridVariable {
  // The last of several fields of one time replaces those before.
  const byTime = new Map(group.map((one) => [one.field.endMs, one]));
  const sorted = [...byTime.values()].sort((one, other) => one.field.endMs - other.field.endMs);
  const { name, longName, units, method } = sorted[0]!;
  const variable: GridVariable = {
    name,
    standardName: '',
    longName,
    units,
    grid,
    timesMs: sorted.map(({ field }) => field.endMs),
    runsMs: sorted.map(({ field }) => field.runMs),
    readField: (index) => file.readValues(sorted[index]!.field),
  };
  const starts = sorted.map(({ startMs }) => startMs);
  const hasStarts = method !== 'instant' && starts.every((ms) => ms !== null);
  if (method === null) return variable;
  return hasStarts ? { ...variable, method, startsMs: starts } : { ...variable, method };
}

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
