import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { makeGate } from '../../async/index.ts';
import { isSwathError, withSubject } from '../../errors.ts';
import { sidecarHref } from '../../formats/block-file/index.ts';
import { makeJp2Decoder } from '../../formats/jp2/index.ts';
import type { LonLatBounds } from '../../geo/index.ts';
import type { HeaderDeps } from '../../ingest/index.ts';
import type { OpenSource } from '../../sources/index.ts';
import type { DemFile } from '../dem.ts';
import { DEM_FILES } from '../dem.ts';
import { sourceBroken } from '../errors.ts';
import type { DemFileReport, DemRun, TakenItems } from './dem-run.ts';
import { toBrokenLine } from './dem-run.ts';
import type { FoundImage, FoundItem, FoundTiles, SourceDoors } from './dem-source.ts';
import { toAllowedHref } from './dem-source.ts';
import { probeTemplate, readTileSize, toPyramidFile, toTileAddress } from './pyramid.ts';
import type { HeightOptions } from './read-dem-file.ts';
import { isDamage, readDemFile } from './read-dem-file.ts';
import { describeModel } from './settle-model.ts';

/** Records that are put together: after a crash at most so many headers are read again. */
const BATCH = 64;
/** Headers read concurrently, as many as a store is asked at a time. */
const HEADERS_AT_ONCE = 16;

/** An item on its way into the catalog; null when the run was stopped. */
type Step = {
  readonly line: DemFileReport;
  /** A new or changed record. */
  readonly file?: DemFile;
  /** A record that no longer holds: its file is damaged. */
  readonly dropped?: DemFile;
} | null;

/** Reads the items of the source, and puts records in batches. */
export async function takeItems(run: DemRun): Promise<TakenItems> {
  const { options, source, before } = run;
  const { store, signal, onProgress } = options;
  const lines: DemFileReport[] = [];
  const found = { hrefs: new Map<string, string>(), isAll: true };
  const ingested: DemFile[] = [];
  const dropped: DemFile[] = [];
  const take = makeTake(run, found);
  const gate = makeGate(HEADERS_AT_ONCE);
  for (let start = 0; start < source.items.length && !signal?.aborted; start += BATCH) {
    const batch = source.items.slice(start, start + BATCH);
    const steps = await Promise.all(batch.map((item) => gate.run(() => take(item))));
    const files = steps.flatMap((step) => step?.file ?? []);
    // Files need their model. Whether there is sea between them is known when all of them are.
    const isFirst = before === null && ingested.length === 0;
    if (files.length > 0 && isFirst) await store.putDem(describeModel(run, 'unknown'));
    if (files.length > 0) await store.putFiles(files);
    ingested.push(...files);
    const gone = steps.flatMap((step) => step?.dropped ?? []);
    if (gone.length > 0) await store.removeFiles(gone.map(({ id }) => id));
    dropped.push(...gone);
    lines.push(...steps.flatMap((step) => step?.line ?? []));
    onProgress?.({ done: lines.length, total: source.items.length });
  }
  const stopped = lines.length < source.items.length;
  return { lines, found: found.hrefs, isAllFound: found.isAll, dropped, ingested, stopped };
}

/** Builds the reading of one item, which never throws. */
function makeTake(
  run: DemRun,
  found: { readonly hrefs: Map<string, string>; isAll: boolean },
): (item: FoundItem) => Promise<Step> {
  const { options, known } = run;
  const { signal, onBug, checkFile } = options;
  const deps = toTakeDeps(run);
  const tryHref = (item: FoundItem): string => {
    try {
      return toItemHref(item, options);
    } catch (error) {
      found.isAll = false;
      throw error;
    }
  };
  const take = async (item: FoundItem): Promise<Step> => {
    const { name } = item;
    const href = tryHref(item);
    if (found.hrefs.has(href)) return { line: { file: name, outcome: 'skipped', ...DUPLICATE } };
    found.hrefs.set(href, name);
    const stored = known.get(href) ?? null;
    const read = async (): Promise<DemFile | null> => {
      const file = await takeItem(item, { href, known: stored, deps });
      if (file !== null) await checkFile?.(file, signal);
      return file;
    };
    const file = await read().catch((error: unknown) => {
      if (stored === null || !isDamage(error)) throw error;
      // The catalog has the file as it was; tiles would fail where it lies.
      return { line: toBrokenLine(name, withSubject(error, DEM_FILES)), dropped: stored };
    });
    if (file !== null && 'line' in file) return file;
    if (file === null) return { line: { file: name, outcome: 'unchanged' } };
    const change = stored === null ? 'added' : 'replaced';
    return { line: { file: name, outcome: 'ingested', change }, file };
  };
  return async (item) => {
    if (signal?.aborted) return null;
    try {
      return await take(item);
    } catch (error) {
      // After a stop, reading fails in many ways, and none is a fault of the file.
      if (signal?.aborted || (isSwathError(error) && error.tag === 'cancelled')) return null;
      if (isSwathError(error) && error.tag !== 'internal')
        return { line: toBrokenLine(item.name, withSubject(error, DEM_FILES)) };
      onBug?.(error, item.name);
      return { line: toBrokenLine(item.name, BUG) };
    }
  };
}

const DUPLICATE = { code: 'duplicate', reason: 'The same file is named twice.' } as const;
const BUG = { code: 'internal', message: 'An unexpected error occurred while it was read.' } as const;

function toTakeDeps({ options, dem }: DemRun): TakeDeps {
  const { open, signal, unit = null, bandIndex = null, nodata = null, bounds = null } = options;
  return {
    open,
    signal,
    dem,
    bounds,
    jp2Decoder: makeJp2Decoder(),
    heights: { unit, bandIndex: bandIndex ?? 0, nodata },
    isStated: unit !== null || bandIndex !== null || nodata !== null,
  };
}

/** Dependencies for making records. */
interface TakeDeps extends HeaderDeps {
  readonly dem: string;
  readonly heights: HeightOptions;
  /** Whether the operator says something about the heights: records are then compared, not only states of files. */
  readonly isStated: boolean;
  /** The ground that a template has tiles of; null for all. */
  readonly bounds: LonLatBounds | null;
}

/** The address of an item in the catalog; refuses what the server could not open later. */
function toItemHref(item: FoundItem, doors: SourceDoors): string {
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
async function takeItem(
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
  // A listing has the state without a request, but not that of sidecars.
  if (version !== null && recorded.length === 0) return known.stamps[0] === version;
  if (sidecars?.some((suffix) => !recorded.includes(suffix))) return false;
  const hrefs = [known.href, ...recorded.map((suffix) => sidecarHref(known.href, suffix))];
  for (const [i, href] of hrefs.entries()) {
    if ((await readStamp(href, open, signal)) !== known.stamps[i]) return false;
  }
  return true;
}

/** Null for a file that cannot be opened: reading its header reports the error. */
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
