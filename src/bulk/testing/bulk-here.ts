import { makeBlockCache, makeThreadTools } from '../../blocks/index.ts';
import type { Scene } from '../../catalog/index.ts';
import type { MultiPolygonGeometry } from '../../geo/index.ts';
import type { AskedJob } from '../../pool/testing/run-here.ts';
import { aTicket, makeRunnerHere } from '../../pool/testing/run-here.ts';
import type { Sensor } from '../../sensors/index.ts';
import { sensorByDataset } from '../../sensors/index.ts';
import type { Measured, StatisticsJobs } from '../../zonal/index.ts';
import { makeStatisticsJobs } from '../../zonal/index.ts';
import type { Weights } from '../cover-shapes.ts';
import { makeMeasureShapes } from '../measure-shapes.ts';
import type { BulkJobs } from '../measure-window.ts';
import { makeBulkJobs } from '../measure-window.ts';
import { toMeasured } from '../scene-numbers.ts';
import { makeShapePacker } from '../shape-pack.ts';
import { makeShapeSet } from '../shape-set.ts';

/** What is measured in a test. */
interface BulkRequest {
  readonly scene: Scene;
  readonly expressions: readonly string[];
  readonly geometries: readonly MultiPolygonGeometry[];
  readonly masksClouds?: boolean;
  readonly level?: 1 | 2 | 3 | 4 | null;
  readonly classified?: Scene | null;
  readonly windowPx?: number;
  readonly largePx?: number;
  readonly weights?: Weights;
}

const sensorOf = ({ dataset }: Scene): Sensor => {
  const sensor = sensorByDataset(dataset);
  if (sensor === null) throw new Error(`no sensor has ${dataset}`);
  return sensor;
};

function packShapes(geometries: readonly MultiPolygonGeometry[]) {
  const packer = makeShapePacker();
  for (const geometry of geometries) packer.add(geometry);
  return packer.finish();
}

/** Measures many shapes in scenes whose files lie in a folder, on this thread. */
export function makeBulkHere(folder: string) {
  const files = { dataDir: folder, folders: [] };
  const thread = makeThreadTools({ files, blocks: makeBlockCache(64 * 2 ** 20).handle });
  const pool = makeRunnerHere<BulkJobs & StatisticsJobs>({
    ...makeBulkJobs(thread),
    ...makeStatisticsJobs(thread),
  });
  return {
    asked: pool.asked as readonly AskedJob[],
    /** By shape, the measurement of each expression; null where it lies outside the scene. */
    async measure(request: BulkRequest): Promise<readonly (readonly (Measured | null)[])[]> {
      const {
        scene,
        expressions,
        geometries,
        masksClouds = false,
        level = null,
        classified = null,
      } = request;
      const measure = makeMeasureShapes({
        pool,
        atOnce: 3,
        windowPx: request.windowPx ?? 64,
      });
      const numbers = await measure(
        {
          scene: {
            scene,
            sensor: sensorOf(scene),
            masksClouds,
            level,
            classified: classified === null ? null : { scene: classified, sensor: sensorOf(classified) },
          },
          shapes: makeShapeSet(
            {
              pack: packShapes(geometries),
              weights: request.weights ?? 'centres',
              largePx: request.largePx,
            },
            pool,
          ),
          expressions,
        },
        { ticket: aTicket },
      );
      return geometries.map((_, shape) =>
        expressions.map((_, expression) => toMeasured(numbers, shape, expression)),
      );
    },
  };
}
