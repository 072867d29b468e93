import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../ground/ground.ts';
import { makeFakeWorld } from '../testing/fake-world.ts';
import { addNoise, expose } from './expose.ts';
import type { Exposure, ExposureRequest, SpectralBand } from './exposure.ts';
import { makeLocations, sentinel2Bands } from './testing/test-light.ts';

const deviationOf = (plane: Float32Array, mean: number): number =>
  Math.sqrt(plane.reduce((sum, value) => sum + (value - mean) ** 2, 0) / plane.length);

test('noise grows with the signal as specified and does not change the mean', () => {
  for (const signal of [0, 0.2, 0.8]) {
    const plane = new Float32Array(50_000).fill(signal);
    addNoise(plane, { dark: 0.001, shot: 4e-6, seed: 3 });
    const mean = plane.reduce((sum, value) => sum + value, 0) / plane.length;
    const expected = Math.sqrt(0.001 ** 2 + 4e-6 * signal);
    assert.ok(Math.abs(mean - signal) < 3e-5);
    assert.ok(Math.abs(deviationOf(plane, mean) / expected - 1) < 0.02);
  }
});

test('the same seed gives the same noise', () => {
  const noisy = (seed: number): Float32Array => {
    const plane = new Float32Array(100).fill(0.3);
    addNoise(plane, { dark: 0.01, shot: 0, seed });
    return plane;
  };
  assert.deepEqual(noisy(1), noisy(1));
  assert.notDeepEqual(noisy(1), noisy(2));
});

const world = makeFakeWorld();
const survey = world.ground.survey(makeLocations({ left: 40_000, top: 40_000, sideM: 60, size: 120 }));
const thermalBands: readonly SpectralBand[] = [
  { name: 'B10', kind: 'thermal', centreNm: 10_900, widthNm: 600 },
  { name: 'B11', kind: 'thermal', centreNm: 12_000, widthNm: 1000 },
];
const clear = { seed: 1, opaque: 0, cirrus: 0, haze: 0.1 };

const take = (changes: Partial<ExposureRequest> = {}): Exposure =>
  expose(world, {
    survey,
    atMs: Date.UTC(2024, 6, 10, 19, 5),
    bands: [...sentinel2Bands, ...thermalBands],
    sky: clear,
    level: 'top',
    ...changes,
  });

const bandAt = (name: string): number => sentinel2Bands.findIndex((band) => band.name === name);

function meanOf(plane: Float32Array, isWanted: (i: number) => boolean): number {
  const wanted = Array.from(plane).filter((_, i) => isWanted(i));
  assert.ok(wanted.length > 0);
  return wanted.reduce((sum, value) => sum + value, 0) / wanted.length;
}

const over =
  ({ painted }: Exposure, cover: (typeof covers)[number]) =>
  (i: number): boolean =>
    painted.cover[i] === covers.indexOf(cover);

test('the same request gives the same picture', () => {
  const sky = { seed: 5, opaque: 0.5, cirrus: 0.2, haze: 0.4 };
  assert.deepEqual(take({ sky }), take({ sky }));
});

test('the air adds most to blue and least to infrared, and more when it is hazier', () => {
  const exposure = take();
  const sea = (name: string, from = exposure): number =>
    meanOf(from.planes[bandAt(name)]!, over(from, 'sea'));
  assert.ok(sea('B01') > sea('B02') && sea('B02') > sea('B03') && sea('B03') > sea('B04'));
  assert.ok(sea('B02') > 0.06 && sea('B02') < 0.12, `blue ${sea('B02')}`);
  assert.ok(sea('B08') < 0.02, `infrared ${sea('B08')}`);
  const hazy = take({ sky: { ...clear, haze: 1 } });
  assert.ok(sea('B04', hazy) > sea('B04') + 0.01);
});

test('vapour hides half of B09 and everything in B10 except cirrus', () => {
  const exposure = take();
  const crop = over(exposure, 'crop');
  const b09 = meanOf(exposure.planes[bandAt('B09')]!, crop);
  assert.ok(b09 > 0.05 && b09 < 0.3, `${b09}`);
  assert.ok(meanOf(exposure.planes[bandAt('B10')]!, crop) < 0.003);
  const veiled = take({ sky: { ...clear, cirrus: 1 } });
  assert.ok(meanOf(veiled.planes[bandAt('B10')]!, over(veiled, 'crop')) > 0.01);
  assert.ok(veiled.cirrus.every((value) => value === 1));
});

test('at the surface the air has no effect: level ground shows what it reflects', () => {
  const exposure = take({ level: 'surface' });
  const isCrop = over(exposure, 'crop');
  for (const [band, plane] of exposure.painted.reflectance.entries()) {
    const seen = meanOf(exposure.planes[band]!, isCrop);
    assert.ok(Math.abs(seen - meanOf(plane, isCrop)) < 1e-5, sentinel2Bands[band]!.name);
  }
});

test('slopes are brighter when they face the sun', () => {
  // The fake forest climbs towards the east, so it faces the evening sun.
  const nir = (hourUtc: number): number => {
    const exposure = take({ atMs: Date.UTC(2024, 5, 20, hourUtc) });
    return meanOf(exposure.planes[bandAt('B08')]!, over(exposure, 'conifer-forest'));
  };
  assert.ok(nir(24) > 1.2 * nir(16));
});

test('opaque clouds are bright and cold, their shadows dark', () => {
  const bare = take();
  const { opaque, shadow, planes, painted } = take({ sky: { ...clear, seed: 4, opaque: 0.5 } });
  const warm = planes[13]!;
  const isSunnyLand = (i: number): boolean => shadow[i] === 0 && opaque[i] === 0 && painted.water[i] === 0;
  assert.ok(meanOf(planes[bandAt('B04')]!, (i) => opaque[i] === 1) > 0.5);
  assert.ok(meanOf(warm, (i) => opaque[i] === 1) < meanOf(warm, isSunnyLand) - 10);
  // What is left of the light in the shadows; their rims and wisps of cloud make some of them bright, so the median.
  const nir = bandAt('B08');
  const left = Array.from(planes[nir]!, (value, i) => value / bare.planes[nir]![i]!)
    .filter((_, i) => shadow[i] === 1 && painted.water[i] === 0)
    .sort((a, b) => a - b);
  assert.ok(left.length > 100);
  assert.ok(left[left.length >> 1]! < 0.7, `${left[left.length >> 1]} of the light is left`);
});

test('brightness temperatures match a mild summer day', () => {
  const exposure = take();
  const at = (band: number, cover: (typeof covers)[number]): number =>
    meanOf(exposure.planes[band]!, over(exposure, cover)) - 273.15;
  assert.ok(at(13, 'sea') > 7 && at(13, 'sea') < 15, `sea ${at(13, 'sea')} °C`);
  assert.ok(at(13, 'bare-soil') > at(13, 'crop') + 4);
  assert.ok(at(13, 'crop') > at(13, 'conifer-forest'));
  assert.ok(at(13, 'bare-soil') < 45);
  assert.ok(at(13, 'snow') < 1 && at(13, 'snow') > -12);
  const apart = at(13, 'crop') - at(14, 'crop');
  assert.ok(apart > 0.1 && apart < 3, `10.9 and 12 µm differ by ${apart} K`);
});
