import type { ExpressionLimits, TypedTree } from '../../bandmath/index.ts';
import { parseExpressions, splitExpressions, tileLimits } from '../../bandmath/index.ts';
import { aboutPart, unsupported } from '../../errors.ts';
import type { Sensor } from '../../sensors/index.ts';
import { toExpressionNames } from '../../sensors/index.ts';

/** Bands of one file. */
const MAX_EXPRESSIONS = 10;

/** The limits of a picture, for as many expressions as a file may have. */
const limits: ExpressionLimits = {
  ...tileLimits,
  maxExpressions: MAX_EXPRESSIONS,
  maxNodes: tileLimits.maxNodes * 4,
  maxBands: 24,
  maxCostPerPixel: tileLimits.maxCostPerPixel * 2,
};

/** The expressions of a file, and how its bands are described. */
export interface FileExpressions {
  readonly tree: TypedTree;
  /** One for each expression. */
  readonly descriptions: readonly string[];
}

/** Reads what a file is to hold: each expression on its own, by the rules of pictures. */
export function planFileExpressions(text: string, sensor: Sensor): FileExpressions {
  try {
    return planTree(text, sensor);
  } catch (error) {
    throw aboutPart('expressions', error);
  }
}

function planTree(text: string, sensor: Sensor): FileExpressions {
  const names = toExpressionNames(sensor);
  const tree = parseExpressions(text, names, limits);
  if (tree.outputs.some(({ uses }) => uses.length === 0)) {
    throw unsupported('no-band', 'An expression names no band, so there is no file of it.');
  }
  if (tree.needsWindow) {
    throw unsupported(
      'needs-window',
      'An expression depends on the pixels around it, so that only pictures can show it.',
    );
  }
  // an alias of several indices is as many bands
  const descriptions = splitExpressions(text).flatMap((part) => {
    const named = names.find(part);
    return named?.kind === 'composite' ? named.of.map(({ name }) => name) : [part];
  });
  return { tree, descriptions };
}
