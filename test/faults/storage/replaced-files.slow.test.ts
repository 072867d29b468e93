/** Files of scenes that are replaced under a service: pixels and ETags must always belong together. */
import assert from 'node:assert/strict';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeScene } from '../../../src/catalog/testing/make-scene.ts';
import { waitFor } from '../../../src/testing/wait-for.ts';
import { asset, makeData, replace, SIZE, startService, writeImage } from './replaced-service.ts';

test('after a file is replaced, pixels, ETag, point and range are new within five seconds, and never old again', async () => {
  const dataDir = makeData('local');
  await writeImage(join(dataDir, asset.href), 500);
  const clock = { nowMs: 0 };
  const service = startService({ dataDir, clock });
  // As an older catalog has it: without the state of the file.
  await service.store.scenes.put(makeScene(21, { assets: { B04: asset } }));
  const first = await service.draw();
  assert.deepEqual(await service.draw(), first);
  assert.deepEqual(await service.point(), [500]);
  const { ranges } = await service.range();
  assert.ok(ranges[0]);
  const before = await service.store.scenes.findByViewId(makeScene(21).viewId);
  assert.equal(before?.assets.B04?.stamps?.length, 1, 'the first use writes down the state of the file');

  await replace(dataDir, 900);
  clock.nowMs = 4_000;
  assert.deepEqual(await service.draw(), first, 'cached pictures are right for their ETag');
  clock.nowMs = 5_000;
  await service.etag();
  await waitFor(() => service.lines.length > 0);
  const second = await service.draw();
  assert.notEqual(second.etag, first.etag);
  assert.notEqual(second.bytes, first.bytes);
  assert.equal(await service.etag(), second.etag);
  assert.deepEqual(await service.point(), [900]);
  assert.notDeepEqual((await service.range()).ranges, ranges);
  assert.deepEqual(service.lines, ['renewed']);
  await waitFor(async () => {
    const now = await service.store.scenes.findByViewId(makeScene(21).viewId);
    return now !== null && now.version !== before?.version;
  });
  await service.stop();
});

test('a thread that opens the new file before it was checked draws it under its own ETag', async () => {
  const dataDir = makeData('early');
  await writeImage(join(dataDir, asset.href), 500);
  const clock = { nowMs: 0 };
  const service = startService({ dataDir, clock });
  await service.store.scenes.put(makeScene(21, { assets: { B04: asset } }));
  const old = await service.etag();
  await replace(dataDir, 900);
  const drawn = await service.draw();
  assert.equal(drawn.planned, old);
  assert.notEqual(drawn.etag, old);
  assert.equal(await service.etag(), drawn.etag);
  assert.deepEqual(await service.point(), [900]);
  await service.stop();
});

test('pictures cached on disk are not served after a restart when the file was replaced in between', async () => {
  const dataDir = makeData('restart');
  await writeImage(join(dataDir, asset.href), 500);
  const one = startService({ dataDir, clock: { nowMs: 0 } });
  await one.store.scenes.put(makeScene(21, { assets: { B04: asset } }));
  const first = await one.draw();
  await one.stop();
  const two = startService({ dataDir, clock: { nowMs: 0 } });
  assert.deepEqual(await two.draw(), first);
  assert.deepEqual(two.takeJobs(), [], 'it is served from disk');
  await two.store.close();
  await replace(dataDir, 900);
  const three = startService({ dataDir, clock: { nowMs: 0 } });
  const second = await three.draw();
  assert.notEqual(second.etag, first.etag);
  assert.notEqual(second.bytes, first.bytes);
  await three.stop();
});

test('an image of another size is refused, with its own code, until the scene is ingested again', async () => {
  const dataDir = makeData('other');
  await writeImage(join(dataDir, asset.href), 500);
  const clock = { nowMs: 0 };
  const service = startService({ dataDir, clock });
  await service.store.scenes.put(makeScene(21, { assets: { B04: asset } }));
  await service.draw();
  await replace(dataDir, 900, { size: SIZE * 2 });
  clock.nowMs = 70_000;
  for (const ask of [service.draw, service.etag, service.point, service.range]) {
    await assert.rejects(ask(), { tag: 'source-broken', code: 'source-changed', message: /ingested again/ });
  }
  assert.deepEqual(service.lines, ['unfit']);
  const size = { width: SIZE * 2, height: SIZE * 2 };
  await service.store.scenes.put(makeScene(21, { assets: { B04: { ...asset, ...size } } }));
  await service.draw();
  await service.stop();
});

test('a file rewritten in place while it is open is noticed by the read itself', async () => {
  const dataDir = makeData('rewritten');
  const path = join(dataDir, asset.href);
  await writeImage(path, 500);
  const clock = { nowMs: 0 };
  const service = startService({ dataDir, clock });
  await service.store.scenes.put(makeScene(21, { assets: { B04: asset } }));
  assert.deepEqual(await service.point(), [500]);
  await writeImage(join(dataDir, 'scenes/new.tif'), 900);
  // The same inode: a copy onto it.
  writeFileSync(path, readFileSync(join(dataDir, 'scenes/new.tif')));
  utimesSync(path, 1_700_000_000, 1_700_000_000);
  // The block of the point is in memory; the picture reads the others from the file.
  const drawn = await service.draw();
  assert.deepEqual(await service.point(), [900]);
  assert.equal(await service.etag(), drawn.etag);
  assert.deepEqual(service.lines, ['renewed']);
  await service.stop();
});
