import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RadianceRange } from './index.ts';
import { findBand, sensorByAbbreviation } from './index.ts';

const ruleOf = (abbreviation: string, band: string) => {
  const sensor = sensorByAbbreviation(abbreviation);
  const found = sensor === null ? null : findBand(sensor, band);
  return found?.calibration ?? assert.fail(`${abbreviation} has no ${band}`);
};
const near = (value: number, expected: number, what: string) =>
  assert.ok(Math.abs(value - expected) < 1e-5 * Math.max(1, Math.abs(expected)), `${what}: ${value}`);

/** Chander, Markham and Helder 2009: the sun's distance in astronomical units. */
const sunDistance = (day: number) => 1 - 0.01672 * Math.cos((0.9856 * (day - 4) * Math.PI) / 180);
const toReflectance = (radiance: number, esun: number) =>
  (Math.PI * radiance * sunDistance(196) ** 2) / (esun * Math.sin(Math.PI / 3));

function pick(ranges: readonly RadianceRange[], scene: { readonly date: string; readonly gain?: 'H' | 'L' }) {
  return ranges.find(({ when = {} }) => {
    if (when.acquiredBefore !== undefined && scene.date >= when.acquiredBefore) return false;
    return when.gain === undefined || when.gain === scene.gain;
  });
}

const toRadiance = (range: RadianceRange | undefined, stored: number) => {
  assert.ok(range);
  const { radianceMin, radianceMax, storedMin, storedMax } = range;
  return ((radianceMax - radianceMin) / (storedMax - storedMin)) * (stored - storedMin) + radianceMin;
};

test('constants of MSS, TM and ETM+ give published reflectances (15 July, sun at 60 degrees)', () => {
  const cases: readonly (readonly [string, string, number, 'H' | 'L' | undefined, number, number])[] = [
    ['L5TM', 'B3', 60, undefined, 60.424606, 0.147455],
    ['L5TM', 'B4', 90, undefined, 76.456102, 0.277965],
    ['L5TM', 'B1', 80, undefined, 58.980315, 0.111486],
    ['L7', 'B3', 70, 'H', 37.894094, 0.092654],
    ['L7', 'B4', 70, 'L', 61.781102, 0.222883],
    ['L7', 'B8', 80, 'L', 72.371654, 0.199172],
    ['L7', 'B8', 80, undefined, 72.371654, 0.199172],
    ['L5MSS', 'B1', 60, undefined, 64.555118, 0.132661],
    ['L5MSS', 'B2', 60, undefined, 43.88189, 0.104767],
    ['L5MSS', 'B3', 60, undefined, 38.216535, 0.11469],
    ['L5MSS', 'B4', 60, undefined, 30.874016, 0.135605],
  ];
  for (const [sensor, band, stored, gain, radiance, reflectance] of cases) {
    const rule = ruleOf(sensor, band);
    assert.ok(rule.kind === 'reflectance' && 'radiance' in rule.fallback);
    const scene = { date: '2000-07-14', ...(gain === undefined ? {} : { gain }) };
    const found = toRadiance(pick(rule.fallback.radiance, scene), stored);
    near(found, radiance, `${sensor} ${band} radiance`);
    near(toReflectance(found, rule.fallback.esun), reflectance, `${sensor} ${band} reflectance`);
  }
});

test('Landsat 5 has another gain before 1992', () => {
  const rule = ruleOf('L5TM', 'B1');
  assert.ok(rule.kind === 'reflectance' && 'radiance' in rule.fallback);
  assert.equal(pick(rule.fallback.radiance, { date: '1991-12-31' })?.radianceMax, 169);
  assert.equal(pick(rule.fallback.radiance, { date: '1992-01-01' })?.radianceMax, 193);
});

test('thermal constants give published temperatures', () => {
  const cases = [
    ['L5TM', 'B6', 130, 293.324641],
    ['L4TM', 'B6', 130, 292.145481],
    ['L7', 'B6', 140, 299.514957],
    ['L7', 'B6_VCID_2', 140, 292.249871],
    ['L8', 'B10', 25_000, 291.705575],
    ['L8', 'B10', 30_000, 303.654992],
    ['L8', 'B11', 25_000, 295.971795],
  ] as const;
  for (const [sensor, band, stored, kelvin] of cases) {
    const rule = ruleOf(sensor, band);
    assert.ok(rule.kind === 'brightness-temperature');
    const { k1, k2, radiance } = rule.fallback;
    const found =
      'mult' in radiance ? stored * radiance.mult + radiance.add : toRadiance(radiance[0], stored);
    near(k2 / Math.log(k1 / found + 1), kelvin, `${sensor} ${band}`);
  }
});

test('Landsat 8 has published reflectance and names for its constants', () => {
  const rule = ruleOf('L8', 'B4');
  assert.ok(rule.kind === 'reflectance' && 'reflectance' in rule.fallback);
  const { mult, add } = rule.fallback.reflectance;
  near((10_000 * mult + add) / Math.sin((63 * Math.PI) / 180), 0.1122326, 'reflectance');
  assert.equal(rule.metadata.reflectanceMult, 'REFLECTANCE_MULT_BAND_4');
  const thermal = ruleOf('L7', 'B6');
  assert.equal(thermal.kind === 'brightness-temperature' && thermal.metadata.k1, 'K1_CONSTANT_BAND_6_VCID_1');
});

test('the Sentinel-2 offset starts with baseline 04.00', () => {
  for (const [sensor, baseline, stored, reflectance] of [
    ['S2', '03.01', 2500, 0.25],
    ['S2', '04.00', 3500, 0.25],
    ['S2', '05.09', 1000, 0],
    ['S2L2A', '04.00', 900, -0.01],
  ] as const) {
    const rule = ruleOf(sensor, 'B04');
    assert.ok(rule.kind === 'quantified');
    const offset = rule.offsets.findLast(({ fromBaseline }) => fromBaseline <= baseline)?.offset ?? 0;
    near((stored + offset) / rule.quantification, reflectance, `${sensor} ${baseline}`);
  }
  const rule = ruleOf('S2L2A', 'B04');
  assert.equal(rule.kind === 'quantified' && rule.metadata.offset, 'BOA_ADD_OFFSET');
});

test('CBERS-4, MODIS and NAIP', () => {
  for (const [sensor, band, stored, reflectance] of [
    ['CBERS4MUX', 'BAND7', 60, 0.232748],
    ['CBERS4MUX', 'BAND8', 80, 0.433654],
    ['CBERS4AWFI', 'BAND15', 250, 0.219574],
    ['CBERS4AWFI', 'BAND16', 300, 0.40197],
  ] as const) {
    const rule = ruleOf(sensor, band);
    assert.ok(rule.kind === 'radiance' && rule.radiance !== null);
    near(
      toReflectance(stored * rule.radiance.mult + rule.radiance.add, rule.esun),
      reflectance,
      `${sensor} ${band}`,
    );
  }
  const modis = ruleOf('MODIS', 'B01');
  assert.ok(modis.kind === 'scaled');
  near(4523 * modis.scale.mult + modis.scale.add, 0.4523, 'MODIS');
  assert.equal(ruleOf('NAIP', 'R').kind, 'none');
  assert.deepEqual(ruleOf('S1', 'VV'), { kind: 'sigma-nought', table: 'sigmaNought' });
});
