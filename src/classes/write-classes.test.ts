import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTiff } from '../formats/tiff/index.ts';
import { readBand } from '../formats/tiff/testing/read-band.ts';
import type { Grid, MultiPolygonGeometry } from '../geo/index.ts';
import { areaKm2 } from '../geo/index.ts';
import { classifyPixels } from './classify-pixels.ts';
import { countCorners, writeClasses } from './write-classes.ts';

const SIDE = 64;
const grid: Grid = {
  epsg: 32_631,
  transform: [500_000, 10, 0, 4_700_000, 0, -10],
  width: SIDE,
  height: SIDE,
};
const found = classifyPixels({
  layer: {
    values: new Float32Array(SIDE * SIDE).map((_, i) => Number(i % SIDE >= 16 && i >= SIDE)),
    mask: null,
  },
  minus: null,
  grid,
  inside: new Uint8Array(SIDE * SIDE).fill(1),
  thresholds: [0.5],
  bins: 4,
  range: null,
  minHectares: 0,
});
const legend = [
  { label: 'land', color: '#aabbcc' },
  { label: 'water', color: '#112233' },
];

const read = async (kind: 'json' | 'geojson') =>
  JSON.parse(new TextDecoder().decode(await writeClasses(found, grid, { kind, about: { hi: 1 }, legend })));

test('polygons cover the area that the table states', async () => {
  const table = await read('json');
  const collection = await read('geojson');
  assert.deepEqual([table.hi, table.classes[1].label, table.classes[1].pixels], [1, 'water', 63 * 48]);
  assert.deepEqual(collection.thresholds, [0.5]);
  for (const [i, feature] of collection.features.entries()) {
    const { patches, ...properties } = feature.properties;
    assert.deepEqual(properties, table.classes[i]);
    assert.equal(patches, 1);
    const hectares = 100 * areaKm2(feature.geometry as MultiPolygonGeometry);
    assert.ok(Math.abs(hectares / properties.hectares - 1) < 1e-4, `${hectares} ${properties.hectares}`);
    assert.ok(Math.abs(properties.km2 * 100 - properties.hectares) < 1e-6);
  }
});

test('a legend of another length is omitted', async () => {
  const file = { kind: 'json', about: {}, legend: legend.slice(1) } as const;
  const { classes } = JSON.parse(new TextDecoder().decode(await writeClasses(found, grid, file)));
  assert.equal('label' in classes[0], false);
});

test('the image contains the class numbers at their places', async () => {
  const bytes = await writeClasses(found, grid, { kind: 'geotiff', about: {}, legend });
  const tiff = await openTiff({
    id: 'classes',
    version: '1',
    size: bytes.length,
    read: async (offset, length) => bytes.slice(offset, offset + length),
    close: async () => {},
  });
  const [image] = tiff.images;
  assert.deepEqual(await readBand(tiff, image, 0), found.classes);
  assert.deepEqual([tiff.epsg, tiff.transform], [32_631, grid.transform]);
});

test('polygons of noise are refused before they are traced', async () => {
  const side = 1_024;
  const classes = new Uint8Array(side * side).map((_, i) => 1 + ((i + Math.floor(i / side)) % 2));
  assert.ok(countCorners({ width: side, height: side, classes }) > 4 * (side - 1) ** 2 - 1);
  const noise = { ...found, classes };
  const large = { ...grid, width: side, height: side };
  await assert.rejects(
    writeClasses(noise, large, { kind: 'geojson', about: {}, legend: null }),
    /corners; 600000 is the limit/,
  );
});
