import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewerSensorOf } from '../../../../test/support/viewer-sensors.ts';
import type { Outline } from '../../../scenes/footprint.ts';
import type { Scene } from '../../../scenes/scene.ts';
import { makeZones } from './make-zones.ts';
import { planGrid } from './plan-grid.ts';
import { toZonesGeoJson } from './to-geojson.ts';

const outline: Outline = {
  type: 'Polygon',
  coordinates: [
    [
      [-122.4, 48.2],
      [-122.399, 48.2],
      [-122.399, 48.201],
      [-122.4, 48.201],
      [-122.4, 48.2],
    ],
  ],
};
const scene: Scene = {
  viewId: 'S2L2A/10/U/EU/2026/6/21/1',
  id: 'one',
  sensor: viewerSensorOf('sentinel2l2a'),
  date: '2026-06-21',
  tms: '',
  outline,
  cloudPercent: 0,
  sunElevationDeg: null,
  coveragePercent: null,
  thumbnail: null,
};
const choice = { index: 'NDVI', count: 3, minPatchM2: 500 };
const grid = planGrid(outline, 10);

/** A server whose left half is class 1 and whose right half is class 3; class 2 was not found. */
const makeBench = (range: object) => {
  const paths: string[] = [];
  const half = Math.floor(grid.width / 2);
  const toPixels = (left: number, right: number): Uint8ClampedArray =>
    new Uint8ClampedArray(4 * grid.width * grid.height).map((_, i) => {
      if (i % 4 === 3) return 255;
      return Math.floor(i / 4) % grid.width < half ? left : right;
    });
  const parts = {
    async send(path: string): Promise<Response> {
      paths.push(decodeURIComponent(path));
      if (path === 'api/render/cropper') return Response.json({ cropper_ref: 'abc' });
      return path.includes('/ir/') ? Response.json(range) : new Response(path);
    },
    decode: async (picture: Blob) =>
      (await picture.text()).includes('CLUSTERING') ? toPixels(16, 48) : toPixels(51, 255),
    pause: async () => undefined,
  };
  return { parts, paths, half };
};
const { signal } = new AbortController();

test('classes become zones with areas, means, colours and polygons', async () => {
  const { parts, paths, half } = makeBench({ min: 0, max: 0.5 });
  const colors = ['#ff0000', '#ffff00', '#00ff00'];
  const made = await makeZones(parts, { outline, scene, choice, colors }, signal);
  assert.deepEqual(
    made.zones.map(({ number, color, areaM2, mean }) => [number, color, areaM2, mean]),
    [
      [1, '#ff0000', half * grid.height * 100, 0.1],
      [3, '#00ff00', (grid.width - half) * grid.height * 100, 0.5],
    ],
  );
  const [west, ...others] = made.zones[0]?.polygons ?? [];
  assert.equal(others.length, 0);
  assert.equal(west?.[0]?.length, 5);
  assert.ok(west?.[0]?.every(([lon, lat]) => Math.abs(lon + 122.4) < 0.01 && Math.abs(lat - 48.2) < 0.01));
  const picture = paths.find((path) => path.includes('CLUSTERING')) ?? '';
  for (const part of [
    'CLUSTERS_NO=3',
    'MIN_AREA=500',
    'cropper_ref=abc',
    '"3":"#000030"',
    'crs=EPSG:32610',
  ]) {
    assert.ok(picture.includes(part), `${part} in ${picture}`);
  }
  const { features } = toZonesGeoJson(made);
  assert.deepEqual(
    features.map(({ properties }) => [properties.zone, properties.mean]),
    [
      [1, 0.1],
      [3, 0.5],
    ],
  );
  assert.equal(features[0]?.properties.area_ha, (half * grid.height) / 100);
});

test('an area of one value has that value as its mean', async () => {
  const made = await makeZones(
    makeBench({ min: 0.25, max: 0.25 }).parts,
    { outline, scene, choice, colors: [] },
    signal,
  );
  assert.deepEqual(
    made.zones.map(({ mean }) => mean),
    [0.25, 0.25],
  );
});

test("a refusal shows the server's message", async () => {
  const { parts } = makeBench({});
  const send = async (): Promise<Response> =>
    Response.json({ error: 'Rings do not cross.', code: 'area-self-crossing' }, { status: 422 });
  await assert.rejects(makeZones({ ...parts, send }, { outline, scene, choice, colors: [] }, signal), {
    message: 'Rings do not cross.',
    code: 'area-self-crossing',
  });
});
