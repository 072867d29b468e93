import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { makeTtlCache } from '../async/index.ts';
import { fileLimits, parseExpressions } from '../bandmath/index.ts';
import type { HitPage, SceneHit, SceneStore } from '../catalog/index.ts';
import { isSwathError } from '../errors.ts';
import type { Tile } from '../geo/index.ts';
import { toWholeGrid } from '../render/index.ts';
import type { LookPlan } from '../render/native/index.ts';
import { PIXELS_VERSION } from '../render/native/index.ts';
import type { Sensor } from '../sensors/index.ts';
import { toExpressionNames } from '../sensors/index.ts';
import { MAX_STACK } from '../stack/index.ts';
import { unsupported } from './errors.ts';
import type { Candidates, FindCandidates } from './find-candidates.ts';
import { toSampleQuery, toSearchKey } from './find-candidates.ts';
import { takeCandidates } from './find-scenes.ts';
import type { Composition, MosaicPictureRequest } from './mosaic.ts';
import { isFirstFit, isStacked } from './mosaic.ts';
import type { MosaicContrast } from './mosaic-contrast.ts';
import type { Candidate, ComposedGrid, PlannedScene, PlanScene } from './plan-scenes.ts';
import { planComposedGrid, sensorOf } from './plan-scenes.ts';
import type { PyramidStore } from './pyramid/pyramid-store.ts';
import { toPyramidKey, toTileName } from './pyramid/pyramid-store.ts';
import { findTile } from './pyramid/pyramid-tile.ts';
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
export interface PyramidPlace {
  readonly key: string;
  readonly tile: Tile;
  readonly madeOf: string | null;
}

/** Plans pictures of mosaics. */
interface MosaicPlanner {
  plan(request: MosaicPictureRequest, among?: readonly SceneHit[] | null): Promise<PlannedMosaic>;
  /** Clears what is cached, because it names versions of files that were replaced. */
  forgetAll(): void;
}

interface PlannerDeps {
  readonly scenes: Pick<SceneStore, 'searchHits'>;
  readonly findCandidates: FindCandidates;
  readonly planScene: PlanScene;
  readonly contrast: Pick<MosaicContrast, 'findSample'>;
  readonly pyramids: Pick<PyramidStore, 'find'> | null;
  readonly nowMs: () => number;
}

/** Bump when pixels of mosaics change for the same scenes. */
const MOSAIC_VERSION = 2;

/** With more scenes than this, the main thread takes their work in several turns. */
export const MANY = 64;

/**
 * Scenes that are read although they only graze what is missing: at the coast and at the edge of an orbit, all scenes of a
 * period do.
 */
export const MAX_GRAZING = 16;

/** Scenes of a selection that reads all of them, without keeping them in memory. */
const MAX_STREAMED = 256;

/** As long as the candidates of other tiles are remembered. */
const MODEL_MS = 5_000;
/** Searches that people look at at the same time. */
const MOST_REMEMBERED = 256;

/** The size of a picture that is not drawn. */
export const SOMEWHERE_PX = 256;

/** Builds the planning of pictures: scenes are found, and everything is decided without reading a pixel. */
export function makePlanMosaic(deps: PlannerDeps): MosaicPlanner {
  const { scenes, findCandidates, planScene, contrast, pyramids, nowMs } = deps;
  /** By search, the scene by which the tiles of pyramids are coloured: all tiles of a screen ask for it. */
  const models = makeTtlCache<HitPage>({ nowMs, freshMs: MODEL_MS, max: MOST_REMEMBERED });

  return {
    plan,
    forgetAll() {
      findCandidates.forgetAll();
      models.forgetAll();
    },
  };

  async function plan(
    request: MosaicPictureRequest,
    among: readonly SceneHit[] | null = null,
  ): Promise<PlannedMosaic> {
    checkOptions(request);
    checkBands(request);
    const isOfScenes = among !== null || request.withoutPyramid === true;
    const pyramid = isOfScenes ? null : await findPyramid(request);
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
}

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

/**
 * Refuses bands that one of several sensors does not have, before a scene of it turns up: whether an address works would
 * depend on the place and the day.
 */
function checkBands({ search: { datasets }, composition: { selection }, bands }: MosaicPictureRequest): void {
  if (datasets.length < 2) return;
  const by = selection.kind === 'highest' || selection.kind === 'lowest' ? [selection.by] : [];
  for (const dataset of datasets) {
    const sensor = sensorOf({ dataset });
    for (const text of [bands, ...by]) refuseLacking(text, sensor);
  }
}

function refuseLacking(text: string, sensor: Sensor): void {
  try {
    parseExpressions(text, toExpressionNames(sensor), fileLimits);
  } catch (error) {
    if (!isSwathError(error) || error.code !== 'unknown-band') throw error;
    throw unsupported(
      'sensor-lacks-band',
      `${sensor.abbreviation} cannot show ${text.slice(0, 80)}: ${error.message} A mosaic of several sensors needs names that all of them have, such as RED or NDVI.`,
    );
  }
}

/** Whether scenes that come later in the order need not be read once the picture is full. */
export const canStopEarly = ({
  selection,
  featherPx,
}: Pick<Composition, 'selection' | 'featherPx'>): boolean => isFirstFit(selection) && featherPx === 0;

/**
 * Whether each part of a picture chooses among the same scenes by the same rules as the whole: with few scenes, none is left
 * out for having too few pixels, and those of one sensor are brought to no other's ranges.
 */
export const readsAllAlike = ({
  request: { composition, search },
  candidates,
  others,
}: PlannedMosaic): boolean =>
  search.datasets.length === 1 &&
  others === 0 &&
  (!canStopEarly(composition) || candidates.length <= MAX_GRAZING);

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

/** Without a scene there is nothing to colour. */
function toLook(request: MosaicPictureRequest, front: PlannedScene | null): LookPlan {
  const { grid, options } = request;
  const isCount = request.composition.selection.kind === 'count';
  const plan = front?.picture.plan;
  const color = plan === undefined || (isCount && plan.tree.outputs.length !== 1) ? null : plan.color;
  const { watermark, format, background } = options;
  return { grid, color, watermark, format, ...(background === undefined ? {} : { background }) };
}
