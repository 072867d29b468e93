import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { makeTtlCache } from '../async/index.ts';
import type { HitPage, SceneHit, SceneStore } from '../catalog/index.ts';
import type { Stretch } from '../color/index.ts';
import { isSwathError } from '../errors.ts';
import type { ResultCache } from '../files/index.ts';
import type { AreaOutline, Grid, LonLatBounds, Tile } from '../geo/index.ts';
import { geometryBounds } from '../geo/index.ts';
import { makeLru } from '../lru.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import { runPatiently } from '../pool/index.ts';
import { packGrids } from '../raster/index.ts';
import type { Picture, Renderer } from '../render/index.ts';
import { toWholeGrid } from '../render/index.ts';
import type { FileWatch, LookPlan } from '../render/native/index.ts';
import { PIXELS_VERSION } from '../render/native/index.ts';
import { MAX_STACK } from '../stack/index.ts';
import { MIB, toWholeMib } from '../units.ts';
import type {
  Composed,
  ComposeJob,
  ComposeJobs,
  FilledPixels,
  MosaicValues,
  PaintedMosaic,
  SceneShare,
} from './compose-job.ts';
import { internal, notFound, unsupported } from './errors.ts';
import type { Candidates } from './find-candidates.ts';
import {
  MAX_CANDIDATES,
  makeFindCandidates,
  toGround,
  toSampleQuery,
  toSearchKey,
} from './find-candidates.ts';
import { findAllScenes, takeCandidates } from './find-scenes.ts';
import type { Composition, Mosaic, MosaicPictureRequest, MosaicSearch } from './mosaic.ts';
import { isFirstFit, isPicking, isStacked } from './mosaic.ts';
import { makeMosaicContrast } from './mosaic-contrast.ts';
import type { Candidate, ComposedGrid, PlannedScene } from './plan-scenes.ts';
import {
  chooseFirst,
  listWarps,
  makePlanScene,
  outlineOf,
  planComposedGrid,
  toUnits,
} from './plan-scenes.ts';
import type { PyramidStore } from './pyramid/pyramid-store.ts';
import { toPyramidKey, toTileName } from './pyramid/pyramid-store.ts';
import { findTile, makeEmptyTile } from './pyramid/pyramid-tile.ts';
import { toSourceColors } from './source-colors.ts';
import { toZooms } from './zooms.ts';

/** A picture of a mosaic that is planned and not drawn yet. */
export interface PlannedMosaic {
  readonly request: MosaicPictureRequest;
  /** The only scenes that count; null if they were searched. */
  readonly among: readonly SceneHit[] | null;
  readonly candidates: readonly Candidate[];
  /** Scenes beyond the candidates that touch the ground too. */
  readonly others: number;
  readonly composed: ComposedGrid;
  /** The first scene, which colours and contrast are planned by; null if there is none. */
  readonly front: PlannedScene | null;
  /** What becomes of the channels. */
  readonly look: LookPlan;
  /** The tile of the mosaic's pyramid that is shown instead of scenes; null where scenes are read. */
  readonly pyramid: PyramidPlace | null;
  /** The scenes in which the contrast is measured; empty if it need not be measured. */
  readonly sample: readonly SceneHit[];
  readonly etag: string;
}

/** A tile of a pyramid: null for one without a scene. */
interface PyramidPlace {
  readonly key: string;
  readonly tile: Tile;
  readonly madeOf: string | null;
}

/** A scene that a mosaic is made of, and how many of its pixels. */
export interface SourceShare {
  readonly hit: SceneHit;
  /** Null where each pixel is made of several scenes. */
  readonly pixels: number | null;
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
  /** Between which values each channel goes from its first colour to its last. */
  findContrast(planned: PlannedMosaic, ticket: Ticket): Promise<readonly Stretch[]>;
}

/** The scenes of a mosaic in all. */
export interface MosaicExtent {
  readonly found: number;
  /** Null without a scene. */
  readonly bounds: LonLatBounds | null;
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

/** Bump when pixels of mosaics change for the same scenes. */
const MOSAIC_VERSION = 2;

/** With more scenes than this, the main thread takes their work in several turns. */
const MANY = 64;

/** Scenes that are read one after the other for one picture. */
const MAX_READ = 128;
/**
 * Scenes that are read although they only graze what is missing: at the coast and at the edge of an orbit, all scenes of a
 * period do.
 */
const MAX_GRAZING = 16;
/** Scenes of a selection that reads all of them, without keeping them in memory. */
const MAX_STREAMED = 256;

/** As long as the candidates of other tiles are remembered. */
const MODEL_MS = 5_000;
/** Mosaics that people look at at the same time. */
const MOST_NEEDED = 256;

/** Builds mosaics: scenes are found and planned here, and put together on the pool. */
export function makeMosaics(deps: MosaicDeps): Mosaics {
  const { scenes, renderer, watch, pool, results, pyramids, nowMs } = deps;
  const findCandidates = makeFindCandidates({ scenes, nowMs });
  const planScene = makePlanScene(renderer);
  const contrast = makeMosaicContrast({ scenes, renderer, nowMs });
  /** By search, the scene by which the tiles of pyramids are coloured: all tiles of a screen ask for it. */
  const models = makeTtlCache<HitPage>({ nowMs, freshMs: MODEL_MS, max: MOST_NEEDED });
  /** By mosaic, how many scenes its last picture needed besides the first ones: the next one is likely to need as many. */
  const needed = makeLru<number>({ max: MOST_NEEDED });

  async function plan(
    request: MosaicPictureRequest,
    among: readonly SceneHit[] | null = null,
  ): Promise<PlannedMosaic> {
    checkOptions(request);
    const pyramid = among === null ? await findPyramid(request) : null;
    if (pyramid !== null) return planPyramid(request, pyramid);
    const { search, composition, grid } = request;
    const found =
      among === null
        ? await findCandidates(search, composition.selection, grid)
        : takeCandidates(among, grid);
    checkCount(found, composition);
    // A few hundred scenes were read and compared in this turn of the thread.
    if (found.hits.length > MANY) await nextTurn();
    const candidates = found.hits.map((hit, index) => ({ index, hit }));
    const composed = planComposedGrid(grid, composition);
    const [first] = candidates;
    const front = first === undefined ? null : await planScene(first, request, composed);
    const sample = front === null ? [] : await contrast.findSample(request, front);
    return {
      request,
      among,
      candidates,
      others: found.found - found.hits.length,
      composed,
      front,
      look: toLook(request, front),
      pyramid: null,
      sample,
      etag: toEtag(request, found.hits, sample),
    };
  }

  /** The tile of a pyramid that shows what is asked for; null if there is none. */
  async function findPyramid(request: MosaicPictureRequest): Promise<PyramidPlace | null> {
    const { search, composition, bands, grid, options } = request;
    const tile = pyramids === null ? null : findTile(grid);
    if (pyramids === null || tile === null || tile.z >= toZooms(search.datasets).minzoom) return null;
    // Natural colours of several sensors meet in ranges, not in values.
    if (options.isNatural === true && search.datasets.length > 1) return null;
    const { isComposite, method } = options;
    const calibrated = options.calibrated || options.isNatural === true;
    const key = toPyramidKey({ search, composition, bands, values: { calibrated, isComposite, method } });
    const stored = await pyramids.find(key);
    if (stored === null || stored.builtAt === null) return null;
    return { key, tile, madeOf: stored.tiles[toTileName(tile)] ?? null };
  }

  /** The colours and the contrast of a mosaic are planned by any of its scenes. */
  async function planPyramid(request: MosaicPictureRequest, pyramid: PyramidPlace): Promise<PlannedMosaic> {
    const { hits } = await models.find(toSearchKey(request.search), () =>
      scenes.searchHits(toSampleQuery(request.search, 1)),
    );
    const composed: ComposedGrid = { grid: request.grid, padPx: 0, dilatePx: 0 };
    const [hit] = hits;
    const own = hit === undefined ? null : { ...composed, grid: toWholeGrid(hit.footprint, SOMEWHERE_PX) };
    const front = hit === undefined || own === null ? null : await planScene({ index: 0, hit }, request, own);
    const sample = front === null ? [] : await contrast.findSample(request, front);
    const look = toLook(request, front);
    const etag = toEtag(request, [], sample, `${pyramid.key} ${pyramid.madeOf}`);
    return { request, among: null, candidates: [], others: 0, composed, front, look, pyramid, sample, etag };
  }

  /** Paints a tile of a pyramid; transparent where the pyramid has none. */
  async function paintPyramid(
    planned: PlannedMosaic,
    pyramid: PyramidPlace,
    ticket: Ticket,
  ): Promise<Picture> {
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
      contrast: ranges.length === 0 ? [{ min: 0, max: 1 }] : ranges,
      outline: request.options.area?.outline ?? null,
    };
    const bytes = content.mask.length * (1 + 8 * content.channels.length + 8);
    const job = { ...ticket, bytes, singleFlightKey: `pyramid ${planned.etag}` };
    return (await pool.run('paint-values', input, job)).output;
  }

  const findContrast = (planned: PlannedMosaic, ticket: Ticket): Promise<readonly Stretch[]> =>
    contrast.find(planned, ticket);

  /** Puts scenes together, job after job, until the picture is full or no scene is left; once more if files were replaced. */
  async function compose(planned: PlannedMosaic, toResult: ToResult, ticket: Ticket): Promise<MadeMosaic> {
    const used: PlannedScene[] = [];
    try {
      return { output: await runJobs(planned, toResult, { ticket, used }), current: planned };
    } catch (error) {
      if (!isSwathError(error) || error.code !== 'source-changed') throw error;
      for (const { scene } of used) await watch.renew(scene);
      // What was found lately has the versions of the files before.
      findCandidates.forgetAll();
      models.forgetAll();
      const current = await plan(planned.request, planned.among);
      return { output: await runJobs(current, toResult, { ticket, used: [] }), current };
    }
  }

  async function runJobs(
    planned: PlannedMosaic,
    toResult: ToResult,
    { ticket, used }: { readonly ticket: Ticket; readonly used: PlannedScene[] },
  ): Promise<FinishedJob> {
    const { candidates, composed, request, front } = planned;
    const { selection } = request.composition;
    const canStop = canStopEarly(request.composition);
    const result = await toResult(planned);
    let waiting = candidates;
    const first = canStop ? chooseFirst(candidates, composed.grid) : candidates;
    const name = `${toSearchKey(request.search)} ${JSON.stringify(request.composition)}`;
    let batch = canStop ? addNext(first, candidates, needed.get(name) ?? 0) : first;
    let before: FilledPixels | null = null;
    let grazed = 0;
    for (let round = 1; ; round += 1) {
      const taken = new Set(batch);
      if (waiting.length > MANY) await nextTurn();
      waiting = waiting.filter((candidate) => !taken.has(candidate));
      const parts: PlannedScene[] = [];
      // One after the other: planning takes a millisecond, and others may want the thread in between.
      for (const candidate of batch) parts.push(await planScene(candidate, request, composed));
      used.push(...parts);
      const job: ComposeJob = {
        grid: composed.grid,
        padPx: composed.padPx,
        dilatePx: composed.dilatePx,
        featherPx: request.composition.featherPx,
        channels: front?.picture.plan.tree.outputs.length ?? 1,
        scenes: parts.map((part) => toPart(part, front)),
        grids: packGrids(parts.flatMap(({ part }) => listWarps(part))),
        selection,
        before,
        rest: waiting.map(({ index, hit }) => ({ index, footprint: outlineOf(hit) })),
        isLast: waiting.length === 0,
        result,
      };
      const own = {
        ...ticket,
        bytes: estimateBytes(job, parts),
        singleFlightKey: `compose ${planned.etag} ${toResultKey(result)} ${round} ${toNames(batch)}`,
      };
      // Nobody waits for the jobs of a task: they wait for a free thread.
      const output =
        ticket.lane === 'task'
          ? await runPatiently(pool, 'compose', job, own)
          : (await pool.run('compose', job, own)).output;
      if (output.kind !== 'unfinished') {
        if (canStop) needed.set(name, countOthers(output.shares, first));
        return output;
      }
      const reaching = new Set(output.reaching);
      before = output.filled;
      waiting = waiting.filter(({ index }) => reaching.has(index));
      if (waiting.length === output.grazing.length) {
        waiting = waiting.slice(0, MAX_GRAZING - grazed);
        grazed += waiting.length;
      } else if (used.length >= MAX_READ) throw refuseMany(planned, used.length);
      batch = waiting.slice(0, 2 ** Math.min(4, round + 1));
    }
  }

  return {
    plan,
    findContrast,

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
      if (found > hits.length) return { found, bounds: WORLD };
      return { found, bounds: hits.length === 0 ? null : joinBounds(hits) };
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
        const picture = await paintPyramid(planned, planned.pyramid, ticket);
        const isCached = results.store(etag, { bytes: picture.bytes, meta: picture.format });
        return { ...picture, etag, isSole: !isCached };
      }
      const { output, current } = await compose(
        planned,
        async (mosaic) => {
          const stretches = await findContrast(mosaic, ticket);
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
      const { bytes, format, stagesMs } = output;
      const isCached = results.store(current.etag, { bytes, meta: format });
      return { bytes, format, stagesMs, etag: current.etag, isSole: !isCached };
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
      const { channels, mask, indexes, counts, shares } = output;
      return { channels, mask, indexes, counts, sources: toSources(current, shares) };
    },
  };
}

/** The size of a picture that is not drawn. */
const SOMEWHERE_PX = 256;

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

type ToResult = (planned: PlannedMosaic) => Promise<ComposeJob['result']>;
type FinishedJob = Exclude<Composed, { kind: 'unfinished' }>;

/** What was made, and the plan that it was made by: a newer one when files were replaced since the first. */
interface MadeMosaic {
  readonly output: FinishedJob;
  readonly current: PlannedMosaic;
}

/** What the jobs of one mosaic differ by. The area of a picture is a part of its ETag, that of values is not. */
const toResultKey = ({ kind, outline }: ComposeJob['result']): string =>
  kind === 'values' && outline !== null ? `${kind} ${hash('sha256', outline, 'hex')}` : kind;

const unfinished = (): Error =>
  internal('unfinished-mosaic', 'A mosaic gave something else than it was asked for.');
const isFormat = (text: string): text is Picture['format'] => ['jpeg', 'png', 'webp'].includes(text);

/** What a mosaic cannot show, whatever its scenes are. */
function checkOptions({ options }: MosaicPictureRequest): void {
  if (options.clusters !== undefined)
    throw unsupported(
      'mosaic-of-classes',
      'Classes of similar pixels are found in one scene, and not in a mosaic.',
    );
  if (options.isSharpened === true)
    throw unsupported('sharpened-mosaic', 'Mosaics cannot be sharpened; pictures of one scene can.');
  if (options.clouds !== undefined)
    throw unsupported(
      'mosaic-with-clouds',
      'Clouds are not painted over a mosaic: its mask leaves them out.',
    );
}

/** Whether scenes that come later in the order need not be read once the picture is full. */
const canStopEarly = ({ selection, featherPx }: Pick<Composition, 'selection' | 'featherPx'>): boolean =>
  isFirstFit(selection) && featherPx === 0;

/** The scenes to read first, and so many of the next in the order of the mosaic. */
const addNext = (
  first: readonly Candidate[],
  candidates: readonly Candidate[],
  count: number,
): readonly Candidate[] => {
  if (count === 0) return first;
  const taken = new Set(first);
  const next = candidates.filter((candidate) => !taken.has(candidate)).slice(0, Math.min(count, MOST_NEXT));
  return [...first, ...next].toSorted((a, b) => a.index - b.index);
};

/** More than these are left to the next job. */
const MOST_NEXT = 8;

/** How many scenes have given pixels besides some. */
function countOthers(shares: readonly SceneShare[], first: readonly Candidate[]): number {
  const indexes = new Set(first.map(({ index }) => index));
  return shares.filter(({ index }) => !indexes.has(index)).length;
}

const toNames = (batch: readonly Candidate[]): string => batch.map(({ index }) => index).join();

/** Refuses a selection that would have to read more scenes than a picture may. */
function checkCount({ found }: Candidates, { selection, featherPx }: Composition): void {
  if (canStopEarly({ selection, featherPx })) return;
  const limit = isStacked(selection) ? MAX_STACK : MAX_STREAMED;
  if (found <= limit) return;
  throw unsupported(
    'too-many-scenes',
    `${found} scenes touch this picture, and ${selection.kind} may read ${limit}: choose a shorter period, fewer clouds, or a higher zoom, or order the pyramid of the mosaic.`,
    { details: { found, limit } },
  );
}

const refuseMany = ({ candidates, others }: PlannedMosaic, read: number): Error =>
  unsupported(
    'too-many-scenes',
    `After ${read} of ${candidates.length + others} scenes this picture still has gaps, and more may not be read: choose a shorter period, fewer clouds, or a higher zoom, or order the pyramid of the mosaic.`,
    { details: { found: candidates.length + others, limit: MAX_READ } },
  );

const toDigest = (text: string): string => hash('sha256', text, 'hex').slice(0, 32);

/** The ETag covers every scene that touches the picture: a scene elsewhere does not change it. */
function toEtag(
  { composition, bands, grid, options }: MosaicPictureRequest,
  hits: readonly SceneHit[],
  sample: readonly SceneHit[],
  pyramid = '',
): string {
  const { area, ...others } = options;
  const toName = ({ viewId, version }: SceneHit): string => `${viewId} ${version}`;
  return toDigest(
    JSON.stringify([
      [PIXELS_VERSION, MOSAIC_VERSION],
      [composition, bands, grid, others, area?.ref ?? null],
      hits.map(toName),
      sample.map(toName),
      pyramid,
    ]),
  );
}

function toPart({ part, picture }: PlannedScene, front: PlannedScene | null): ComposeJob['scenes'][number] {
  const units =
    front === null || picture === front.picture ? null : toUnits(picture.plan, front.picture.plan);
  return units === null ? part : { ...part, units };
}

/** Without a scene there is nothing to colour. */
function toLook(request: MosaicPictureRequest, front: PlannedScene | null): LookPlan {
  const { grid, options } = request;
  const isCount = request.composition.selection.kind === 'count';
  const plan = front?.picture.plan;
  const color = plan === undefined || (isCount && plan.tree.outputs.length !== 1) ? null : plan.color;
  return { grid, color, watermark: options.watermark, format: options.format };
}

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

/** What a thread has, less what it is reading at the moment. */
const MAX_BYTES = 224 * MIB;

/** Memory of a job: the scene that needs most; those that stay until the end; and the mosaic with its copies. */
function estimateBytes({ grid, channels, selection }: ComposeJob, parts: readonly PlannedScene[]): number {
  const px = grid.width * grid.height;
  const kept = isStacked(selection) ? parts.length * (4 * channels + 1) : 8 * channels;
  const bytes = px * (kept + 3 * (4 * channels + 8)) + Math.max(0, ...parts.map((part) => part.bytes));
  if (bytes <= MAX_BYTES) return bytes;
  throw unsupported(
    'mosaic-too-expensive',
    `This mosaic of ${parts.length} scenes would need ${toWholeMib(bytes)} MiB of pixels, and ${toWholeMib(MAX_BYTES)} MiB is the limit: ask for a smaller picture, or a shorter period.`,
  );
}
