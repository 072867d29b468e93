import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import type { CubeGrid, Cubes } from '../cubes/index.ts';
import { makeCubes, toStep } from '../cubes/index.ts';
import { makeMoistureRule } from './ingest-moisture.ts';
import { filterRootZone, makeSoilMoisture } from './soil-moisture.ts';

const made: string[] = [];
let cubes: Cubes;
beforeEach(() => {
  const directory = mkdtempSync(join(tmpdir(), 'swath-soil-'));
  made.push(directory);
  cubes = makeCubes({ directory, subject: 'soil-moisture' });
});
after(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

const grid: CubeGrid = { west: 10.5, north: 49.5, lonStep: 1, latStep: 1, width: 4, height: 3 };
const first = toStep(Date.parse('2024-01-01'), 24);
const about = { units: 'm3 m-3', longName: 'Water' };
const point = { type: 'Point', coordinates: [11.5, 48.5] } as const;

async function write(
  name: string,
  steps: number,
  of: (i: number, cell: number) => number,
  more: Partial<{ grid: CubeGrid; stepHours: 1 | 24 }> = {},
): Promise<void> {
  const plan = { grid, stepHours: 24 as const, ...more };
  const writer = await cubes.openWriter(name, plan);
  const cells = plan.grid.width * plan.grid.height;
  const fields = Array.from({ length: steps }, (_, i) => ({
    step: first * (24 / plan.stepHours) + i,
    values: new Float32Array(cells).map((_, cell) => of(i, cell)),
  }));
  await writer.write([{ variable: 'surface', about, fields }], new Map());
}

/** Dry and wet in turn, with a gap on every seventh day. */
const moisture = (i: number): number => (i % 7 === 3 ? Number.NaN : 0.25 + 0.1 * Math.sin(i / 5));

test('each day has a row: the surface, the root zone filtered from long before, and gaps as null', async () => {
  await write('a', 500, moisture);
  const series = await makeSoilMoisture({ cubes }).read({
    where: point,
    from: '2024-12-01',
    to: '2025-01-10',
  });
  assert.equal(series?.cube, 'a');
  assert.equal(series.days.length, 41);
  const surface = new Float64Array(500).map((_, i) => Math.fround(moisture(i)));
  const rootZone = filterRootZone(surface);
  for (const [i, day] of series.days.entries()) {
    const at = 335 + i;
    assert.equal(day.date, new Date((first + at) * 86_400_000).toISOString().slice(0, 10));
    if (Number.isNaN(surface[at]!)) {
      assert.deepEqual([day.surface, day.rootZone, day.cells], [null, null, []]);
      continue;
    }
    assert.ok(Math.abs(day.surface! - surface[at]!) < 1e-7);
    assert.ok(
      Math.abs(day.rootZone! - rootZone[at]!) < 1e-12,
      `${day.date}: ${day.rootZone}, not ${rootZone[at]}`,
    );
    assert.deepEqual(day.cells, [{ value: day.surface, weight: 1 }]);
  }
});

test('a day has the same values, whatever other days are requested', async () => {
  await write('a', 800, moisture);
  const reader = makeSoilMoisture({ cubes });
  const rootZoneAt = async (from: string, to: string): Promise<number> =>
    (await reader.read({ where: point, from, to }))!.days.find(({ date }) => date === '2026-01-15')!
      .rootZone!;
  const alone = await rootZoneAt('2026-01-15', '2026-01-15');
  for (const [from, to] of [
    ['2026-01-01', '2026-02-01'],
    ['2025-03-01', '2026-01-15'],
    ['2024-01-01', '2026-03-01'],
  ] as const)
    assert.ok(Math.abs((await rootZoneAt(from, to)) - alone) < 1e-12, from);
});

test('an area averages its cells by their weights', async () => {
  await write('a', 3, (i, cell) => (cell === 1 && i === 1 ? Number.NaN : 0.1 + cell / 100));
  const ring = [
    [10, 49],
    [12, 49],
    [12, 50],
    [10, 50],
    [10, 49],
  ] as const;
  const where = { type: 'Polygon', coordinates: [ring] } as const;
  const { days, isInterpolated } = (await makeSoilMoisture({ cubes }).read({
    where,
    from: '2024-01-01',
    to: '2024-01-02',
  }))!;
  assert.equal(isInterpolated, false);
  assert.deepEqual(days[0]!.cells, [
    { value: Math.fround(0.1), weight: 0.5 },
    { value: Math.fround(0.11), weight: 0.5 },
  ]);
  assert.ok(Math.abs(days[0]!.surface! - 0.105) < 1e-7);
  assert.deepEqual([days[1]!.cells.length, days[1]!.surface], [1, Math.fround(0.1)]);
});

test('hours become the mean of their day', async () => {
  await write('a', 48, (i) => (i === 5 ? Number.NaN : i < 24 ? 0.2 : 0.01 * (i - 24)), { stepHours: 1 });
  const { days } = (await makeSoilMoisture({ cubes }).read({
    where: point,
    from: '2024-01-01',
    to: '2024-01-03',
  }))!;
  assert.ok(Math.abs(days[0]!.surface! - 0.2) < 1e-7);
  assert.ok(Math.abs(days[1]!.surface! - 0.115) < 1e-7);
  assert.equal(days[2]!.surface, null);
});

test('the finest cube with values is used; outside all cubes there are none', async () => {
  await write('coarse', 30, () => 0.4, { grid: { ...grid, lonStep: 2, latStep: 2 } });
  await write('fine', 10, () => 0.1);
  const reader = makeSoilMoisture({ cubes });
  const at = async (day: string) => (await reader.read({ where: point, from: day, to: day }))?.cube;
  assert.equal(await at('2024-01-05'), 'fine');
  assert.equal(await at('2024-01-20'), 'coarse');
  assert.equal(await at('2027-01-20'), 'fine');
  const far = { type: 'Point', coordinates: [-60, 0] } as const;
  assert.equal(await reader.read({ where: far, from: '2024-01-01', to: '2024-01-02' }), null);
});

test('invalid days are refused', async () => {
  const reader = makeSoilMoisture({ cubes });
  for (const [from, to] of [
    ['2024-01-02', '2024-01-01'],
    ['2024-1-2', '2024-01-03'],
    ['2024-13-02', '2024-13-03'],
    ['1900-01-01', '2024-01-01'],
  ] as const)
    await assert.rejects(reader.read({ where: point, from, to }), { code: 'bad-days' });
});

test('volumetric units are accepted in any spelling, percent only with a porosity, others are refused', () => {
  const rule = makeMoistureRule({ porosity: null });
  for (const units of ['m3 m-3', 'm^3 m^-3', 'm**3 m**-3', 'm3/m3', 'm³/m³', 'cm3/cm3', '1', '']) {
    const field = Float32Array.of(0.25, Number.NaN, 0.5, 1.5);
    rule.makeConvert(units)(field);
    assert.deepEqual([...field], [0.25, Number.NaN, 0.5, Number.NaN], units);
  }
  assert.throws(() => rule.makeConvert('%'), { code: 'moisture-percent', message: /--porosity/ });
  assert.throws(() => rule.makeConvert('kg m-2'), { code: 'moisture-units' });
  assert.throws(() => rule.makeConvert('')(Float32Array.of(25, 30, 0.5)), { code: 'moisture-values' });
  const field = Float32Array.of(50, 100, Number.NaN);
  makeMoistureRule({ porosity: 0.5 }).makeConvert('percent of saturation')(field);
  assert.deepEqual([...field], [0.25, 0.5, Number.NaN]);
});

const { NaN: gap } = Number;

test('the filter matches the worked example, with gaps of different lengths', () => {
  const surface: readonly (readonly [day: number, value: number])[] = [
    [0, 0.2],
    [1, 0.22],
    [2, 0.35],
    [3, 0.33],
    [5, 0.3],
    [8, 0.24],
    [9, 0.23],
    [15, 0.18],
  ];
  const wanted = [0.2, 0.2105, 0.261719, 0.281429, 0.286269, 0.274227, 0.264347, 0.239946];
  const days = new Float64Array(16).fill(gap);
  for (const [day, value] of surface) days[day] = value;
  const rootZone = filterRootZone(days);
  for (const [i, [day]] of surface.entries())
    assert.ok(Math.abs(rootZone[day]! - wanted[i]!) < 5e-7, `day ${day}: ${rootZone[day]}, not ${wanted[i]}`);
  for (const day of [4, 6, 7, 10, 14]) assert.equal(rootZone[day], gap);
});

test('the filter is the mean of all earlier values, weighted by their age', () => {
  const value = fc.oneof(fc.constant(gap), fc.double({ min: 0, max: 0.6, noNaN: true }));
  fc.assert(
    fc.property(fc.array(value, { maxLength: 60 }), (values) => {
      const filtered = filterRootZone(Float64Array.from(values));
      for (const [day, own] of values.entries()) {
        if (Number.isNaN(own)) continue;
        let [sum, weights] = [0, 0];
        for (let i = 0; i <= day; i++) {
          if (Number.isNaN(values[i]!)) continue;
          const weight = Math.exp(-(day - i) / 10);
          sum += weight * values[i]!;
          weights += weight;
        }
        assert.ok(Math.abs(filtered[day]! - sum / weights) < 1e-12);
      }
    }),
  );
});
