import type { MultiPolygonGeometry } from '../geo/index.ts';
import type { Ticket } from '../pool/index.ts';
import type { StatisticsOrder } from '../zonal/index.ts';
import { sourceBroken } from './errors.ts';
import type { ScenePartsDeps } from './measure-part.ts';
import { makeSceneParts } from './measure-part.ts';
import type { SceneNumbers } from './scene-numbers.ts';
import { toMeasured } from './scene-numbers.ts';
import { PART_HEADER_BYTES, readPartHeader } from './scene-part.ts';
import { makeShapePacker } from './shape-pack.ts';
import type { ShapeSet } from './shape-set.ts';
import { makeShapeSet } from './shape-set.ts';

/** What one shape has in a scene. */
export interface ShapeReading {
  /** The place of the shape in its set. */
  readonly shape: number;
  /** The mean over the pixels that count. */
  readonly average: number;
  /** Percent of the shape of which the scene has data. */
  readonly dataPercent: number;
  /** Percent of that data that is masked: clouds, and cirrus and shadows where a scene says where they are. */
  readonly maskedPercent: number;
}

/** Measures shapes in one scene, for those who look at scenes as they come in. */
export interface MeasureNow {
  /** Packs shapes once for all scenes. Neighbours should come one after the other. */
  makeSet(geometries: readonly MultiPolygonGeometry[]): ShapeSet;
  /** The readings of each expression; shapes without a value are left out. Throws if the scene cannot be read. */
  measure(
    request: { readonly viewId: string; readonly set: ShapeSet; readonly expressions: readonly string[] },
    ticket: Ticket,
  ): Promise<readonly (readonly ShapeReading[])[]>;
}

/** The strictest masks: a cloud that is not seen as one looks like a loss of green. */
const CLOUDS: StatisticsOrder['clouds'] = { maxPercent: null, masked: 'all', level: 3 };

/** Builds it. */
export function makeMeasureNow(deps: ScenePartsDeps): MeasureNow {
  const { measurePart } = makeSceneParts(deps);
  return {
    makeSet(geometries) {
      const packer = makeShapePacker();
      for (const geometry of geometries) packer.add(geometry);
      return makeShapeSet({ pack: packer.finish(), weights: 'centres' }, deps.pool);
    },
    async measure({ viewId, set, expressions: wanted }, ticket) {
      const order: StatisticsOrder = {
        from: '',
        to: '',
        datasets: [],
        expressions: wanted,
        area: { type: 'MultiPolygon', coordinates: [] },
        limit: 1,
        clouds: CLOUDS,
        histogram: null,
      };
      const { bytes, failure } = await measurePart({ viewId, order, shapes: set }, ticket, () => {});
      if (failure !== null) throw sourceBroken('scene-unreadable', failure.message);
      const { end, shapes, expressions } = readPartHeader(bytes);
      if (end.kind !== 'measured') return wanted.map(() => []);
      const values = new Float64Array(bytes.buffer as ArrayBuffer, bytes.byteOffset + PART_HEADER_BYTES);
      return wanted.map((_, i) => listReadings({ shapes, expressions, values }, i));
    },
  };
}

function listReadings(numbers: SceneNumbers, expression: number): readonly ShapeReading[] {
  const readings: ShapeReading[] = [];
  for (let shape = 0; shape < numbers.shapes; shape += 1) {
    const measured = toMeasured(numbers, shape, expression);
    if (measured === null || measured.statistics === null || measured.validPx === 0) continue;
    const { statistics, validPx, areaPx } = measured;
    readings.push({
      shape,
      average: statistics.average,
      dataPercent: Math.min(100, (100 * validPx) / areaPx),
      maskedPercent: 100 * (1 - statistics.count / validPx),
    });
  }
  return readings;
}
