import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTimed } from '../../../testing/run-timed.ts';
import { PLAIN_BAND, parseGdalMetadata, toGdalMetadata } from './gdal-metadata.ts';

test('bands with default values need no metadata', () => {
  assert.equal(toGdalMetadata([PLAIN_BAND, PLAIN_BAND]), null);
});

test('descriptions, scales, offsets and units go back and forth, whatever characters they have', () => {
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

test('numbered characters are read, impossible ones stay as they are', () => {
  const description = (text: string) =>
    parseGdalMetadata(
      `<GDALMetadata><Item sample="0" role="description">${text}</Item></GDALMetadata>`,
      1,
    )[0]!.description;
  assert.equal(description('&#228;&#xe4;'), 'ää');
  assert.equal(description('&amp;#228;&amp;#xe4;'), 'ää');
  assert.equal(description('&amp;#x110000;&amp;unknown;&amp;'), '&#x110000;&unknown;&');
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
