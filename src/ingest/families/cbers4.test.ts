import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCbersXml } from './cbers4.ts';
import { cbersXml } from './testing/product-texts.ts';

test("INPE's XML gives time, sun, corners and gains", () => {
  const metadata = parseCbersXml(cbersXml, 'x.xml');
  assert.deepEqual([metadata.camera, metadata.level, metadata.path, metadata.row], ['MUX', 2, 90, 84]);
  assert.equal(metadata.acquiredAt, '2017-05-28T09:01:17.925Z');
  assert.deepEqual([metadata.sunElevationDeg, metadata.sunAzimuthDeg], [70.3079, 66.2923]);
  assert.deepEqual(metadata.corners?.[0], [23.6, 14.9]);
  assert.deepEqual(metadata.gains, { 5: 1.51123, 6: 1.5762 });
  assert.throws(() => parseCbersXml('<prdf/>', 'x'), { code: 'metadata-wrong-kind' });
  assert.throws(() => parseCbersXml(cbersXml.replace('<path>90</path>', ''), 'x'), {
    code: 'metadata-incomplete',
  });
});
