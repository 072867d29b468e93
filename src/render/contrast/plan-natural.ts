import type { BandInput, TypedTree } from '../../bandmath/index.ts';
import { splitExpressions } from '../../bandmath/index.ts';
import { isSwathError, unsupported } from '../../errors.ts';
import type { Band, NaturalRange, Sensor } from '../../sensors/index.ts';
import {
  findAlias,
  findBand,
  findCompositionRanges,
  findIndexRange,
  findPhysicalRange,
  findStoredRange,
  parseViewId,
} from '../../sensors/index.ts';
import { planBandInput } from '../calibration/plan-band-input.ts';
import { findAsset } from '../inputs/band-file.ts';
import { shownInput } from '../inputs/plan-expressions.ts';
import type { ComparedScene } from '../scenes/earlier-scene.ts';

/** A picture in natural colour: what it shows, and of which scene. */
interface NaturalRequest {
  readonly scene: ComparedScene;
  readonly sensor: Sensor;
  /** Bands, aliases or band math, as in the address. */
  readonly bands: string;
  readonly tree: TypedTree;
}

/**
 * Whether all bands of a picture have physical values in this scene. Without a sun or a calibration table they have
 * none, and the picture shows stored numbers.
 */
export function canCalibrate({ scene, sensor, tree }: Omit<NaturalRequest, 'bands'>): boolean {
  return tree.inputs.every((input) => {
    const from = input.scene === 'earlier' ? (scene.earlier ?? null) : scene;
    if (from === null) return true;
    try {
      planBandInput({ scene: from, sensor, band: input.band, calibrated: true });
      return true;
    } catch (error) {
      if (isSwathError(error) && error.tag === 'unsupported') return false;
      throw error;
    }
  });
}

/**
 * The ranges of natural colour, one for each channel: fixed by the sensor and the composition, or by the index. Refused
 * for band math, whose values can lie anywhere.
 */
export function planNaturalRanges(request: NaturalRequest, calibrated: boolean): readonly NaturalRange[] {
  const { scene, sensor, bands, tree } = request;
  const texts = splitExpressions(bands);
  const alias = findAlias(sensor, bands.trim());
  const { level = null } = parseViewId(scene.viewId).parts;
  const shown = tree.outputs.map((_, channel) => {
    const input = shownInput(tree, channel);
    return input === null ? null : findBand(sensor, (tree.inputs[input] as BandInput).band);
  });
  if (calibrated && shown.every((band) => band !== null)) {
    const own = findCompositionRanges(sensor, { bands: shown, level });
    if (own !== null) return own;
  }
  return shown.map((band, channel) => {
    if (band !== null) return findBandRange(request, { band, calibrated, level });
    const name = alias?.kind === 'composite' ? alias.of[channel]?.name : texts[channel];
    const range = name === undefined || findAlias(sensor, name) === null ? null : findIndexRange(name);
    if (range !== null) return range;
    throw unsupported(
      'no-natural-range',
      'STRETCH=natural has fixed ranges for bands and indices, not for band math: pass MIN_MAX for this expression.',
    );
  });
}

function findBandRange(
  { scene, sensor }: NaturalRequest,
  {
    band,
    calibrated,
    level,
  }: { readonly band: Band; readonly calibrated: boolean; readonly level: string | null },
): NaturalRange {
  const { quantity } = planBandInput({ scene, sensor, band: band.name, calibrated });
  const isOwnType = findAsset(scene, band.name).type === band.type;
  const stored = isOwnType ? findStoredRange(sensor, band) : null;
  const range = quantity === 'stored' ? stored : findPhysicalRange(sensor, band, level);
  if (range !== null) return range;
  throw unsupported(
    'no-natural-range',
    `STRETCH=natural has no fixed range for the band ${band.name} of this scene: pass MIN_MAX.`,
  );
}
