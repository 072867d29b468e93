/** Every sensor's product, taken in and calibrated as for a tile, equals what was there, but for noise and rounding. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Asset, Scene } from '../../src/catalog/index.ts';
import { makeJp2Decoder } from '../../src/formats/jp2/index.ts';
import type { TestFolder } from '../../src/ingest/folder/testing/make-folder.ts';
import { makeTestFolder } from '../../src/ingest/folder/testing/make-folder.ts';
import { ingestFolder } from '../../src/ingest/index.ts';
import type { PixelArray } from '../../src/raster/index.ts';
import { planBandInput } from '../../src/render/plan/calibration.ts';
import type { Sensor } from '../../src/sensors/index.ts';
import { sensorByDataset } from '../../src/sensors/index.ts';
import type { DemoPart } from '../../world/demo/demo-part.ts';
import { findTruth } from '../../world/demo/truth.ts';
import type { Locations } from '../../world/ground/ground.ts';
import type { World } from '../../world/ground/world.ts';
import type { Exposure } from '../../world/light/exposure.ts';
import { backscatter, expose } from '../../world/light/index.ts';
import { makeRadarPass } from '../../world/products/sentinel1/plan.ts';
import { readImage } from '../../world/testing/read-image.ts';
import { DEMO_DATASETS } from '../support/demo-datasets.ts';
import { assertApproved } from './approved-bytes.ts';
import { makeCalibrate, toLimits, toPhotograph } from './calibrate.ts';
import type { Difference } from './compare-with-truth.ts';
import { compareWithTruth } from './compare-with-truth.ts';
import { isMeasure, toLocations, toMoment, toSpectral } from './see-product.ts';
import { copyParts, openWorld } from './shared-world.ts';
import type { SmallProduct } from './small-products.ts';
import { approvedProducts, smallProducts } from './small-products.ts';
import { statedNoise } from './stated-noise.ts';

/** Photographs of three colours have nothing that those of four have not. */
const products = smallProducts.filter(({ part }) => part.key !== 'naip-rgb');

let world: World;
let folder: TestFolder;
const calibrate = makeCalibrate();
const sceneOf = new Map<string, Scene>();

before(async () => {
  world = await openWorld();
  folder = await makeTestFolder();
  const toFolder = ({ key }: DemoPart): string => join(folder.root, key);
  await copyParts(
    products.map(({ part }) => part),
    toFolder,
  );
  for (const { part } of products) {
    const known = new Set(folder.scenes.keys());
    const report = await ingestFolder({ ...folder.options, path: toFolder(part) });
    assert.deepEqual(
      report.products.map(({ outcome }) => outcome),
      ['ingested'],
      part.key,
    );
    const [viewId, ...more] = [...folder.scenes.keys()].filter((one) => !known.has(one));
    assert.ok(viewId !== undefined && more.length === 0, `${part.key} has no view id of its own`);
    sceneOf.set(part.key, folder.scenes.get(viewId)!);
  }
});
after(() => folder.remove());

const jp2Decoder = makeJp2Decoder();
async function readStored({ href, bandIndex }: Asset): Promise<PixelArray> {
  return (await readImage(href, jp2Decoder)).bands[bandIndex]!;
}

/** AWFI's metadata are known to be wrong, and photographs have no scale; all others say how they are calibrated. */
const SILENT = new Set(['cbers4awfi', 'naip']);

function toValues(scene: Scene, sensor: Sensor, band: string, pixels: PixelArray) {
  const { width, height } = scene.assets[band]!;
  const { dataset } = sensor;
  const plan = planBandInput({ scene, sensor, band, calibrated: true });
  assert.equal(plan.notes.length, SILENT.has(dataset) ? 1 : 0, `${dataset} ${band}: ${plan.notes.join()}`);
  assert.equal(plan.quantity === 'stored', dataset === 'naip', `${dataset} ${band} is ${plan.quantity}`);
  const shifted = (by: number): Float32Array => {
    const numbers = Float32Array.from(pixels, (number) => number + by);
    if (dataset === 'naip') return numbers.map(toPhotograph(band));
    return calibrate({ plan, pixels: numbers, width, height });
  };
  return { values: shifted(0), below: shifted(-0.5), above: shifted(0.5) };
}

interface Found extends Difference {
  readonly band: string;
  readonly truth: Float32Array;
  readonly locations: Locations;
  readonly exposure: Exposure;
}

/** Every band of a product with the truth; bands with the same pixels are seen in one exposure. */
async function compareAll({ dataset, part }: SmallProduct): Promise<readonly Found[]> {
  const sensor = sensorByDataset(dataset)!;
  const scene = sceneOf.get(part.key)!;
  const bands = sensor.bands.filter((band) => isMeasure(band) && scene.assets[band.name] !== undefined);
  const found: Found[] = [];
  const groups = Map.groupBy(bands, ({ name }) => {
    const { transform, width, height } = scene.assets[name]!;
    return [...transform, width, height].join(' ');
  });
  for (const group of groups.values()) {
    const asset = scene.assets[group[0]!.name]!;
    const locations = toLocations(asset, asset.transform[1]);
    const survey = world.ground.survey(locations);
    const exposure = expose(world, { survey, bands: group.map(toSpectral), ...toMoment(part) });
    for (const [i, band] of group.entries()) {
      const image = scene.assets[band.name]!;
      const stored = await readStored(image);
      const truth = exposure.planes[i]!;
      const difference = compareWithTruth({
        stored,
        truth,
        noise: statedNoise(dataset, band),
        nodata: image.nodata,
        ...toValues(scene, sensor, band.name, stored),
        limits: toLimits(sensor, image),
      });
      found.push({ ...difference, band: band.name, truth, locations, exposure });
    }
  }
  return found;
}

const optical = products.filter(({ dataset }) => dataset !== 'sentinel1');

test('there is a small product of every sensor of the demo', () => {
  assert.deepEqual(new Set(products.map(({ dataset }) => dataset)), new Set(DEMO_DATASETS));
});

/** Bands that are dark enough to be cut off at the lowest number almost everywhere: cirrus, before an offset was added. */
const DARK = new Set(['sentinel2-l1c-polygons B10']);
const ENOUGH = 120;

/** Of a hundred bands some lie beyond three standard errors by chance; a sensor's bands together may not. */
function checkMoments(found: readonly Found[], key: string): void {
  const counted = found.filter(({ band }) => !DARK.has(`${key} ${band}`));
  for (const { band, count, mean, deviation } of counted) {
    assert.ok(count > ENOUGH, `${key} ${band}: only ${count} pixels`);
    assert.ok(Math.abs(mean) < 4 / Math.sqrt(count), `${key} ${band} is biased by ${mean} deviations`);
    // the spread's own standard error is 1 / sqrt(2 n)
    const slack = 0.01 + 4 / Math.sqrt(2 * count);
    assert.ok(Math.abs(deviation - 1) < slack, `${key} ${band} deviates ${deviation} times as it may`);
  }
  const all = counted.reduce((sum, { count }) => sum + count, 0);
  const mean = counted.reduce((sum, one) => sum + one.mean * one.count, 0) / all;
  assert.ok(Math.abs(mean) < 3 / Math.sqrt(all), `${key} is biased by ${mean} deviations`);
}

/** Mean product of two rows of deviations, in standard errors: 0 when they have nothing to do with each other. */
function correlate(one: Float32Array, other: Float32Array): number {
  let [sum, count] = [0, 0];
  for (let i = 0; i < Math.min(one.length, other.length); i++) {
    const product = one[i]! * other[i]!;
    if (Number.isNaN(product)) continue;
    sum += product;
    count++;
  }
  return count === 0 ? 0 : sum / Math.sqrt(count);
}

/** The same instrument with two gains sees the same noise twice. */
const TWICE = new Set(['B6 B6_VCID_2']);

function checkIndependence(found: readonly Found[], key: string): void {
  for (const [i, { band, offs, locations }] of found.entries()) {
    for (const [what, shift] of [
      ['columns', 1],
      ['rows', locations.width],
    ] as const) {
      assert.ok(
        Math.abs(correlate(offs, offs.subarray(shift))) < 4.5,
        `${key} ${band}: noise goes on over ${what}`,
      );
    }
    for (const other of found.slice(i + 1)) {
      if (other.offs.length !== offs.length || TWICE.has(`${band} ${other.band}`)) continue;
      const off = correlate(offs, other.offs);
      assert.ok(Math.abs(off) < 4.5, `${key}: ${band} and ${other.band} share noise (${off})`);
    }
  }
}

test('what the pixels are compared in has the bytes that every other process makes', () =>
  assertApproved(folder.root, approvedProducts));

for (const product of optical) {
  const { key } = product.part;
  test(`${key}: calibrated pixels are the truth with noise and rounding, and nothing else`, async () => {
    const found = await compareAll(product);
    for (const { band, outliers, measured } of found) {
      assert.ok(measured > ENOUGH, `${key} ${band}: only ${measured} pixels`);
      assert.equal(outliers, 0, `${key} ${band} has pixels that noise cannot explain`);
    }
    checkMoments(found, key);
    checkIndependence(found, key);
    checkTruth(product, found);
  });
}

/** The answers of `swath demo truth` at pixels of the finest bands. */
function checkTruth({ dataset, part }: SmallProduct, found: readonly Found[]): void {
  const sensor = sensorByDataset(dataset)!;
  const { atMs, sky, level } = toMoment(part);
  const finestM = Math.min(...sensor.bands.map(({ resolutionM }) => resolutionM));
  const finest = found.filter(({ locations }) => locations.sideM === finestM);
  // pixels of MODIS are not quite 500 m wide
  if (dataset === 'modis') return;
  const { locations, exposure } = finest[0]!;
  // as seen from space through the scene's sky; the ground itself below none
  const bands = finest.map(({ band }) => toSpectral(sensor.bands.find(({ name }) => name === band)!));
  const survey = world.ground.survey(locations);
  const clear = { seed: 0, opaque: 0, cirrus: 0, haze: 0 };
  const ground = expose(world, { survey, atMs, bands, sky: clear, level: 'surface' });
  for (const share of [0.28, 0.67]) {
    const i = Math.floor(share * locations.x.length + share * locations.width);
    const truth = findTruth(world, { x: locations.x[i]!, y: locations.y[i]! }, { sensor, atMs, sky });
    const [opaque, cirrus, shadow] = [exposure.opaque[i], exposure.cirrus[i], exposure.shadow[i]];
    assert.equal(truth.cloud, opaque ? 'opaque' : cirrus ? 'cirrus' : shadow ? 'shadow' : 'none');
    for (const [k, { band, truth: plane }] of finest.entries()) {
      const { surface, top } = truth.bands.find(({ name }) => name === band)!;
      isNear(surface, ground.planes[k]![i]!, `${part.key} ${band} on the ground`);
      if (level === 'top') isNear(top, plane[i]!, `${part.key} ${band} from space`);
    }
  }
}

const isNear = (found: number, expected: number, what: string): void =>
  assert.ok(Math.abs(found - expected) < 1e-6 * expected, `${what}: ${found}, not ${expected}`);

test('sentinel1: calibrated pixels are sigma nought with the speckle of its looks', async () => {
  const { part } = smallProducts.find(({ dataset }) => dataset === 'sentinel1')!;
  assert.ok(part.kind === 'sentinel1');
  const scene = sceneOf.get(part.key)!;
  const sensor = sensorByDataset('sentinel1')!;
  const pass = makeRadarPass(part.plan);
  const locations = toLocations(scene.assets.VV!, part.plan.spacingM);
  const survey = world.ground.survey(locations);
  const incidenceDeg = Float32Array.from(locations.x, (_, i) => pass.incidenceDegAt(i % locations.width));
  // 4.4 looks at a resolution of 20 m are this many in pixels of 30 m
  const looks = 4.4 * 1.5 ** 2;
  const offs = [];
  for (const polarisation of ['VV', 'VH'] as const) {
    const asset = scene.assets[polarisation]!;
    const plan = planBandInput({ scene, sensor, band: polarisation, calibrated: true });
    assert.equal(plan.quantity, 'sigma-nought');
    const values = calibrate({ plan, pixels: await readStored(asset), ...locations });
    const truth = backscatter(world, {
      survey,
      atMs: part.plan.atMs,
      polarisation,
      incidenceDeg,
      lookAzimuthDeg: pass.lookAzimuthDeg,
      looks: 1000,
      seed: 1,
    });
    const ratios = values.map((value, i) => value / truth[i]! - 1);
    const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
    const variance = ratios.reduce((sum, ratio) => sum + ratio * ratio, 0) / ratios.length;
    const wanted = 1 / looks + 1 / 1000;
    const error = Math.sqrt(wanted / ratios.length);
    // the truth's own thousand looks make their mean of quotients a thousandth too large
    assert.ok(Math.abs(mean - 0.001) < 3 * error, `${polarisation} is biased by ${mean}`);
    assert.ok(Math.abs(variance / wanted - 1) < 0.05, `${polarisation} varies by ${variance}, not ${wanted}`);
    offs.push(ratios.map((ratio) => ratio / Math.sqrt(wanted)));
    assert.ok(Math.abs(correlate(offs.at(-1)!, offs.at(-1)!.subarray(1))) < 4.5);
  }
  assert.ok(Math.abs(correlate(offs[0]!, offs[1]!)) < 4.5, 'polarisations have speckle of their own');
});
