import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { badInput } from '../../../errors.ts';
import { toShownAddress } from '../../../net/index.ts';
import { isTileTemplate, toTileAddress } from '../record/tile-template.ts';
import { lastPart } from './copernicus.ts';
import type { DemSource, SourceDoors } from './dem-source.ts';
import { toAllowedHref } from './dem-source.ts';
import { findInBucket } from './find-in-bucket.ts';
import { findInFolder } from './find-in-folder.ts';
import { readList } from './read-list.ts';

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
