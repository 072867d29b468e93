import type { SceneHit, SceneStore } from '../catalog/index.ts';
import type { Stretch } from '../color/index.ts';
import { isSwathError } from '../errors.ts';
import type { ResultCache } from '../files/index.ts';
import type { AreaOutline, Grid, LonLatBounds } from '../geo/index.ts';
import { geometryBounds } from '../geo/index.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import type { Picture, PlannedPicture, Renderer } from '../render/index.ts';
import { toWholeGrid } from '../render/index.ts';
import type { FileWatch } from '../render/native/index.ts';
import type {
  AreaNumbers,
  ComposeJobs,
  MosaicValues,
  PaintedMosaic,
  PlacedArea,
  SceneShare,
} from './compose-job.ts';
import { internal, notFound } from './errors.ts';
import { MAX_CANDIDATES, makeFindCandidates, toGround, toSampleQuery } from './find-candidates.ts';
import { findAllScenes } from './find-scenes.ts';
import type { Mosaic, MosaicPictureRequest, MosaicSearch } from './mosaic.ts';
import { isPicking } from './mosaic.ts';
import { makeMosaicContrast } from './mosaic-contrast.ts';
import type { PlannedMosaic, PyramidPlace } from './plan-mosaic.ts';
import { canStopEarly, makePlanMosaic, readsAllAlike, SOMEWHERE_PX } from './plan-mosaic.ts';
import type { PlannedScene } from './plan-scenes.ts';
import { chooseFirst, isUnwarped, makePlanScene } from './plan-scenes.ts';
import type { PyramidStore } from './pyramid/pyramid-store.ts';
import { makeEmptyTile } from './pyramid/pyramid-tile.ts';
import type { RunOutput, ToResult } from './run-jobs.ts';
import { makeRunJobs } from './run-jobs.ts';
import { toSourceColors } from './source-colors.ts';

/** A scene that a mosaic is made of, and how many of its pixels. */
export interface SourceShare {
  readonly hit: SceneHit;
  /** Null where each pixel is made of several scenes. */
  readonly pixels: number | null;
}

/** What a mosaic has in an area. */
export interface AreaValues extends Omit<AreaNumbers, 'shares'> {
  readonly sources: readonly SourceShare[];
}

/** A finished picture of a mosaic. */
export interface MosaicPicture extends Picture {
  readonly etag: string;
}

/** Mosaics of scenes. */
export interface Mosaics {
  /**
   * Finds the scenes and decides everything, but reads no pixel: enough to answer "not modified". With `among`, as
   * `findScenes` gives them, no other scene counts and nothing is searched.
   */
  plan(request: MosaicPictureRequest, among?: readonly SceneHit[]): Promise<PlannedMosaic>;
  /** All scenes of a mosaic that touch a grid, in the order of its selection; with `limit`, only the first ones. */
  findScenes(
    mosaic: Pick<Mosaic, 'search' | 'composition'>,
    grid: Grid,
    limit?: number,
  ): Promise<readonly SceneHit[]>;
  render(planned: PlannedMosaic, ticket: Ticket): Promise<MosaicPicture>;
  /** A picture of where each pixel comes from, and the scenes that were used. */
  drawSources(
    planned: PlannedMosaic,
    ticket: Ticket,
  ): Promise<MosaicPicture & { readonly sources: readonly SourceShare[] }>;
  /** The values on the grid, in an area if one is given. */
  readValues(
    planned: PlannedMosaic,
    outline: AreaOutline | null,
    ticket: Ticket,
  ): Promise<MosaicValues & { readonly sources: readonly SourceShare[] }>;
  /**
   * The numbers of areas that lie on the grid, as each would have them on its own grid. Null where those would differ in their
   * last digits, because scenes are warped, or of several sensors, or so many that not all may be read.
   */
  readAreas(
    planned: PlannedMosaic,
    areas: readonly PlacedArea[],
    ticket: Ticket,
  ): Promise<readonly AreaValues[] | null>;
  /** The pixels of a picture with a contrast that is given, so that parts of a picture have the same. */
  paint(
    planned: PlannedMosaic,
    contrast: readonly Stretch[],
    ticket: Ticket,
  ): Promise<PaintedMosaic & { readonly sources: readonly SourceShare[] }>;
  /** The same mosaic on the ground of one of its scenes, for what does not depend on the ground. */
  planSomewhere(request: Omit<MosaicPictureRequest, 'grid'>): Promise<PlannedMosaic>;
  /** How many scenes a mosaic has, and the ground that they cover. */
  describe(search: MosaicSearch): Promise<MosaicExtent>;
  /** Whether any scene of a mosaic touches a grid. */
  touches(search: MosaicSearch, grid: Grid): Promise<boolean>;
  /** The scenes that are read first; all of them where all count. */
  planFirst(planned: PlannedMosaic): Promise<readonly PlannedScene[]>;
  /** Whether the finished picture is in the cache. */
  isCached(planned: PlannedMosaic): Promise<boolean>;
  /** Pictures of the scenes that the contrast is measured in; none if it need not be measured. */
  planContrast(planned: PlannedMosaic): Promise<readonly PlannedPicture[]>;
  /** Between which values each channel goes from its first colour to its last. */
  findContrast(planned: PlannedMosaic, ticket: Ticket): Promise<readonly Stretch[]>;
}

/** The scenes of a mosaic in all. */
export interface MosaicExtent {
  readonly found: number;
  /** Null without a scene. */
  readonly bounds: LonLatBounds | null;
  /** Its scenes; of very many the least cloudy ones. */
  readonly hits: readonly SceneHit[];
}

interface MosaicDeps {
  readonly scenes: Pick<SceneStore, 'searchHits'>;
  readonly renderer: Pick<Renderer, 'plan' | 'findContrast'>;
  readonly watch: Pick<FileWatch, 'renew'>;
  readonly pool: JobRunner<ComposeJobs>;
  readonly results: ResultCache;
  /** The tiles of low zoom levels that were made before; null to read scenes at any zoom. */
  readonly pyramids: Pick<PyramidStore, 'find' | 'findTile'> | null;
  readonly nowMs: () => number;
}

/** Builds mosaics: scenes are found and planned here, and put together on the pool. */
export function makeMosaics(deps: MosaicDeps): Mosaics {
  const { scenes, renderer, watch, pool, results, pyramids, nowMs } = deps;
  const findCandidates = makeFindCandidates({ scenes, nowMs });
  const planScene = makePlanScene(renderer);
  const contrast = makeMosaicContrast({ scenes, renderer, nowMs });
  const planner = makePlanMosaic({ scenes, findCandidates, planScene, contrast, pyramids, nowMs });
  const { plan } = planner;
  const runJobs = makeRunJobs({ planScene, pool });

  /** Paints a tile of a pyramid; transparent where the pyramid has none. */
  async function paintPyramid(
    planned: PlannedMosaic,
    pyramid: PyramidPlace,
    ticket: Ticket,
  ): Promise<{ readonly output: Picture; readonly shared: boolean }> {
    const { key, tile, madeOf } = pyramid;
    const { look, request } = planned;
    const found = madeOf === null ? null : await pyramids?.findTile(key, tile, madeOf);
    const ranges = await findContrast(planned, ticket);
    // One without a value may be stored with fewer channels.
    const isEmpty = found == null || !found.mask.includes(1);
    const content = isEmpty ? makeEmptyTile(Math.max(1, ranges.length)) : found;
    const input = {
      ...content,
      look,
      // The last scene was removed, and the next renewal empties the pyramid: until then any range will do.
      contrast: ranges.length === 0 ? content.channels.map(() => ({ min: 0, max: 1 })) : ranges,
      outline: request.options.area?.outline ?? null,
    };
    const bytes = content.mask.length * (1 + 8 * content.channels.length + 8);
    const job = { ...ticket, bytes, singleFlightKey: `pyramid ${planned.etag}` };
    return pool.run('paint-values', input, job);
  }

  const findContrast = (planned: PlannedMosaic, ticket: Ticket): Promise<readonly Stretch[]> =>
    contrast.find(planned, ticket);

  /** Puts scenes together, job after job, until the picture is full or no scene is left; once more if files were replaced. */
  async function compose(planned: PlannedMosaic, toResult: ToResult, ticket: Ticket): Promise<MadeMosaic> {
    const used: PlannedScene[] = [];
    try {
      return { ...(await runJobs(planned, toResult, { ticket, used })), current: planned, used };
    } catch (error) {
      if (!isSwathError(error) || error.code !== 'source-changed') throw error;
      for (const { scene } of used) await watch.renew(scene);
      planner.forgetAll();
      const current = await plan(planned.request, planned.among);
      const again: PlannedScene[] = [];
      return { ...(await runJobs(current, toResult, { ticket, used: again })), current, used: again };
    }
  }

  return {
    plan,
    findContrast,
    planContrast: contrast.planSample,

    findScenes: (mosaic, grid, limit) => findAllScenes(findCandidates, mosaic, grid, limit),

    async planSomewhere(request) {
      const { hits } = await scenes.searchHits(toSampleQuery(request.search, 1));
      const [hit] = hits;
      if (hit === undefined) throw notFound('nothing-there', 'The catalog has no scene for this mosaic.');
      return plan({ ...request, grid: toWholeGrid(hit.footprint, SOMEWHERE_PX) });
    },

    async planFirst({ candidates, composed, request }) {
      const canStop = canStopEarly(request.composition);
      const planned: PlannedScene[] = [];
      for (const candidate of canStop ? chooseFirst(candidates, composed.grid) : candidates)
        planned.push(await planScene(candidate, request, composed));
      return planned;
    },

    isCached: async ({ etag }) => (await results.find(etag)) !== null,

    async touches(search, grid) {
      const shape = { geometry: toGround(grid), relation: 'intersects' } as const;
      const { found } = await scenes.searchHits({ ...toSampleQuery(search, 1), shape });
      return found > 0;
    },

    async describe(search) {
      const { found, hits } = await scenes.searchHits(toSampleQuery(search, MAX_CANDIDATES));
      if (found > hits.length) return { found, bounds: WORLD, hits };
      return { found, bounds: hits.length === 0 ? null : joinBounds(hits), hits };
    },

    async render(planned, ticket) {
      const { etag } = planned;
      const startedAt = performance.now();
      const cached = await results.find(etag);
      if (cached !== null && isFormat(cached.meta)) {
        const stagesMs = { cache: performance.now() - startedAt };
        return { bytes: cached.bytes, format: cached.meta, stagesMs, etag };
      }
      if (planned.pyramid !== null) {
        const { output: picture, shared } = await paintPyramid(planned, planned.pyramid, ticket);
        const isCached = results.store(etag, { bytes: picture.bytes, meta: picture.format });
        return { ...picture, etag, isSole: !isCached && !shared };
      }
      let contrastMs = 0;
      const { output, current, isShared } = await compose(
        planned,
        async (mosaic) => {
          const beganAt = performance.now();
          const stretches = await findContrast(mosaic, ticket);
          contrastMs += performance.now() - beganAt;
          return {
            kind: 'picture',
            look: mosaic.look,
            contrast: stretches,
            outline: mosaic.request.options.area?.outline ?? null,
          };
        },
        ticket,
      );
      if (output.kind !== 'picture') throw unfinished();
      const { bytes, format } = output;
      const stagesMs = { contrast: contrastMs, ...output.stagesMs };
      const isCached = results.store(current.etag, { bytes, meta: format });
      return { bytes, format, stagesMs, etag: current.etag, isSole: !isCached && !isShared };
    },

    async drawSources(planned, ticket) {
      const { output, current } = await compose(
        planned,
        async ({ candidates, request }) => ({
          kind: 'sources',
          colors: toSourceColors(
            candidates.map(({ hit }) => hit),
            request.composition.selection,
          ),
          outline: request.options.area?.outline ?? null,
        }),
        ticket,
      );
      if (output.kind !== 'picture') throw unfinished();
      const { bytes, format, stagesMs, shares } = output;
      return { bytes, format, stagesMs, etag: current.etag, sources: toSources(current, shares) };
    },

    async paint(planned, stretches, ticket) {
      const { output, current } = await compose(
        planned,
        async ({ look, request }) => ({
          kind: 'painted',
          look,
          contrast: stretches,
          outline: request.options.area?.outline ?? null,
        }),
        ticket,
      );
      if (output.kind !== 'painted') throw unfinished();
      return { rgba: output.rgba, sources: toSources(current, output.shares) };
    },

    async readValues(planned, outline, ticket) {
      const { output, current } = await compose(planned, async () => ({ kind: 'values', outline }), ticket);
      if (output.kind !== 'values') throw unfinished();
      const { channels, mask, indexes, counts, areaPx, shares } = output;
      return { channels, mask, indexes, counts, areaPx, sources: toSources(current, shares) };
    },

    async readAreas(planned, areas, ticket) {
      const { front, composed } = planned;
      if (!readsAllAlike(planned) || (front !== null && !isUnwarped(front, composed.grid))) return null;
      const { output, current, used } = await compose(
        planned,
        async () => ({ kind: 'areas', areas }),
        ticket,
      );
      if (output.kind !== 'areas') throw unfinished();
      if (!used.every((scene) => isUnwarped(scene, composed.grid))) return null;
      return output.areas.map(({ summaries, areaPx, shares }) => ({
        summaries,
        areaPx,
        sources: toSources(current, shares),
      }));
    },
  };
}

const WORLD: LonLatBounds = { west: -180, south: -90, east: 180, north: 90 };

function joinBounds(hits: readonly SceneHit[]): LonLatBounds {
  const all = hits.map(({ footprint }) => geometryBounds(footprint));
  return {
    west: Math.min(...all.map(({ west }) => west)),
    south: Math.min(...all.map(({ south }) => south)),
    east: Math.max(...all.map(({ east }) => east)),
    north: Math.max(...all.map(({ north }) => north)),
  };
}

/** What was made, and the plan that it was made by: a newer one when files were replaced since the first. */
interface MadeMosaic extends RunOutput {
  readonly current: PlannedMosaic;
  /** The scenes that were planned for it. */
  readonly used: readonly PlannedScene[];
}

const unfinished = (): Error =>
  internal('unfinished-mosaic', 'A mosaic gave something else than it was asked for.');
const isFormat = (text: string): text is Picture['format'] => ['jpeg', 'png', 'webp'].includes(text);

/** The scenes that have given pixels. */
function toSources(
  { candidates, request }: PlannedMosaic,
  shares: readonly SceneShare[],
): readonly SourceShare[] {
  const picks = isPicking(request.composition.selection);
  return shares.flatMap(({ index, pixels }) => {
    const candidate = candidates[index];
    return candidate === undefined ? [] : [{ hit: candidate.hit, pixels: picks ? pixels : null }];
  });
}
