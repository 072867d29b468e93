import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinRows, readJoinBlock, writeJoinBlock } from './join-block.ts';
import type { DailySource, JoinedColumn } from './joined-days.ts';
import { reduceDays, toDayNumber, toFirstDay } from './joined-days.ts';

const rain: DailySource = { kind: 'weather', variable: 'rainfall' };
const degrees: DailySource = { kind: 'growing-degrees', baseTemperature: 10 };
const water: DailySource = { kind: 'soil-moisture', layer: 'surface' };

const columns: readonly JoinedColumn[] = [
  { name: 'rain', source: rain, over: { kind: 'day' } },
  { name: 'sum', source: rain, over: { kind: 'since-last', fold: 'sum' } },
  { name: 'mean', source: rain, over: { kind: 'since-last', fold: 'mean' } },
  { name: 'year', source: degrees, over: { kind: 'since', start: 'year' } },
  { name: 'sown', source: degrees, over: { kind: 'since', start: 'sowing' } },
  { name: 'water', source: water, over: { kind: 'day' } },
];

const firstDay = toDayNumber('2026-01-01');
/** Ten days: 0.1 mm more each day, 2 degrees a day, and water of another digit. */
const values = new Float64Array([
  ...Array.from({ length: 10 }, (_, i) => 0.1 * (i + 1) + 0.000_001),
  ...Array.from({ length: 10 }, () => 2),
  ...Array.from({ length: 10 }, (_, i) => 0.123_456_789 + i),
]);
const days = ['2026-01-03', '2026-01-04', '2026-01-07', '2026-01-08'].map(toDayNumber);
const at = (text: string): number => Date.parse(`${text}Z`);

const toBlock = (own: Float64Array<ArrayBuffer>, utcOffsetHours: number) =>
  readJoinBlock(
    writeJoinBlock({
      days,
      startDay: firstDay,
      utcOffsetHours: [utcOffsetHours],
      values: reduceDays(
        { values: own },
        {
          columns,
          sources: [rain, degrees, water],
          days,
          startDay: firstDay,
          firstDay,
          sownOn: '2026-01-04',
        },
      ),
    }),
  );

test('a row has the value of its day, and sums since the row before it', () => {
  const times = [at('2026-01-07T10:00'), at('2026-01-07T09:00'), at('2026-01-03T10:00')];
  assert.deepEqual(joinRows(toBlock(values, 0), columns, { shape: 0, times }), [
    // Two scenes of one day have the same sums: 4 to 7 January.
    [0.7, 2.2, 0.55, 14, 8, 6.123_456_789],
    [0.7, 2.2, 0.55, 14, 8, 6.123_456_789],
    [0.3, 0.6, 0.2, 6, null, 2.123_456_789],
  ]);
});

test('weather follows the clock of the field, soil moisture follows UTC', () => {
  const [row] = joinRows(toBlock(values, -8), columns, { shape: 0, times: [at('2026-01-08T02:00')] });
  assert.deepEqual([row?.[0], row?.[5]], [0.7, 7.123_456_789]);
});

test('an unknown day makes only the sums that include it unknown', () => {
  const gap = values.slice();
  gap[4] = Number.NaN;
  gap[14] = Number.NaN;
  const times = [at('2026-01-08T10:00'), at('2026-01-07T10:00'), at('2026-01-04T10:00')];
  const rows = joinRows(toBlock(gap, 0), columns, { shape: 0, times });
  assert.deepEqual(
    rows.map(([, sum, , year]) => [sum, year]),
    [
      [0.8, null],
      [null, null],
      [1, 8],
    ],
  );
});

test('days are read from the sowing date on, but at most ten years back', () => {
  const order = { from: '2026-03-01', to: '2026-12-31' };
  const read = (sownOn: string | null) =>
    new Date(toFirstDay(columns, order, sownOn) * 86_400_000).toISOString();
  assert.match(read('2025-10-05'), /^2025-10-05/);
  assert.match(read(null), /^2026-01-01/);
  assert.match(read('1999-01-01'), /^2016-12-/);
});
