import type { Scene, SceneStore } from '../catalog/index.ts';
import { geometryBounds } from '../geo/index.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import type { CompareScene, FileWatch } from '../render/native/index.ts';
import { withCurrentFiles } from '../render/native/index.ts';
import type { SceneFailure, StatisticsJobs, StatisticsOrder } from '../zonal/index.ts';
import type { Candidate } from '../zonal/measuring.ts';
import {
  isEmptyScene,
  isSentinel2,
  isSunMissing,
  makeFindCandidates,
  parseMeasured,
} from '../zonal/measuring.ts';
import type { MeasureShapes } from './measure-shapes.ts';
import { makeMeasureShapes } from './measure-shapes.ts';
import type { BulkJobs } from './measure-window.ts';
import { makeSceneNumbers } from './scene-numbers.ts';
import type { PartEnd, PartScene } from './scene-part.ts';
import { writePart } from './scene-part.ts';
import type { ShapeSet } from './shape-set.ts';

/** Shapes in one scene, as they are stored. */
export interface MeasuredPart {
  readonly bytes: Uint8Array;
  /** Why the scene could not be read; null if it could, also if it has nothing to say. */
  readonly failure: SceneFailure | null;
}

interface PartWork {
  readonly viewId: string;
  readonly order: StatisticsOrder;
  readonly shapes: ShapeSet;
}

interface PartDeps {
  readonly scenes: Pick<SceneStore, 'findByViewId'>;
  readonly watch: Pick<FileWatch, 'renew'>;
  readonly find: Pick<ReturnType<typeof makeFindCandidates>, 'prepare' | 'toFailure'>;
  readonly measureShapes: MeasureShapes;
}

/** What is stored of a scene that the catalog has no more. */
const GONE: Omit<PartScene, 'viewId' | 'sceneId'> = {
  dataset: '',
  acquiredAt: '',
  cloudPercent: null,
  lacksClasses: false,
  lacksSun: false,
};

/** Builds the measuring of shapes in one scene; work that was stopped, or had no room, throws. */
function makeMeasurePart({ scenes, watch, find, measureShapes }: PartDeps) {
  return async (
    { viewId, order, shapes }: PartWork,
    ticket: Ticket,
    onShare: (share: number) => void,
  ): Promise<MeasuredPart> => {
    const nothing = makeSceneNumbers(0, order.expressions.length);
    const found = await scenes.findByViewId(viewId);
    if (found === null) {
      const gone: PartScene = { ...GONE, viewId, sceneId: viewId };
      return { bytes: writePart(gone, { kind: 'empty' }, nothing), failure: null };
    }
    const fail = (failure: SceneFailure): MeasuredPart => {
      const isBroken = !isEmptyScene(failure);
      const end: PartEnd = isBroken
        ? { kind: 'broken', message: failure.message, bounds: geometryBounds(found.footprint) }
        : { kind: 'empty' };
      return { bytes: writePart(toPartScene(found), end, nothing), failure: isBroken ? failure : null };
    };
    let candidate = await find.prepare(found, order, '');
    if ('message' in candidate) return fail(candidate);
    let current: Candidate = candidate;
    let isFirst = true;
    try {
      const numbers = await withCurrentFiles({
        watch: {
          async renew(scene) {
            await watch.renew(scene);
            const { classified } = current;
            if (classified !== null && classified.scene.viewId !== scene.viewId)
              await watch.renew(classified.scene);
          },
        },
        async find() {
          if (!isFirst) {
            candidate = await find.prepare((await scenes.findByViewId(viewId)) ?? found, order, '');
            if (!('message' in candidate)) current = candidate;
          }
          isFirst = false;
          return current.scene;
        },
        run: (scene) =>
          measureShapes(
            {
              scene: { ...current, scene, level: order.clouds.level },
              shapes,
              expressions: order.expressions,
            },
            { ticket, onProgress: onShare },
          ),
      });
      const kind = numbers.values.every(Number.isNaN) ? 'empty' : 'measured';
      return { bytes: writePart(describe(found, current, order), { kind }, numbers), failure: null };
    } catch (error) {
      return fail(find.toFailure(found, error));
    }
  };

  function describe(
    scene: Scene,
    { scene: compared, sensor, classified }: Candidate,
    order: StatisticsOrder,
  ) {
    const trees = order.expressions.map((text) => parseMeasured(text, sensor));
    return {
      ...toPartScene(scene),
      lacksClasses: order.clouds.level !== null && isSentinel2(scene) && classified === null,
      lacksSun: isSunMissing(compared, sensor, trees),
    };
  }
}

const toPartScene = ({ viewId, sceneId, dataset, acquiredAt, cloudPercent }: Scene): PartScene => ({
  viewId,
  sceneId,
  dataset,
  acquiredAt,
  cloudPercent,
  lacksClasses: false,
  lacksSun: false,
});

/** What scenes are found and measured with. */
export interface ScenePartsDeps {
  readonly scenes: Pick<SceneStore, 'search' | 'findByViewId'>;
  readonly compareScene: CompareScene;
  readonly watch: Pick<FileWatch, 'renew'>;
  readonly pool: JobRunner<BulkJobs & StatisticsJobs>;
  /** Windows that are measured at the same time. */
  readonly atOnce: number;
  /** Called for a scene that failed, unless the order caused it. */
  readonly onFailure: (viewId: string, error: unknown) => void;
  /** The side of a window in pixels, for tests. */
  readonly windowPx?: number;
}

/** Builds the search for scenes, and the measuring of shapes in one; nothing of it is cached. */
export function makeSceneParts(deps: ScenePartsDeps) {
  const { scenes, watch, pool, atOnce, windowPx } = deps;
  const store = { findMany: async () => new Map() };
  const find = makeFindCandidates({ ...deps, store, onForgotten: () => {} });
  const size = windowPx === undefined ? {} : { windowPx };
  const measureShapes = makeMeasureShapes({ pool, atOnce, ...size });
  return { find, measurePart: makeMeasurePart({ scenes, watch, find, measureShapes }) };
}
