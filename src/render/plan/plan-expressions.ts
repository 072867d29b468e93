import type { TypedTree } from '../../bandmath/index.ts';
import { parseExpressions } from '../../bandmath/index.ts';
import { aboutPart } from '../../errors.ts';
import { makeLru } from '../../lru.ts';
import type { Sensor } from '../../sensors/index.ts';
import { toExpressionNames } from '../../sensors/index.ts';
import { unsupported } from '../errors.ts';

interface ExpressionRequest {
  /** Bands, aliases or band math, as in the address. */
  readonly bands: string;
  readonly sensor: Sensor;
  /** Whether three expressions are meant as red, green and blue. */
  readonly isComposite: boolean;
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
    const { bands, sensor, isComposite } = request;
    return cache.remember(`${sensor.dataset} ${isComposite} ${bands}`, () => planExpressions(request));
  };
}

function planTree({ bands, sensor, isComposite }: ExpressionRequest): TypedTree {
  const names = toExpressionNames(sensor);
  const tree = parseExpressions(bands, names);
  const count = tree.outputs.length;
  if (tree.inputs.length === 0) {
    throw unsupported('no-band', 'This expression names no band, so there is no picture of it.');
  }
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
