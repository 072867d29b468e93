import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WeatherDimension } from './weather-units.ts';
import { checkValues, findUnits, parseWeatherUnits } from './weather-units.ts';

/** The value of a number in units of a cube; a rate for one hour. */
function convert(value: number, units: string, dimension: WeatherDimension): number {
  const { scale, offset, isRate } = parseWeatherUnits(units, dimension, 'x');
  return Number(((value * scale + offset) * (isRate ? 3600 : 1)).toPrecision(10));
}

test('dataset units are converted to cube units', () => {
  const rows: readonly (readonly [number, string, WeatherDimension, number])[] = [
    [273.15, 'K', 'temperature', 0],
    [20, 'degrees_Celsius', 'temperature', 20],
    [-40, '°F', 'temperature', -40],
    [212, 'degF', 'temperature', 100],
    [0.0012, 'm', 'water', 1.2],
    [0.5, 'm of water equivalent', 'water', 500],
    [3, 'kg m**-2', 'water', 3],
    [2, 'inch', 'water', 50.8],
    [0.001, 'kg m-2 s-1', 'water', 3.6],
    [0.001, 'kg m⁻² s⁻¹', 'water', 3.6],
    [24, 'mm/day', 'water', 1],
    [24, 'mm d-1', 'water', 1],
    [36, 'km/h', 'speed', 10],
    [3600, 'knots', 'speed', 1852],
    [10, 'm s**-1', 'speed', 10],
    [1000, 'Pa', 'pressure', 10],
    [1.2, 'kPa', 'pressure', 12],
    [0.25, '(0 - 1)', 'share', 25],
    [80, '%', 'share', 80],
    [0.3, 'm', 'depth', 30],
    [2, 'ft', 'depth', 60.96],
    [2_500_000, 'J m**-2', 'energy', 2.5],
    [500, 'W m-2', 'energy', 1.8],
    [24_000_000, 'J m-2 d-1', 'energy', 1],
    [9806.65, 'm**2 s**-2', 'height', 1000],
    [1000, 'feet', 'height', 304.8],
    [300, 'kg m**-3', 'density', 300],
  ];
  for (const [value, units, dimension, wanted] of rows)
    assert.equal(convert(value, units, dimension), wanted, `${value} ${units}`);
});

test('unknown units, units of another dimension and missing units are refused by name', () => {
  for (const [units, dimension] of [
    ['furlong', 'depth'],
    ['mm', 'temperature'],
    ['K', 'water'],
    ['constructor', 'speed'],
  ] as const)
    assert.throws(() => parseWeatherUnits(units, dimension, 'tp'), {
      code: 'weather-units',
      message: new RegExp(`"${units}" of the variable "tp"`),
    });
  assert.throws(() => parseWeatherUnits(' ', 'water', 'tp'), { message: /does not say its units/ });
  assert.equal(findUnits('', 'share'), null);
});

const check = (values: readonly number[], variable: Parameters<typeof checkValues>[1]): readonly number[] => {
  const field = Float32Array.from(values);
  checkValues(field, variable, 'x');
  return [...field];
};

test('impossible values become gaps, and rounding errors are corrected', () => {
  const gap = Number.NaN;
  assert.deepEqual(check([20, -101, 71, gap, -30], 'temperature'), [20, gap, gap, gap, -30]);
  assert.deepEqual(check([0, -0.0625, -0.5, 12, 3], 'precipitation'), [0, 0, gap, 12, 3]);
  assert.deepEqual(check([104, 99, -1, 130], 'relativeHumidity'), [100, 99, 0, gap]);
});

test('a field in which most values are impossible is refused', () => {
  assert.throws(() => check([290, 291, 20], 'temperature'), { code: 'weather-values', message: /"x".*°C/ });
  assert.throws(() => check([-5, -5, 3], 'precipitation'), { message: /--accumulated/ });
  assert.deepEqual(check([Number.NaN, Number.NaN], 'precipitation'), [Number.NaN, Number.NaN]);
});
