import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTimed } from '../../../testing/run-timed.ts';
import {
  PLAIN_BAND,
  parseGdalMetadata,
  parseNodataText,
  toGdalMetadata,
  toNodataText,
  toStoredNodata,
} from './gdal-metadata.ts';

test('bands with default values need no metadata', () => {
  assert.equal(toGdalMetadata([PLAIN_BAND, PLAIN_BAND]), null);
});

test('descriptions, scales, offsets and units survive a round trip, with any characters', () => {
  const bands = [
    { description: `<a b="c"> & 'd' &amp; &lt; ]]> ü 🌍`, scale: 0.0001, offset: -1000, unit: 'W/m²' },
    PLAIN_BAND,
    { description: '', scale: 1e-300, offset: 5e-324, unit: 'us-ft' },
  ];
  assert.deepEqual(parseGdalMetadata(toGdalMetadata(bands)!, 3), bands);
});

test('items of the whole file, of other roles and of bands that do not exist are ignored', () => {
  const xml = `<GDALMetadata>
    <Item name="scale" role="scale">5</Item>
    <Item name="STATISTICS_MEAN" sample="0">7</Item>
    <Item name="SCALE" sample="9" role="scale">5</Item>
    <Item name="SCALE" sample="-1" role="scale">5</Item>
    <Item name="SCALE" sample="1" role="scale">five</Item>
    <Item name="OFFSET" sample="1" role="offset"></Item>
    <Item name="UNITTYPE" sample="1" role="unittype"> </Item>
    <Item name="OFFSET" sample="0" role="offset"> 3 </Item>
  </GDALMetadata>`;
  assert.deepEqual(parseGdalMetadata(xml, 2), [{ ...PLAIN_BAND, offset: 3 }, PLAIN_BAND]);
});

test('numeric character references are read, invalid ones stay unchanged', () => {
  const description = (text: string) =>
    parseGdalMetadata(
      `<GDALMetadata><Item sample="0" role="description">${text}</Item></GDALMetadata>`,
      1,
    )[0]!.description;
  assert.equal(description('&#228;&#xe4;'), 'ää');
  assert.equal(description('&amp;#228;&amp;#xe4;'), 'ää');
  assert.equal(description('&amp;#x110000;&amp;unknown;&amp;'), '&#x110000;&unknown;&');
});

test('a file can carry its own metadata next to those of its bands', () => {
  const xml = toGdalMetadata([{ ...PLAIN_BAND, description: 'NDVI' }], { SCENE_1: 'a "b" <c>' })!;
  assert.match(xml, /<Item name="SCENE_1">a &amp;quot;b&amp;quot; &amp;lt;c&amp;gt;<\/Item>/);
  assert.deepEqual(parseGdalMetadata(xml, 1), [{ ...PLAIN_BAND, description: 'NDVI' }]);
});

test('metadata that are not well-formed or too long are ignored', () => {
  const item = '<Item sample="0" role="scale">5</Item>';
  assert.equal(parseGdalMetadata(`<GDALMetadata>${item}</GDALMetadata>`, 1)[0]!.scale, 5);
  for (const xml of [
    item.slice(0, -1),
    `<GDALMetadata>${item}`,
    `<a>&unknown;${item}</a>`,
    `<!DOCTYPE a><a>${item}</a>`,
    `<a>${item}${' '.repeat(2 ** 20)}</a>`,
  ]) {
    assert.deepEqual(parseGdalMetadata(xml, 1), [PLAIN_BAND], xml.slice(0, 100));
  }
});

test('hostile metadata takes linear time', async () => {
  for (const text of ['<Item ', '<Item >', '<Item sample="0', '&amp;', '<Item sample="0" role="scale">1<']) {
    const xml = `<GDALMetadata><Item sample="0" role="description">${text.repeat(Math.ceil(1_000_000 / text.length))}`;
    const { tookMs } = await runTimed(
      () => [parseGdalMetadata(xml, 1), parseGdalMetadata(`${xml}>`, 1)],
      500,
    );
    // were it quadratic, it would be minutes
    assert.ok(tookMs < 500, `${text}: ${tookMs} ms`);
  }
});

test('nodata must be a value that pixels can hold', () => {
  assert.equal(toStoredNodata(255, 'uint8'), 255);
  assert.equal(toStoredNodata(256, 'uint8'), null);
  assert.equal(toStoredNodata(-1, 'uint16'), null);
  assert.equal(toStoredNodata(-32_768, 'int16'), -32_768);
  assert.equal(toStoredNodata(0.5, 'int16'), null);
  assert.equal(toStoredNodata(Number.NaN, 'int16'), null);
  assert.ok(Object.is(toStoredNodata(-0, 'uint8'), 0));
  assert.equal(toStoredNodata(0.1, 'float32'), Math.fround(0.1));
  assert.ok(Number.isNaN(toStoredNodata(Number.NaN, 'float32')));
  assert.equal(toStoredNodata(-Infinity, 'float32'), -Infinity);
  assert.equal(toStoredNodata(-128, 'int8'), -128);
  assert.equal(toStoredNodata(128, 'int8'), null);
  assert.equal(toStoredNodata(2 ** 32 - 1, 'uint32'), 2 ** 32 - 1);
  assert.equal(toStoredNodata(-(2 ** 31), 'int32'), -(2 ** 31));
  assert.equal(toStoredNodata(2 ** 60, 'uint64'), 2 ** 60);
  assert.equal(toStoredNodata(-1, 'uint64'), null);
  assert.equal(toStoredNodata(0.1, 'float64'), 0.1);
  assert.equal(toStoredNodata(-1.7976931348623157e308, 'float64'), -1.7976931348623157e308);
});

test('the largest float, written with fewer digits than it has, is still the largest float', () => {
  assert.equal(toStoredNodata(-3.40282346638529e38, 'float32'), -3.4028234663852886e38);
  assert.equal(toStoredNodata(3.5e38, 'float32'), null);
});

test('nodata values survive a round trip', () => {
  for (const value of [0, -9999, 0.1, 1e-7, -3.4028234663852886e38, Infinity, -Infinity, Number.NaN]) {
    assert.ok(Object.is(parseNodataText(toNodataText(value)), value), String(value));
  }
});

test('nodata strings of other programs are parsed, and strings without a number are ignored', () => {
  for (const [text, value] of [
    [' -9999 ', -9999],
    ['-9999.0', -9999],
    ['+1.5E+03', 1500],
    ['-nan', Number.NaN],
    ['NaN', Number.NaN],
    ['-INF', -Infinity],
    ['', null],
    ['0x10', null],
    ['none', null],
    ['1,5', null],
    ['12abc', null],
  ] as const) {
    assert.ok(Object.is(parseNodataText(text), value), text);
  }
});
