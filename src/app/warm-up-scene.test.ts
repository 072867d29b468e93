import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Scene } from '../catalog/index.ts';
import { makeJp2Decoder, openBlockFile } from '../formats/index.ts';
import { makeOpenSource } from '../storage/index.ts';
import { makeWarmUpScene } from './warm-up-scene.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'swath-warm-up-'));
after(() => rmSync(dataDir, { recursive: true }));

test('the scene of a warm-up is what its record says, and is gone afterwards with those of dead processes', async () => {
  mkdirSync(join(dataDir, 'warm-up'));
  const old = join(dataDir, 'warm-up/old.tif');
  writeFileSync(old, 'x');
  utimesSync(old, 0, 0);
  const own = await makeWarmUpScene(dataDir);
  const scenes: Scene[] = [];
  for await (const one of own.scenes.list()) scenes.push(one);
  const [scene] = scenes;
  assert.deepEqual(Object.keys(scene!.assets), ['B02', 'B03', 'B04']);
  const { href, width, height, overviews, type, nodata, transform, epsg, stamps } = scene!.assets.B04!;
  const source = await makeOpenSource({ dataDir })(href);
  const file = await openBlockFile(source, { jp2Decoder: makeJp2Decoder() });
  assert.deepEqual([file.epsg, file.transform, file.nodata], [epsg, transform, nodata]);
  assert.deepEqual(
    file.levels.map((level) => [level.width, level.height]),
    [[width, height], ...overviews.map((level) => [level.width, level.height])],
  );
  assert.deepEqual([file.levels[0].type, file.source.version], [type, stamps?.[0]]);
  await source.close();
  assert.equal((await own.scenes.findByViewId(scene!.viewId))?.viewId, scene!.viewId);
  await own[Symbol.asyncDispose]();
  assert.deepEqual(readdirSync(join(dataDir, 'warm-up')), []);
});
