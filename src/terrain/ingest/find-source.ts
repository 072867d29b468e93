import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isSwathError, SwathError } from '../../errors.ts';
import type { FoundFile, SkippedEntry } from '../../files/index.ts';
import { walkFolder } from '../../files/index.ts';
import { sidecarHref } from '../../formats/block-file/index.ts';
import { toShownAddress } from '../../net/index.ts';
import type { ListedObject } from '../../sources/index.ts';
import { badInput } from '../errors.ts';
import { lastPart, parseCopernicusName } from './copernicus.ts';
import type { DemSource, FoundImage, FoundTiles, LeftOut, SourceDoors } from './dem-source.ts';
import { toAllowedHref } from './dem-source.ts';
import { findPyramid, isTileTemplate, toTileAddress } from './pyramid.ts';
import { isTileListName, readList, readListLines, toTiles } from './read-list.ts';

/**
 * Finds what an operator pointed to: a folder, a file, a list, a template of tiles, or a bucket. Nothing of it is opened
 * but lists.
 */
export async function findSource(
  from: string,
  doors: SourceDoors,
  signal: AbortSignal | undefined,
): Promise<DemSource> {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(from)?.[1]?.toLowerCase() ?? null;
  if (scheme === null) return findLocal(from, doors, signal);
  if (scheme !== 'http' && scheme !== 'https' && scheme !== 's3') {
    throw badInput(
      'bad-address',
      `${toShownAddress(from)} cannot be read: elevation models are read by https, http and s3, not by ${scheme}.`,
    );
  }
  if (isTileTemplate(from)) {
    // Refused at once, and not after the search for its zoom levels.
    toAllowedHref(toTileAddress(from, { z: 0, x: 0, y: 0 }), doors);
    return toSingle({ kind: 'template', name: toShownAddress(from), address: from }, toTemplateLabel(from));
  }
  const name = lastPart(from);
  if (/\.txt$/i.test(name)) return readList(from, doors, signal);
  if (scheme === 's3' && !/\.tiff?$/i.test(name)) return findInBucket(from, doors, signal);
  toAllowedHref(from, doors);
  return toImage(from);
}

async function findLocal(
  path: string,
  doors: SourceDoors,
  signal: AbortSignal | undefined,
): Promise<DemSource> {
  if (isTileTemplate(path)) {
    throw badInput(
      'bad-address',
      'Tiles of this machine are named by their folder, without {z}, {x} and {y}.',
    );
  }
  const found = await stat(path).catch((cause: unknown) => {
    throw badInput('no-such-file', `${path} does not exist or cannot be read.`, { cause });
  });
  if (found.isDirectory()) return findInFolder(path, doors, signal);
  return /\.txt$/i.test(path) ? readList(path, doors, signal) : toImage(path);
}

const toImage = (address: string): DemSource => {
  const name = basename(lastPart(address));
  return toSingle(
    { kind: 'image', name, address, version: null, sidecars: null },
    name.replace(/\.tiff?$/i, ''),
  );
};

const toSingle = (item: DemSource['items'][number], label: string): DemSource => ({
  items: [item],
  skipped: [],
  faults: [],
  tileList: null,
  scope: 'none',
  label,
});

/** The folder above the zoom levels, or the host. */
function toTemplateLabel(template: string): string {
  const url = URL.parse(template.slice(0, template.indexOf('{')));
  const folders = (url?.pathname ?? '').split('/').slice(0, -1);
  return folders.findLast((folder) => folder !== '') ?? url?.hostname ?? '';
}

/** Finds the images below a folder, and pyramids of tiles in it or in its folders. */
async function findInFolder(
  folder: string,
  doors: SourceDoors,
  signal: AbortSignal | undefined,
): Promise<DemSource> {
  const root = await realpath(folder).catch((cause: unknown) => {
    throw badInput('no-folder', `The folder ${folder} does not exist or cannot be read.`, { cause });
  });
  const source = { scope: { below: toScope(root, doors) }, label: basename(root) };
  const own = await findPyramid(root);
  if (own !== null) {
    const item: FoundTiles = { kind: 'tiles', name: basename(root), folder: root, pyramid: own };
    return { ...source, items: [item], skipped: [], faults: [], tileList: null };
  }
  const tiles = await findPyramidsBelow(root);
  const isTiles = new Set(tiles.map(({ name }) => name));
  const walked = await walkFolder(root, {
    ...(signal ? { signal } : {}),
    isLeftOut: ([name, ...more]) => more.length === 0 && isTiles.has(name ?? ''),
  });
  const { images, skipped } = sortNames(walked.files.map((file) => ({ file, name: file.parts.join('/') })));
  const list = walked.files.find(({ parts }) => parts.length === 1 && isTileListName(parts[0] ?? ''));
  // Permissions can be fixed; depth and links are intended.
  const isClosed = ({ code }: SkippedEntry) => code === 'folder-unreadable';
  return {
    ...source,
    items: [...toImages(images, walked.files), ...tiles],
    skipped: [...skipped, ...walked.skipped.filter((entry) => !isClosed(entry))],
    faults: walked.skipped.filter(isClosed),
    tileList: list === undefined ? null : toTiles(await readListLines(list.path, doors)),
  };
}

async function findPyramidsBelow(root: string): Promise<readonly FoundTiles[]> {
  const entries = await readdir(root, { withFileTypes: true });
  const found: FoundTiles[] = [];
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    const folder = join(root, name);
    const pyramid = await findPyramid(folder);
    if (pyramid !== null) found.push({ kind: 'tiles', name, folder, pyramid });
  }
  return found;
}

function toImages(
  images: readonly { readonly name: string; readonly file: FoundFile }[],
  files: readonly FoundFile[],
): readonly FoundImage[] {
  const paths = new Set(files.map(({ path }) => path));
  return images.map(({ name, file: { path } }) => ({
    kind: 'image',
    name,
    address: path,
    version: null,
    sidecars: (['.ovr', '.aux.xml', '.tfw', '.tifw', '.wld'] as const).filter((suffix) =>
      paths.has(sidecarHref(path, suffix)),
    ),
  }));
}

/** How addresses of files in a folder begin; files of a folder that only contains allowed ones have their paths. */
function toScope(root: string, { toHref }: SourceDoors): string {
  try {
    return toHref(join(root, 'x')).slice(0, -1);
  } catch (error) {
    if (!isSwathError(error) || error.tag !== 'not-allowed') throw error;
    return join(root, '/');
  }
}

/** Finds the images of a bucket below a prefix. */
async function findInBucket(
  from: string,
  doors: SourceDoors,
  signal: AbortSignal | undefined,
): Promise<DemSource> {
  const found: (ListedObject & { readonly name: string })[] = [];
  try {
    for await (const page of doors.listBucket(from, signal)) {
      for (const object of page) {
        // Of millions of objects only these are remembered.
        if (/\.(?:tiff?|txt)$/i.test(object.key)) found.push({ ...object, name: object.key });
      }
    }
  } catch (error) {
    throw toNamedRefusal(from, error);
  }
  const { images, skipped } = sortNames(found);
  const list = found.find(({ href }) => isTileListName(href.slice(from.length).replace(/^\//, '')));
  return {
    items: images.map(
      ({ name, href, version }): FoundImage => ({
        kind: 'image',
        name,
        address: href,
        version,
        sidecars: null,
      }),
    ),
    skipped,
    faults: [],
    tileList: list === undefined ? null : toTiles(await readListLines(list.href, doors, signal)),
    scope: { below: from },
    label: from.replace(/\/+$/, '').split('/').at(-1) ?? '',
  };
}

/** The guarded door refuses every address in the same words; an operator gets the bucket and the remedy. */
function toNamedRefusal(from: string, error: unknown): unknown {
  if (!isSwathError(error) || error.code !== 'address-not-allowed') return error;
  const why = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return new SwathError(
    'not-allowed',
    error.code,
    `${toShownAddress(from)} may not be read${why}. SWATH_SOURCES names the buckets, here and for the server, which opens the files later.`,
    { cause: error },
  );
}

/** Images among files, and those that hold something other than heights. */
interface SortedNames<File> {
  readonly images: readonly File[];
  readonly skipped: readonly LeftOut[];
}

/**
 * Finds the GeoTIFFs among files by their names. The Copernicus DEM has masks and error estimates next to its heights,
 * which are left out; hidden files are ignored, as copies from a Mac have one of each image.
 */
export function sortNames<File extends { readonly name: string }>(files: readonly File[]): SortedNames<File> {
  const tiffs = files.filter(({ name }) => /^[^.].*\.tiff?$/i.test(lastPart(name)));
  const isHeights = ({ name }: File): boolean => {
    const layer = parseCopernicusName(lastPart(name))?.layer;
    return layer === undefined || layer === 'DEM';
  };
  return {
    images: tiffs.filter(isHeights),
    skipped: tiffs
      .filter((file) => !isHeights(file))
      .map(({ name }) => ({
        name,
        code: 'not-heights',
        reason: 'The file belongs to the Copernicus DEM and holds a mask or errors, not heights.',
      })),
  };
}
