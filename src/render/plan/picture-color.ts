import type { BandInput, TypedTree } from '../../bandmath/index.ts';
import type { Colormap, ColormapCache, ColorPlan, Stretch } from '../../color/index.ts';
import { planColor } from '../../color/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { findAlias, findBand } from '../../sensors/index.ts';
import { shownInput } from './plan-expressions.ts';

/** Colours that a caller asks for; texts as in the query. */
export interface ColorOptions {
  readonly palette?: string;
  readonly colormap?: Colormap;
  readonly colorsLimit?: string;
  readonly colors?: string;
  readonly thresholds?: string;
}

interface PictureColorRequest {
  readonly sensor: Sensor;
  readonly bands: string;
  readonly tree: TypedTree;
  readonly calibrated: boolean;
  readonly range: Stretch | null;
  /** The curve of a colormap over `range`. */
  readonly gamma?: number | undefined;
  readonly color: ColorOptions;
  /** Tables of colormaps, which take longer to make than to use; each is made anew without. */
  readonly tables?: ColormapCache | undefined;
}

/** Decides the colours of a picture; null for grey, or for three channels. */
export function planPictureColor({
  sensor,
  bands,
  tree,
  calibrated,
  range,
  gamma,
  color,
  tables,
}: PictureColorRequest): ColorPlan | null {
  const shown = tree.outputs.length === 1 ? shownInput(tree, 0) : null;
  const band = shown === null ? null : (tree.inputs[shown] as BandInput).band;
  const hasBits = band !== null && band === sensor.quality?.band;
  const alias = findAlias(sensor, bands.trim());
  return planColor({
    ...color,
    minMax: range === null || gamma === undefined ? range : { ...range, gamma },
    channels: tree.outputs.length,
    hasBits,
    // What holds no measure is not calibrated either.
    hasWholeValues: !calibrated || (band !== null && findBand(sensor, band)?.kind === 'quality'),
    // A contrast in the request replaces the palette.
    defaultPalette: band === null || range !== null ? null : (sensor.palettes[band] ?? null),
    alias: alias?.kind === 'index' && range === null ? alias.name : null,
    cache: tables,
  });
}

/** Whether colours follow the contrast of the picture; without, it need not be known. */
export const needsContrast = (plan: ColorPlan | null): boolean =>
  plan === null ||
  (plan.kind === 'ramp' && plan.range === null) ||
  (plan.kind === 'steps' && plan.thresholdsOf === 'contrast');

/** Whether colours stand for single values, without a transition between them. */
export const isOfClasses = (plan: ColorPlan | null): boolean =>
  plan?.kind === 'values' || plan?.kind === 'bits';

/** Between which values the colours of a channel change; nothing where they stand for values of their own. */
export function shownRange(plan: ColorPlan | null, { min, max, gamma, isDecibel }: Stretch): Stretch | null {
  if (!needsContrast(plan)) return plan?.kind === 'ramp' ? plan.range : null;
  return {
    min,
    max,
    ...(gamma === undefined ? {} : { gamma }),
    ...(isDecibel === undefined ? {} : { isDecibel }),
  };
}
