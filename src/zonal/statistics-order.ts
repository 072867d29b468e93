import type { ExpressionLimits, TypedTree } from '../bandmath/index.ts';
import { parseExpressions, tileLimits } from '../bandmath/index.ts';
import { isSwathError } from '../errors.ts';
import type { MultiPolygonGeometry } from '../geo/index.ts';
import { makeLru } from '../lru.ts';
import type { HistogramBins } from '../numbers/index.ts';
import type { Sensor } from '../sensors/index.ts';
import { toExpressionNames } from '../sensors/index.ts';
import { unsupported } from './errors.ts';

/** A level of masking by the scene classification of Sentinel-2. */
export type ClassLevel = 1 | 2 | 3 | 4;

/** What is done about clouds. */
export interface CloudOptions {
  /** Scenes with more clouds in the area are left out; null for no limit. */
  readonly maxPercent: number | null;
  /** The sensors whose scenes have their clouds masked, by their own mask. */
  readonly masked: 'none' | 'sentinel-2' | 'all';
  /** Masks classes of Sentinel-2 scenes as well; null for none. */
  readonly level: ClassLevel | null;
}

/** An order of statistics of an area over time; plain JSON. */
export interface StatisticsOrder {
  /** Dates, both included. */
  readonly from: string;
  readonly to: string;
  /** Ids of datasets. */
  readonly datasets: readonly string[];
  /** Only the scene of this id; all of the dates when left out. */
  readonly sceneId?: string;
  /** Bands, aliases or band math, each with one value a pixel, as the caller wrote them. */
  readonly expressions: readonly string[];
  /** The area in its normal form. */
  readonly area: MultiPolygonGeometry;
  /** The max number of scenes, newest first. */
  readonly limit: number;
  readonly clouds: CloudOptions;
  /** Null for none. */
  readonly histogram: HistogramBins | null;
}

/** The max number of cached trees: a task needs the same one for each of its scenes. */
const MAX_CACHED = 256;

/** The max number of expressions of one order. */
export const MAX_EXPRESSIONS = 10;

/** The limits of a picture, for as many expressions as an order may have. */
const limits: ExpressionLimits = {
  ...tileLimits,
  maxExpressions: MAX_EXPRESSIONS,
  maxNodes: tileLimits.maxNodes * 4,
  maxBands: 24,
  maxCostPerPixel: tileLimits.maxCostPerPixel * 4,
};

/** Parses expressions. */
export interface ParseExpressions {
  /** One expression; refuses what has no value, or several, a pixel. */
  one(text: string, sensor: Sensor): TypedTree;
  /** Several that were parsed one by one before, as the outputs of one tree. */
  together(texts: readonly string[], sensor: Sensor): TypedTree;
}

/** Builds the parsing of expressions, with a cache of the last ones; refusals are not cached. */
export function makeParseExpressions(): ParseExpressions {
  const cache = makeLru<TypedTree>({ max: MAX_CACHED });
  const cached = (text: string, sensor: Sensor, parse: () => TypedTree): TypedTree =>
    cache.remember(`${sensor.dataset} ${text}`, parse);
  const one: ParseExpressions['one'] = (text, sensor) =>
    cached(text, sensor, () => parseExpression(text, sensor));
  return {
    one,
    together(texts, sensor) {
      const [first, ...others] = texts;
      if (first !== undefined && others.length === 0) return one(first, sensor);
      const text = texts.join(',');
      return cached(text, sensor, () => parseExpressions(text, toExpressionNames(sensor), limits));
    },
  };
}

function parseExpression(text: string, sensor: Sensor): TypedTree {
  const tree = parseExpressions(text, toExpressionNames(sensor), limits);
  if (tree.outputs.length !== 1) {
    throw unsupported(
      'one-value',
      `Statistics are of one value a pixel; ${text.slice(0, 80)} has ${tree.outputs.length}.`,
    );
  }
  if (tree.outputs[0]?.uses.length === 0) {
    throw unsupported('no-band', 'An expression names no band, so there are no statistics of it.');
  }
  if (tree.needsWindow) {
    throw unsupported(
      'needs-window',
      'An expression depends on the pixels around it, so that only pictures can show it.',
    );
  }
  return tree;
}

/** Whether a string is the name of an index that sensors share, in upper or lower case. */
export const isAlias = (text: string, sensor: Sensor): boolean => {
  const kind = toExpressionNames(sensor).find(text.trim())?.kind;
  return kind !== undefined && kind !== 'band';
};

/** The reason why an expression has no statistics on a sensor; null if it has some. */
export function refuseExpression(text: string, sensor: Sensor): string | null {
  try {
    parseExpression(text, sensor);
    return null;
  } catch (error) {
    if (isSwathError(error)) return error.message;
    throw error;
  }
}
