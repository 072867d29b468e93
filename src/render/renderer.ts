import type { WindowRequest } from '../blocks/index.ts';
import type { SceneStore } from '../catalog/index.ts';
import { findScene } from '../catalog/index.ts';
import type { ColormapCache, ColorPlan } from '../color/index.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import { packGrids } from '../raster/index.ts';
import { makeFindClusters } from './clusters/find-clusters.ts';
import type { ClusterJobs } from './clusters/fit-clusters.ts';
import { toShownColor } from './clusters/plan-clusters.ts';
import type { FindContrast } from './contrast/find-contrast.ts';
import { makePlanExpressions } from './inputs/plan-expressions.ts';
import type { DrawJob, DrawJobs, Picture } from './pictures/draw-job.ts';
import { listNextGrids } from './pictures/next-grids.ts';
import type { PaintedScene } from './pictures/painted-scene.ts';
import type { PictureCache } from './pictures/picture-cache.ts';
import { isEmptyPlan } from './pictures/picture-cache.ts';
import { planPicture } from './pictures/plan-picture.ts';
import type { PlannedPicture, ScenePictureRequest } from './pictures/planned-picture.ts';
import { rememberPlans } from './pictures/recent-plans.ts';
import type { SceneImages } from './pictures/scene-images.ts';
import { toSceneImages } from './pictures/scene-images.ts';
import { listReads } from './pixels/list-reads.ts';
import type { RenderLimits } from './plan/limits.ts';
import { toEtag } from './plan/render-plan.ts';
import type { CompareScene } from './scenes/compare-scene.ts';
import type { ComparedScene } from './scenes/earlier-scene.ts';
import type { FileWatch } from './scenes/file-watch.ts';
import { withCurrentFiles } from './scenes/with-current-files.ts';

/** A picture and the plan it was drawn by, which is a newer one when files were replaced since the first. */
export interface DrawnPicture extends Picture {
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

interface RendererDeps {
  readonly scenes: SceneStore;
  readonly compareScene: CompareScene;
  readonly watch: Pick<FileWatch, 'renew'>;
  readonly findContrast: FindContrast;
  readonly pool: JobRunner<DrawJobs & ClusterJobs>;
  readonly pictures: PictureCache;
  readonly limits: RenderLimits;
  /** Told after a picture of remote files what may be looked at next. */
  readonly onNext?: (list: () => readonly WindowRequest[]) => void;
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
}: RendererDeps): Renderer & Painter {
  const readExpressions = makePlanExpressions();
  const tables: ColormapCache = new Map();
  const findClusters = makeFindClusters({ pool, limits });
  const planOfScene = rememberPlans((request, scene) => {
    const plan = planPicture(request, scene, { readExpressions, tables, limits });
    return { plan, scene, etag: toEtag(plan), outline: request.options.area?.outline ?? null, request };
  });

  const readTree = ({ bands, sensor, options }: Omit<ScenePictureRequest, 'grid'>) =>
    readExpressions({ bands, sensor, isComposite: options.isComposite });

  const findCurrent = async (request: Omit<ScenePictureRequest, 'grid'>): Promise<ComparedScene> => {
    const found = await findScene(scenes, request);
    return compareScene(found, readTree(request).inputs);
  };

  /** Runs work on a plan; on a new one when a thread finds other files than those that were planned for. */
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
    const clusters = isEmpty ? null : await findClusters(picture, ticket);
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
