import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CopernicusTile } from './copernicus.ts';
import { decideGaps, lastPart, parseCopernicusName } from './copernicus.ts';

test('tiles are recognised by the names of Copernicus and its mirrors', () => {
  const wanted = { product: 30, cell: 'N00E006', layer: 'DEM' };
  assert.deepEqual(parseCopernicusName('Copernicus_DSM_COG_10_N00_00_E006_00_DEM'), wanted);
  assert.deepEqual(parseCopernicusName('Copernicus_DSM_10_N00_00_E006_00_DEM.tif'), wanted);
  assert.deepEqual(parseCopernicusName('Copernicus_DSM_10_N00_00_E006_00.TIFF'), wanted);
  const other = parseCopernicusName('Copernicus_DSM_COG_30_S55_00_W180_00_WBM.tif');
  assert.deepEqual(other, { product: 90, cell: 'S55W180', layer: 'WBM' });
});

test('other names are not recognised', () => {
  for (const name of [
    'Copernicus_DSM_COG_20_N00_00_E006_00_DEM',
    'Copernicus_DSM_COG_10_N00_50_E006_00_DEM',
    'xCopernicus_DSM_COG_10_N00_00_E006_00_DEM',
    'Copernicus_DSM_COG_10_N00_00_E006_00_DEM_2',
    'n00_e006_1arc_v3.tif',
    '',
  ]) {
    assert.equal(parseCopernicusName(name), null, name);
  }
});

test('the last part of an address is a name', () => {
  assert.equal(lastPart('https://host/a/b.tif?sig=x/y#z'), 'b.tif');
  assert.equal(lastPart('a/b.tif'), 'b.tif');
});

const tile = (cell: string, product: 30 | 90 = 30): CopernicusTile => ({ product, cell, layer: 'DEM' });
const decide = (
  tiles: readonly (CopernicusTile | null)[],
  more: Partial<Parameters<typeof decideGaps>[0]> = {},
) => decideGaps({ tiles, listed: null, brokenCount: 0, ...more });

const [one, two, three] = ['N00E006', 'N00E009', 'N01E006'].map((cell) => tile(cell)) as [
  CopernicusTile,
  CopernicusTile,
  CopernicusTile,
];

test('a few tiles do not make the rest of the world sea, and the note says how to declare it', () => {
  const { gaps, note } = decide([one, two]);
  assert.equal(gaps, null);
  assert.match(note ?? '', /--gaps sea/);
});

test('gaps are sea if the tiles are exactly those of the list', () => {
  assert.deepEqual(decide([one, two], { listed: [two, one] }), { gaps: 'sea', note: null });
  assert.equal(decide([one, two, three], { listed: [two, one] }).gaps, null);
  assert.equal(decide([one, two, null], { listed: [two, one] }).gaps, null, 'a file that is not a tile');
  assert.equal(decide([one, tile('N00E009', 90)], { listed: [two, one] }).gaps, 'unknown', 'another product');
});

test('a listed tile that is missing is not sea, however many others there are', () => {
  const { gaps, note } = decide([one], { listed: [one, two, three] });
  assert.equal(gaps, 'unknown');
  assert.match(note ?? '', /2 of 3 tiles/);
});

test('gaps are sea if all tiles of the world are there, unless one was broken', () => {
  const world = Array.from({ length: 26_000 }, (_, i) => tile(`N${i}`));
  assert.deepEqual(decide(world), { gaps: 'sea', note: null });
  assert.equal(decide(world.slice(1)).gaps, null);
  assert.equal(decide([...world.slice(1), world[1]!]).gaps, null, 'a tile counts once');
  const broken = decide(world, { brokenCount: 3 });
  assert.equal(broken.gaps, 'unknown');
  assert.match(broken.note ?? '', /3 tiles could not be read/);
});

test('other models make no claim about gaps', () => {
  assert.deepEqual(decide([null, null]), { gaps: null, note: null });
});
