import type { DatabaseSync } from 'node:sqlite';
import type { SceneQuery } from '../../../catalog/index.ts';
import { relates } from '../../../catalog/index.ts';
import { fromWkb } from '../../sql/well-known-binary.ts';

type Shape = NonNullable<SceneQuery['shape']>;

/** Answers remembered within one search: the acquisitions of a tile often share their footprint. */
const MAX_REMEMBERED = 4096;

/** The exact test behind the boxes, as a function SQL can call; the returned function says for which shape. */
export function defineFootprintRelates(database: DatabaseSync): (shape: Shape) => void {
  let asked: Shape | undefined;
  const known = new Map<string, number>();
  database.function('footprint_relates', { deterministic: true, directOnly: true }, (footprint) => {
    const bytes = footprint as Uint8Array;
    const name = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    const remembered = known.get(name);
    if (remembered !== undefined || asked === undefined) return remembered ?? 0;
    const answer = Number(relates(fromWkb(bytes), asked.geometry, asked.relation));
    if (known.size < MAX_REMEMBERED) known.set(name, answer);
    return answer;
  });
  return (shape) => {
    asked = shape;
    known.clear();
  };
}
