import { readdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { badInput, isSwathError } from '../../../errors.ts';
import type { FoundFile, SkippedEntry } from '../../../files/index.ts';
import { walkFolder } from '../../../files/index.ts';
import { sidecarHref } from '../../../formats/block-file/index.ts';
import type { DemSource, FoundImage, FoundTiles, SourceDoors } from './dem-source.ts';
import { findPyramid } from './find-pyramid.ts';
import { isTileListName, readListLines, toTiles } from './read-list.ts';
import { sortNames } from './sort-names.ts';

/** Finds the images below a folder, and pyramids of tiles in it or in its folders. */
export async function findInFolder(
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
