import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExpressions } from '../../bandmath/index.ts';
import { sensors } from '../all-sensors.ts';
import { aliasNames, findAlias, toExpressionNames } from './aliases.ts';

test('every alias of every sensor is valid band math', () => {
  let read = 0;
  for (const sensor of sensors) {
    for (const name of aliasNames) {
      if (findAlias(sensor, name) === null) continue;
      const { inputs } = parseExpressions(name.toLowerCase(), toExpressionNames(sensor));
      assert.ok(inputs.length > 0, `${sensor.abbreviation} ${name}`);
      read += 1;
    }
  }
  assert.ok(read > 100, `${read} aliases`);
});

test('bands are found by their names, other spellings and roles', () => {
  const sensor = sensors.find(({ abbreviation }) => abbreviation === 'S2');
  assert.ok(sensor);
  const names = toExpressionNames(sensor);
  for (const name of ['B08', 'B8', 'NIR', 'nir']) {
    assert.deepEqual(names.find(name), { kind: 'band', name: 'B08', resolutionM: 10 }, name);
  }
  for (const name of ['constructor', '__proto__', 'B99', '']) assert.equal(names.find(name), null, name);
});
