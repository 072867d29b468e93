import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScenePictureRequest } from '../../render/index.ts';
import { sensorByAbbreviation } from '../../sensors/index.ts';
import { parsePictureQuery } from './query.ts';
import { parseSharpenPattern } from './sharpen-pattern.ts';

function read(bands: string, { abbreviation = 'L8', query = '' } = {}) {
  const sensor = sensorByAbbreviation(abbreviation);
  assert.ok(sensor);
  const { options } = parsePictureQuery(new Map(new URLSearchParams(query)));
  const picture = { sensor, bands, options } as unknown as ScenePictureRequest;
  const { bands: shown, options: wanted } = parseSharpenPattern(picture);
  return [shown, wanted.isSharpened === true];
}

test('PS:B4:B3:B2:B8 asks for the same as its bands with PANSHARPENING, and both together too', () => {
  const wanted = ['B4,B3,B2', true];
  assert.deepEqual(read('PS:B4:B3:B2:B8'), wanted);
  assert.deepEqual(read('B4,B3,B2', { query: 'PANSHARPENING=1' }), wanted);
  assert.deepEqual(read('B4,B3,B2', { query: 'PANSHARPENING=true' }), wanted);
  assert.deepEqual(read('PS:B4:B3:B2:B8', { query: 'PANSHARPENING=1' }), wanted);
  assert.deepEqual(read('PS:B4:B3:B2:B8', { query: 'PANSHARPENING=0' }), wanted);
  assert.deepEqual(read('ps:B3:B2:B1:B8', { abbreviation: 'L7' }), ['B3,B2,B1', true]);
  assert.deepEqual(read('PS:B5:B8'), ['B5', true]);
  assert.deepEqual(read('B4,B3,B2'), ['B4,B3,B2', false]);
  assert.deepEqual(read('NDVI', { query: 'PANSHARPENING=false' }), ['NDVI', false]);
});

test('a pattern that cannot be is refused with the reason', () => {
  const refused = (bands: string, message: RegExp) =>
    assert.throws(() => read(bands), { tag: 'unsupported', code: 'bad-sharpen-pattern', message });
  refused('PS:B4:B3:B2:B7', /panchromatic one, which is B8/);
  refused('PS:B4:B3:B8', /one band or three/);
  refused('PS:B8', /one band or three/);
  refused('PS:', /one band or three/);
  refused('PS:B5:B4:B3:B2:B8', /one band or three/);
  refused('PS:B4:B3:B99:B8', /no band "B99"/);
  refused('PS:NDVI:B8', /no band "NDVI"/);
  assert.throws(() => read('B4', { query: 'PANSHARPENING=maybe' }), { code: 'bad-pansharpening' });
});

test('of other sensors the renderer says what is wrong: the wish reaches it', () => {
  assert.deepEqual(read('PS:B04:B03:B02:B08', { abbreviation: 'S2' }), ['B04,B03,B02', true]);
});
