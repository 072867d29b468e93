import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isPointInArea } from '../../../src/geo/index.ts';
import { ingestOne, withFolder } from '../../../src/ingest/folder/testing/make-folder.ts';
import { makePixelMapping, makeProjection } from '../../../src/proj/index.ts';
import type { Locations } from '../../ground/ground.ts';
import { covers } from '../../ground/ground.ts';
import type { World } from '../../ground/world.ts';
import { backscatter } from '../../light/index.ts';
import { frame } from '../../setting.ts';
import { makeFakeWorld } from '../../testing/fake-world.ts';
import { listHashes } from '../../testing/list-hashes.ts';
import { readImage } from '../../testing/read-image.ts';
import { toGeolocationGrid } from './annotation-xml.ts';
import type { Sentinel1Plan } from './plan.ts';
import { makeRadarPass } from './plan.ts';
import { toImageName, toProductFacts } from './product-facts.ts';
import { writeSentinel1 } from './write-sentinel1.ts';

const world = makeFakeWorld();
const descending: Sentinel1Plan = {
  atMs: Date.UTC(2023, 6, 12, 14, 20, 11, 500),
  pass: 'descending',
  window: { x: 40_000, y: 30_000, widthM: 12_000, heightM: 12_000 },
  spacingM: 40,
  nearIncidenceDeg: 36,
  seed: 9,
};
const ascending: Sentinel1Plan = {
  ...descending,
  atMs: Date.UTC(2023, 6, 18, 2, 1, 5),
  pass: 'ascending',
};

const factsOf = (plan: Sentinel1Plan) => toProductFacts(plan, makeRadarPass(plan));
const imagePath = (plan: Sentinel1Plan, polarisation: 'VV' | 'VH'): string =>
  join(`${factsOf(plan).name}.SAFE`, 'measurement', `${toImageName(factsOf(plan), polarisation)}.tiff`);

test('a product is ingested with its pass, orbit, footprint and calibration', () =>
  withFolder(async (folder) => {
    await writeSentinel1(descending, { world, directory: folder.root });
    const { name } = factsOf(descending);
    assert.match(
      name,
      /^S1A_IW_GRDH_1SDV_20230712T142011_20230712T142012_0493\d\d_05[0-9A-F]{4}_[0-9A-F]{4}$/,
    );
    const scene = await ingestOne(folder, `S1/${name}`);
    assert.equal(scene.dataset, 'sentinel1');
    assert.equal(scene.acquiredAt, '2023-07-12T14:20:11.500Z');
    assert.deepEqual(Object.keys(scene.assets), ['VV', 'VH']);
    assert.deepEqual(
      [scene.fields.passDirection, scene.fields.mode, scene.fields.polarization],
      ['DESCENDING', 'IW', 'DV'],
    );
    assert.equal(scene.fields.absoluteOrbitNumber, factsOf(descending).absoluteOrbit);
    const { lattice, epsg, type, nodata } = scene.assets.VV!;
    assert.deepEqual([epsg, type, nodata], [4326, 'uint16', 0]);
    assert.deepEqual([lattice?.cols.length, lattice?.rows.length], [21, 10]);
    const { forward } = makeProjection(32610, 4326);
    const isInside = (x: number, y: number) =>
      isPointInArea(forward(frame.west + x, frame.north - y), scene.footprint);
    assert.ok(isInside(46_000, 36_000));
    // it stands aslant in its window and leaves the corners out
    for (const [x, y] of [
      [40_300, 30_300],
      [51_700, 30_300],
      [51_700, 41_700],
      [40_300, 41_700],
    ] as const) {
      assert.ok(!isInside(x, y), `${x} ${y}`);
    }
    assert.ok(scene.calibration?.bands.VV?.sigmaNought !== undefined);
    assert.ok(scene.calibration?.bands.VH?.sigmaNought !== undefined);
  }));

/** The mean of many looks hides the speckle, so that amplitudes can be compared with what is known of the ground. */
for (const plan of [descending, ascending]) {
  test(`${plan.pass}: amplitudes calibrate back to sigma nought`, () =>
    withFolder(async (folder) => {
      await writeSentinel1(plan, { world, directory: folder.root });
      const { name } = factsOf(plan);
      const scene = await ingestOne(folder, `S1/${name}`);
      const pass = makeRadarPass(plan);
      const { width, height } = pass;
      const locations: Locations = {
        width,
        height,
        sideM: plan.spacingM,
        x: new Float64Array(width * height),
        y: new Float64Array(width * height),
      };
      const incidenceDeg = new Float32Array(width * height);
      for (let i = 0; i < incidenceDeg.length; i++) {
        const [x, y] = pass.toLocal(Math.floor(i / width), i % width);
        locations.x[i] = x;
        locations.y[i] = y;
        incidenceDeg[i] = pass.incidenceDegAt(i % width);
      }
      for (const polarisation of ['VV', 'VH'] as const) {
        const truth = backscatter(world, {
          survey: world.ground.survey(locations),
          atMs: plan.atMs,
          polarisation,
          incidenceDeg,
          lookAzimuthDeg: plan.pass === 'descending' ? 104.1 : 254.7,
          looks: 1000,
          seed: 1,
        });
        const { lines, pixels, values } = scene.calibration!.bands[polarisation]!.sigmaNought!;
        assert.ok(lines[0] === 0 && lines.at(-1)! >= height - 1);
        const factorAt = (pixel: number): number => {
          const cell = Math.min(
            pixels.length - 2,
            pixels.findLastIndex((from) => from <= pixel),
          );
          const part = (pixel - pixels[cell]!) / (pixels[cell + 1]! - pixels[cell]!);
          return values[cell]! + part * (values[cell + 1]! - values[cell]!);
        };
        const factors = Array.from({ length: width }, (_, pixel) => factorAt(pixel));
        const { bands } = await readImage(join(folder.root, imagePath(plan, polarisation)));
        const ratios = Array.from(bands[0]!, (value, i) => (value / factors[i % width]!) ** 2 / truth[i]!);
        assert.ok(bands[0]!.every((value: number) => value > 0));
        const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
        const variance = ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0) / ratios.length;
        // 60,000 draws of mean 1
        assert.ok(Math.abs(mean - 1) < 0.005, `${polarisation}: mean ${mean}`);
        // looks of 40 m pixels: 4.4 for the 20 m of the resolution, four times that; and those of the truth
        const wanted = 1 / 17.6 + 1 / 1000;
        assert.ok(Math.abs(variance / wanted - 1) < 0.1, `${polarisation}: variance ${variance}`);
      }
    }));
}

/** Woods of a square kilometre in a calm sea. */
function makeMarkedWorld(mark: { readonly x: number; readonly y: number }): World {
  const isMark = (x: number, y: number) => Math.abs(x - mark.x) < 500 && Math.abs(y - mark.y) < 500;
  const { ground, climate } = world;
  return {
    climate,
    ground: {
      ...ground,
      survey: (locations) => {
        const count = locations.x.length;
        const flat = () => new Float32Array(count);
        return { locations, heightM: flat(), slopeX: flat(), slopeY: flat(), fieldId: new Int32Array(count) };
      },
      paint: (survey, day, palette) => {
        const { x, y } = survey.locations;
        const at = <T extends Float32Array | Uint8Array>(out: T, inside: number, outside: number): T => {
          for (let i = 0; i < out.length; i++) out[i] = isMark(x[i]!, y[i]!) ? inside : outside;
          return out;
        };
        return {
          ...ground.paint(survey, day, palette),
          cover: at(new Uint8Array(x.length), covers.indexOf('conifer-forest'), covers.indexOf('sea')),
          snow: new Float32Array(x.length),
          water: at(new Float32Array(x.length), 0, 1),
          roughness: at(new Float32Array(x.length), 1, 0),
        };
      },
      heightAt: () => 0,
    },
  };
}

for (const plan of [descending, ascending]) {
  test(`${plan.pass}: a mark on the ground is found through the control points`, () =>
    withFolder(async (folder) => {
      const mark = { x: 43_700, y: 38_100 };
      await writeSentinel1(plan, { world: makeMarkedWorld(mark), directory: folder.root });
      const scene = await ingestOne(folder, `S1/${factsOf(plan).name}`);
      const { width, height, bands } = await readImage(join(folder.root, imagePath(plan, 'VH')));
      let [count, cols, rows] = [0, 0, 0];
      for (const [i, value] of bands[0]!.entries()) {
        if (value < 90) continue;
        count++;
        cols += (i % width) + 0.5;
        rows += Math.floor(i / width) + 0.5;
      }
      // a square kilometre
      assert.ok(Math.abs(count * 1_600 - 1e6) < 0.06e6, `${count} bright pixels`);
      const { transform, lattice } = scene.assets.VH!;
      const target = {
        epsg: 32610,
        width: 109_800,
        height: 109_800,
        transform: [frame.west, 1, 0, frame.north, 0, -1] as const,
      };
      const { toTarget } = makePixelMapping(target, {
        epsg: 4326,
        width,
        height,
        transform,
        ...(lattice === undefined ? {} : { lattice }),
      });
      const [x, y] = toTarget(cols / count, rows / count);
      assert.ok(Math.hypot(x - mark.x, y - mark.y) < 8, `${x} ${y}`);
      // Flying south and looking to the right, the west is far; flying north the south comes first.
      const [col, row] = [cols / count / width, rows / count / height];
      if (plan.pass === 'descending') assert.ok(col > 0.55 && row > 0.55, `${col} ${row}`);
      else assert.ok(col < 0.45 && row < 0.45, `${col} ${row}`);
    }));
}

test('straight lines between points of the geolocation grid deviate little from the ground', () => {
  const plan = { ...descending, window: { x: 0, y: 0, widthM: 109_800, heightM: 109_800 }, spacingM: 10 };
  const pass = makeRadarPass(plan);
  const grid = toGeolocationGrid(pass, world);
  const { forward } = makeProjection(4326, 32610);
  let worst = 0;
  for (let i = 0; i < 20 * 9; i++) {
    const at = Math.floor(i / 20) * 21 + (i % 20);
    const corners = [grid[at]!, grid[at + 1]!, grid[at + 21]!, grid[at + 22]!];
    const mean = (pick: (corner: (typeof grid)[number]) => number) =>
      corners.reduce((sum, corner) => sum + pick(corner) / 4, 0);
    const [easting, northing] = forward(
      mean(({ lon }) => lon),
      mean(({ lat }) => lat),
    );
    const [x, y] = pass.toLocal(
      mean(({ line }) => line),
      mean(({ pixel }) => pixel),
    );
    worst = Math.max(worst, Math.hypot(easting - frame.west - x, frame.north - northing - y));
  }
  assert.ok(worst < 3, `${worst} m`);
  // the whole swath of the mode, 250 km, goes from 30 to 46 degrees
  const wide = makeRadarPass({ ...plan, nearIncidenceDeg: 30 });
  assert.ok(Math.abs(wide.incidenceDegAt(25_000) - 45.5) < 0.7, `${wide.incidenceDegAt(25_000)}`);
  assert.ok(Math.abs(wide.incidenceDegAt(0) - 30) < 1e-9);
});

test('ground outside the world is not measured', () =>
  withFolder(async (folder) => {
    const plan = { ...descending, window: { x: -6_000, y: 30_000, widthM: 12_000, heightM: 12_000 } };
    await writeSentinel1(plan, { world, directory: folder.root });
    const { bands, width, height } = await readImage(join(folder.root, imagePath(plan, 'VV')));
    const empty = Array.from(bands[0]!).filter((value) => value === 0).length / (width * height);
    assert.ok(Math.abs(empty - 0.5) < 0.01, `${empty}`);
  }));

test('the manifest lists every file with its size and checksum', () =>
  withFolder(async (folder) => {
    await writeSentinel1(descending, { world, directory: folder.root });
    const root = join(folder.root, `${factsOf(descending).name}.SAFE`);
    const manifest = await readFile(join(root, 'manifest.safe'), 'utf8');
    const listed = [
      ...manifest.matchAll(
        /size="(\d+)">\s*<fileLocation locatorType="URL" href="\.\/([^"]+)"\/>\s*<checksum checksumName="MD5">(\w+)/g,
      ),
    ];
    assert.equal(listed.length, 8);
    for (const [, size, path = '', md5] of listed) {
      const bytes = await readFile(join(root, path));
      assert.equal(bytes.length, Number(size), path);
      assert.equal(createHash('md5').update(bytes).digest('hex'), md5, path);
    }
  }));

test('the same plan gives the same bytes', async () => {
  const make = async (seed: number) => {
    let hashes: readonly string[] = [];
    await withFolder(async (folder) => {
      await writeSentinel1({ ...ascending, seed }, { world, directory: folder.root });
      hashes = await listHashes(folder.root);
    });
    return hashes;
  };
  const first = await make(9);
  assert.equal(first.length, 9);
  assert.deepEqual(await make(9), first);
  assert.notDeepEqual(await make(10), first);
});
