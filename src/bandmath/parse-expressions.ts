import type { ExpressionLimits } from './limits.ts';
import { tileLimits } from './limits.ts';
import type { Names } from './names.ts';
import { parseTrees } from './parse-tree.ts';
import { refuseExpression } from './refuse-expression.ts';
import { typeTrees } from './type-trees.ts';
import type { TypedTree } from './typed-tree.ts';

/** Parses band math: one expression or several, separated by commas, into one typed tree. */
export function parseExpressions(
  text: string,
  names: Names,
  limits: ExpressionLimits = tileLimits,
): TypedTree {
  const { trees } = parseTrees(text, names, limits);
  const tree = typeTrees(text, trees);
  if (tree.costPerPixel > limits.maxCostPerPixel) {
    throw refuseExpression('expression-too-complex', {
      text,
      at: { start: 0, end: text.length },
      reason: `it takes the work of ${tree.costPerPixel} additions per pixel, more than ${limits.maxCostPerPixel}.`,
    });
  }
  return tree;
}
