import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scene } from '../catalog/index.ts';
import type { LonLatBounds, MultiPolygonGeometry } from '../geo/index.ts';
import { makePartCosts, toWriteMs } from './part-costs.ts';
import { makeShapePacker } from './shape-pack.ts';

function toBox({ west, south, east, north }: LonLatBounds): MultiPolygonGeometry {
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ] as const;
  return { type: 'MultiPolygon', coordinates: [[ring]] };
}

/** A hundred by a hundred fields over a degree, ten times as dense in the west. */
function makePack() {
  const packer = makeShapePacker();
  for (let i = 0; i < 10_000; i += 1) {
    const column = i % 100;
    const west = 10 + (column < 90 ? column / 180 : 0.5 + (column - 90) / 20);
    const south = 40 + Math.floor(i / 100) / 100;
    packer.add(toBox({ west, south, east: west + 0.001, north: south + 0.001 }));
  }
  return packer.finish();
}

interface SceneParts {
  readonly footprint?: MultiPolygonGeometry;
  readonly pixelM?: number;
  readonly bands?: readonly string[];
  readonly x?: number;
}

const whole = toBox({ west: 9, south: 39, east: 12, north: 42 });

const toScene = ({
  footprint = whole,
  pixelM = 10,
  bands = ['B04', 'B08'],
  x = 500_000,
}: SceneParts = {}): Scene => {
  const asset = {
    href: 'a.tif',
    bandIndex: 0,
    epsg: 32632,
    transform: [x, pixelM, 0, 5_000_000, 0, -pixelM],
    width: 10_980,
    height: 10_980,
    type: 'uint16',
    nodata: 0,
    scale: 1,
    offset: 0,
    overviews: [],
  };
  const assets = Object.fromEntries(bands.map((band) => [band, asset]));
  return { viewId: 'a', dataset: 'sentinel2l2a', footprint, assets } as unknown as Scene;
};

const order = { expressions: ['NDVI'], weights: 'centres' } as const;
const toCost = makePartCosts(makePack(), order);

test('a scene costs what it shows of the shapes, and by the pixels that are read', () => {
  const all = toCost(toScene());
  assert.equal(all.shapes, 10_000);
  const west = toCost(toScene({ footprint: toBox({ west: 9, south: 39, east: 10.5, north: 42 }) }));
  const east = toCost(toScene({ footprint: toBox({ west: 10.5, south: 39, east: 12, north: 42 }) }));
  assert.ok(west.shapes > 8_000 && west.shapes < 10_000, `${west.shapes}`);
  assert.ok(Math.abs(west.shapes + east.shapes - 10_000) <= 100);
  assert.ok(west.ms > east.ms && west.ms + east.ms > 0.95 * all.ms, 'dense fields cost more');
  const coarse = toCost(toScene({ pixelM: 30 }));
  assert.ok(coarse.ms < all.ms && coarse.shapes === 10_000);
  const none = toCost(toScene({ footprint: toBox({ west: 50, south: 39, east: 51, north: 40 }) }));
  assert.deepEqual([none.shapes, none.grids], [0, []]);
  assert.ok(none.ms < all.ms / 20);
});

test('scenes on one grid share a number; a scene without a band costs next to nothing', () => {
  const [one, same, other] = [toScene(), toScene(), toScene({ x: 600_000 })].map(toCost);
  assert.deepEqual(one?.grids, same?.grids);
  assert.notDeepEqual(one?.grids, other?.grids);
  const lacking = toCost(toScene({ bands: ['B04'] }));
  assert.deepEqual([lacking.shapes, lacking.grids], [0, []]);
});

test('rows are counted over all scenes, and over all expressions in the long layout, up to the limit', () => {
  const costs = [100, 50, 10].map((shapes) => ({ ms: 1, shapes, grids: [0] }));
  const rows = { format: 'csv', layout: 'wide', expressions: ['NDVI', 'B04'], limit: null } as const;
  const wide = toWriteMs(costs, rows);
  assert.ok(wide > 0);
  assert.equal(toWriteMs(costs, { ...rows, layout: 'long' }), 2 * wide);
  assert.equal(toWriteMs(costs, { ...rows, limit: 1 }), (100 / 160) * wide);
  assert.equal(toWriteMs([], rows), 0);
});
