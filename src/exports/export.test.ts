import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toOutline } from '../geo/index.ts';
import { anyText } from '../testing/any-text.ts';
import { toAreaBounds, toFileName, toSafeName } from './export.ts';

test('the rectangle of an outline encloses its edges', () => {
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

const base = { viewId: 'S2/36/U/XU/2016/5/2/0', nameAlias: null, combination: 'NDVI', extension: 'TIF' };

test('a file is named by its scene and its alias or expression', () => {
  assert.equal(toFileName(base), 'S2-36-U-XU-2016-5-2-0_NDVI.TIF');
  assert.equal(toFileName({ ...base, nameAlias: 'My field 1' }), 'S2-36-U-XU-2016-5-2-0_My_field_1.TIF');
  assert.equal(toFileName({ ...base, nameAlias: ' ' }), 'S2-36-U-XU-2016-5-2-0_NDVI.TIF');
  assert.equal(
    toFileName({ ...base, combination: '(B08-B04)/(B08+B04), B02 * 2' }),
    'S2-36-U-XU-2016-5-2-0_(B08-B04)-(B08+B04),_B02_-_2.TIF',
  );
  assert.equal(toFileName({ ...base, nameAlias: 'поле № 7' }), 'S2-36-U-XU-2016-5-2-0_поле_-_7.TIF');
});

test('no string leaves the folder or breaks a header', () => {
  for (const [text, safe] of [
    ['../../etc/passwd', '-.-etc-passwd'],
    ['C:\\windows', 'C--windows'],
    ['a\r\nSet-Cookie: b', 'a_Set-Cookie-_b'],
    ['a\0b', 'a-b'],
    ['.hidden.', 'hidden'],
    ['"quoted"; x', '-quoted--_x'],
  ] as const) {
    assert.equal(toSafeName(text), safe);
  }
});

test('any string becomes a name that is short, valid and keeps its extension', () => {
  const texts = anyText({ maxLength: 400 });
  fc.assert(
    fc.property(texts, texts, texts, (viewId, nameAlias, combination) => {
      const name = toFileName({ viewId, nameAlias, combination, extension: 'TIF' });
      assert.ok(name.endsWith('.TIF') && name.length <= 120 && Buffer.byteLength(name) <= 240, name);
      assert.match(name, /^[\p{L}\p{M}\p{N}._()+,=-]+$/u);
      assert.ok(!name.startsWith('.') && !name.includes('..') && name.isWellFormed());
    }),
  );
});
