import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aliasNames, findAlias, findIndexRange, findNaturalRange, sensors } from './index.ts';

const levelsOf = ({ natural }: (typeof sensors)[number]) => [
  null,
  ...(natural.ofLevels ?? []).flatMap(({ levels }) => levels),
];

test('every band that measures something has a natural range at every level', () => {
  for (const sensor of sensors) {
    for (const band of sensor.bands.filter(({ kind }) => kind !== 'quality')) {
      for (const level of levelsOf(sensor)) {
        const range =
          band.calibration.kind === 'none'
            ? findNaturalRange(sensor, band, 'stored')
            : findNaturalRange(sensor, band, { level });
        assert.ok(range !== null && range.min < range.max, `${sensor.title} ${band.name} ${level}`);
      }
    }
  }
});

test('bands whose calibration needs a table or a gain from the product have a range without it', () => {
  for (const sensor of sensors)
    for (const band of sensor.bands) {
      const { calibration } = band;
      const mayLack =
        calibration.kind === 'sigma-nought' ||
        (calibration.kind === 'radiance' && calibration.radiance === null);
      if (mayLack) assert.ok(findNaturalRange(sensor, band, 'stored'), `${sensor.title} ${band.name}`);
    }
});

test('ranges suit the kind of a band: reflectance, kelvin or decibels', () => {
  for (const sensor of sensors)
    for (const band of sensor.bands) {
      const range = findNaturalRange(sensor, band, { level: null });
      if (range === null) continue;
      const where = `${sensor.title} ${band.name}`;
      if (band.kind === 'reflective') assert.ok(range.min >= 0 && range.max < 1, where);
      if (band.kind === 'thermal') assert.ok(range.min > 200 && range.max < 350, where);
      assert.equal(range.isDecibel === true, band.kind === 'radar', where);
    }
});

test('haze is weaker at longer wavelengths: top-of-atmosphere ranges start lower from blue to red', () => {
  for (const abbreviation of ['S2', 'L8', 'L5TM', 'CBERS4MUX']) {
    const sensor = sensors.find((one) => one.abbreviation === abbreviation);
    assert.ok(sensor);
    const begins = ['BLUE', 'GREEN', 'RED'].map((role) => sensor.natural.ranges[role]?.min ?? 0);
    assert.deepEqual(
      begins,
      begins.toSorted((one, other) => other - one),
    );
  }
});

test('every index and change has a range', () => {
  for (const name of aliasNames) {
    const alias = sensors.map((sensor) => findAlias(sensor, name)).find((one) => one !== null);
    if (alias?.kind !== 'composite') assert.ok(findIndexRange(name.toLowerCase()), name);
  }
  assert.equal(findIndexRange('NOTHING'), null);
});
