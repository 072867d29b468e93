import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeProjection } from '../../src/proj/index.ts';
import type { Ground } from '../ground/ground.ts';
import { epsg, frame } from '../setting.ts';
import type { ReadImage } from '../testing/read-image.ts';
import { readImage } from '../testing/read-image.ts';
import { hasDefects, writeTerrain } from './write-terrain.ts';

const neverCalled = (): never => {
  throw new Error('terrain needs heights only');
};
/** A plane: wherever a cell lies, its height tells where. */
const heightAt = (x: number, y: number): number => 3 + x / 100 + y / 250;
const ground: Ground = { survey: neverCalled, paint: neverCalled, fieldsIn: neverCalled, heightAt };
const NODATA = -32_767;

let directory: string;
const images = new Map<string, ReadImage>();
const fractions: number[] = [];
before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'swath-terrain-'));
  await writeTerrain({ ground, directory, seconds: 3, onProgress: (fraction) => fractions.push(fraction) });
  // two that touch at a corner: between them they have every edge of the frame
  for (const name of readdirSync(directory).filter((one) => /N48_00_W123|N47_00_W122/.test(one))) {
    images.set(name, await readImage(join(directory, name, `${name}.tif`)));
  }
});
after(() => rmSync(directory, { recursive: true }));

test('every degree that the world touches has a file, named like the Copernicus DEM', () => {
  assert.deepEqual(readdirSync(directory).sort(), [
    'Copernicus_DSM_COG_30_N47_00_W122_00_DEM',
    'Copernicus_DSM_COG_30_N47_00_W123_00_DEM',
    'Copernicus_DSM_COG_30_N48_00_W122_00_DEM',
    'Copernicus_DSM_COG_30_N48_00_W123_00_DEM',
  ]);
  assert.ok(fractions.every((fraction, i) => fraction > (fractions[i - 1] ?? 0)));
  assert.equal(fractions.at(-1), 1);
});

test('cells are centred on whole seconds, so that those of two files do not overlap', () => {
  for (const [name, { width, height, epsg: code, transform }] of images) {
    const [, north, west] = /_N(\d+)_00_W(\d+)_/.exec(name)!.map(Number);
    assert.deepEqual([width, height, code], [1200, 1200, 4326]);
    const step = 1 / 1200;
    const wanted = [-west! - step / 2, step, 0, north! + 1 + step / 2, 0, -step];
    for (const [i, number] of wanted.entries()) assert.ok(Math.abs(transform![i]! - number) < 1e-12, name);
  }
});

test('every cell inside the frame has the height of its own location, and every other one has none', () => {
  const { forward } = makeProjection(4326, epsg);
  let [inside, outside] = [0, 0];
  for (const [name, { width, transform, bands }] of images) {
    const heights = bands[0]!;
    const [west, step, , north] = transform!;
    // a prime stride, so that all rows and columns are met
    for (let i = 0; i < heights.length; i += 37) {
      const longitude = west + ((i % width) + 0.5) * step;
      const latitude = north - (Math.floor(i / width) + 0.5) * step;
      const [easting, northing] = forward(longitude, latitude);
      const [x, y] = [easting - frame.west, frame.north - northing];
      const beyondM = Math.max(-x, -y, x - frame.sizeM, y - frame.sizeM);
      const height = heights[i]!;
      if (hasDefects(x, y)) continue;
      // locations between two that are projected are off by centimetres
      if (beyondM > 0.1) {
        outside++;
        assert.equal(height, NODATA, `${name} ${i}`);
      } else if (beyondM < -0.1) {
        inside++;
        assert.ok(
          Math.abs(height - heightAt(x, y)) < 0.002,
          `${name} ${i}: ${height}, not ${heightAt(x, y)}`,
        );
      }
    }
  }
  assert.ok(inside > 15_000 && outside > 15_000, `${inside} inside, ${outside} outside`);
});

test('around the forest heights are whole metres, with spikes and voids', () => {
  const { forward } = makeProjection(4326, epsg);
  const counts = { all: 0, voids: 0, spikes: 0, fractions: 0 };
  for (const { width, transform, bands } of images.values()) {
    const [west, step, , north] = transform!;
    for (let i = 0; i < bands[0]!.length; i += 7) {
      const height = bands[0]![i]!;
      const longitude = west + ((i % width) + 0.5) * step;
      const latitude = north - (Math.floor(i / width) + 0.5) * step;
      const [easting, northing] = forward(longitude, latitude);
      const [x, y] = [easting - frame.west, frame.north - northing];
      if (!hasDefects(x, y)) continue;
      counts.all += 1;
      if (height === NODATA) counts.voids += 1;
      else if (!Number.isInteger(height)) counts.fractions += 1;
      else if (Math.abs(height - heightAt(x, y)) > 30) counts.spikes += 1;
    }
  }
  assert.ok(counts.all > 500, `${counts.all} pixels`);
  assert.ok(counts.voids > 0.005 * counts.all && counts.voids < 0.05 * counts.all, `${counts.voids} voids`);
  assert.ok(counts.spikes > 0 && counts.spikes < 0.01 * counts.all, `${counts.spikes} spikes`);
  // at the edge of the square a location between two that are projected may fall on its other side
  assert.ok(counts.fractions < 0.02 * counts.all, `${counts.fractions} fractions`);
});

test('a stop takes effect, and leaves no file that looks complete', async () => {
  const other = mkdtempSync(join(tmpdir(), 'swath-terrain-'));
  try {
    const signal = AbortSignal.abort();
    await assert.rejects(writeTerrain({ ground, directory: other, seconds: 3, signal }), {
      tag: 'cancelled',
    });
    const files = readdirSync(other, { recursive: true }).map(String);
    assert.deepEqual(
      files.filter((name) => name.endsWith('.tif')),
      [],
    );
  } finally {
    rmSync(other, { recursive: true });
  }
});
