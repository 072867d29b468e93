/** The shortest way through a live catalog, on one thread; walk-presets.slow.test.ts has all of it with a real service. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tileAt, tileGrid } from '../../src/geo/index.ts';
import { expectNdvi } from '../../src/live/testing/ground.ts';
import { aTicket } from '../../src/pool/testing/run-here.ts';
import { makeProjection } from '../../src/proj/index.ts';
import { sensorByDataset } from '../../src/sensors/index.ts';
import { openLiveHere } from './live-here.ts';
import { startFake, toEntry } from './live-service.ts';
import { CLEAR_CROP, positionOf } from './made-places.ts';
import { makeWillRead, SCENES, WORLDS } from './preset-worlds.ts';

test('a scene that was never ingested can be searched, drawn and read at a point', async () => {
  const [world = assert.fail()] = WORLDS;
  const { preset, dataset, frame, stored } = world;
  await using fake = await startFake(
    preset,
    (place) => world.items(place).slice(0, 1),
    makeWillRead(SCENES[0]!.day),
  );
  await using live = openLiveHere([toEntry(preset, fake)]);
  const crop = positionOf(frame, CLEAR_CROP);
  const { found, hits, catalogs } = await live.scenes.searchHits({
    datasets: [{ id: dataset, filters: [] }],
    shape: { geometry: { type: 'Point', coordinates: crop }, relation: 'intersects' },
    sort: { field: 'date', descending: true },
    offset: 0,
    limit: 10,
  });
  assert.deepEqual([found, catalogs?.[0]?.problem], [1, null]);
  const { viewId, acquiredAt } = hits[0] ?? assert.fail();
  const day = acquiredAt.slice(0, 10);
  assert.equal(viewId, world.viewIdOn(day));

  const sensor = sensorByDataset(dataset) ?? assert.fail();
  const name = { viewId, sceneName: viewId.slice(viewId.indexOf('/') + 1), sensor };
  const [ndvi = null] = await live.rendering.readPoint(
    { ...name, bands: 'NDVI', calibrated: true, point: { lon: crop[0], lat: crop[1] } },
    aTicket,
  );
  assert.ok(ndvi !== null && Math.abs(ndvi - expectNdvi('crop', day, stored)) < 2e-6, String(ndvi));

  const { renderer } = live.rendering;
  const planned = await renderer.plan({
    ...name,
    bands: 'B04,B03,B02',
    grid: tileGrid(tileAt(12, ...makeProjection(4326, 3857).forward(...crop))),
    options: {
      format: 'png',
      method: null,
      range: { min: 0, max: 3_000 },
      calibrated: false,
      isComposite: false,
      color: {},
      area: null,
      watermark: null,
    },
  });
  const { bytes } = await renderer.render(planned, aTicket);
  assert.equal(Buffer.from(bytes).subarray(1, 4).toString(), 'PNG');
  assert.ok(bytes.length > 1_000, `${bytes.length} bytes show nothing`);
  assert.equal(fake.calls.filter(({ kind }) => kind === 'item').length, 1);
  assert.equal(await live.store.knownScenes.count(), 1);
});
