import { isSwathError } from '../../errors.ts';
import type { ResultCache } from '../../files/index.ts';
import type { Grid } from '../../geo/index.ts';
import { makeLru } from '../../lru.ts';
import type { JobRunner, Ticket } from '../../pool/index.ts';
import { listGrids } from '../../proj/index.ts';
import type { FindModels } from '../plan/find-models.ts';
import { widenGrid } from '../plan/mercator.ts';
import { isUnknownPlan, warpsOf } from '../plan/plan-heights.ts';
import type { TerrainDrawJobs } from './draw-terrain.ts';
import type { TerrainFormat, TerrainPlan, TerrainProduct, TerrainTile } from './terrain-plan.ts';
import { haloOf, planTerrain, toTerrainEtag } from './terrain-plan.ts';

/** A tile to draw. */
export interface TerrainTileRequest {
  readonly grid: Grid;
  readonly product: TerrainProduct;
  /** Whether artefacts are removed from the heights. */
  readonly isFiltered: boolean;
}

/** A planned tile. */
export interface PlannedTile {
  readonly request: TerrainTileRequest;
  readonly plan: TerrainPlan;
  /** The plan as JSON: a thread reads it in a third of the time that a copy of the objects takes. */
  readonly planJson: string;
  readonly etag: string;
  /** Nothing is known here: a model that is ingested later may change that. */
  readonly isUnknown: boolean;
}

/** A drawn tile and the ETag it was drawn under: a newer one when files were replaced since it was planned. */
export interface DrawnTile extends TerrainTile {
  readonly etag: string;
}

/** Plans and draws terrain tiles. */
export interface TerrainTiles {
  /** Decides everything but reads no pixel: enough to answer "not modified". */
  plan(request: TerrainTileRequest): Promise<PlannedTile>;
  render(tile: PlannedTile, ticket: Ticket): Promise<DrawnTile>;
  /** Runs work on a planned tile; once more by a newer plan if files were replaced since then. */
  onCurrent<Result>(tile: PlannedTile, run: (current: PlannedTile) => Promise<Result>): Promise<Result>;
  /** Whether the finished tile is in the cache. */
  isCached(tile: PlannedTile): Promise<boolean>;
}

interface TileDeps {
  readonly findModels: FindModels;
  readonly pool: JobRunner<TerrainDrawJobs>;
  readonly results: ResultCache;
  /** Estimated pixel memory of one tile. */
  readonly maxBytes: number;
}

/** Tiles of a few screens. */
const MAX_PLANS = 1_024;
/** Painted and encoded pixels. */
const PRODUCT_BYTES = 32;

/** Builds the drawing of terrain tiles: plans here, pixels on the pool. */
export function makeTerrainTiles({ findModels, pool, results, maxBytes }: TileDeps): TerrainTiles {
  const plans = makeLru<PlannedTile>({ name: 'terrain-plans', max: MAX_PLANS });

  const planTile = async (request: TerrainTileRequest, isRenewed: boolean): Promise<PlannedTile> => {
    const { grid, product, isFiltered } = request;
    // Wide enough for any number of models: how many there are is not known yet.
    const wide = widenGrid(grid, haloOf(product, 2));
    const found = await findModels({ grid: wide, isFiltered, isRenewed });
    const key = `${found.state} ${JSON.stringify(request)}`;
    return plans.remember(key, () => {
      const plan = planTerrain(request, found.models, { ...found.options, maxBytes });
      const planJson = JSON.stringify(plan);
      const etag = toTerrainEtag(planJson);
      return { request, plan, planJson, etag, isUnknown: isUnknownPlan(plan.heights) };
    });
  };

  const draw = async ({ plan, planJson, etag }: PlannedTile, ticket: Ticket): Promise<DrawnTile> => {
    const startedAt = performance.now();
    const cached = await results.find(etag);
    if (cached !== null && isFormat(cached.meta)) {
      const stagesMs = { cache: performance.now() - startedAt };
      return { bytes: cached.bytes, format: cached.meta, stagesMs, etag };
    }
    const bytes = plan.heights.bytes + PRODUCT_BYTES * plan.grid.width * plan.grid.height;
    const job = { planJson, grids: listGrids(warpsOf(plan.heights)) };
    const { output, queuedMs, shared } = await pool.run('terrain', job, {
      ...ticket,
      bytes,
      singleFlightKey: `terrain ${etag}`,
    });
    const isCached = results.store(etag, { bytes: output.bytes, meta: output.format });
    return {
      ...output,
      stagesMs: { queue: queuedMs, ...output.stagesMs },
      isSole: !isCached && !shared,
      etag,
    };
  };

  const onCurrent: TerrainTiles['onCurrent'] = async (tile, run) => {
    try {
      return await run(tile);
    } catch (error) {
      if (!isSwathError(error) || error.code !== 'source-changed') throw error;
      return run(await planTile(tile.request, true));
    }
  };

  return {
    plan: (request) => planTile(request, false),
    render: (tile, ticket) => onCurrent(tile, (current) => draw(current, ticket)),
    onCurrent,
    isCached: async ({ etag }) => (await results.find(etag)) !== null,
  };
}

const FORMATS: ReadonlySet<string> = new Set([
  'png',
  'jpeg',
  'webp',
  'tiff',
  'mvt',
  'geojson',
] satisfies TerrainFormat[]);

const isFormat = (text: string): text is TerrainFormat => FORMATS.has(text);
