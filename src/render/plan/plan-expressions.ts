import type { BandInput, TypedTree } from '../../bandmath/index.ts';
import { fileLimits, parseExpressions } from '../../bandmath/index.ts';
import type { Colormap, ColormapCache, ColorPlan, Stretch } from '../../color/index.ts';
import { planColor } from '../../color/index.ts';
import { aboutPart } from '../../errors.ts';
import { makeLru } from '../../lru.ts';
import type { Sensor } from '../../sensors/index.ts';
import { findAlias, findBand, toExpressionNames } from '../../sensors/index.ts';
import { unsupported } from '../errors.ts';

interface ExpressionRequest {
  /** Bands, aliases or band math, as in the address. */
  readonly bands: string;
  readonly sensor: Sensor;
  /** Whether three expressions are meant as red, green and blue. */
  readonly isComposite: boolean;
  /** Whether channels are read and not shown: then there may be any number of them. */
  readonly areValues?: boolean | undefined;
}

/** Reads what a picture shows: one expression, or three as a composite. */
export function planExpressions(request: ExpressionRequest): TypedTree {
  try {
    return planTree(request);
  } catch (error) {
    throw aboutPart('expressions', error);
  }
}

/** Reads what a picture shows. */
export type PlanExpressions = typeof planExpressions;

/** Cached expressions: a view of a map asks for the same one with every tile, and parsing it costs as much as all the rest. */
const MAX_CACHED = 256;

/** Builds the parsing of expressions with a cache of the last ones; refusals are not cached. */
export function makePlanExpressions(): PlanExpressions {
  const cache = makeLru<TypedTree>({ max: MAX_CACHED });
  return (request) => {
    const { bands, sensor, isComposite, areValues = false } = request;
    return cache.remember(`${sensor.dataset} ${isComposite} ${areValues} ${bands}`, () =>
      planExpressions(request),
    );
  };
}

/** A file of values may have as many bands as any sensor. */
const VALUE_LIMITS = { ...fileLimits, maxExpressions: 16 };

function planTree({ bands, sensor, isComposite, areValues = false }: ExpressionRequest): TypedTree {
  const names = toExpressionNames(sensor);
  const tree = parseExpressions(bands, names, areValues ? VALUE_LIMITS : undefined);
  const count = tree.outputs.length;
  if (tree.inputs.length === 0) {
    throw unsupported('no-band', 'This expression names no band, so there is no picture of it.');
  }
  if (areValues) return tree;
  if (count !== 1 && count !== 3) {
    throw unsupported('band-count', `A picture takes one expression or three; ${count} are given.`);
  }
  if (count === 1 && isComposite) {
    throw unsupported('composite-of-one', 'COMPOSITE=1 takes three expressions separated by commas.');
  }
  // An alias of three indices says itself that it is a composite, and so do three bands.
  const saysItself = names.find(bands.trim())?.kind === 'composite' || isOfBands(tree);
  if (count === 3 && !isComposite && !saysItself) {
    throw unsupported('not-a-composite', 'Three expressions make one picture only with COMPOSITE=1.');
  }
  return tree;
}

const isOfBands = (tree: TypedTree): boolean =>
  tree.outputs.every((_, output) => shownInput(tree, output) !== null);

/** The input that an expression shows as it is; null when it computes something. */
export function shownInput({ nodes, outputs }: TypedTree, index: number): number | null {
  const output = outputs[index];
  const node = output === undefined ? undefined : nodes[output.value];
  if (output === undefined || node?.op !== 'input') return null;
  // `where(c, NODATA, B4)` shows a band too, but not everywhere; other bands may mask it.
  return output.absent === null && output.uses.length === 1 ? node.input : null;
}

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
