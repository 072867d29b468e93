import { createHash } from 'node:crypto';
import { isSwathError } from '../../errors.ts';
import { createCog } from '../../formats/cog/index.ts';
import type { Grid } from '../../geo/index.ts';
import type { OwnFiles } from '../../objects/index.ts';
import type { JobRunner, Ticket } from '../../pool/index.ts';
import { packGrids } from '../../proj/index.ts';
import type { DemFile, DemOverview, DemStore, ListedDem } from '../dem.ts';
import { toFileState } from '../dem.ts';
import { cancelled } from '../errors.ts';
import { planHeights, warpsOf } from '../plan/plan-heights.ts';
import type { HeightsJobs } from '../values/read-grid.ts';
import type { DamagedFile, MadeOverviews } from './dem-run.ts';
import type { OverviewCell, OverviewPlan } from './plan-overviews.ts';
import { isDamage } from './read-dem-file.ts';

/** Where overview mosaics are stored. */
interface OverviewStores {
  readonly store: Pick<DemStore, 'list' | 'findFiles' | 'listFiles' | 'putDem' | 'putFiles' | 'removeFiles'>;
  readonly files: OwnFiles;
  /** Folder of the model's mosaics among the files that Swath makes; ends with a slash. */
  readonly folder: string;
}

/** Dependencies for making overview mosaics. */
export interface OverviewDeps extends OverviewStores {
  readonly plans: readonly OverviewPlan[];
  readonly pool: JobRunner<HeightsJobs>;
  /** Cells that are made concurrently. */
  readonly atOnce: number;
  /** Reads the header of a finished file, and makes its record. */
  readonly readFile: (
    href: string,
    overview: { readonly dem: string; readonly overview: number },
  ) => Promise<DemFile>;
  /** Reads every block of a file; rejects with what is wrong. */
  readonly checkFile: (file: DemFile) => Promise<void>;
  /** Estimated pixel memory of one job. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** Rows that are read at a time. */
const STRIP_ROWS = 128;
/** More files than any strip of a cell touches. */
const MAX_FILES = 4_096;
const NODATA = -32_767;
/** More than any model has: the cells of the eighth would be larger than the world. */
const MAX_OVERVIEWS = 8;
/** A strip of a remote model may take minutes. */
const STRIP_TIMEOUT_MS = 600_000;

/** Passes over the plans: each one after the first replaces damaged files of mosaics that an earlier run has made. */
const MAX_PASSES = 3;

/**
 * Makes the overview mosaics that a model needs and stores their files; those that are there already and whose sources
 * have not changed are used again. A file of the model that cannot be read is named, and the mosaics stay as they were.
 */
export async function makeOverviews(dem: string, deps: OverviewDeps): Promise<MadeOverviews> {
  const { store, files, folder } = deps;
  for (let pass = 1; ; pass++) {
    const listed = (await store.list()).find(({ name }) => name === dem);
    if (listed === undefined) return { overviews: [], damaged: [] };
    const made = await makeAll(listed, deps);
    const own = made.damaged.filter(({ file }) => file.overview > 0);
    if (own.length === 0 || pass === MAX_PASSES) return made;
    for (const { file } of own) await files.remove(toMosaicKey(folder, file.overview, toName(file)));
  }
}

const toName = ({ href }: Pick<DemFile, 'href'>): string => href.slice(href.lastIndexOf('/') + 1);

const toMosaicKey = (folder: string, overview: number, name: string): string =>
  `${folder}overview-${overview}/${name}`;

async function makeAll(listed: ListedDem, deps: OverviewDeps): Promise<MadeOverviews> {
  const { store, plans, atOnce } = deps;
  const total = plans.reduce((sum, { cells }) => sum + cells.length, 0);
  let done = 0;
  deps.onProgress(0, total);
  const overviews: DemOverview[] = [];
  const used = new Set<string>();
  const damaged = new Map<string, DamagedFile>();
  for (const plan of plans) {
    const files: DemFile[] = [];
    const waiting = [...plan.cells];
    const workOff = async (): Promise<void> => {
      for (let cell = waiting.shift(); cell !== undefined; cell = waiting.shift()) {
        const made = await makeCell(listed, { plan, cell }, deps);
        if (Array.isArray(made)) for (const fault of made) damaged.set(fault.file.id, fault);
        else {
          files.push(made);
          used.add(made.id);
        }
        done += 1;
        deps.onProgress(done, total);
      }
    };
    // One failure ends all: the others stop after their cell, and are waited for.
    const ended = await Promise.allSettled(
      Array.from({ length: atOnce }, () =>
        workOff().catch((error: unknown) => {
          waiting.length = 0;
          throw error;
        }),
      ),
    );
    const failed = ended.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    // The other cells were still made, and are there for the next run.
    if (damaged.size > 0) return { overviews: null, damaged: [...damaged.values()] };
    await store.putFiles(files);
    overviews.push({ pixelDeg: plan.pixelDeg });
  }
  await useOverviews(listed, overviews, { ...deps, used });
  return { overviews, damaged: [] };
}

/** Removes the overview mosaics of a model that needs none. */
export async function dropOverviews(dem: string, deps: OverviewStores): Promise<void> {
  const listed = (await deps.store.list()).find(({ name }) => name === dem);
  if (listed !== undefined) await useOverviews(listed, [], { ...deps, used: new Set() });
}

/** Tiles use the old mosaics until the model lists the new ones; only then are the old ones removed. */
async function useOverviews(
  listed: ListedDem,
  overviews: readonly DemOverview[],
  deps: OverviewStores & { readonly used: ReadonlySet<string> },
): Promise<void> {
  const { name, order, gaps, attribution, ingestedAt } = listed;
  await deps.store.putDem({ name, order, gaps, attribution, ingestedAt, overviews });
  await removeOthers(listed, deps);
}

interface CellRequest {
  readonly plan: OverviewPlan;
  readonly cell: OverviewCell;
}

/**
 * Makes the file of a cell, unless it is there. Its name has a digest of its sources. Resolves to the damaged
 * files under the cell if it cannot be made because of them.
 */
async function makeCell(
  dem: ListedDem,
  { plan, cell }: CellRequest,
  deps: OverviewDeps,
): Promise<DemFile | DamagedFile[]> {
  const { store, files, folder, readFile } = deps;
  const layer = { dem: dem.name, overview: plan.overview - 1 };
  const sources = await store.findFiles([layer], cell.bounds, MAX_FILES);
  const digest = createHash('sha256')
    .update(JSON.stringify([dem.gaps, plan.pixelDeg, sources.map(toFileState)]))
    .digest('hex')
    .slice(0, 16);
  const key = toMosaicKey(folder, plan.overview, `${cell.name}-${digest}.tif`);
  const read = (href: string): Promise<DemFile> => readFile(href, { dem: dem.name, overview: plan.overview });
  if (await files.has(key)) {
    const known = await read(files.toHref(key)).catch((error: unknown) => {
      if (isDamage(error)) return null;
      throw error;
    });
    if (known !== null) return known;
  }
  const write = async (): Promise<void> => writeCell(await files.prepare(key), dem, { plan, cell }, deps);
  try {
    await write();
  } catch (error) {
    if (!isSwathError(error) || error.tag === 'cancelled' || error.tag === 'internal') throw error;
    const damaged = await findDamaged(sources, deps);
    if (damaged.length > 0) return damaged;
    // All of them can be read: the failure was temporary, or not a fault of the files.
    await write();
  }
  return read(await files.publish(key, deps.signal));
}

/** Reads the files one by one, to find those that cannot be read. */
async function findDamaged(sources: readonly DemFile[], deps: OverviewDeps): Promise<DamagedFile[]> {
  const damaged: DamagedFile[] = [];
  for (const file of sources) {
    if (file.format !== 'tiff') continue;
    await deps.checkFile(file).catch((error: unknown) => {
      if (!isDamage(error)) throw error;
      damaged.push({ file, code: error.code, message: error.message });
    });
  }
  return damaged;
}

async function writeCell(
  path: string,
  dem: ListedDem,
  { plan, cell: { bounds } }: CellRequest,
  deps: OverviewDeps,
): Promise<void> {
  const { pixelDeg, cellPx } = plan;
  const writer = await createCog(path, {
    width: cellPx,
    height: cellPx,
    bandCount: 1,
    type: 'float32',
    epsg: 4326,
    transform: [bounds.west, pixelDeg, 0, bounds.north, 0, -pixelDeg],
    nodata: NODATA,
    compression: 'deflate',
    predictor: 3,
  });
  try {
    // The next strip is read while the one before is written.
    let next = readStrip(dem, { plan, top: bounds.north, west: bounds.west }, deps);
    next.catch(() => {});
    for (let row = 0; row < cellPx; row += STRIP_ROWS) {
      const strip = await next;
      if (deps.signal.aborted) throw cancelled('ingest-stopped', 'Making overview mosaics was stopped.');
      if (row + STRIP_ROWS < cellPx) {
        const top = bounds.north - (row + STRIP_ROWS) * pixelDeg;
        next = readStrip(dem, { plan, top, west: bounds.west }, deps);
        next.catch(() => {});
      }
      await writer.writeRows([strip], STRIP_ROWS);
    }
    await writer.finish();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** Heights of a strip of a cell, averaged from the layer below. */
async function readStrip(
  dem: ListedDem,
  { plan, top, west }: { readonly plan: OverviewPlan; readonly top: number; readonly west: number },
  { store, pool, maxBytes, signal }: OverviewDeps,
): Promise<Float32Array> {
  const { pixelDeg, cellPx } = plan;
  const grid: Grid = {
    epsg: 4326,
    transform: [west, pixelDeg, 0, top, 0, -pixelDeg],
    width: cellPx,
    height: STRIP_ROWS,
  };
  const within = {
    west: west - pixelDeg,
    south: top - (STRIP_ROWS + 1) * pixelDeg,
    east: west + (cellPx + 1) * pixelDeg,
    north: top + pixelDeg,
  };
  const files = await store.findFiles([{ dem: dem.name, overview: plan.overview - 1 }], within, MAX_FILES);
  const options = { method: 'average', within, isFiltered: false, filterReachPx: 0, maxBytes } as const;
  const heights = planHeights(grid, [{ dem, files }], options);
  if (heights.models.length === 0) return new Float32Array(cellPx * STRIP_ROWS).fill(NODATA);
  const ticket: Ticket = { owner: 'overviews', lane: 'task', timeoutMs: STRIP_TIMEOUT_MS, signal };
  const job = { plan: heights, grids: packGrids(warpsOf(heights)) };
  const { output } = await pool.run('heights', job, { ...ticket, bytes: heights.bytes });
  return output.map((height) => (Number.isNaN(height) ? NODATA : height));
}

/** Removes records and files of mosaics that are no longer used. */
async function removeOthers(
  { name }: ListedDem,
  { store, files, folder, used }: OverviewStores & { readonly used: ReadonlySet<string> },
): Promise<void> {
  const known = new Set<string>();
  for (let overview = 1; overview <= MAX_OVERVIEWS; overview++) {
    const unused: string[] = [];
    for await (const { id, href } of store.listFiles({ dem: name, overview })) {
      if (used.has(id)) known.add(toName({ href }));
      else unused.push(id);
    }
    await store.removeFiles(unused);
  }
  for (const key of await files.list(folder)) if (!known.has(toName({ href: key }))) await files.remove(key);
}
