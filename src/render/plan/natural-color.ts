import type { BandInput, TypedTree } from '../../bandmath/index.ts';
import { splitExpressions } from '../../bandmath/index.ts';
import { isSwathError } from '../../errors.ts';
import type { Band, NaturalRange, Sensor } from '../../sensors/index.ts';
import {
  findAlias,
  findBand,
  findIndexRange,
  findNaturalRange,
  joinRanges,
  parseViewId,
} from '../../sensors/index.ts';
import { unsupported } from '../errors.ts';
import { planBandInput } from './calibration.ts';
import { findAsset, shownInput } from './plan-inputs.ts';
import type { ComparedScene } from './render-plan.ts';

/** What natural colour is planned for. */
interface NaturalRequest {
  readonly scene: ComparedScene;
  readonly sensor: Sensor;
  /** Bands, aliases or band math, as in the address. */
  readonly bands: string;
  readonly tree: TypedTree;
}

/** A scene as it is drawn in natural colour, and whether its bands have physical values. */
interface NaturalScene {
  readonly scene: ComparedScene;
  readonly calibrated: boolean;
}

/** Sun elevation of scenes that do not say it or were taken at night: that of the middle latitudes in the morning. */
const ASSUMED_SUN_DEG = 45;

/**
 * Decides how bands are calibrated. Reflectance under an unknown sun is that under an assumed one, which is a fixed range
 * of stored numbers; without a calibration table the picture shows stored numbers.
 */
export function planNaturalScene({ scene, sensor, tree }: Omit<NaturalRequest, 'bands'>): NaturalScene {
  const hasSun = scene.sunElevationDeg !== null && scene.sunElevationDeg > 0;
  const lit = hasSun ? scene : { ...scene, sunElevationDeg: ASSUMED_SUN_DEG };
  const calibrated = tree.inputs.every((input) => {
    const from = input.scene === 'earlier' ? (scene.earlier ?? null) : lit;
    return from === null || canCalibrate(from, sensor, input);
  });
  return { scene: lit, calibrated };
}

function canCalibrate(scene: ComparedScene, sensor: Sensor, { band }: BandInput): boolean {
  try {
    planBandInput({ scene, sensor, band, calibrated: true });
    return true;
  } catch (error) {
    if (isSwathError(error) && error.tag === 'unsupported') return false;
    throw error;
  }
}

/**
 * The ranges of natural colour, one for each channel: fixed by the sensor and the composition, or by the index. Refused
 * for band math, whose values can lie anywhere.
 */
export function planNaturalRanges(
  { scene, sensor, bands, tree }: NaturalRequest,
  calibrated: boolean,
): readonly NaturalRange[] {
  const { level = null } = parseViewId(scene.viewId).parts;
  const texts = splitExpressions(bands);
  const alias = findAlias(sensor, bands.trim());
  const channels = tree.outputs.map((_, channel) => {
    const input = shownInput(tree, channel);
    const band = input === null ? null : findBand(sensor, (tree.inputs[input] as BandInput).band);
    if (band !== null) return { band, range: findBandRange({ scene, sensor, band, level }, calibrated) };
    const name = alias?.kind === 'composite' ? alias.of[channel]?.name : texts[channel];
    return { band, range: findAliasRange(sensor, name) };
  });
  const shown = channels.flatMap(({ band, range }) => (band === null ? [] : [{ band, range }]));
  return shown.length === channels.length ? joinRanges(shown) : channels.map(({ range }) => range);
}

function findAliasRange(sensor: Sensor, name: string | undefined): NaturalRange {
  const range = name === undefined || findAlias(sensor, name) === null ? null : findIndexRange(name);
  if (range !== null) return range;
  throw unsupported(
    'no-natural-range',
    (name) =>
      `${name('STRETCH')}=natural has fixed ranges for bands and indices, not for band math: pass ${name('MIN_MAX')} for this expression.`,
  );
}

interface ShownBand {
  readonly scene: ComparedScene;
  readonly sensor: Sensor;
  readonly band: Band;
  readonly level: string | null;
}

function findBandRange({ scene, sensor, band, level }: ShownBand, calibrated: boolean): NaturalRange {
  const { quantity, parameters } = planBandInput({ scene, sensor, band: band.name, calibrated });
  const isOwnType = findAsset(scene, band.name).type === band.type;
  const stored = isOwnType ? findNaturalRange(sensor, band, 'stored') : null;
  const range =
    quantity === 'stored'
      ? stored && toScaled(stored, parameters)
      : findNaturalRange(sensor, band, { level });
  if (range !== null) return range;
  throw unsupported(
    'no-natural-range',
    (name) =>
      `${name('STRETCH')}=natural has no fixed range for the band ${band.name} of this scene: pass ${name('MIN_MAX')}.`,
  );
}

/** A range of stored numbers as the band shows them: the file may state a scale of its own. */
function toScaled(range: NaturalRange, [shift = 0, scale = 1]: readonly number[]): NaturalRange {
  return { ...range, min: (range.min + shift) * scale, max: (range.max + shift) * scale };
}
