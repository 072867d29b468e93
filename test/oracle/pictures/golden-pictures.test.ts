/** The pictures of check-pictures.ts that need no GDAL: the results of GDAL, NumPy and matplotlib are stored. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import sharp from 'sharp';
import { makeTestApp } from '../../../src/http/testing/make-test-app.ts';
import { makeFindContrast } from '../../../src/render/intensity/find-contrast.ts';
import { DEFAULT_LIMITS } from '../../../src/render/plan/plan-inputs.ts';
import { makeRenderer } from '../../../src/render/renderer.ts';
import { stillFiles } from '../../../src/render/scenes/testing/still-files.ts';
import type { MadeProducts } from '../../world/make-products.ts';
import { makeProducts } from '../../world/make-products.ts';
import type { GoldenIndex } from './golden-file.ts';
import { GOLDEN_FOLDER, PICTURE_BYTES } from './golden-file.ts';

const { pictures }: GoldenIndex = JSON.parse(readFileSync(new URL('index.json', GOLDEN_FOLDER), 'utf8'));
const computed = brotliDecompressSync(readFileSync(new URL('computed.br', GOLDEN_FOLDER)));

/** Share of pixels that may be others: those on the edge between two source pixels, or between two colours. */
const MAX_STRAY = 0.001;

let made: MadeProducts;
let app: ReturnType<typeof makeTestApp>;

before(async () => {
  made = await makeProducts([...new Set(pictures.map(({ product }) => product))]);
  const { pool } = made;
  const { findByViewId, findByName } = made.folder.options.store;
  const findContrast = makeFindContrast({
    limits: DEFAULT_LIMITS,
    pool,
    onForgotten: (error: unknown) => assert.fail(String(error)),
    store: { find: async () => null, put: async () => {} },
  });
  const renderer = makeRenderer({
    limits: DEFAULT_LIMITS,
    scenes: { findByViewId, findByName } as never,
    compareScene: async (scene) => scene,
    findContrast,
    pool,
    watch: stillFiles,
    pictures: { find: async () => null, store: () => false } as never,
  });
  app = makeTestApp({ renderer });
});
after(() => made.folder.remove());

async function draw(path: string): Promise<Uint8Array> {
  const response = await app.call(path);
  assert.equal(response.status, 200, path);
  return sharp(await response.arrayBuffer())
    .ensureAlpha()
    .raw()
    .toBuffer();
}

/** Opaque pixels of both pictures, and the share of those that are more than a level apart, or opaque in one only. */
function compare(found: Uint8Array, wanted: Uint8Array): { readonly opaque: number; readonly stray: number } {
  let [opaque, stray] = [0, 0];
  for (let i = 0; i < PICTURE_BYTES; i += 4) {
    if (found[i + 3] === 0 && wanted[i + 3] === 0) continue;
    opaque += 1;
    for (let channel = i; channel < i + 4; channel++) {
      if (Math.abs(found[channel]! - wanted[channel]!) <= 1) continue;
      stray += 1;
      break;
    }
  }
  return { opaque, stray: stray / opaque };
}

test('the golden set is there', () => {
  assert.equal(pictures.length, 13);
  assert.equal(computed.length, pictures.length * PICTURE_BYTES);
});

for (const [i, { name, path }] of pictures.entries()) {
  test(`${name} is what GDAL, NumPy and matplotlib make of it, within a level`, async () => {
    const wanted = computed.subarray(i * PICTURE_BYTES, (i + 1) * PICTURE_BYTES);
    const found = await draw(path);
    const { opaque, stray } = compare(found, wanted);
    assert.ok(opaque > 500, `${opaque} pixels`);
    assert.ok(stray <= MAX_STRAY, `${(100 * stray).toFixed(2)} % of the pixels are other`);
    // two levels brighter, or a pixel aside: the comparison can fail
    const brighter = found.map((level, at) => (at % 4 === 3 ? level : Math.min(255, level + 2)));
    assert.ok(compare(brighter, wanted).stray > MAX_STRAY);
    assert.ok(compare(Buffer.concat([found.subarray(4), found.subarray(0, 4)]), wanted).stray > MAX_STRAY);
  });
}
