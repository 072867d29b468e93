/** Palettes of whole numbers and of quality bits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BandPixels } from '../pixels.ts';
import { drawNative, expectNative, readBand, TRANSPARENT, tileOf, tilePath, toHex } from '../pixels.ts';
import { askJson, askRefused } from '../service.ts';

test('palette values: keys are whole numbers, of one band or of bandmath; colours are hexadecimal or RGB lists', async () => {
  const band = await readBand('l2a', 'SCL');
  const palette = encodeURIComponent('{"4":[0,1,0],"5":"#ffff00","9":[1,1,1]}');
  const colors: Readonly<Record<string, string>> = { 4: '00ff00ff', 5: 'ffff00ff', 9: 'ffffffff' };
  for (const bands of ['SCL', 'SCL*1', 'where(greater(SCL,100),0,SCL)']) {
    const picture = await drawNative('l2a', bands, band, `PALETTE=${palette}`);
    const seen = expectNative(picture, (at) => colors[band.values[at]!] ?? TRANSPARENT);
    assert.ok(seen.size >= 3);
  }
  const signed = encodeURIComponent('{"-2":"#ff0000"}');
  const below = await drawNative('l2a', 'SCL-6', band, `PALETTE=${signed}`);
  expectNative(below, (at) => (band.values[at] === 4 ? 'ff0000ff' : TRANSPARENT));
  const path = tilePath('l2a', 'SCL', tileOf(band, 15));
  for (const text of ['{"x":"#ff0000"}', '{"1":"red"}', '[1]', '{"1":"#ff0000"', '{"(15,14)":"#ff0000"}']) {
    const query = `PALETTE=${encodeURIComponent(text)}`;
    assert.equal(await askRefused(path, 422, { query }), 'bad-palette', text);
  }
});

test('palette values: each of the 256 values of 8-bit data may have its own colour', async () => {
  const band = await readBand('naip', 'R');
  const colorOf = (value: number): string => `${toHex(value)}${toHex(255 - value)}80`;
  const toPalette = (count: number): string =>
    encodeURIComponent(
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [i, `#${colorOf(i)}`]))),
    );
  const picture = await drawNative('naip', 'R', band, `PALETTE=${toPalette(256)}`);
  const seen = expectNative(picture, (at) => `${colorOf(band.values[at]!)}ff`);
  assert.ok(seen.size > 30);
  // The same values beyond 255 have none.
  const beyond = await drawNative('naip', 'R+128', band, `PALETTE=${toPalette(256)}`);
  expectNative(beyond, (at) =>
    band.values[at]! < 128 ? `${colorOf(band.values[at]! + 128)}ff` : TRANSPARENT,
  );
  const path = tilePath('naip', 'R', tileOf(band, 17));
  assert.equal(
    await askRefused(path, 422, { query: `PALETTE=${toPalette(257).replaceAll('%3A', ':')}` }),
    'bad-palette',
  );
});

/** Quality bits in the layout of the interface, of a file of collection 2. */
async function readBqa(): Promise<BandPixels> {
  const band = await readBand('l8', 'BQA');
  const move = (value: number, from: number, to: number): number => ((value >> from) & 3) << to;
  const values = band.values.map((value) => {
    if (Number.isNaN(value)) return value;
    const water = ((value >> 7) & 1) === 1 ? 3 : 1;
    return move(value, 8, 14) | move(value, 14, 12) | move(value, 12, 10) | move(value, 10, 6) | (water << 4);
  });
  return { ...band, values };
}

test('palette BQA: keys are one or two bits; a pixel has the colour of a key whose bits are all 1, otherwise none', async () => {
  const band = await readBqa();
  const palette = encodeURIComponent('{"(15,14)":"#ff0000","(5,4)":"#0000ff","12":"#00ff00"}');
  const seen = expectNative(await drawNative('l8', 'BQA', band, `PALETTE=${palette}`), (at) => {
    const value = band.values[at]!;
    if (Number.isNaN(value)) return TRANSPARENT;
    if (value >> 14 === 3) return 'ff0000ff';
    if (((value >> 4) & 3) === 3) return '0000ffff';
    return ((value >> 12) & 1) === 1 ? '00ff00ff' : TRANSPARENT;
  });
  assert.ok(seen.get('ff0000ff')! > 100 && seen.get('00ff00ff')! > 100, JSON.stringify([...seen]));
  const path = tilePath('l8', 'BQA', tileOf(band, 15));
  for (const text of ['{"16":"#ff0000"}', '{"(15,14,13)":"#ff0000"}', '{"(3,3)":"#ff0000"}']) {
    const query = `PALETTE=${encodeURIComponent(text)}`;
    assert.equal(await askRefused(path, 422, { query }), 'bad-palette', text);
  }
});

test('palette BQA: it has a default palette', async () => {
  const band = await readBqa();
  const path = tilePath('l8', 'BQA', tileOf(band, 15));
  const legend = await askJson<{ colors: string[]; values: string[] }>(`legend/${path}`);
  assert.ok(legend.values.includes('(15,14)') && legend.values.includes('(13,12)'));
  const rules = legend.values.map((text) => (text.match(/\d+/g) ?? []).map(Number));
  const seen = expectNative(await drawNative('l8', 'BQA', band), (at) => {
    const value = band.values[at]!;
    if (Number.isNaN(value)) return TRANSPARENT;
    const rule = rules.findIndex((bits) => bits.every((bit) => ((value >> bit) & 1) === 1));
    return rule === -1 ? TRANSPARENT : `${legend.colors[rule]!.slice(1)}ff`;
  });
  assert.ok(seen.size >= 3);
});
