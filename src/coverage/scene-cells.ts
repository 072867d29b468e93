import { hash } from 'node:crypto';
import { makePause } from '../async/index.ts';
import type { AreaOutline, Grid } from '../geo/index.ts';
import { makeLru } from '../lru.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import { runPatiently } from '../pool/index.ts';
import type { FileWatch } from '../render/native/index.ts';
import { withCurrentFiles } from '../render/native/index.ts';
import type { AreaCells } from './area-cells.ts';
import type { CountedGroup, CoverageJobs, PackedCells } from './coverage-jobs.ts';
import { countBytes, joinCells, splitCells } from './coverage-jobs.ts';
import type { CoverageStore, StoredCell, WantedCells } from './coverage-store.ts';
import { toMaskKey } from './coverage-store.ts';
import type { PixelCounts } from './mask-cells.ts';
import type { SceneMask } from './plan-mask.ts';
import { cutList, describeMask, planCells } from './plan-mask.ts';
import type { MaskedScene, SceneMasks } from './scene-masks.ts';

/** A scene with the cells of its mask that the area covers. */
export interface PlacedScene extends MaskedScene {
  readonly mask: SceneMask;
  readonly area: AreaCells;
}

/** The area of a call, and for whom it is measured. */
export interface MeasuredArea {
  readonly outline: AreaOutline;
  /** A digest of the outline. */
  readonly key: string;
  readonly ticket: Ticket;
}

/** Packed cells of scenes, by the key of their mask and the number of the cell. */
export type KnownCells = Map<string, Map<number, Uint8Array>>;

interface CellDeps {
  readonly masks: Pick<SceneMasks, 'load'>;
  readonly watch: Pick<FileWatch, 'renew'>;
  readonly store: Pick<CoverageStore, 'findCells'>;
  readonly pool: JobRunner<CoverageJobs>;
  /** Called when cells could not be looked up; they are read again. */
  readonly onForgotten: (error: unknown) => void;
}

/** Finds, reads and counts cells of scenes. */
export interface SceneCells {
  /** The cells of grids that an area covers, by `toGridKey`. */
  cover(grids: readonly Grid[], area: MeasuredArea): Promise<ReadonlyMap<string, AreaCells>>;
  findStored(placed: readonly PlacedScene[]): Promise<KnownCells>;
  /** Reads cells of a scene from its files; those of the version that was looked for are added to `fresh`. */
  read(
    one: PlacedScene,
    missing: readonly number[],
    context: { readonly ticket: Ticket; readonly fresh: StoredCell[] },
  ): Promise<ReadonlyMap<number, Uint8Array>>;
  /** Counts the pixels of the area in scenes that share a grid. */
  count(placed: readonly PlacedScene[], known: KnownCells, ticket: Ticket): Promise<readonly PixelCounts[]>;
}

/** Memory of cached covered areas: those of some thousand fields. */
const AREAS_BYTES = 16 * 2 ** 20;
/** Memory of an entry without its cells. */
const ENTRY_BYTES = 500;
/** Cells of one query: four megabytes at most. */
const MAX_QUERY_CELLS = 1_024;
/** Grids of one job that covers cells: a hundred scenes of Landsat have a hundred, which keep several threads busy. */
const MAX_JOB_GRIDS = 16;
/** Cells of one job that counts: a megabyte or two, at most sixteen. */
const MAX_JOB_CELLS = 4_096;
/** Memory of a job that covers cells: masks of a block, and of the ground around an image. */
const COVER_BYTES = 8 * 2 ** 20;
/** Memory of a job that counts, in addition to the cells. */
const COUNT_BYTES = 2 ** 20;

/** Builds what is done with cells. */
export function makeSceneCells({ masks, watch, store, pool, onForgotten }: CellDeps): SceneCells {
  const areas = makeLru<AreaCells>({
    max: AREAS_BYTES,
    sizeOf: ({ cells, ends, runs }) => ENTRY_BYTES + cells.byteLength + ends.byteLength + runs.byteLength,
  });

  async function findSome(wanted: readonly WantedCells[]): Promise<readonly StoredCell[]> {
    try {
      return await store.findCells(wanted);
    } catch (error) {
      onForgotten(error);
      return [];
    }
  }

  function coverSome(
    grids: readonly Grid[],
    { outline, key, ticket }: MeasuredArea,
  ): Promise<readonly AreaCells[]> {
    const singleFlightKey = `cover ${key} ${toDigest(grids)}`;
    const job = { outline, grids };
    return runPatiently(pool, 'cover-cells', job, { ...ticket, bytes: COVER_BYTES, singleFlightKey });
  }

  return {
    async cover(grids, area) {
      const covered = new Map<string, AreaCells>();
      const unknown = new Map<string, Grid>();
      for (const grid of grids) {
        const known = areas.get(`${area.key} ${toGridKey(grid)}`);
        if (known === undefined) unknown.set(toGridKey(grid), grid);
        else covered.set(toGridKey(grid), known);
      }
      const coverPart = async (part: readonly (readonly [key: string, grid: Grid])[]): Promise<void> => {
        const grids = part.map(([, grid]) => grid);
        const found = await coverSome(grids, area);
        for (const [i, [key]] of part.entries()) {
          covered.set(key, found[i] as AreaCells);
          areas.set(`${area.key} ${key}`, found[i] as AreaCells);
        }
      };
      await Promise.all(cutList([...unknown], () => 1, MAX_JOB_GRIDS).map(coverPart));
      return covered;
    },
    async findStored(placed) {
      const found: KnownCells = new Map(placed.map(({ key }) => [key, new Map()]));
      const wanted = placed.flatMap(({ key, area }) =>
        Array.from({ length: Math.ceil(area.cells.length / MAX_QUERY_CELLS) }, (_, i) => ({
          key,
          cells: [...area.cells.subarray(i * MAX_QUERY_CELLS, (i + 1) * MAX_QUERY_CELLS)],
        })),
      );
      for (const some of cutList(wanted, ({ cells }) => cells.length, MAX_QUERY_CELLS))
        for (const { key, cell, pixels } of await findSome(some)) found.get(key)?.set(cell, pixels);
      return found;
    },
    async read(one, missing, { ticket, fresh }) {
      const { hit, sensor, key } = one;
      let known = one.scene;
      return withCurrentFiles({
        watch,
        find: async () => {
          const scene = known ?? (await masks.load(hit));
          known = null;
          return scene;
        },
        run: async (scene) => {
          const isSame = toMaskKey(scene) === key;
          const mask = isSame ? one.mask : describeMask(scene, sensor);
          const read = new Map<number, Uint8Array>();
          // The files were replaced by ones with another grid; the next search finds those.
          if (mask === null || toGridKey(mask.grid) !== toGridKey(one.mask.grid)) return read;
          for (const { job, bytes } of planCells({ scene, sensor, mask }, missing)) {
            const windows = toDigest(job.pieces.map(({ window }) => window));
            const singleFlightKey = `cells ${toMaskKey(scene)} ${windows}`;
            const packed = await runPatiently(pool, 'read-cells', job, { ...ticket, bytes, singleFlightKey });
            for (const [cell, pixels] of splitCells(packed)) {
              read.set(cell, pixels);
              if (isSame) fresh.push({ key, cell, pixels });
            }
          }
          return read;
        },
      });
    },
    async count(placed, known, ticket) {
      const counts = new Map<PlacedScene, PixelCounts>();
      const pause = makePause();
      for (const some of cutList(placed, ({ area }) => area.cells.length, MAX_JOB_CELLS)) {
        const groups: CountedGroup[] = [];
        const members: PlacedScene[] = [];
        let bytes = COUNT_BYTES;
        for (const [area, own] of groupByArea(some)) {
          const scenes: PackedCells[] = [];
          for (const { key } of own) {
            const cells = known.get(key) ?? new Map<number, Uint8Array>();
            // Shared memory is not copied on its way to the thread.
            const buffer = new SharedArrayBuffer(countBytes(cells));
            scenes.push(joinCells(cells, buffer));
            bytes += buffer.byteLength;
            await pause();
          }
          groups.push({ area, scenes });
          members.push(...own);
        }
        const found = await runPatiently(pool, 'count-cells', groups, { ...ticket, bytes });
        for (const [i, member] of members.entries()) counts.set(member, found[i] as PixelCounts);
      }
      return placed.map((one) => counts.get(one) as PixelCounts);
    },
  };
}

/** Equal for grids with the same pixels. */
export const toGridKey = ({ epsg, proj, transform, width, height }: Grid): string =>
  `${epsg} ${proj ?? ''} ${transform.join(' ')} ${width} ${height}`;

/** Scenes by the cells that the area covers of them. */
function groupByArea(placed: readonly PlacedScene[]): ReadonlyMap<AreaCells, readonly PlacedScene[]> {
  const groups = new Map<AreaCells, PlacedScene[]>();
  for (const one of placed) {
    const group = groups.get(one.area);
    if (group === undefined) groups.set(one.area, [one]);
    else group.push(one);
  }
  return groups;
}

const toDigest = (value: unknown): string => hash('sha256', JSON.stringify(value), 'base64url');
