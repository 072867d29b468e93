import type { TypedTree } from '../../bandmath/index.ts';
import { parseExpressions } from '../../bandmath/index.ts';
import type { SceneName, SceneStore } from '../../catalog/index.ts';
import { findScene } from '../../catalog/index.ts';
import { makeLru } from '../../lru.ts';
import type { JobRunner, Ticket } from '../../pool/index.ts';
import { toExpressionNames } from '../../sensors/index.ts';
import type { CompareScene } from '../scenes/compare-scene.ts';
import type { ComparedScene } from '../scenes/earlier-scene.ts';
import type { FileWatch } from '../scenes/file-watch.ts';
import { withCurrentFiles } from '../scenes/with-current-files.ts';
import type { PointRequest } from './plan-point.ts';
import { planPoint } from './plan-point.ts';
import type { PointJobs } from './read-point.ts';

/** A point of a scene that is to be found first. */
export interface ScenePointRequest extends PointRequest, SceneName {
  /** Bands, aliases or band math, as in the address. */
  readonly bands: string;
}

/** Finds the values of expressions at a point, in their order; null for one without a value there. */
export type ReadPoint = (request: ScenePointRequest, ticket: Ticket) => Promise<readonly (number | null)[]>;

interface PointReaderDeps {
  readonly scenes: SceneStore;
  readonly compareScene: CompareScene;
  readonly watch: Pick<FileWatch, 'renew'>;
  readonly pool: JobRunner<PointJobs>;
}

/** Twelve bands of sixteen pixels with all that is computed of them; what is decoded lies in the block cache. */
const POINT_BYTES = 64 * 1024;
/** Cached expressions: a chart asks for the same one at every date, and parsing it costs as much as all the rest. */
const MAX_CACHED = 256;

/** Builds the reader of point values: plans here, pixels on the pool. */
export function makePointReader({ scenes, compareScene, watch, pool }: PointReaderDeps): ReadPoint {
  const cache = makeLru<TypedTree>({ max: MAX_CACHED });

  return async (request, ticket) => {
    // What cannot be computed is refused before anyone looks for the scene.
    const tree = readExpressions(request);
    const find = async () => compareScene(await findScene(scenes, request), tree.inputs);
    const run = async (scene: ComparedScene): Promise<readonly (number | null)[]> => {
      const plan = planPoint(tree, request, scene);
      return (await pool.run('point', plan, { ...ticket, bytes: POINT_BYTES })).output;
    };
    return withCurrentFiles({ watch, find, run });
  };

  function readExpressions({ sensor, bands }: ScenePointRequest): TypedTree {
    return cache.remember(`${sensor.dataset} ${bands}`, () =>
      parseExpressions(bands, toExpressionNames(sensor)),
    );
  }
}
