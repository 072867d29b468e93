import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toOutline } from '../geo/index.ts';
import { toAreaBounds } from './export.ts';

test('the rectangle of an outline is that around its edges', () => {
  const outline = toOutline({
    type: 'Polygon',
    coordinates: [
      [
        [2, 42],
        [3, 42.5],
        [2.5, 43],
        [2, 42],
      ],
    ],
  });
  assert.deepEqual(toAreaBounds({ kind: 'outline', outline }), { minX: 2, minY: 42, maxX: 3, maxY: 43 });
});
