import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StyleSpecification } from 'maplibre-gl';
import { makeBaseStyle } from '../map/base-style.ts';
import { toPictureStyle } from './picture-style.ts';

const raster = { type: 'raster' as const, tiles: ['tile://a/{z}/{x}/{y}'], tileSize: 256 };
const base = makeBaseStyle(false);
const style: StyleSpecification = { ...base, sources: { ...base.sources, 'imagery-7': raster } };
const outline = {
  type: 'Polygon',
  coordinates: [
    [
      [1, 2],
      [3, 2],
      [3, 4],
      [1, 2],
    ],
  ],
} as const;

test('a picture at triple resolution has tiles a third as large, taken from a deeper zoom', () => {
  const { sources } = toPictureStyle(style, { scale: 3 });
  const { tileSize } = sources['imagery-7'] as { tileSize: number };
  assert.ok(Math.abs(tileSize * 3 - 256) < 1e-9);
  assert.deepEqual(sources.towns, style.sources.towns);
});

test('a picture shows shapes and names, but no scene outlines and no clicked point', () => {
  const ids = toPictureStyle(style, { scale: 1 }).layers.map(({ id }) => id);
  assert.ok(!ids.some((id) => id.startsWith('footprint') || id === 'point'), ids.join());
  for (const id of ['land', 'town-name', 'shape-line']) assert.ok(ids.includes(id), id);
});

test('other imagery and another outline replace those of the map', () => {
  const imagery = { ...raster, tiles: ['tile://b/{z}/{x}/{y}'] };
  const { sources } = toPictureStyle(style, { scale: 2, imagery, outline });
  assert.deepEqual(sources['imagery-7'], { ...imagery, tileSize: 128 });
  assert.deepEqual((sources.shapes as { data: unknown }).data, outline);
});
