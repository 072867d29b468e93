import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GeoreferencedGrid } from '../proj/index.ts';
import { makeProjection, parseLattice } from '../proj/index.ts';
import { findPixel } from './read-point.ts';

const utm: GeoreferencedGrid = {
  epsg: 32631,
  transform: [500000, 10, 0, 4700000, 0, -10],
  width: 1024,
  height: 512,
};

/** The place of a pixel position of an image with an affine. */
function toPoint({ epsg, proj, transform }: GeoreferencedGrid, col: number, row: number) {
  const [x, y] = [transform[0] + col * transform[1], transform[3] + row * transform[5]];
  const [lon, lat] = makeProjection(proj ?? epsg, 4326).forward(x, y);
  return { lon, lat };
}

const images: Readonly<Record<string, GeoreferencedGrid>> = {
  'a UTM zone': utm,
  'a sinusoidal grid without a code': {
    epsg: 0,
    proj: '+proj=sinu +R=6371007.181 +units=m +no_defs',
    transform: [1111950, 463.3, 0, 5559752, 0, -463.3],
    width: 2400,
    height: 2400,
  },
  degrees: { epsg: 4326, transform: [2, 0.001, 0, 43, 0, -0.001], width: 1000, height: 900 },
};

for (const [what, image] of Object.entries(images)) {
  test(`a point is in one pixel of ${what}, whose edges are where the next pixels start`, () => {
    const { width, height } = image;
    for (const [x, y] of [
      [0, 0],
      [width - 1, height - 1],
      [17, height - 1],
      [width - 1, 23],
      [100, 200],
    ] as const) {
      for (const part of [0.001, 0.5, 0.999]) {
        assert.deepEqual(findPixel(image, toPoint(image, x + part, y + part)), { x, y });
      }
    }
    for (const [col, row] of [
      [-0.001, 5],
      [5, -0.001],
      [width + 0.001, 5],
      [5, height + 0.001],
    ] as const) {
      assert.equal(findPixel(image, toPoint(image, col, row)), null, `${col}, ${row}`);
    }
  });
}

test('control points place a pixel as they place a picture', () => {
  const { forward } = makeProjection(utm.epsg, 4326);
  const points = Array.from({ length: 35 }, (_, i) => {
    const [column, row] = [(i % 7) * 170.5, Math.floor(i / 7) * 128];
    const [x, y] = forward(500000 + 10 * column, 4700000 - 10 * row);
    return { column, row, x, y };
  });
  const lattice = parseLattice(points, 4326);
  const image: GeoreferencedGrid = { ...utm, epsg: 4326, transform: [0, 1, 0, 0, 0, 1], lattice };
  for (const [x, y] of [
    [0, 0],
    [1023, 511],
    [400, 300],
  ] as const) {
    assert.deepEqual(findPixel(image, toPoint(utm, x + 0.5, y + 0.5)), { x, y });
  }
  assert.equal(findPixel(image, toPoint(utm, -3, 100)), null);
  assert.equal(findPixel(image, { lat: -41, lon: -177 }), null);
});

test('an image in degrees across the antimeridian has points on both sides', () => {
  const east: GeoreferencedGrid = {
    epsg: 4326,
    transform: [179, 0.01, 0, -10, 0, -0.01],
    width: 200,
    height: 100,
  };
  const west: GeoreferencedGrid = { ...east, transform: [-181, 0.01, 0, -10, 0, -0.01] };
  for (const image of [east, west]) {
    assert.deepEqual(findPixel(image, { lat: -10.505, lon: 179.505 }), { x: 50, y: 50 });
    assert.deepEqual(findPixel(image, { lat: -10.505, lon: -179.495 }), { x: 150, y: 50 });
    assert.equal(findPixel(image, { lat: -10.505, lon: 178.9 }), null);
  }
});

test('a distant place is never mistaken for one inside', () => {
  for (const image of Object.values(images)) {
    for (let lat = -90; lat <= 90; lat += 3) {
      for (let lon = -180; lon <= 180; lon += 5) {
        const isNear = lat > 35 && lat < 55 && lon > -5 && lon < 35;
        if (!isNear) assert.equal(findPixel(image, { lat, lon }), null, `${lat}, ${lon}`);
      }
    }
  }
});
