import { hash } from 'node:crypto';
import type { AreaOutline, Grid } from '../geo/index.ts';
import { makeLru } from '../lru.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import { runPatiently } from '../pool/index.ts';
import type { FileWatch } from '../render/native/index.ts';
import { withCurrentFiles } from '../render/native/index.ts';
import type { AreaCells } from './area-cells.ts';
import type { CoverageJobs } from './coverage-jobs.ts';
import { joinCells, splitCells } from './coverage-jobs.ts';
import type { CoverageStore, StoredCell } from './coverage-store.ts';
import { toMaskKey } from './coverage-store.ts';
import type { PixelCounts } from './mask-cells.ts';
import type { SceneMask } from './plan-mask.ts';
import { describeMask, planCells } from './plan-mask.ts';
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
  /** The cells of a grid that an area covers: one object for all scenes that share the grid, as long as it is cached. */
  cover(grid: Grid, area: MeasuredArea): Promise<AreaCells>;
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

  async function findSome(keys: readonly string[], cells: readonly number[]): Promise<readonly StoredCell[]> {
    try {
      return await store.findCells(keys, cells);
    } catch (error) {
      onForgotten(error);
      return [];
    }
  }

  return {
    cover(grid, { outline, key: areaKey, ticket }) {
      const key = `${areaKey} ${toGridKey(grid)}`;
      return areas.rememberLater(key, () =>
        runPatiently(
          pool,
          'cover-cells',
          { outline, grid },
          { ...ticket, bytes: COVER_BYTES, singleFlightKey: `cover ${key}` },
        ),
      );
    },
    async findStored(placed) {
      const found: KnownCells = new Map(placed.map(({ key }) => [key, new Map()]));
      for (const [area, members] of groupByArea(placed)) {
        const keys = members.map(({ key }) => key);
        for (let cell = 0; cell < area.cells.length; cell += MAX_QUERY_CELLS) {
          const cells = [...area.cells.subarray(cell, cell + MAX_QUERY_CELLS)];
          const atOnce = Math.max(1, Math.floor(MAX_QUERY_CELLS / cells.length));
          for (let i = 0; i < keys.length; i += atOnce) {
            const rows = await findSome(keys.slice(i, i + atOnce), cells);
            for (const row of rows) found.get(row.key)?.set(row.cell, row.pixels);
          }
        }
      }
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
          // The files were replaced by others with another grid meanwhile: the next search finds them.
          if (mask === null || toGridKey(mask.grid) !== toGridKey(one.mask.grid)) return read;
          for (const { job, bytes } of planCells({ scene, sensor, mask }, missing)) {
            const windows = hash(
              'sha256',
              JSON.stringify(job.pieces.map(({ window }) => window)),
              'base64url',
            );
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
      for (const [area, members] of groupByArea(placed)) {
        const scenes = members.map(({ key }) => joinCells(known.get(key) ?? new Map()));
        const bytes = scenes.reduce((sum, cells) => sum + cells.bytes.length, COUNT_BYTES);
        const found = await runPatiently(pool, 'count-cells', { area, scenes }, { ...ticket, bytes });
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
