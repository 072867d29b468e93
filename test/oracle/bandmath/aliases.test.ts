import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  describeExpressions,
  interpretTree,
  parseExpressions,
  tileLimits,
} from '../../../src/bandmath/index.ts';
import type { Sensor } from '../../../src/sensors/index.ts';
import {
  aliasNames,
  findAlias,
  sensorByAbbreviation,
  sensors,
  toExpressionNames,
} from '../../../src/sensors/index.ts';

/** One pixel's reflectance by role. */
const REFLECTANCE: Readonly<Record<string, number>> = {
  COASTAL: 0.12,
  BLUE: 0.1,
  GREEN: 0.11,
  RED: 0.08,
  REDEDGE1: 0.13,
  REDEDGE2: 0.25,
  REDEDGE3: 0.32,
  NIR: 0.38,
  NIR2: 0.4,
  WATERVAPOUR: 0.15,
  SWIR1: 0.2,
  SWIR2: 0.1,
};

function computeOn(sensor: Sensor, text: string): number {
  const tree = parseExpressions(text, toExpressionNames(sensor));
  const reflectanceOf = (name: string): number =>
    REFLECTANCE[sensor.bands.find((band) => band.name === name)?.role ?? ''] ?? Number.NaN;
  const bands = tree.inputs.map(({ band }) => Float32Array.of(reflectanceOf(band)));
  return interpretTree(tree, { width: 1, height: 1, bands, masks: bands.map(() => null) })[0]!.values[0]!;
}
const sensorOf = (abbreviation: string): Sensor =>
  sensorByAbbreviation(abbreviation) ?? assert.fail(`there is no ${abbreviation}`);

const INDICES: readonly (readonly [sensor: string, alias: string, value: number])[] = [
  ['S2', 'NDVI', 0.652174],
  ['L8', 'NDVI', 0.652174],
  ['NAIP', 'NDVI', 0.652174],
  ['MODIS', 'NDVI', 0.652174],
  ['CBERS4MUX', 'NDVI', 0.652174],
  ['S2', 'NDSI', -0.290323],
  ['S2', 'NDWI', -0.55102],
  ['S2', 'NDMI', 0.310345],
  ['S2', 'MSI', 0.526316],
  ['S2', 'RECI', 1.923077],
  ['L8', 'RECI', 3.75],
  ['S2', 'EVI', 0.675676],
  ['S2', 'SAVI', 0.46875],
  ['S2', 'MSAVI', 0.462388],
  ['S2', 'ARVI', 0.727273],
  ['S2', 'GCI', 2.454545],
  ['S2', 'SIPI', 0.933333],
  ['S2', 'NBR', 0.583333],
  ['S2', 'NDRE', 0.490196],
  ['S2', 'CCCI', 0.751634],
  ['S2', 'GNDVI', 0.55102],
  ['S2', 'FIDET', 1.666667],
  ['S2', '(NIR-COASTAL)/(NIR-RED)', 0.866667],
  ['S2', '(1-sqrt(REDEDGE2*REDEDGE3*NIR2/RED))*((SWIR2-NIR2)/sqrt(SWIR2+NIR2)+1)', 0.211609],
  ['S2', 'PR_FD', 0],
];

for (const [sensor, alias, value] of INDICES) {
  test(`${alias} of ${sensor} is ${value}`, () => {
    const computed = computeOn(sensorOf(sensor), alias);
    assert.ok(Math.abs(computed - value) < 1e-6, `${computed}`);
  });
}

test('every alias of every sensor can be read, in any case and inside an expression, and is described', () => {
  let read = 0;
  for (const sensor of sensors) {
    const names = toExpressionNames(sensor);
    for (const name of aliasNames) {
      const alias = findAlias(sensor, name);
      if (alias === null) {
        assert.throws(
          () => parseExpressions(name, names),
          { tag: 'unsupported', code: 'unknown-band' },
          name,
        );
        continue;
      }
      read++;
      const tree = parseExpressions(name.toLowerCase(), names);
      assert.equal(tree.key, parseExpressions(` ${name} `, names).key);
      const { expressions, types } = describeExpressions(name, names);
      assert.equal(expressions.length, alias.kind === 'composite' ? 3 : 1);
      assert.ok(types.every((type) => type === 'band'));
      if (alias.kind === 'composite') continue;
      const index = alias.kind === 'change' ? alias.of : alias;
      assert.ok(
        tree.inputs.every(({ calibrated }) => calibrated === index.needsReflectance),
        name,
      );
      assert.equal(
        tree.inputs.some(({ scene }) => scene === 'earlier'),
        alias.kind === 'change',
        name,
      );
      if (alias.kind === 'index') {
        const written = parseExpressions(alias.expression, names);
        assert.equal(written.nodes.length, tree.nodes.length, 'an alias is its expression');
        assert.equal(written.key === tree.key, !alias.needsReflectance, name);
        assert.ok(parseExpressions(`1-${name}`, names).nodes.length > tree.nodes.length);
      }
    }
  }
  assert.ok(read > 60, `${read}`);
});

test('aliases that need reflectance are those with additive constants', () => {
  const names = toExpressionNames(sensorOf('S2'));
  const optical = aliasNames.filter((name) => names.find(name) !== null);
  const calibrated = optical.filter((name) =>
    parseExpressions(name, names, { ...tileLimits, maxExpressions: 3 }).inputs.some(
      (input) => input.calibrated,
    ),
  );
  assert.deepEqual(calibrated, ['EVI', 'SAVI', 'MSAVI', 'FIDET', 'PR_FD']);
});

test('bands are found by name, spelling and role on every sensor', () => {
  for (const sensor of sensors) {
    const names = toExpressionNames(sensor);
    for (const { name, spellings, role } of sensor.bands) {
      const { key } = parseExpressions(name, names);
      for (const other of [...spellings, ...(role === null ? [] : [role, role.toLowerCase()])]) {
        assert.equal(parseExpressions(other, names).key, key, `${sensor.abbreviation} ${other}`);
      }
    }
  }
});

test('an alias that a sensor has no bands for is refused, and what there is is listed', () => {
  const names = toExpressionNames(sensorOf('L8'));
  assert.throws(() => parseExpressions('NDRE', names), {
    code: 'unknown-band',
    message: /Expected one of .*B11.*THERMAL2.*NDVI/,
  });
});
