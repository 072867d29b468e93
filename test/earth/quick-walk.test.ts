/** The shortest way through a live catalog with a real service; walk-presets.slow.test.ts has all of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectNdvi } from '../../src/live/testing/ground.ts';
import { expectSomething, startFake, startLiveService, toEntry } from './live-service.ts';
import { CLEAR_CROP, positionOf } from './made-places.ts';
import { WORLDS } from './preset-worlds.ts';

test('search, tile and point of a scene that nobody ingested', async () => {
  const [world = assert.fail()] = WORLDS;
  const { preset, dataset, frame, stored } = world;
  await using fake = await startFake(preset, (place) => world.items(place).slice(0, 1));
  await using service = await startLiveService([toEntry(preset, fake)]);
  const crop = positionOf(frame, CLEAR_CROP);
  const { meta, results } = await service.search(dataset, {
    search: { shape: { type: 'Point', coordinates: crop } },
  });
  const [{ view_id: viewId, date } = assert.fail()] = results;
  assert.deepEqual([meta.found, viewId], [1, world.viewIdOn(date.slice(0, 10))]);
  expectSomething(await service.drawTile(viewId, 'B04,B03,B02', crop));
  const ndvi = (await service.readPoint(viewId, 'NDVI', crop)) ?? Number.NaN;
  assert.ok(Math.abs(ndvi - expectNdvi('crop', date.slice(0, 10), stored)) < 2e-6, String(ndvi));
  assert.equal(fake.calls.filter(({ kind }) => kind === 'item').length, 1);
});
