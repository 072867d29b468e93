import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchedCatalog } from '../reference.ts';
import type { SceneSource } from './attribution.ts';
import { nameSources } from './attribution.ts';

const catalog: SearchedCatalog = {
  name: 'earth',
  title: 'Earth',
  datasets: ['landsat8'],
  attribution: 'USGS, by way of Earth',
} as Partial<SearchedCatalog> as SearchedCatalog;
const origins = { readCatalogs: async () => [catalog] };

const scene = (dataset: string, year: number, provenance = 'folder'): SceneSource => ({
  dataset,
  provenance,
  acquiredAt: `${year}-07-01T00:00:00.000Z`,
});

test('the attribution names each provider once, with the years of its scenes', async () => {
  const scenes = [scene('sentinel2l2a', 2026), scene('sentinel2l2a', 2024), scene('sentinel2', 2024)];
  assert.equal(
    await nameSources(scenes, { origins }),
    'Contains modified Copernicus Sentinel data 2024–2026; Contains modified Copernicus Sentinel data 2024',
  );
});

test('scenes of the demo world or of a live catalog are attributed to it', async () => {
  const scenes = [scene('landsat8', 2026, 'live'), scene('sentinel2l2a', 2026, 'demo')];
  assert.equal(await nameSources(scenes, { origins }), 'USGS, by way of Earth; Swath demo world');
  const other = await nameSources([scene('sentinel2l2a', 2026, 'live')], { origins });
  assert.equal(other, 'Contains modified Copernicus Sentinel data 2026', 'a catalog without these scenes');
});

test('catalogs are asked only for their own scenes, and no scenes give an empty attribution', async () => {
  const readCatalogs = () => Promise.reject(new Error('not asked'));
  assert.match(await nameSources([scene('landsat8', 2026)], { origins: { readCatalogs } }), /\S/);
  assert.equal(await nameSources([], { origins: { readCatalogs } }), '');
});
