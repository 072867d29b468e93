import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crop, isMeasured, sun } from './frame.ts';
import { toTopOfAtmosphere } from './imaging.ts';
import { makeLandscape, makeSurface } from './land-cover.ts';
import { bandCount, bands } from './spectra.ts';

const landscape = makeLandscape();
const B03 = bands.findIndex(({ name }) => name === 'B03');
const B04 = bands.findIndex(({ name }) => name === 'B04');
const B06 = bands.findIndex(({ name }) => name === 'B06');
const B08 = bands.findIndex(({ name }) => name === 'B08');
const B10 = bands.findIndex(({ name }) => name === 'B10');
const B11 = bands.findIndex(({ name }) => name === 'B11');

/** Mean light at the top of the atmosphere by cover, of places in full sun, on a coarse grid over the crop. */
function meanLightByCover(): Map<string, Float64Array> {
  const sums = new Map<string, { light: Float64Array; count: number }>();
  const surface = makeSurface();
  const light = new Float64Array(bandCount);
  for (let y = 35; y < crop.sizeM; y += 90) {
    for (let x = 35; x < crop.sizeM; x += 90) {
      landscape.sample(x, y, surface);
      if (surface.cloud.opacity > 0 || surface.cloud.shadow > 0) continue;
      toTopOfAtmosphere(surface, light);
      const sum = sums.get(surface.cover) ?? { light: new Float64Array(bandCount), count: 0 };
      for (let band = 0; band < bandCount; band++) sum.light[band] = sum.light[band]! + light[band]!;
      sum.count++;
      sums.set(surface.cover, sum);
    }
  }
  return new Map([...sums].map(([cover, { light, count }]) => [cover, light.map((value) => value / count)]));
}

const means = meanLightByCover();
const ratio = (cover: string, a: number, b: number): number => {
  const light = means.get(cover);
  assert.ok(light !== undefined, `there is no ${cover}`);
  return (light[a]! - light[b]!) / (light[a]! + light[b]!);
};
const ndvi = (cover: string): number => ratio(cover, B08, B04);

test('vegetation is ordered by NDVI as in the field', () => {
  assert.ok(ndvi('forest') > 0.6, `forest ${ndvi('forest')}`);
  assert.ok(ndvi('green-crop') > 0.55, `green crop ${ndvi('green-crop')}`);
  assert.ok(ndvi('orchard') > ndvi('vineyard'));
  assert.ok(ndvi('vineyard') > 0.35 && ndvi('vineyard') < 0.6, `vineyard ${ndvi('vineyard')}`);
  assert.ok(ndvi('vineyard') > ndvi('ripe-cereal'));
  assert.ok(ndvi('garrigue') > ndvi('bare-soil'));
  for (const cover of ['ripe-cereal', 'stubble', 'bare-soil'])
    assert.ok(ndvi(cover) < 0.32, `${cover} ${ndvi(cover)}`);
});

test('water is darker in the infrared than in the green, sand and roofs are not', () => {
  for (const cover of ['sea', 'lagoon', 'river']) {
    assert.ok(ndvi(cover) < 0, `${cover} has an NDVI of ${ndvi(cover)}`);
    assert.ok(ratio(cover, B03, B08) > 0.3, `${cover} has an NDWI of ${ratio(cover, B03, B08)}`);
  }
  for (const cover of ['beach', 'built-up']) {
    assert.ok(ratio(cover, B03, B08) < 0, `${cover} has an NDWI of ${ratio(cover, B03, B08)}`);
    assert.ok(ndvi(cover) < 0.35, `${cover} has an NDVI of ${ndvi(cover)}`);
  }
});

test('leaves show the red edge and the water in them', () => {
  for (const cover of ['forest', 'green-crop', 'orchard']) {
    const light = means.get(cover)!;
    assert.ok(light[B04]! < light[B06]! && light[B06]! < light[B08]!);
    assert.ok(light[B11]! < light[B08]!);
  }
});

test('the cirrus band sees neither the ground nor low clouds', () => {
  for (const [cover, light] of means) assert.ok(light[B10]! < 0.01, `${cover} shines through at 1375 nm`);
});

test('the shore follows the Natural Earth coastline within 60 m', () => {
  // Vertices of the 1:10 m coastline inside the crop.
  for (const [easting, northing] of [
    [503292, 4733084],
    [503588, 4730271],
    [503001, 4725584],
    [503299, 4719584],
  ] as const) {
    // The river's mouth may lie at a vertex, and is then the river and not the beach.
    assert.notEqual(landscape.surfaceAt(easting - 60, northing).cover, 'sea');
    assert.equal(landscape.surfaceAt(easting + 60, northing).cover, 'sea');
  }
});

test('land rises to the south-west and the sea is level', () => {
  let highest = 0;
  for (let y = 14000; y < 20000; y += 200) {
    for (let x = 200; x < 4000; x += 200) {
      highest = Math.max(highest, landscape.surfaceAt(crop.west + x, crop.north - y).ground.heightM);
    }
  }
  assert.ok(highest > 250 && highest < 900, `the highest hill is ${highest} m`);
  const plain = landscape.surfaceAt(crop.west + 11000, crop.north - 10500).ground;
  assert.ok(plain.heightM > 0 && plain.heightM < 40, `the plain lies at ${plain.heightM} m`);
  assert.equal(landscape.surfaceAt(crop.west + 18000, crop.north - 9000).ground.heightM, 0);
});

test('slopes towards the sun are brighter than slopes away from it', () => {
  const lit = makeSurface();
  lit.reflectance.fill(0.2);
  const light = (slopeX: number, slopeY: number): number => {
    const out = new Float64Array(bandCount);
    toTopOfAtmosphere({ ...lit, ground: { heightM: 0, slopeX, slopeY } }, out);
    return out[B04]!;
  };
  // Height that falls towards the sun.
  const towards = light(-sun.toX * 0.3, -sun.toY * 0.3);
  const away = light(sun.toX * 0.3, sun.toY * 0.3);
  assert.ok(towards > light(0, 0) && light(0, 0) > away, `${towards}, ${light(0, 0)}, ${away}`);
});

test('a shadow lies where the sun throws it: north-west of its cloud', () => {
  let together = 0;
  let opposite = 0;
  // 1,350 m of height at this sun.
  const throwM = 1350 * sun.tanZenith;
  for (let y = 1000; y < crop.sizeM - 1000; y += 100) {
    for (let x = 9000; x < 12500; x += 100) {
      const cloud = landscape.surfaceAt(crop.west + x, crop.north - y).cloud.opacity;
      if (cloud < 0.9) continue;
      const shadowAt = (sign: number): number =>
        landscape.surfaceAt(crop.west + x - sign * sun.toX * throwM, crop.north - y + sign * sun.toY * throwM)
          .cloud.shadow;
      together += shadowAt(1);
      opposite += shadowAt(-1);
    }
  }
  assert.ok(together > 20, `only ${together} shaded places`);
  assert.ok(together > 4 * opposite, `${together} with the sun, ${opposite} against it`);
});

test('a place is the same whatever was asked before', () => {
  const places = Array.from({ length: 200 }, (_, i) => [
    crop.west + ((i * 7919) % crop.sizeM),
    crop.north - ((i * 104729) % crop.sizeM),
  ]);
  const ask = ([easting, northing]: readonly number[]) => landscape.surfaceAt(easting!, northing!);
  const forwards = places.map(ask);
  const backwards = places.toReversed().map(ask).toReversed();
  assert.deepEqual(forwards, backwards);
});

test('only the far north-east was not measured', () => {
  assert.ok(!isMeasured(crop.sizeM - 5, 5));
  for (const [x, y] of [
    [5, 5],
    [5, crop.sizeM - 5],
    [crop.sizeM - 5, crop.sizeM - 5],
    [14500, 5],
  ] as const) {
    assert.ok(isMeasured(x, y));
  }
});
