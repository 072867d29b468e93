import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Scene } from '../catalog/index.ts';
import { openBlockFile } from '../formats/block-file/index.ts';
import { makeJp2Decoder } from '../formats/jp2/index.ts';
import { makeOpenSource } from '../sources/index.ts';
import { makeWarmUpScenes } from './warm-up-scenes.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'swath-warm-up-'));
after(() => rmSync(dataDir, { recursive: true }));

test('warm-up scenes match their records, and are removed afterwards with those of dead processes', async () => {
  mkdirSync(join(dataDir, 'warm-up'));
  const old = join(dataDir, 'warm-up/old.tif');
  writeFileSync(old, 'x');
  utimesSync(old, 0, 0);
  const own = await makeWarmUpScenes(dataDir, 2);
  const scenes: Scene[] = [];
  for (const catalog of own.catalogs) for await (const one of catalog.list()) scenes.push(one);
  const [, scene] = scenes;
  assert.deepEqual(Object.keys(scene!.assets), ['B02', 'B03', 'B04']);
  const hrefs = scenes.flatMap(({ assets }) => Object.values(assets).map(({ href }) => href));
  assert.equal(new Set(hrefs).size, 6, 'each band is a file');
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
  assert.equal((await own.catalogs[1]?.findByViewId(scene!.viewId))?.viewId, scene!.viewId);
  await own[Symbol.asyncDispose]();
  assert.deepEqual(readdirSync(join(dataDir, 'warm-up')), []);
});
