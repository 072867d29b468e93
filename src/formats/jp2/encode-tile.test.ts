import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeJp2Encoder } from './encode-tile.ts';
import { makeJp2Decoder } from './openjpeg.ts';

const encoder = makeJp2Encoder();
const decoder = makeJp2Decoder();

/** Whole numbers of 16 bits that look like chance, the same in each run. */
function makeChance(): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
    return state >>> 16;
  };
}

interface Tile {
  readonly width: number;
  readonly height: number;
  readonly bandCount: number;
  readonly bitsPerSample: number;
  readonly decompositions: number;
}

/** What OpenJPEG decodes of a tile that we encoded. */
async function encodeAndDecode(tile: Tile, samples: Uint8Array): Promise<Uint8Array> {
  const codestream = await encoder.encode({ ...tile, samples });
  const job = { ...tile, codestream, level: 0, isSigned: false, byteLength: samples.length };
  return new Uint8Array(await decoder.decode(job));
}

const makeSamples = (tile: Tile, toValue: (i: number) => number): Uint8Array => {
  const count = tile.width * tile.height * tile.bandCount;
  const samples = tile.bitsPerSample > 8 ? new Uint16Array(count) : new Uint8Array(count);
  return new Uint8Array(samples.map((_, i) => toValue(i)).buffer);
};

test('tiles of any size and depth, from smooth to noise, decode unchanged', async () => {
  const chance = makeChance();
  for (let round = 0; round < 60; round += 1) {
    const decompositions = chance() % 6;
    const side = (): number => 2 ** decompositions + (chance() % 150);
    const tile = {
      width: side(),
      height: side(),
      bandCount: round % 5 === 0 ? 3 : 1,
      bitsPerSample: 1 + (chance() % 16),
      decompositions,
    };
    const noise = 2 ** (chance() % (tile.bitsPerSample + 1));
    const slope = (2 ** tile.bitsPerSample - noise) / (tile.width * tile.height * tile.bandCount);
    const samples = makeSamples(tile, (i) => Math.floor(i * slope) + (chance() % noise));
    assert.deepEqual(await encodeAndDecode(tile, samples), samples, JSON.stringify(tile));
  }
});

test('the largest possible coefficients decode unchanged', async () => {
  const tile = { width: 130, height: 70, bandCount: 3, bitsPerSample: 16, decompositions: 5 };
  const chance = makeChance();
  for (const toValue of [
    (i: number) => ((Math.floor(i / 3) + Math.floor(i / (3 * tile.width))) % 2) * 65_535,
    (i: number) => (((i % 3) + Math.floor(i / 3)) % 2 === 0 ? 65_535 : 0),
    () => (chance() % 2) * 65_535,
  ]) {
    const samples = makeSamples(tile, toValue);
    assert.deepEqual(await encodeAndDecode(tile, samples), samples);
  }
});

test('tiles of one value, and with single different pixels, decode unchanged', async () => {
  const tile = { width: 200, height: 140, bandCount: 1, bitsPerSample: 12, decompositions: 5 };
  for (const value of [0, 2048, 4095]) {
    const even = makeSamples(tile, () => value);
    assert.deepEqual(await encodeAndDecode(tile, even), even);
    const spotted = makeSamples(tile, (i) => (i % 9_973 === 0 ? 4095 - value : value));
    assert.deepEqual(await encodeAndDecode(tile, spotted), spotted);
  }
});
