import type { TypedTree } from '../../bandmath/index.ts';
import type { Scene } from '../../catalog/index.ts';
import { unsupported } from '../../errors.ts';
import type { AreaOutline, LonLatBounds } from '../../geo/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { findBand } from '../../sensors/index.ts';
import { planExpressions } from '../inputs/plan-expressions.ts';
import { planInputs } from '../inputs/plan-inputs.ts';
import type { SampleLimits } from '../plan/limits.ts';
import type { ComparedScene } from '../scenes/earlier-scene.ts';
import type { CloudCoverJob } from './measure-intensity.ts';
import { planValueSample } from './plan-value-sample.ts';

interface CoverRequest {
  readonly scene: ComparedScene;
  readonly sensor: Sensor;
  readonly onlyOpaque: boolean;
  /** Null for the whole scene. */
  readonly bounds: LonLatBounds | null;
  readonly outlines: readonly AreaOutline[];
  readonly limits: SampleLimits;
}

/** Plans the counting of clouds, pixel by pixel; null when scene or sensor say nothing of single pixels. */
export function planCoverJob({ scene, sensor, onlyOpaque, bounds, outlines, limits }: CoverRequest): {
  readonly job: CloudCoverJob;
  readonly bytes: number;
} | null {
  const tree = planReference(sensor, scene);
  const { sample, clouds, bytes } = planValueSample(
    tree,
    {
      scene,
      bounds,
      limits,
      toInputs: (grid) => planInputs(tree.inputs, { scene, sensor, calibrated: false, method: 'near', grid }),
    },
    { sensor, onlyOpaque },
  );
  return clouds === null ? null : { job: { sample, outlines, clouds }, bytes };
}

/**
 * The band that says where the scene has data, among whose pixels clouds are counted: the one that clouds are read from, or,
 * where that is no band or says nothing of missing data, the finest one that measures something.
 */
function planReference(sensor: Sensor, scene: Scene): TypedTree {
  const { cloudMask } = scene;
  if (cloudMask?.kind === 'classes' || cloudMask?.kind === 'quality') {
    const { band } = cloudMask;
    if (findBand(sensor, band)?.nodata !== null) {
      return planExpressions({ bands: band, sensor, isComposite: false });
    }
  }
  const [finest] = sensor.bands
    .filter(({ name, kind }) => kind !== 'quality' && Object.hasOwn(scene.assets, name))
    .sort((a, b) => a.resolutionM - b.resolutionM);
  if (finest === undefined) throw unsupported('no-data', 'This scene has no band that measures anything.');
  return planExpressions({ bands: finest.name, sensor, isComposite: false });
}
