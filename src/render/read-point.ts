import type { BandInput, TypedTree } from '../bandmath/index.ts';
import { parseExpressions } from '../bandmath/index.ts';
import type { CachedPixels, ThreadTools, WindowRequest } from '../blocks/index.ts';
import { findFileBlocks } from '../blocks/index.ts';
import type { Asset, SceneName, SceneStore } from '../catalog/index.ts';
import { findScene } from '../catalog/index.ts';
import { LON_LAT_GRID } from '../geo/index.ts';
import { makeLru } from '../lru.ts';
import type { JobContext, JobRunner, JobType, Ticket } from '../pool/index.ts';
import type { GeoreferencedGrid } from '../proj/index.ts';
import { makePixelMapping } from '../proj/index.ts';
import type { Allocate, BandPlane, Kernels } from '../raster/index.ts';
import { makeStaging } from '../raster/index.ts';
import type { Sensor } from '../sensors/index.ts';
import { toExpressionNames } from '../sensors/index.ts';
import type { CachedPoints } from './cached-points.ts';
import { notFound, unsupported } from './errors.ts';
import type { PixelTools } from './pixels/read-channels.ts';
import { beginWork, readPlane } from './pixels/read-channels.ts';
import { fillTablePlane } from './pixels/table-plane.ts';
import { planBandInput } from './plan/calibration.ts';
import { findAsset, toBandFile } from './plan/plan-inputs.ts';
import type { PixelPosition, PointInput, PointPlan } from './plan/point-plan.ts';
import { listPointReads } from './plan/point-plan.ts';
import type { ComparedScene } from './plan/render-plan.ts';
import type { CompareScene, FileWatch } from './scenes/file-watch.ts';
import { withCurrentFiles } from './scenes/file-watch.ts';

/** A point of a scene that is to be found first. */
export interface ScenePointRequest extends PointRequest, SceneName {
  /** Bands, aliases or band math, as in the address. */
  readonly bands: string;
}

/** Finds the values of expressions at a point, in their order; null for one without a value there. */
export type ReadPoint = (request: ScenePointRequest, ticket: Ticket) => Promise<readonly (number | null)[]>;

/** Runs work on the plan of a point; again on a new plan if files were replaced. */
export type OnPointPlan = <Result>(
  request: ScenePointRequest,
  run: (plan: PointPlan, scene: ComparedScene) => Promise<Result>,
) => Promise<Result>;

interface PointPlanDeps {
  readonly scenes: SceneStore;
  readonly compareScene: CompareScene;
  readonly watch: Pick<FileWatch, 'renew'>;
}

interface PointReaderDeps extends PointPlanDeps {
  readonly pool: JobRunner<PointJobs>;
  /** Answers what needs no thread; without it all points take one. */
  readonly cachedPoints?: CachedPoints | undefined;
}

/** Twelve bands of sixteen pixels with all that is computed of them; what is decoded lies in the block cache. */
export const POINT_BYTES = 64 * 1024;

/** Cached expressions: a chart asks for the same one at every date, and parsing it costs as much as all the rest. */
const MAX_CACHED = 256;

/** Builds the reader of point values: plans here, pixels on the pool. */
export function makePointReader({ pool, cachedPoints, ...deps }: PointReaderDeps): ReadPoint {
  const onPlan = makeOnPointPlan(deps);
  return (request, ticket) =>
    onPlan(request, async (plan) => {
      // An explanation of what was done is about the job.
      const found = ticket.onJob === undefined ? cachedPoints?.find(plan) : null;
      if (found) return found;
      const job = { plan, asksBlocks: cachedPoints?.asksBlocks(plan) === true };
      const { output } = await pool.run('point', job, { ...ticket, bytes: POINT_BYTES });
      if (output.blocks.length > 0) cachedPoints?.learn(plan, output.blocks);
      return output.values;
    });
}

/** Builds the planning of points, with a cache of expressions. */
export function makeOnPointPlan({ scenes, compareScene, watch }: PointPlanDeps): OnPointPlan {
  const cache = makeLru<TypedTree>({ max: MAX_CACHED });

  return async (request, run) => {
    // What cannot be computed is refused before anyone looks for the scene.
    const tree = readExpressions(request);
    const find = async () => compareScene(await findScene(scenes, request), tree.inputs);
    return withCurrentFiles({ watch, find, run: (scene) => run(planPoint(tree, request, scene), scene) });
  };

  function readExpressions({ sensor, bands }: ScenePointRequest): TypedTree {
    return cache.remember(`${sensor.dataset} ${bands}`, () =>
      parseExpressions(bands, toExpressionNames(sensor)),
    );
  }
}

/** A value to be found at a point. */
interface PointRequest {
  readonly sensor: Sensor;
  /** Physical values before band math. */
  readonly calibrated: boolean;
  readonly point: GroundPoint;
}

/** A position on Earth, in degrees of WGS 84. */
interface GroundPoint {
  readonly lat: number;
  readonly lon: number;
}

/**
 * Decides which pixels a point's value is computed of: of each band the one that the point lies in, at full resolution.
 * A point that lies in none of the bands' images is outside of the scene. Pure.
 */
function planPoint(tree: TypedTree, request: PointRequest, scene: ComparedScene): PointPlan {
  if (tree.inputs.length === 0) {
    throw unsupported('no-band', 'This expression names no band, so it has no value at a point.');
  }
  if (tree.needsWindow) {
    throw unsupported(
      'needs-window',
      'This expression depends on the pixels around it, so it has no value at a point alone.',
    );
  }
  const find = makeFindPixel(request.point);
  const found = tree.inputs.map((input) => planInput(input, request, { scene, find }));
  if (found.every(({ isInside }) => !isInside)) {
    throw notFound('outside-scene', 'This point lies outside of the scene.');
  }
  const inputs = found.map(({ input }) => input);
  return { viewId: scene.viewId, sceneVersion: scene.version, tree, inputs };
}

type FindPixel = (asset: Asset) => PixelPosition | null;

function planInput(
  { band, calibrated: always, scene: which }: BandInput,
  { sensor, calibrated }: PointRequest,
  { scene, find }: { readonly scene: ComparedScene; readonly find: FindPixel },
): { readonly input: PointInput; readonly isInside: boolean } {
  const isEarlier = which === 'earlier';
  const from = isEarlier ? (scene.earlier ?? null) : scene;
  const asset = findAsset(from ?? scene, band);
  const meaning = planBandInput({
    scene: from ?? scene,
    sensor,
    band,
    calibrated: calibrated || always,
  });
  const { rule, parameters, table, bits, isAbsent } = meaning;
  const position = find(asset);
  // Without a scene to compare with there is no value, as a picture of it is transparent.
  const pixel = isAbsent || from === null ? null : position;
  const second = table === null || pixel === null ? null : tableValue(table, pixel, asset);
  return {
    input: {
      ...toBandFile(band, asset),
      rule,
      parameters,
      second,
      pixel,
      ...(bits === null ? {} : { bits }),
      ...(isEarlier && from !== null ? { of: { viewId: from.viewId, sceneVersion: from.version } } : {}),
    },
    isInside: position !== null,
  };
}

/** A table is thousands of numbers, of which one counts: it stays on this side of the threads. */
function tableValue(
  table: NonNullable<ReturnType<typeof planBandInput>['table']>,
  pixel: PixelPosition,
  { width, height }: Asset,
): number {
  const plane = new Float32Array(1);
  const size = { width, height };
  fillTablePlane(plane, {
    table,
    window: { ...pixel, width: 1, height: 1 },
    levelSize: size,
    fullSize: size,
  });
  return plane[0] as number;
}

/** Bands of one resolution lie on one grid, so what is found for the first of them holds for the others. */
function makeFindPixel(point: GroundPoint): FindPixel {
  const known = new Map<string, PixelPosition | null>();
  return (asset) => {
    const { epsg, proj, transform, lattice, width, height } = asset;
    const key = JSON.stringify([epsg, proj, transform, lattice, width, height]);
    const before = known.get(key);
    if (before !== undefined) return before;
    const position = findPixel(asset, point);
    known.set(key, position);
    return position;
  };
}

/** Images in degrees may go on beyond 180, on either side. */
const TURNS_DEG = [0, 360, -360];

/** The pixel of an image that holds a position; null if it lies outside. */
export function findPixel(image: GeoreferencedGrid, { lat, lon }: GroundPoint): PixelPosition | null {
  const { toSource } = makePixelMapping(LON_LAT_GRID, image);
  for (const turn of TURNS_DEG) {
    const [col, row] = toSource(lon + turn, lat);
    const [x, y] = [Math.floor(col), Math.floor(row)];
    // NaN, where the position cannot be projected, is not inside either.
    if (x >= 0 && y >= 0 && x < image.width && y < image.height) return { x, y };
  }
  return null;
}

/** Compiled code takes sixteen pixels at once, so a plane of one has room for as many. */
const PLANE_PX = 16;

/** The job of reading values at a point; null for one without a value there. */
export type PointJobs = { point: JobType<PointJob, PointValues> };

interface PointJob {
  readonly plan: PointPlan;
  /** Whether the answer says where the blocks of the files lie. */
  readonly asksBlocks: boolean;
}

interface PointValues {
  /** In the order of the expressions. */
  readonly values: readonly (number | null)[];
  /** One for each input, null for one that is not known; empty if they were not asked for. */
  readonly blocks: readonly (Parameters<CachedPixels['learn']>[1] | null)[];
}

/**
 * Builds the reading of a point: one pixel of each band, then the code that pictures are computed by, so that a point
 * says what a picture of nearest neighbours shows. Null for an expression without a value there.
 */
export function makeReadPoint(tools: PixelTools, files?: ThreadTools['files']) {
  return async ({ plan, asksBlocks }: PointJob, { signal }: JobContext): Promise<PointValues> => {
    const work = beginWork(tools, signal);
    const { kernels, compute, allocate } = work;
    const staging = makeStaging(allocate);
    const planes: BandPlane[] = [];
    for (const input of plan.inputs) planes.push(await readInput(input));
    const results = compute(allocate, { tree: plan.tree, inputs: planes, count: 1 });
    const buffer = kernels.buffer();
    const values = results.map(({ valuesAt, maskAt }) => {
      const [value] = new Float32Array(buffer, valuesAt, 1);
      const [isThere] = new Uint8Array(buffer, maskAt, 1);
      return isThere === 1 && Number.isFinite(value) ? (value as number) : null;
    });
    if (!asksBlocks || files === undefined) return { values, blocks: [] };
    const findBlocks = (read: WindowRequest | null) => read && findFileBlocks(files, read, signal);
    return { values, blocks: await Promise.all(listPointReads(plan).map(findBlocks)) };

    async function readInput({ pixel, second, ...input }: PointInput): Promise<BandPlane> {
      const { rule, parameters } = input;
      const [valuesAt, secondAt] = [putPlane(0), second === null ? 0 : putPlane(second)];
      const maskAt = allocate(PLANE_PX);
      new Uint8Array(kernels.buffer(), maskAt, PLANE_PX).fill(0);
      const plane = { valuesAt, secondAt, rule, parameters };
      if (pixel === null) return { ...plane, maskAt };
      const read = { level: 0, window: { ...pixel, width: 1, height: 1 } };
      const { hasEmpty } = await readPlane(input, { read, scene: plan, valuesAt, maskAt, staging }, work);
      return { ...plane, maskAt: hasEmpty ? maskAt : 0 };
    }

    function putPlane(value: number): number {
      return fill(kernels, allocate, value);
    }
  };
}

function fill(kernels: Kernels, allocate: Allocate, value: number): number {
  const at = allocate(4 * PLANE_PX);
  new Float32Array(kernels.buffer(), at, PLANE_PX).fill(value);
  return at;
}
