import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSwathError } from '../../errors.ts';
import type { ScenePictureRequest } from '../../render/index.ts';
import { sensorByAbbreviation } from '../../sensors/index.ts';
import { casesOf } from '../../testing/test-size.ts';
import { parsePictureQuery } from '../pictures/picture.ts';
import { parsePicturePath, parseSharpenPattern, rememberParsed } from './paths.ts';

const SCENE = 'S2/36/U/XU/2016/5/2/0';

test('a tile path is parsed from both ends', () => {
  const { sensor, viewId, bands, ground } = parsePicturePath(`${SCENE}/B04,B03,B02/10/611/354`);
  assert.equal(sensor.dataset, 'sentinel2');
  assert.equal(viewId, SCENE);
  assert.equal(bands, 'B04,B03,B02');
  assert.deepEqual(ground, { kind: 'tile', tile: { z: 10, x: 611, y: 354 } });
});

test('expressions keep their slashes, encoded or not', () => {
  for (const bands of ['(B08-B04)/(B08+B04)', '(B08-B04)%2F(B08+B04)', '%28B08-B04%29/(B08%2BB04)']) {
    assert.equal(parsePicturePath(`${SCENE}/${bands}/10/611/354`).bands, '(B08-B04)/(B08+B04)');
  }
});

test('each sensor has its own number of segments, and CBERS4 is replaced by the camera of the scene', () => {
  const paths = {
    'L8/LC80110312016028LGN00': 'L8/LC80110312016028LGN00',
    'MODIS/12/04/2017204/2017213034223': 'MODIS/12/04/2017204/2017213034223',
    'CBERS4/CBERS_4_MUX_20160518_163_128_L4': 'CBERS4MUX/CBERS_4_MUX_20160518_163_128_L4',
  };
  for (const [sent, viewId] of Object.entries(paths)) {
    const path = parsePicturePath(`${sent}/(NIR-RED)/(NIR+RED)/3/2/1`);
    assert.equal(path.viewId, viewId);
    assert.equal(path.bands, '(NIR-RED)/(NIR+RED)');
    assert.deepEqual(path.ground, { kind: 'tile', tile: { z: 3, x: 2, y: 1 } });
  }
});

test('trailing slashes are accepted', () => {
  assert.deepEqual(parsePicturePath(`${SCENE}/B04/0/0/0/`).ground, {
    kind: 'tile',
    tile: { z: 0, x: 0, y: 0 },
  });
});

test('unknown sensors and malformed scene names are 404', () => {
  for (const path of ['X9/B04/0/0/0', 's2/36/U/XU/2016/5/2/0/B04/0/0/0']) {
    assert.throws(() => parsePicturePath(path), { tag: 'not-found', code: 'unknown-sensor' }, path);
  }
  for (const path of ['S2/36/U/XU/2016/05/2/0/B04/0/0/0', 'S2/36']) {
    assert.throws(() => parsePicturePath(path), { tag: 'not-found', code: 'unknown-scene' }, path);
  }
  for (const path of ['', 'S2', 'legend']) {
    assert.throws(() => parsePicturePath(path), { tag: 'not-found', code: 'unknown-route' }, path);
  }
});

test('%2F in a view id means a slash, as generated clients write it', () => {
  const encoded = SCENE.replaceAll('/', '%2F');
  for (const written of [encoded, encoded.replace('%2F', '/'), encoded.replaceAll('%2F', '%2f')]) {
    const { viewId, bands, ground } = parsePicturePath(`${written}/(B08-B04)%2F(B08%2BB04)/10/611/354`);
    assert.equal(viewId, SCENE, written);
    assert.equal(bands, '(B08-B04)/(B08+B04)');
    assert.deepEqual(ground, { kind: 'tile', tile: { z: 10, x: 611, y: 354 } });
  }
  assert.equal(parsePicturePath('L8%2FLC80110312016028LGN00/B4/3/2/1').viewId, 'L8/LC80110312016028LGN00');
});

test('a view id that is encoded twice, or tries path traversal, is 404', () => {
  for (const path of [
    `${SCENE.replaceAll('/', '%252F')}/B04/10/611/354`,
    'S2%2F..%2F..%2Fetc%2Fpasswd/B04/10/611/354',
    '..%2FS2/B04/10/611/354',
    'S2%2F%2F36/B04/10/611/354',
    'S2%5C36%5CU/B04/10/611/354',
  ]) {
    assert.throws(() => parsePicturePath(path), { tag: 'not-found' }, path);
  }
});

test('path traversal is 404', () => {
  for (const path of [
    'S2/../../etc/passwd',
    'S2/%2e%2e/%2e%2e/etc/passwd/x/y/z/B04/0/0/0',
    'S2/36%2FU/XU',
    'S2\\36',
    '%00',
  ]) {
    assert.throws(() => parsePicturePath(path), { tag: 'not-found' }, path);
  }
});

test('tiles outside the grid are 404', () => {
  for (const tile of ['25/0/0', '1/2/0', '1/0/2', '-1/0/0', '1/-1/0', '9007199254740993/0/0', '1/2/0.png']) {
    assert.throws(() => parsePicturePath(`${SCENE}/B04/${tile}`), { code: 'no-such-tile' }, tile);
  }
  const { ground } = parsePicturePath(`${SCENE}/B04/24/16777215/16777215`);
  assert.deepEqual(ground, { kind: 'tile', tile: { z: 24, x: 16_777_215, y: 16_777_215 } });
});

test('a tile coordinate that is not a whole number is 400, and the message names it', () => {
  for (const [tile, name] of [
    ['1.0/0/0', 'z'],
    ['0x1/0/0', 'z'],
    ['1e1/0/0', 'z'],
    ['a/b/c', 'z'],
    ['14/8331.5/6055', 'x'],
    ['14//6055', 'x'],
    ['14/8331/14.0', 'y'],
    ['14/8331/abc.png', 'y'],
    ['14/8331/6055.gif', 'y'],
    ['14/8331/6055@3x', 'y'],
    ['14/8331/@2x', 'y'],
  ] as const) {
    const expected = {
      tag: 'bad-input',
      code: `bad-${name}`,
      message: new RegExp(`^${name} must be a whole`),
    };
    assert.throws(() => parsePicturePath(`${SCENE}/B04/${tile}`), expected, tile);
  }
});

test('the end of the row may name the format, and @2x doubles the pixels', () => {
  const endings = {
    '354': { isDouble: false, format: null },
    '354.png': { isDouble: false, format: 'png' },
    '354.jpg': { isDouble: false, format: 'jpeg' },
    '354.JPEG': { isDouble: false, format: 'jpeg' },
    '354.webp': { isDouble: false, format: 'webp' },
    '354@2x': { isDouble: true, format: null },
    '354@2x.png': { isDouble: true, format: 'png' },
    '354%402x.webp': { isDouble: true, format: 'webp' },
  };
  for (const [row, expected] of Object.entries(endings)) {
    const { ending, ground } = parsePicturePath(`${SCENE}/B04/10/611/${row}`);
    assert.deepEqual(ending, expected, row);
    assert.deepEqual(ground, { kind: 'tile', tile: { z: 10, x: 611, y: 354 } }, row);
  }
});

test('a path that is too short or badly encoded is 400', () => {
  assert.throws(() => parsePicturePath(`${SCENE}/10/611/354`), { code: 'bad-path' });
  assert.throws(() => parsePicturePath(`${SCENE}/B04%/10/611/354`), { code: 'bad-encoding' });
});

test('any string is parsed or refused with a SwathError', () => {
  const piece = fc.oneof(
    fc.constantFrom('S2', '36', 'U', 'XU', '2016', '5', '2', '0', '..', '%2e', '%', ''),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 16 }), (pieces) => {
      try {
        parsePicturePath(pieces.join('/'));
      } catch (error) {
        assert.ok(isSwathError(error), String(error));
      }
    }),
    { numRuns: casesOf(2_000) },
  );
});

test('bounds may replace x and y, in either y order', () => {
  const bounds = { minX: 15.7, minY: 0.77, maxX: 15.73, maxY: 0.79 };
  for (const y of ['0.79;0.77;4326', '0.77;0.79;4326', '0.77%3B0.79%3B4326']) {
    const path = parsePicturePath(`${SCENE}/(NIR-RED)/(NIR+RED)/16/15.7;15.73;4326/${y}`);
    assert.deepEqual(path.ground, { kind: 'bounds', epsg: 4326, bounds });
    assert.equal(path.bands, '(NIR-RED)/(NIR+RED)');
  }
});

test('bounds whose left is greater than the right cross the antimeridian', () => {
  const { ground } = parsePicturePath(`${SCENE}/B04/5/179;-179;4326/1;0;4326`);
  assert.deepEqual(ground, {
    kind: 'bounds',
    epsg: 4326,
    bounds: { minX: 179, minY: 0, maxX: 181, maxY: 1 },
  });
});

test('malformed bounds are refused with a sentence', () => {
  for (const wrong of [
    '16/1;2;4326/1;2;3857',
    '16/1;2;4326/5',
    '16/1;1;4326/1;2;4326',
    '16/1;2;4326/2;2;4326',
    '16/2;1;3857/1;2;3857',
    '16/1;2/1;2',
    '16/1;2;4326;/1;2;4326',
    '16/0x1;2;4326/1;2;4326',
    '16/1;1e12;3857/1;2;3857',
    '16/1;2;4326/1;91;4326',
    '16/-300;100;4326/1;2;4326',
    'a/1;2;4326/1;2;4326',
    '25/1;2;4326/1;2;4326',
  ]) {
    assert.throws(() => parsePicturePath(`${SCENE}/B04/${wrong}`), { tag: 'bad-input' }, wrong);
  }
});

test('bounds too narrow for pixels are refused, and the message names them', () => {
  for (const [wrong, name] of [
    ['16/15.7;15.70000000000001;4326/0.77;0.79;4326', 'x_bounds'],
    ['16/15.7;15.73;4326/0.77;0.7700000000001;4326', 'y_bounds'],
    ['16/1700000;1700000.00001;3857/1;2;3857', 'x_bounds'],
    ['16/1;1;4326/1;2;4326', 'x_bounds'],
    ['16/1;2;4326/2;2;4326', 'y_bounds'],
    ['16/1;2;4326/5', 'y_bounds'],
    ['16/1;x;4326/5;6;4326', 'x_bounds'],
    ['16/1;1e12;3857/1;2;3857', 'x_bounds'],
  ] as const) {
    const message = new RegExp(`^${name} `);
    assert.throws(() => parsePicturePath(`${SCENE}/B04/${wrong}`), { code: 'bad-bounds', message }, wrong);
  }
  // A millimetre is far smaller than anybody can see, yet double precision still distinguishes its pixels.
  parsePicturePath(`${SCENE}/B04/16/179.99;179.99000001;4326/0.77;0.77000001;4326`);
  parsePicturePath(`${SCENE}/B04/16/20000000;20000000.001;3857/1;1.001;3857`);
});

test('recent strings are parsed once, and failures are not cached', () => {
  const read: string[] = [];
  const parse = rememberParsed((text) => {
    read.push(text);
    if (text === 'bad') throw new Error('bad');
    return { text };
  });
  assert.equal(parse('a'), parse('a'));
  assert.deepEqual(read, ['a']);
  for (let i = 0; i < 2; i++) assert.throws(() => parse('bad'));
  assert.deepEqual(read, ['a', 'bad', 'bad']);
  for (let i = 0; i < 600; i++) parse(String(i));
  read.length = 0;
  assert.deepEqual([parse('599').text, parse('a').text], ['599', 'a']);
  assert.deepEqual(read, ['a'], 'the first was forgotten, the last was not');
});

function read(bands: string, { abbreviation = 'L8', query = '' } = {}) {
  const sensor = sensorByAbbreviation(abbreviation);
  assert.ok(sensor);
  const { options } = parsePictureQuery(new Map(new URLSearchParams(query)));
  const picture = { sensor, bands, options } as unknown as ScenePictureRequest;
  const { bands: shown, options: wanted } = parseSharpenPattern(picture);
  return [shown, wanted.isSharpened === true];
}

test('PS:B4:B3:B2:B8 means its bands with PANSHARPENING, also when both are given', () => {
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

test('an impossible pattern is refused with the reason', () => {
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

test('patterns of other sensors reach the renderer, which reports what is wrong', () => {
  assert.deepEqual(read('PS:B04:B03:B02:B08', { abbreviation: 'S2' }), ['B04,B03,B02', true]);
});
