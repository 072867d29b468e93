import type { TypedTree } from '../../bandmath/index.ts';
import { splitExpressions } from '../../bandmath/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { toExpressionNames } from '../../sensors/index.ts';

/** An expression of an order in the words of one sensor. */
export interface SensorTree {
  readonly sensor: Sensor;
  readonly tree: TypedTree;
}

/** What the bands of a file show, by names. An alias of several indices is as many bands. */
export function listBandNames(bands: string, { sensor, tree }: SensorTree): readonly string[] {
  const names = toExpressionNames(sensor);
  const found = splitExpressions(bands).flatMap((text) => {
    const named = names.find(text);
    return named?.kind === 'composite' ? named.of.map(({ name }) => name) : [text];
  });
  return found.length === tree.outputs.length ? found : tree.outputs.map((_, i) => `${bands} ${i + 1}`);
}
