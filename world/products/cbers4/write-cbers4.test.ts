import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSwathError } from '../../../src/errors.ts';
import { isPointInArea } from '../../../src/geo/index.ts';
import { ingestOne, withFolder } from '../../../src/ingest/folder/testing/make-folder.ts';
import { makeProjection } from '../../../src/proj/index.ts';
import { expose, sunAt } from '../../light/index.ts';
import { frame } from '../../setting.ts';
import { makeFakeWorld } from '../../testing/fake-world.ts';
import { listHashes } from '../../testing/list-hashes.ts';
import { readImage } from '../../testing/read-image.ts';
import type { Cbers4Camera, Cbers4Plan } from './plan.ts';
import { toCbers4Scene } from './plan.ts';
import { writeCbers4 } from './write-cbers4.ts';

const world = makeFakeWorld();

/** By camera: a pixel, bands with range, irradiance of the sun and radiance of a stored unit, noise in the dark. */
const cameras = {
  MUX: {
    pixelM: 20,
    type: 'uint8',
    bands: {
      BAND5: [450, 520, 1984.65, 1.68],
      BAND6: [520, 590, 1823.4, 1.62],
      BAND7: [630, 690, 1536.38, 1.59],
      BAND8: [770, 890, 981.91, 1.42],
    },
  },
  AWFI: {
    pixelM: 64,
    type: 'uint16',
    bands: {
      BAND13: [450, 520, 1984.65, 0.379],
      BAND14: [520, 590, 1823.4, 0.498],
      BAND15: [630, 690, 1536.38, 0.36],
      BAND16: [770, 890, 981.91, 0.351],
    },
  },
  PAN10M: {
    pixelM: 10,
    type: 'uint8',
    bands: {
      BAND2: [520, 590, 1823.4, 1.45],
      BAND3: [630, 690, 1536.38, 1.22],
      BAND4: [770, 890, 981.91, 0.78],
    },
  },
  PAN5M: { pixelM: 5, type: 'uint8', bands: { BAND1: [510, 850, 1259.85, 1.02] } },
} as const;

/** A scene of 200 × 160 pixels. */
const toPlan = (camera: Cbers4Camera): Cbers4Plan => {
  const { pixelM } = cameras[camera];
  return {
    camera,
    atMs: Date.UTC(2016, 6, 14, 18, 52, 30, 250),
    window: { x: 28_000, y: 31_000, widthM: 200 * pixelM, heightM: 160 * pixelM },
    pixelM: null,
    sky: { seed: 4, opaque: 0, cirrus: 0, haze: 0.2 },
    seed: 7,
  };
};

for (const camera of ['MUX', 'AWFI', 'PAN10M', 'PAN5M'] as const) {
  test(`a scene of ${camera} is ingested, and its calibrated values are what the camera saw`, () =>
    withFolder(async (folder) => {
      const plan = toPlan(camera);
      const { pixelM, type, bands } = cameras[camera];
      const { x, y } = plan.window;
      await writeCbers4(plan, { world, directory: folder.root });
      const { name } = toCbers4Scene(plan);
      const scene = await ingestOne(folder, `CBERS4${camera}/${name}`);
      assert.equal(scene.dataset, `cbers4${camera.toLowerCase()}`);
      assert.equal(scene.acquiredAt, '2016-07-14T18:52:30.250Z');
      assert.deepEqual(Object.keys(scene.assets), Object.keys(bands));
      const sun = sunAt(plan.atMs);
      assert.ok(Math.abs(scene.sunElevationDeg! - sun.elevationDeg) < 1e-4);
      assert.ok(Math.abs(scene.sunAzimuthDeg! - sun.azimuthDeg) < 1e-4);
      assert.ok(sun.elevationDeg > 55 && sun.elevationDeg < 65, 'a summer morning');

      // the Earth's distance from the sun on day 196 of the year
      const distance = 1 - 0.01672 * Math.cos(((0.9856 * (196 - 4)) / 180) * Math.PI);
      const toRadiance = Math.sin((scene.sunElevationDeg! / 180) * Math.PI) / (Math.PI * distance ** 2);
      const survey = world.ground.survey({
        width: 200,
        height: 160,
        sideM: pixelM,
        x: new Float64Array(32_000).map((_, i) => x + ((i % 200) + 0.5) * pixelM),
        y: new Float64Array(32_000).map((_, i) => y + (Math.floor(i / 200) + 0.5) * pixelM),
      });
      const { planes } = expose(world, {
        survey,
        atMs: plan.atMs,
        sky: plan.sky,
        level: 'top',
        bands: Object.entries(bands).map(([band, [from, to]]) => ({
          name: band,
          kind: 'reflective' as const,
          centreNm: (from + to) / 2,
          widthNm: to - from,
        })),
      });
      for (const [i, [band, [, , esun, gain]]] of Object.entries(bands).entries()) {
        const asset = scene.assets[band]!;
        assert.deepEqual([asset.epsg, asset.type, asset.nodata], [32610, type, 0]);
        assert.deepEqual([...asset.transform], [frame.west + x, pixelM, 0, frame.north - y, 0, -pixelM]);
        const stated = scene.calibration?.bands[band]?.radiance?.mult;
        // only those of AWFI are other than the truth, as in real products
        if (camera === 'AWFI') assert.ok(stated! > 2 * gain);
        else assert.equal(stated, gain);
        const [stored] = (await readImage(join(folder.root, name, `${name}_${band}.tif`))).bands;
        compare(stored!, planes[i]!, { reflectanceOfUnit: gain / (esun * toRadiance), type });
      }
    }));
}

/** Rounding is even within a unit; noise is less than 0.0025 everywhere. */
function compare(
  stored: ArrayLike<number>,
  truth: Float32Array,
  { reflectanceOfUnit, type }: { reflectanceOfUnit: number; type: 'uint8' | 'uint16' },
): void {
  const full = type === 'uint8' ? 255 : 1023;
  let [count, sum, worst, brightest] = [0, 0, 0, 0];
  for (let i = 0; i < stored.length; i++) {
    const value = stored[i]!;
    brightest = Math.max(brightest, value);
    if (value === 0 || value === full) continue;
    const off = value * reflectanceOfUnit - truth[i]!;
    count++;
    sum += off;
    worst = Math.max(worst, Math.abs(off));
  }
  assert.ok(count > stored.length * 0.6, `${count} pixels measured`);
  assert.ok(brightest <= full);
  assert.ok(Math.abs(sum / count) < 2e-4, `mean ${sum / count}`);
  assert.ok(worst < reflectanceOfUnit / 2 + 0.0125, `worst ${worst}`);
}

test('the scene is rotated in its image, and its record says so', () =>
  withFolder(async (folder) => {
    const plan = toPlan('MUX');
    await writeCbers4(plan, { world, directory: folder.root });
    const { name, box } = toCbers4Scene(plan);
    assert.match(name, /^CBERS_4_MUX_20160714_25[12]_046_L4$/);
    const scene = await ingestOne(folder, `CBERS4MUX/${name}`);
    const { width, height, bands } = await readImage(join(folder.root, name, `${name}_BAND7.tif`));
    const [stored] = bands;
    const { forward } = makeProjection(32610, 4326);
    let [seen, agree] = [0, 0];
    for (let i = 0; i < width * height; i++) {
      const [col, row] = [i % width, Math.floor(i / width)];
      const [lon, lat] = forward(
        frame.west + plan.window.x + (col + 0.5) * 20,
        frame.north - plan.window.y - (row + 0.5) * 20,
      );
      const isSeen = stored![i] !== 0;
      if (isSeen) seen++;
      if (isPointInArea([lon, lat], scene.footprint) === isSeen) agree++;
    }
    // along its edges the footprint may be off by a pixel or two
    assert.ok(agree > width * height * 0.95, `${agree}`);
    assert.ok(Math.abs(seen * 400 - box.acrossM * box.alongM) < 0.01 * seen * 400);
    // From north-north-east to south-south-west: the northernmost corner lies in the west, by 15 degrees of 119 lines.
    const top = stored!.subarray(2 * width, 3 * width).findIndex((value) => value > 0);
    assert.ok(top > 20 && top < 34, `${top}`);
    for (const corner of [0, width - 1, (height - 1) * width, width * height - 1]) {
      assert.equal(stored![corner], 0);
    }
  }));

test('the same plan gives the same bytes', async () => {
  const make = async (seed: number) => {
    let hashes: readonly string[] = [];
    await withFolder(async (folder) => {
      await writeCbers4({ ...toPlan('AWFI'), seed }, { world, directory: folder.root });
      hashes = await listHashes(folder.root);
    });
    return hashes;
  };
  const first = await make(7);
  assert.equal(first.length, 8);
  assert.deepEqual(await make(7), first);
  assert.notDeepEqual(await make(8), first);
});

test('coarser pixels make a smaller image of the same ground, and a window that is too narrow is refused', () =>
  withFolder(async (folder) => {
    const plan = { ...toPlan('MUX'), pixelM: 80 };
    await writeCbers4(plan, { world, directory: folder.root });
    const [name = ''] = await readdir(folder.root);
    const { width, height, transform } = await readImage(join(folder.root, name, `${name}_BAND5.tif`));
    assert.deepEqual([width, height, transform?.[1]], [50, 40, 80]);
    assert.throws(
      () => toCbers4Scene({ ...plan, window: { ...plan.window, widthM: 40_000 } }),
      (error) => isSwathError(error) && error.code === 'bad-window',
    );
  }));
