import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planBandScales } from './band-scale.ts';
import type { LandsatMission } from './missions.ts';
import { toMission } from './missions.ts';

/** The distance of the sun on day 196. */
const day = { acquiredOn: '2008-07-14', earthSunDistanceAu: 1.016503 };

/** Worked examples of Chander, Markham and Helder 2009 at a sun 60 degrees high: radiance, and reflectance or kelvin. */
const examples: readonly (readonly [LandsatMission, string, number, number, number])[] = [
  ['landsat5tm', '3', 60, 60.424606, 0.147455],
  ['landsat5tm', '4', 90, 76.456102, 0.277965],
  ['landsat5tm', '1', 80, 58.980315, 0.111486],
  ['landsat5tm', '6', 130, 8.38115, 293.324641],
  ['landsat4tm', '6', 130, 8.381251, 292.145481],
  ['landsat7', '3', 70, 37.894094, 0.092654],
  ['landsat7', '4', 70, 61.781102, 0.222883],
  ['landsat7', '8', 80, 72.371654, 0.199172],
  ['landsat7', '6_VCID_1', 140, 9.325039, 299.514957],
  ['landsat7', '6_VCID_2', 140, 8.371457, 292.249871],
  ['landsat5mss', '1', 60, 64.555118, 0.132661],
  ['landsat5mss', '2', 60, 43.88189, 0.104767],
  ['landsat5mss', '3', 60, 38.216535, 0.11469],
  ['landsat5mss', '4', 60, 30.874016, 0.135605],
];

const near = (is: number, should: number, what: string) =>
  assert.ok(Math.abs(is / should - 1) < 1e-4, `${what}: ${is} is not ${should}`);

test('scales of the older instruments match the handbook, to the digits of the metadata', () => {
  for (const [mission, key, stored, radiance, value] of examples) {
    const scale = planBandScales(toMission(mission), day).find((one) => one.key === key)!;
    const is = scale.radiance.mult * stored + scale.radiance.add;
    near(is, radiance, `${mission} ${key} radiance`);
    if (scale.thermal !== null) {
      near(scale.thermal.k2 / Math.log(scale.thermal.k1 / is + 1), value, `${mission} ${key} kelvin`);
      continue;
    }
    const { mult, add } = scale.reflectance!;
    near((mult * stored + add) / Math.sin(Math.PI / 3), value, `${mission} ${key} reflectance`);
  }
});

test('scales of Landsat 8 match its products', () => {
  const scales = planBandScales(toMission('landsat8'), { ...day, earthSunDistanceAu: 0.984075 });
  const texts = new Map(scales.map((scale) => [scale.key, scale.texts]));
  assert.deepEqual(
    [texts.get('4')!.reflectanceMult, texts.get('4')!.reflectanceAdd],
    ['2.0000E-05', '-0.100000'],
  );
  assert.deepEqual([texts.get('10')!.radianceMult, texts.get('10')!.radianceAdd], ['3.3420E-04', '0.10000']);
  // a real product of a day with this distance states 1.2965E-02 and -64.82708
  const { mult, add } = scales[0]!.radiance;
  near(mult, 1.2965e-2, 'radiance of band 1');
  near(add, -64.82708, 'radiance of band 1 at 0');
});

test('bands 1 and 2 of Landsat 5 had another scale until 1991', () => {
  const at = (acquiredOn: string) =>
    planBandScales(toMission('landsat5tm'), { ...day, acquiredOn })[0]!.radiance.mult;
  near(at('1991-12-31') * 254, 170.52, 'early');
  near(at('1992-01-01') * 254, 194.52, 'late');
});
