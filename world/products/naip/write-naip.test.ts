import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSwathError } from '../../../src/errors.ts';
import { geometryBounds } from '../../../src/geo/index.ts';
import { parseNaipMetadata } from '../../../src/ingest/families/naip.ts';
import { ingestOne, withFolder } from '../../../src/ingest/folder/testing/make-folder.ts';
import { makeProjection } from '../../../src/proj/index.ts';
import { expose } from '../../light/index.ts';
import { frame } from '../../setting.ts';
import { makeFakeWorld } from '../../testing/fake-world.ts';
import { listHashes } from '../../testing/list-hashes.ts';
import { readImage } from '../../testing/read-image.ts';
import type { NaipPlan } from './plan.ts';
import { findQuarterQuad, toNaipImage } from './plan.ts';
import { writeNaip } from './write-naip.ts';

const world = makeFakeWorld();
const plan: NaipPlan = {
  atMs: Date.UTC(2023, 6, 12, 17, 30),
  samples: 'rgbir',
  x: 24_500,
  y: 45_000,
  cropM: 400,
  seed: 3,
};
const PATH = 'wa/2023/1m/rgbir/48122/m_4812243_ne_10_1_20230712';

/** A location by longitude and latitude, in local metres. */
function toLocal(lon: number, lat: number): [number, number] {
  const [easting, northing] = makeProjection(4326, 32610).forward(lon, lat);
  return [easting - frame.west, frame.north - northing];
}

test('quarter quadrangles are numbered like those of the USGS', () => {
  // m_4112001_sw_10: its image begins at 665598, 4645098, some metres inside of ours
  const california = findQuarterQuad(...toLocal(-120.97, 41.91));
  assert.deepEqual([california.block, california.quad, california.quarter], ['41120', 1, 'sw']);
  assert.ok(Math.abs(california.window.x + frame.west - 665_598) < 200);
  assert.ok(Math.abs(frame.north - california.window.y - 4_645_098) < 200);
  // the squares' last quarter, in the south-east
  const last = findQuarterQuad(...toLocal(-122.001, 48.001));
  assert.deepEqual([last.block, last.quad, last.quarter], ['48122', 64, 'se']);
  const { west, north, window } = findQuarterQuad(plan.x, plan.y);
  assert.deepEqual([west, north], [-122.6875, 48.375]);
  // 3.75 minutes and twice 300 m, a little more because the grid turns against the meridians
  assert.ok(window.widthM > 5_200 && window.widthM < 5_350, `${window.widthM}`);
  assert.ok(window.heightM > 7_500 && window.heightM < 7_650, `${window.heightM}`);
});

test('an image is ingested by its folders, at its own location', () =>
  withFolder(async (folder) => {
    await writeNaip(plan, { world, directory: folder.root });
    const scene = await ingestOne(folder, `NAIP/${PATH}`);
    assert.equal(scene.dataset, 'naip');
    assert.equal(scene.acquiredAt.slice(0, 10), '2023-07-12');
    assert.deepEqual(Object.keys(scene.assets), ['R', 'G', 'B', 'N']);
    const { epsg, transform, width, height, type } = scene.assets.R!;
    assert.deepEqual([epsg, width, height, type], [26910, 400, 400, 'uint8']);
    assert.deepEqual([...transform], [frame.west + 24_300, 1, 0, frame.north - 44_800, 0, -1]);
    const { west, south, east, north } = geometryBounds(scene.footprint);
    const quarter = findQuarterQuad(plan.x, plan.y);
    assert.ok(west > quarter.west && east < quarter.east && south > quarter.south && north < quarter.north);
    const text = await readFile(join(folder.root, `${PATH}.txt`), 'utf8');
    assert.equal(parseNaipMetadata(text, 'text').state, 'wa');
  }));

test('images with three colours have no near infrared', () =>
  withFolder(async (folder) => {
    await writeNaip({ ...plan, samples: 'rgb', cropM: 64 }, { world, directory: folder.root });
    const scene = await ingestOne(folder, `NAIP/${PATH.replace('rgbir', 'rgb')}`);
    assert.deepEqual(Object.keys(scene.assets), ['R', 'G', 'B']);
  }));

test('stored values are the ground after the tone curve', () =>
  withFolder(async (folder) => {
    await writeNaip(plan, { world, directory: folder.root });
    const { width, height, bands } = await readImage(join(folder.root, `${PATH}.tif`));
    const { window } = toNaipImage(plan);
    const locations = {
      width,
      height,
      sideM: 1,
      x: new Float64Array(width * height).map((_, i) => window.x + (i % width) + 0.5),
      y: new Float64Array(width * height).map((_, i) => window.y + Math.floor(i / width) + 0.5),
    };
    const ranges = [
      ['R', 635, 32],
      ['G', 555, 60],
      ['B', 465, 60],
      ['N', 845, 74],
    ] as const;
    const { planes } = expose(world, {
      survey: world.ground.survey(locations),
      atMs: plan.atMs,
      bands: ranges.map(([name, centreNm, widthNm]) => ({ name, kind: 'reflective', centreNm, widthNm })),
      sky: { seed: 0, opaque: 0, cirrus: 0, haze: 0.05 },
      level: 'surface',
    });
    for (const [band, stored] of bands.entries()) {
      const white = band === 3 ? 0.8 : 0.5;
      const values = new Set(stored);
      assert.ok(values.size > 20, `band ${band} has only ${values.size} values`);
      let off = 0;
      for (let i = 0; i < stored.length; i++) {
        const truth = planes[band]![i]!;
        // back along the curve, from both ends of the step
        const at = (value: number) => white * (Math.max(0, value) / 255) ** 2.2;
        const slack = 4.5 * Math.sqrt(0.0012 ** 2 + 2e-5 * truth) + 1e-4;
        const [low, high] = [at(stored[i]! - 0.5) - slack, at(stored[i]! + 0.5) + slack];
        if (truth < low || (truth > high && stored[i]! < 255)) off++;
      }
      assert.ok(off <= stored.length * 1e-4, `${off} pixels of band ${band} are off`);
    }
  }));

test('the same plan gives the same bytes, another seed does not', async () => {
  const make = async (seed: number) => {
    let hashes: readonly string[] = [];
    await withFolder(async (folder) => {
      await writeNaip({ ...plan, cropM: 100, seed }, { world, directory: folder.root });
      hashes = await listHashes(folder.root);
    });
    return hashes;
  };
  const first = await make(3);
  assert.equal(first.length, 2);
  assert.deepEqual(await make(3), first);
  assert.notDeepEqual(await make(4), first);
});

test('a crop stays in the image of its quarter, and one that is too large is refused', () => {
  const { west } = findQuarterQuad(plan.x, plan.y);
  const [edge] = toLocal(west, 48.34);
  // around a location at the edge, wider than the overlap on both sides
  const { window, quarter } = toNaipImage({ ...plan, x: edge + 30, cropM: 1_000 });
  assert.deepEqual([window.x, window.widthM], [quarter.window.x, 1_000]);
  assert.throws(
    () => toNaipImage({ ...plan, cropM: 6_000 }),
    (error) => isSwathError(error) && error.code === 'bad-crop',
  );
});

test('writing stops when it is told to, and leaves no image', () =>
  withFolder(async (folder) => {
    const signal = AbortSignal.abort();
    await assert.rejects(writeNaip(plan, { world, directory: folder.root, signal }), { tag: 'cancelled' });
    assert.deepEqual(await listHashes(folder.root), []);
  }));
