import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { geometryBounds, isPointInArea } from '../../../src/geo/index.ts';
import type { TestFolder } from '../../../src/ingest/folder/testing/make-folder.ts';
import { makeTestFolder } from '../../../src/ingest/folder/testing/make-folder.ts';
import { ingestFolder } from '../../../src/ingest/index.ts';
import { makeProjection } from '../../../src/proj/index.ts';
import type { Exposure } from '../../light/exposure.ts';
import { expose } from '../../light/index.ts';
import { frame } from '../../setting.ts';
import { makeSurveyCache } from '../product-deps.ts';
import { toMission } from './missions.ts';
import { at, cases, etm, tm, window, world } from './testing/landsat-cases.ts';
import type { ReadImage, ReadProduct } from './testing/read-product.ts';
import { readProduct } from './testing/read-product.ts';
import type { LandsatPlan } from './write-landsat.ts';
import { writeLandsat } from './write-landsat.ts';

let folder: TestFolder;
const products = new Map<string, ReadProduct>();

before(async () => {
  folder = await makeTestFolder();
  const deps = { world, directory: folder.root };
  for (const { plan, start } of cases) {
    await writeLandsat(plan, deps);
    products.set(start, await readProduct(folder.root, start));
  }
  const report = await ingestFolder(folder.options);
  assert.deepEqual(
    report.products.filter(({ outcome }) => outcome !== 'ingested'),
    [],
  );
});
after(() => folder.remove());

/** What the world shows at the middles of a file's pixels, in one band of the instrument. */
function lookAt({ width, height, transform }: ReadImage, plan: LandsatPlan, bandName: string): Exposure {
  const [west, pixelM, , north] = transform;
  const local = (origin: number, index: number) => origin + (index + 0.5) * pixelM;
  const x = new Float64Array(width * height).map((_, i) => local(west - frame.west, i % width));
  const y = new Float64Array(width * height).map((_, i) => local(frame.north - north, Math.floor(i / width)));
  const survey = world.ground.survey({ width, height, x, y, sideM: pixelM });
  const { kind, centreNm, widthNm } = toMission(plan.mission).sensor.bands.find(
    ({ name, spellings }) => name === bandName || spellings.includes(bandName),
  )!;
  const band = {
    name: bandName,
    kind: kind as 'reflective',
    centreNm: centreNm!,
    widthNm: widthNm!,
  };
  return expose(world, { survey, atMs: plan.atMs, bands: [band], sky: plan.sky, level: 'top' });
}

/** What the numbers of the MTL file make of a stored number. */
function makeCalibrate(product: ReadProduct, key: string): (stored: number) => number {
  const scaleOf = (kind: string) => {
    const mult = product.number(`${kind}_MULT_BAND_${key}`);
    const add = product.number(`${kind}_ADD_BAND_${key}`);
    return (stored: number) => mult * stored + add;
  };
  if (product.text.includes(`K1_CONSTANT_BAND_${key} `)) {
    const k1 = product.number(`K1_CONSTANT_BAND_${key}`);
    const k2 = product.number(`K2_CONSTANT_BAND_${key}`);
    const toRadiance = scaleOf('RADIANCE');
    return (stored) => k2 / Math.log(k1 / toRadiance(stored) + 1);
  }
  const sine = Math.sin((product.number('SUN_ELEVATION') * Math.PI) / 180);
  const toReflectance = scaleOf('REFLECTANCE');
  return (stored) => toReflectance(stored) / sine;
}

for (const { plan, start, viewId, bands } of cases) {
  test(`${start} is ingested as ${viewId}`, () => {
    const scene = folder.scenes.get(viewId);
    assert.ok(scene !== undefined, `only ${[...folder.scenes.keys()].join(', ')}`);
    const product = products.get(start)!;
    assert.equal(scene.dataset, plan.mission);
    assert.equal(scene.productId, start);
    assert.equal(scene.acquiredAt, new Date(plan.atMs).toISOString());
    assert.equal(scene.cloudPercent, product.number('CLOUD_COVER'));
    assert.equal(scene.sunElevationDeg, product.number('SUN_ELEVATION'));
    assert.ok(scene.sunElevationDeg! > 25 && scene.sunElevationDeg! < 66);
    assert.ok(scene.sunAzimuthDeg! > 120 && scene.sunAzimuthDeg! < 165);
    assert.equal(Object.keys(scene.assets).length, bands.length + 1);
    assert.equal(scene.assets.BQA!.epsg, 32_610);
    assert.deepEqual([scene.fields.path, scene.fields.row], [46, 26]);
  });

  test(`${start} has a tilted footprint inside its frame`, () => {
    const { footprint } = folder.scenes.get(viewId)!;
    const { forward } = makeProjection(32_610, 4326);
    const toLonLat = (x: number, y: number) => forward(frame.west + x, frame.north - y);
    const { x: minX, y: minY } = window;
    const [maxX, maxY] = [minX + window.widthM, minY + window.heightM];
    const [midX, midY] = [(minX + maxX) / 2, (minY + maxY) / 2];
    assert.ok(isPointInArea(toLonLat(midX, midY), footprint));
    // a tilted scene reaches its frame's sides right of the upper left corner and left of the lower right one
    for (const [x, y] of [
      [minX + 1_100, minY + 400],
      [maxX - 1_100, maxY - 400],
    ] as const) {
      assert.ok(isPointInArea(toLonLat(x, y), footprint), `${x} ${y}`);
    }
    for (const [x, y] of [
      [minX + 200, minY + 200],
      [maxX - 600, minY + 200],
      [maxX - 200, maxY - 200],
    ] as const) {
      assert.ok(!isPointInArea(toLonLat(x, y), footprint), `${x} ${y}`);
    }
    const bounds = geometryBounds(footprint);
    const [west, north] = toLonLat(minX, minY);
    assert.ok(Math.abs(bounds.west - west) < 0.003 && Math.abs(bounds.north - north) < 0.003);
  });

  test(`${start} calibrates back to the ground truth, in every band`, async () => {
    const product = products.get(start)!;
    const { reflectiveNoise, thermalNoise } = toMission(plan.mission);
    for (const key of bands) {
      const image = await product.image(`B${key}`);
      const max = product.number(`QUANTIZE_CAL_MAX_BAND_${key}`);
      const truth = lookAt(image, plan, `B${key}`).planes[0]!;
      const calibrate = makeCalibrate(product, key);
      const isThermal = product.text.includes(`K1_CONSTANT_BAND_${key} `);
      const { dark, shot } = isThermal ? thermalNoise : reflectiveNoise;
      let [count, sum] = [0, 0];
      for (const [i, stored] of image.pixels.entries()) {
        if (stored === 0) continue;
        const is = truth[i]!;
        // the noise is never beyond 3.45 deviations, and a stored number stands for what rounds to it
        const noise = 3.46 * Math.sqrt(dark * dark + shot * Math.max(0, is));
        const slack = noise + (calibrate(stored + 0.501) - calibrate(stored - 0.501)) / 2 + 1e-6;
        if (stored === max) assert.ok(is > calibrate(max) - slack, `B${key} too bright at ${i}`);
        else if (stored === 1) assert.ok(is < calibrate(1) + slack, `B${key} too dark at ${i}`);
        else {
          const off = calibrate(stored) - is;
          assert.ok(Math.abs(off) <= slack, `B${key} is off by ${off} at ${i}, slack ${slack}`);
          count++;
          sum += off;
        }
      }
      assert.ok(count > 300, `B${key}: only ${count} pixels`);
      const step = calibrate(101) - calibrate(100);
      const deviation = Math.sqrt(dark * dark + shot * 0.3 + (step * step) / 12);
      assert.ok(Math.abs(sum / count) < (5 * deviation) / Math.sqrt(count), `B${key} is biased`);
    }
  });

  test(`${start} marks clouds, shadows, snow and water where they are`, async () => {
    const product = products.get(start)!;
    const collection = plan.collection ?? 2;
    const { quality } = toMission(plan.mission);
    const image = await product.image(collection === 1 ? 'BQA' : 'QA_PIXEL');
    const { width, height, pixels } = image;
    const { opaque, cirrus, shadow, painted } = lookAt(image, plan, 'B2');
    const red = (await product.image('B2')).pixels;
    const bit = (value: number, at: number, bits = 1) => (value >> at) & ((1 << bits) - 1);
    const isNearCloud = (i: number) => {
      const [row, column] = [Math.floor(i / width), i % width];
      for (let y = Math.max(0, row - 3); y <= Math.min(height - 1, row + 3); y++) {
        for (let x = Math.max(0, column - 3); x <= Math.min(width - 1, column + 3); x++) {
          const near = y * width + x;
          if (opaque[near] === 1 && pixels[near] !== 1) return true;
        }
      }
      return false;
    };
    let [seen, cloudy, shady] = [0, 0, 0];
    for (const [i, value] of pixels.entries()) {
      assert.equal(value === 1, red[i] === 0);
      if (value === 1) continue;
      const [cloud, veil, dim] = [opaque[i]!, cirrus[i]!, shadow[i]!];
      const [snow, water] = [painted.snow[i]! > 0.5 ? 1 : 0, painted.water[i]! > 0.5 ? 1 : 0];
      const sure = (is: number) => (is === 1 ? 3 : 1);
      seen++;
      cloudy += cloud;
      shady += dim;
      const isOli = quality === 'oli';
      if (collection === 1) {
        assert.deepEqual(
          [bit(value, 4), bit(value, 5, 2), bit(value, 7, 2), bit(value, 9, 2), bit(value, 11, 2)],
          [cloud, sure(cloud), sure(dim), sure(snow), sure(veil)],
        );
      } else if (quality === 'mss') assert.equal(value, cloud === 1 ? 776 : 256);
      else {
        const near = cloud === 0 && isNearCloud(i) ? 1 : 0;
        assert.deepEqual(
          [1, 2, 3, 4, 5, 6, 7].map((one) => bit(value, one)),
          [near, isOli ? veil : 0, cloud, dim, snow, cloud + near === 0 ? 1 : 0, water],
        );
        assert.deepEqual(
          [8, 10, 12, 14].map((one) => bit(value, one, 2)),
          [sure(cloud), sure(dim), sure(snow), isOli ? sure(veil) : 0],
        );
      }
    }
    assert.ok(cloudy > 20 && shady > 5, `${cloudy} cloudy, ${shady} shady`);
    assert.ok(Math.abs(product.number('CLOUD_COVER') - (100 * cloudy) / seen) < 0.006);
  });
}

test('saturated pixels are marked', async () => {
  const product = products.get('LT05_L1TP_046026_20080820_20200831_02_T1')!;
  const { pixels } = await product.image('QA_RADSAT');
  for (const key of tm) {
    const { pixels: stored } = await product.image(`B${key}`);
    const isAny = stored.some((value) => value === 255);
    assert.match(product.text, new RegExp(`SATURATION_BAND_${key} = "${isAny ? 'Y' : 'N'}"`));
    for (const [i, value] of stored.entries()) {
      assert.equal((pixels[i]! >> (Number(key) - 1)) & 1, value === 255 ? 1 : 0);
    }
  }
  assert.ok(pixels.some((value) => value > 0));
});

test('metadata in three formats state the same', async () => {
  const { folder: path, id, text } = products.get(cases[0]!.start)!;
  const json = JSON.parse(await readFile(join(path, `${id}_MTL.json`), 'utf8'));
  const xml = await readFile(join(path, `${id}_MTL.xml`), 'utf8');
  const lines = [...text.matchAll(/^ {4}(\w+) = "?(.*?)"?$/gm)];
  assert.ok(lines.length > 200);
  const groups = Object.values(json.LANDSAT_METADATA_FILE as Record<string, Record<string, string>>);
  for (const [, key = '', value = ''] of lines) {
    assert.ok(
      groups.some((group) => group[key] === value),
      key,
    );
    assert.ok(xml.includes(`<${key}>${value}</${key}>`), key);
  }
});

/** Hashes of a folder's files by name. */
async function hashFiles(path: string): Promise<Record<string, string>> {
  const names = (await readdir(path)).sort();
  const hashes = names.map(async (name) => {
    const bytes = await readFile(join(path, name));
    return [name, createHash('sha256').update(bytes).digest('hex')];
  });
  return Object.fromEntries(await Promise.all(hashes));
}

test('the same plan gives the same bytes, with a cached survey or its own', async () => {
  const second = await makeTestFolder();
  try {
    const { plan, start } = cases[3]!;
    const surveys = makeSurveyCache(1e6);
    await writeLandsat(plan, { world, directory: second.root, surveys });
    const first = products.get(start)!;
    assert.deepEqual(await hashFiles(join(second.root, first.id)), await hashFiles(first.folder));
  } finally {
    await second.remove();
  }
});

test('Landsat 7 has the same gaps in all bands since its line corrector broke, and none before', async () => {
  const second = await makeTestFolder();
  try {
    const directory = second.root;
    const share = ({ pixels }: ReadImage) =>
      [...pixels].filter((value) => value === 0).length / pixels.length;
    await writeLandsat(at('landsat7', '2003-05-30T18:51:40Z'), { world, directory });
    const whole = await readProduct(directory, 'LE07_L1TP_046026_2003');
    const torn = products.get('LE07_L1TP_046026_20120714_20200914_02_T1')!;
    assert.match(whole.text, /SENSOR_MODE_SLC = "ON"/);
    assert.match(torn.text, /SENSOR_MODE_SLC = "OFF"/);
    const missing = share(await torn.image('B4')) - share(await whole.image('B4'));
    assert.ok(missing > 0.08 && missing < 0.2, `${missing} missing`);
    const { pixels: quality } = await torn.image('QA_PIXEL');
    for (const key of etm.filter((one) => one !== '8')) {
      const { pixels } = await torn.image(`B${key}`);
      for (const [i, value] of quality.entries()) assert.equal(value === 1, pixels[i] === 0);
    }
  } finally {
    await second.remove();
  }
});
