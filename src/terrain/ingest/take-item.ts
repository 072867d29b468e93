import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isSwathError, sourceBroken } from '../../errors.ts';
import { sidecarHref } from '../../formats/block-file/index.ts';
import type { LonLatBounds } from '../../geo/index.ts';
import type { HeaderDeps } from '../../ingest/index.ts';
import type { OpenSource } from '../../sources/index.ts';
import type { DemFile } from '../dems/dem.ts';
import { probeTemplate } from './record/probe-template.ts';
import type { HeightOptions } from './record/read-dem-file.ts';
import { readDemFile } from './record/read-dem-file.ts';
import { readTileSize } from './record/read-tile-size.ts';
import { toTileAddress } from './record/tile-template.ts';
import { toPyramidFile } from './record/to-pyramid-file.ts';
import type { FoundImage, FoundItem, FoundTiles, SourceDoors } from './source/dem-source.ts';
import { toAllowedHref } from './source/dem-source.ts';

/** What records are made with. */
export interface TakeDeps extends HeaderDeps {
  readonly dem: string;
  readonly heights: HeightOptions;
  /** Whether the operator says something about the heights: records are then compared, not only states of files. */
  readonly isStated: boolean;
  /** The ground that a template has tiles of; null for all. */
  readonly bounds: LonLatBounds | null;
}

/** The address of an item in the catalog; refuses what the server could not open later. */
export function toItemHref(item: FoundItem, doors: SourceDoors): string {
  if (item.kind === 'image') return toAllowedHref(item.address, doors);
  if (item.kind === 'template') {
    toAllowedHref(toTileAddress(item.address, { z: 0, x: 0, y: 0 }), doors);
    return item.address;
  }
  // The catalog knows no braces in paths: only those of tiles are checked, by the one that was found.
  return doors.toHref(toTilePath(item)).replace(/\d+\/\d+\/\d+\.png$/, '{z}/{x}/{y}.png');
}

const toTilePath = ({ folder, pyramid: { tile } }: FoundTiles): string =>
  join(folder, String(tile.z), String(tile.x), `${tile.y}.png`);

/** Reads the record of an item; null if the known one still holds. */
export async function takeItem(
  item: FoundItem,
  { href, known, deps }: { readonly href: string; readonly known: DemFile | null; readonly deps: TakeDeps },
): Promise<DemFile | null> {
  if (item.kind === 'image' && known !== null && !deps.isStated && (await isSameImage(item, known, deps))) {
    return null;
  }
  const record = await readItem(item, href, deps);
  return known !== null && isDeepStrictEqual(toStored(record), toStored(known)) ? null : record;
}

/** A record as a store gives it back: JSON has one zero. */
const toStored = (record: DemFile): unknown => JSON.parse(JSON.stringify(record));

async function readItem(item: FoundItem, href: string, deps: TakeDeps): Promise<DemFile> {
  const { dem, heights, bounds } = deps;
  if (item.kind === 'image') return readDemFile(deps, { dem, href, ...heights });
  if (item.kind === 'template') return toPyramidFile(dem, await probeTemplate(href, { ...deps, bounds }));
  const { tile, zooms, bounds: covered } = item.pyramid;
  const tileSizePx = await readTileSize(toTileAddress(href, tile), deps);
  if (tileSizePx === null) throw sourceBroken('source-gone', 'A tile of the pyramid cannot be opened.');
  return toPyramidFile(dem, { href, tileSizePx, zooms, bounds: covered });
}

/** Whether the file and its sidecars are as they were when the record was made. */
async function isSameImage(
  { version, sidecars }: FoundImage,
  known: DemFile,
  { open, signal }: TakeDeps,
): Promise<boolean> {
  const recorded = known.sidecars ?? [];
  // A listing tells the state without a request; where there are sidecars it is not enough.
  if (version !== null && recorded.length === 0) return known.stamps[0] === version;
  if (sidecars?.some((suffix) => !recorded.includes(suffix))) return false;
  const hrefs = [known.href, ...recorded.map((suffix) => sidecarHref(known.href, suffix))];
  for (const [i, href] of hrefs.entries()) {
    if ((await readStamp(href, open, signal)) !== known.stamps[i]) return false;
  }
  return true;
}

/** Null for a file that cannot be opened: reading its header tells why. */
async function readStamp(
  href: string,
  open: OpenSource,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  try {
    const source = await open(href, signal);
    await source.close();
    return source.version;
  } catch (error) {
    if (isSwathError(error) && error.tag === 'source-broken') return null;
    throw error;
  }
}
