import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cancelled } from '../../errors.ts';
import { createCog } from '../../formats/index.ts';
import type { Grid } from '../../geo/index.ts';
import type { JobRunner, Ticket } from '../../pool/index.ts';
import { packGrids } from '../../raster/index.ts';
import type { DemFile, DemOverview, ListedDem } from '../dems/dem.ts';
import type { DemStore } from '../dems/dem-store.ts';
import { planHeights } from '../plan/plan-heights.ts';
import { warpsOf } from '../plan/warps-of.ts';
import type { HeightsJobs } from '../values/heights-job.ts';
import type { OverviewCell, OverviewPlan, PlannedFile } from './plan-overviews.ts';
import { CELL_PX, planOverviews } from './plan-overviews.ts';

/** What overview mosaics are made with. */
export interface OverviewDeps {
  readonly store: Pick<DemStore, 'list' | 'findFiles' | 'listFiles' | 'putDem' | 'putFiles' | 'removeFiles'>;
  readonly pool: JobRunner<HeightsJobs>;
  /** Absolute folder of the model's mosaics. */
  readonly directory: string;
  /** Reads the header of a finished file, and makes its record. */
  readonly readFile: (
    path: string,
    overview: { readonly dem: string; readonly overview: number },
  ) => Promise<DemFile>;
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
/** A strip of a remote model may take minutes. */
const STRIP_TIMEOUT_MS = 600_000;

/**
 * Makes the overview mosaics that a model needs and stores their files; those that are on disk already and whose sources
 * have not changed are used again. Resolves to the mosaics.
 */
export async function makeOverviews(dem: string, deps: OverviewDeps): Promise<readonly DemOverview[]> {
  const { store } = deps;
  const listed = (await store.list()).find(({ name }) => name === dem);
  if (listed === undefined) return [];
  const plans = planOverviews(await readAll(store.listFiles({ dem, overview: 0 })));
  const total = plans.reduce((sum, { cells }) => sum + cells.length, 0);
  let done = 0;
  deps.onProgress(0, total);
  const overviews: DemOverview[] = [];
  const used = new Set<string>();
  for (const plan of plans) {
    const files: DemFile[] = [];
    for (const cell of plan.cells) {
      const file = await makeCell(listed, { plan, cell }, deps);
      files.push(file);
      used.add(file.id);
      done += 1;
      deps.onProgress(done, total);
    }
    await store.putFiles(files);
    overviews.push({ pixelDeg: plan.pixelDeg });
  }
  // Only now: until then tiles use the mosaics from before.
  const { fileCount: _, finestM: __, coarsestM: ___, bounds: ____, ...rest } = listed;
  await store.putDem({ ...rest, overviews });
  await removeOthers(listed, used, deps);
  return overviews;
}

async function readAll(files: AsyncIterable<DemFile>): Promise<readonly PlannedFile[]> {
  const all: PlannedFile[] = [];
  for await (const { bounds, resolutionM, width, height, levels } of files)
    all.push({ bounds, resolutionM, width, height, levels });
  return all;
}

interface CellRequest {
  readonly plan: OverviewPlan;
  readonly cell: OverviewCell;
}

/** Makes the file of a cell, unless it is there. Its name tells the state of what it was made of. */
async function makeCell(dem: ListedDem, { plan, cell }: CellRequest, deps: OverviewDeps): Promise<DemFile> {
  const { store, directory, readFile } = deps;
  const layer = { dem: dem.name, overview: plan.overview - 1 };
  const sources = await store.findFiles([layer], cell.bounds, MAX_FILES);
  const digest = createHash('sha256')
    .update(JSON.stringify([dem.gaps, plan.pixelDeg, sources.map(({ id, stamps }) => [id, ...stamps])]))
    .digest('hex')
    .slice(0, 16);
  const folder = join(directory, `overview-${plan.overview}`);
  const path = join(folder, `${cell.name}-${digest}.tif`);
  await mkdir(folder, { recursive: true });
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (!isThere) await writeCell(path, dem, { plan, cell }, deps);
  return readFile(path, { dem: dem.name, overview: plan.overview });
}

async function writeCell(
  path: string,
  dem: ListedDem,
  { plan, cell: { bounds } }: CellRequest,
  deps: OverviewDeps,
): Promise<void> {
  const { pixelDeg } = plan;
  const writer = await createCog(path, {
    width: CELL_PX,
    height: CELL_PX,
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
    for (let row = 0; row < CELL_PX; row += STRIP_ROWS) {
      const strip = await next;
      if (deps.signal.aborted) throw cancelled('ingest-stopped', 'Making overview mosaics was stopped.');
      if (row + STRIP_ROWS < CELL_PX) {
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
  const { pixelDeg } = plan;
  const grid: Grid = {
    epsg: 4326,
    transform: [west, pixelDeg, 0, top, 0, -pixelDeg],
    width: CELL_PX,
    height: STRIP_ROWS,
  };
  const within = {
    west: west - pixelDeg,
    south: top - (STRIP_ROWS + 1) * pixelDeg,
    east: west + (CELL_PX + 1) * pixelDeg,
    north: top + pixelDeg,
  };
  const files = await store.findFiles([{ dem: dem.name, overview: plan.overview - 1 }], within, MAX_FILES);
  const options = { method: 'average', within, isFiltered: false, filterReachPx: 0, maxBytes } as const;
  const heights = planHeights(grid, [{ dem, files }], options);
  if (heights.models.length === 0) return new Float32Array(CELL_PX * STRIP_ROWS).fill(NODATA);
  const ticket: Ticket = { owner: 'overviews', lane: 'task', timeoutMs: STRIP_TIMEOUT_MS, signal };
  const job = { plan: heights, grids: packGrids(warpsOf(heights)) };
  const { output } = await pool.run('heights', job, { ...ticket, bytes: heights.bytes });
  return output.map((height) => (Number.isNaN(height) ? NODATA : height));
}

/** Removes records and files of mosaics that are no longer used. */
async function removeOthers(
  { name, overviews }: ListedDem,
  used: ReadonlySet<string>,
  { store, directory }: OverviewDeps,
): Promise<void> {
  const known = new Set<string>();
  for (let overview = 1; overview <= Math.max(overviews.length, 8); overview++) {
    const unused: string[] = [];
    for await (const { id, href } of store.listFiles({ dem: name, overview })) {
      if (used.has(id)) known.add(href.split('/').at(-1) as string);
      else unused.push(id);
    }
    await store.removeFiles(unused);
  }
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (entry.isFile() && !known.has(entry.name))
      await rm(join(entry.parentPath, entry.name), { force: true });
  }
}
