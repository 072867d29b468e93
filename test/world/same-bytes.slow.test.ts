/**
 * The same seed gives the same files, wherever they are made: this process, which makes them again with shared surveys,
 * those that made the shared files for `calibrated-truth.slow.test.ts` and others, and the machine that approved the list.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeJp2Encoder } from '../../src/formats/jp2/index.ts';
import { makeClimate } from '../../world/climate/climate.ts';
import type { DemoPart } from '../../world/demo/demo-part.ts';
import { writePart } from '../../world/demo/demo-part.ts';
import { makeGround } from '../../world/ground/index.ts';
import { WORLD_SEED } from '../../world/ground/world.ts';
import { makeSurveyCache } from '../../world/products/product-deps.ts';
import { approveBytes, assertApproved } from './approved-bytes.ts';
import { approvedProducts, smallProducts } from './small-products.ts';

const weather: DemoPart = { key: 'weather', cost: 1, kind: 'weather', plan: null };
const partOf = (key: string): DemoPart => smallProducts.find(({ part }) => part.key === key)!.part;
const parts = [weather, ...approvedProducts.map(partOf).toReversed()];

const directory = mkdtempSync(join(tmpdir(), 'swath-bytes-'));
after(() => rmSync(directory, { recursive: true }));

before(async () => {
  const climate = makeClimate(WORLD_SEED);
  const world = { climate, ground: makeGround({ seed: WORLD_SEED, climate }) };
  const shared = { surveys: makeSurveyCache(1e6), jp2Encoder: makeJp2Encoder() };
  for (const part of parts) {
    const folder = join(directory, part.key);
    mkdirSync(folder);
    await writePart(part, { world, directory: folder, ...shared });
  }
  if (process.argv.includes('--approve')) {
    await approveBytes(
      directory,
      parts.map(({ key }) => key),
    );
  }
});

for (const { key } of parts) {
  test(`${key} has the bytes that were approved`, () => assertApproved(directory, [key]));
}
