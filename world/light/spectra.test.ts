import assert from 'node:assert/strict';
import { test } from 'node:test';
import { materials } from '../ground/materials.ts';
import { bandMean, spectra, toPalette } from './spectra.ts';
import { sentinel2Bands } from './testing/test-light.ts';

const palette = toPalette(sentinel2Bands);
const at = (name: string): number => sentinel2Bands.findIndex((band) => band.name === name);

function contrast(material: (typeof materials)[number], over: string, under: string): number {
  const values = palette.of[material];
  const [a, b] = [values[at(over)]!, values[at(under)]!];
  return (a - b) / (a + b);
}

test('every material has a complete spectrum of plausible reflectances', () => {
  for (const material of materials) {
    const spectrum = spectra[material];
    assert.ok(spectrum.length >= 20, material);
    spectrum.forEach(([nm, reflectance], i) => {
      assert.ok(reflectance > 0 && reflectance < 1, `${material} at ${nm} nm`);
      if (i > 0) assert.ok(nm > spectrum[i - 1]![0], `${material} at ${nm} nm`);
    });
  }
});

test('green plants, soil, snow, water and char are visible in the common indices', () => {
  assert.ok(contrast('green-crop', 'B08', 'B04') > 0.8);
  assert.ok(contrast('conifer', 'B08', 'B04') > 0.75);
  for (const soil of ['pale-soil', 'dark-soil', 'red-soil', 'wet-soil'] as const) {
    assert.ok(contrast(soil, 'B08', 'B04') < 0.25, soil);
  }
  assert.ok(contrast('fresh-snow', 'B03', 'B11') > 0.6);
  assert.ok(contrast('old-snow', 'B03', 'B11') > 0.6);
  assert.ok(contrast('lake-water', 'B03', 'B08') > 0.5);
  assert.ok(contrast('conifer', 'B08', 'B12') - contrast('char', 'B08', 'B12') > 0.66);
});

test('the red edge is between B04 and B07, and leaf water is visible in B11', () => {
  const leaf = palette.of['green-crop'];
  assert.ok(leaf[at('B05')]! > 2 * leaf[at('B04')]!);
  assert.ok(leaf[at('B06')]! > 3 * leaf[at('B05')]!);
  assert.ok(leaf[at('B07')]! > leaf[at('B06')]!);
  assert.ok(leaf[at('B11')]! < 0.6 * leaf[at('B8A')]!);
});

test('a band has the mean of what it covers, and a thermal band reflects nothing', () => {
  const ramp = [
    [400, 0],
    [800, 0.4],
  ] as const;
  assert.ok(Math.abs(bandMean(ramp, { centreNm: 600, widthNm: 100 }) - 0.2) < 1e-9);
  const peak = [
    [590, 0],
    [600, 1],
    [610, 0],
  ] as const;
  const wide = bandMean(peak, { centreNm: 600, widthNm: 200 });
  assert.ok(wide > 0.02 && wide < 0.12, `${wide}`);
  const thermal = toPalette([{ name: 'B10', kind: 'thermal', centreNm: 10_900, widthNm: 600 }]);
  assert.equal(thermal.of.asphalt[0], 0);
});
