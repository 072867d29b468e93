import type { TypedTree } from '../bandmath/index.ts';
import type { WindowRequest } from '../blocks/index.ts';
import type { Asset, SceneStore } from '../catalog/index.ts';
import { findScene } from '../catalog/index.ts';
import type { ColormapCache, ColorPlan } from '../color/index.ts';
import type { ResultCache } from '../files/index.ts';
import { makeLru } from '../lru.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import { packGrids } from '../proj/index.ts';
import type { Sensor } from '../sensors/index.ts';
import { makeFindClusters, toShownColor } from './clusters/find-clusters.ts';
import type { ClusterJobs } from './clusters/fit-clusters.ts';
import type { FindContrast } from './intensity/find-contrast.ts';
import type { DrawJob, DrawJobs, Picture } from './pictures/draw.ts';
import type { PaintedScene } from './pictures/paint-parts.ts';
import { listNextGrids } from './pictures/picture-grids.ts';
import type { PlannedPicture, ScenePictureRequest } from './pictures/plan-picture.ts';
import { planPicture, rememberPlans } from './pictures/plan-picture.ts';
import type { RenderLimits } from './plan/plan-inputs.ts';
import { findAsset, isEmptyPlan, makePlanExpressions } from './plan/plan-inputs.ts';
import type { ComparedScene, RenderPlan } from './plan/render-plan.ts';
import { toEtag } from './plan/render-plan.ts';
import { listReads } from './render-jobs.ts';
import type { CompareScene, FileWatch } from './scenes/file-watch.ts';
import { withCurrentFiles } from './scenes/file-watch.ts';

/** A picture and the plan it was drawn by, which is a newer one when files were replaced since the first. */
interface DrawnPicture extends Picture {
  readonly etag: string;
}

/** Plans and draws pictures. */
export interface Renderer {
  /** Decides everything but reads no pixel: enough to answer "not modified". */
  plan(request: ScenePictureRequest): Promise<PlannedPicture>;
  render(picture: PlannedPicture, ticket: Ticket): Promise<DrawnPicture>;
  /** Between which values each channel goes from its first colour to its last. */
  findContrast(picture: PlannedPicture, ticket: Ticket): ReturnType<FindContrast>;
  /** The colours that are shown: those of classes depend on how many are found. Null as in plans. */
  findColor(picture: PlannedPicture, ticket: Ticket): Promise<ColorPlan | null>;
}

/** Paints pictures that are larger than a thread can draw at once. */
export interface Painter extends Pick<Renderer, 'plan'> {
  /** The images that a picture of a scene is made of. */
  findImages(request: Omit<ScenePictureRequest, 'grid'>): Promise<SceneImages>;
  /**
   * Finds what all parts of a picture have in common, and passes it to what paints them on the pool; once more from the
   * start if files turn out to be replaced.
   */
  paint<Result>(
    picture: PlannedPicture,
    ticket: Ticket,
    run: (painted: PaintedScene) => Promise<Result>,
  ): Promise<Result>;
}

/** Keeps plans up to date with the files of their scenes. */
export interface CurrentPlans {
  /** Runs work on a plan; on a new one when a thread finds other files than those that were planned for. */
  onCurrent<Result>(
    planned: PlannedPicture,
    run: (picture: PlannedPicture) => Promise<Result>,
  ): Promise<Result>;
}

interface RendererDeps {
  readonly scenes: SceneStore;
  readonly compareScene: CompareScene;
  readonly watch: Pick<FileWatch, 'renew'>;
  readonly findContrast: FindContrast;
  readonly pool: JobRunner<DrawJobs & ClusterJobs>;
  readonly pictures: PictureCache;
  readonly limits: RenderLimits;
  /** Called after a picture of remote files with what may be looked at next. */
  readonly onNext?: ((list: () => readonly WindowRequest[]) => void) | undefined;
}

/** Builds the renderer: plans here, pixels on the pool. */
export function makeRenderer({
  scenes,
  compareScene,
  watch,
  findContrast,
  pool,
  pictures,
  limits,
  onNext,
}: RendererDeps): Renderer & Painter & CurrentPlans {
  const readExpressions = makePlanExpressions();
  const tables: ColormapCache = new Map();
  const findClusters = makeFindClusters({ pool, limits });
  const planOfScene = rememberPlans((request, scene) => {
    const plan = planPicture(request, scene, { readExpressions, tables, limits });
    return { plan, scene, etag: toEtag(plan), outline: request.options.area?.outline ?? null, request };
  });

  const readTree = ({ bands, sensor, options }: Omit<ScenePictureRequest, 'grid'>) =>
    readExpressions({ bands, sensor, isComposite: options.isComposite, areValues: options.areValues });

  const findCurrent = async (request: Omit<ScenePictureRequest, 'grid'>): Promise<ComparedScene> => {
    const found = await findScene(scenes, request);
    return compareScene(found, readTree(request).inputs);
  };

  const onCurrent = <Result>(
    planned: PlannedPicture,
    run: (picture: PlannedPicture) => Promise<Result>,
  ): Promise<Result> => {
    let isFirst = true;
    return withCurrentFiles({
      watch,
      find: () => (isFirst ? Promise.resolve(planned.scene) : findCurrent(planned.request)),
      run: (scene) => {
        const picture = isFirst ? planned : planOfScene(planned.request, scene);
        isFirst = false;
        return run(picture);
      },
    });
  };

  return {
    onCurrent,

    findContrast: (planned, ticket) => onCurrent(planned, (picture) => findContrast(picture, ticket)),

    async plan(request) {
      return planOfScene(request, await findCurrent(request));
    },

    findColor: (planned, ticket) =>
      onCurrent(planned, async (picture) => toShownColor(picture.plan, await findClusters(picture, ticket))),

    async findImages(request) {
      const scene = await findCurrent(request);
      return toSceneImages(readTree(request), { ...request, scene });
    },

    paint: (planned, ticket, run) =>
      onCurrent(planned, async (picture) => {
        const [contrast, clusters] = await Promise.all([
          findContrast(picture, ticket),
          findClusters(picture, ticket),
        ]);
        const { sensor, bands, options } = picture.request;
        const { scene } = picture;
        return run({ scene, sensor: sensor.abbreviation, bands, options, contrast, clusters });
      }),

    render: (planned, ticket) =>
      onCurrent(planned, async (picture) => ({
        ...(await draw(picture, ticket)),
        etag: picture.etag,
      })),
  };

  async function draw(picture: PlannedPicture, ticket: Ticket): Promise<Picture> {
    const { plan, etag, outline } = picture;
    const cached = await pictures.find(picture);
    if (cached !== null) return cached;
    const startedAt = performance.now();
    // A band has nothing to show here, so nothing is drawn: no contrast is needed for that.
    const isEmpty = isEmptyPlan(plan);
    const contrast = isEmpty
      ? plan.stretches.map(() => ({ min: 0, max: 1 }))
      : await findContrast(picture, ticket);
    const clusters = isEmpty || plan.clusters === undefined ? null : await findClusters(picture, ticket);
    const contrastMs = performance.now() - startedAt;
    const shown =
      clusters === null ? { plan } : { plan: { ...plan, color: toShownColor(plan, clusters) }, clusters };
    const grids = packGrids(plan.inputs.map(({ warp }) => warp));
    const input: DrawJob = { ...shown, grids, contrast, outline };
    const { output, queuedMs, fetchedMs, shared } = await pool.run('draw', input, {
      ...ticket,
      bytes: plan.bytes,
      singleFlightKey: `draw ${etag}`,
    });
    const isCached = pictures.store(picture, output);
    if (fetchedMs !== undefined && onNext !== undefined) noteNext(picture, onNext);
    const stagesMs = {
      contrast: contrastMs,
      ...(fetchedMs === undefined ? {} : { fetch: fetchedMs }),
      queue: queuedMs,
      ...output.stagesMs,
    };
    return { ...output, stagesMs, isSole: !isCached && !shared };
  }

  /** Planning takes a millisecond or two for each picture: it is done when there is time. */
  function noteNext({ request, scene }: PlannedPicture, note: NonNullable<RendererDeps['onNext']>): void {
    for (const grid of listNextGrids(request.grid).toReversed())
      note(() => listReads(planOfScene({ ...request, grid }, scene).plan));
  }
}

/** What a picture of a scene is made of. */
export interface SceneImages {
  readonly scene: ComparedScene;
  /** The images of the scene that are shown, the panchromatic one included if it sharpens the picture. */
  readonly assets: readonly Asset[];
  /** Whether a pixel depends on all others of the picture, so that it cannot be painted in parts. */
  readonly needsWindow: boolean;
}

interface ImagesRequest {
  readonly scene: ComparedScene;
  readonly sensor: Sensor;
  readonly options: { readonly isSharpened?: boolean };
}

/** The images that expressions over a scene show. */
function toSceneImages(
  { inputs, needsWindow }: TypedTree,
  { scene, sensor, options }: ImagesRequest,
): SceneImages {
  const bands = new Set(inputs.map(({ band }) => band));
  // A sensor without one refuses the picture when it is planned.
  if (options.isSharpened === true && sensor.pansharpening !== null) bands.add(sensor.pansharpening.panBand);
  return { scene, assets: [...bands].map((band) => findAsset(scene, band)), needsWindow };
}

/** Finished pictures, so that equal ones need not be drawn again. */
export interface PictureCache {
  find(planned: PlannedPicture): Promise<Picture | null>;
  /** Offers a complete picture, never a failed one; true if it is cached. */
  store(planned: PlannedPicture, picture: Picture): boolean;
}

/** A few sizes in each format; of 256 × 256 pixels they take some hundred bytes. */
const EMPTY_BYTES = 2 ** 20;

/** All that a picture without any pixel to show depends on. */
const toEmptyKey = (plan: RenderPlan): string => {
  const { grid, format, watermark, background } = plan;
  const marked = watermark === null ? '' : `marked ${watermark}`;
  return `${grid.width} ${grid.height} ${format} ${background ?? 'none'} ${marked}`;
};

/**
 * Builds the cache of pictures on that of all results: those that show nothing are always in memory. A picture's name
 * is its ETag, which covers everything that decides its pixels.
 */
export function makePictureCache(results: ResultCache): PictureCache {
  type Cached = Pick<Picture, 'bytes' | 'format'>;
  const empty = makeLru<Cached>({ max: EMPTY_BYTES });

  const findCached = async ({ plan, etag }: PlannedPicture): Promise<Cached | null> => {
    if (isEmptyPlan(plan)) return empty.get(toEmptyKey(plan)) ?? null;
    const entry = await results.find(etag);
    return entry === null || !isFormat(entry.meta) ? null : { bytes: entry.bytes, format: entry.meta };
  };

  return {
    async find(planned) {
      const startedAt = performance.now();
      const cached = await findCached(planned);
      return cached && { ...cached, stagesMs: { cache: performance.now() - startedAt } };
    },
    store({ plan, etag }, { bytes, format }) {
      if (!isEmptyPlan(plan)) return results.store(etag, { bytes, meta: format });
      empty.set(toEmptyKey(plan), { bytes, format }, bytes.length);
      return true;
    },
  };
}

const isFormat = (text: string): text is Picture['format'] => ['jpeg', 'png', 'webp'].includes(text);
