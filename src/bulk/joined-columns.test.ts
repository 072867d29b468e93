import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import { unavailable } from '../errors.ts';
import { askDuckDb } from '../vector/testing/duckdb.ts';
import type { BulkOrder, OrderedShape } from './bulk-order.ts';
import type { JoinedColumn, ReadDaily } from './joined-days.ts';
import { makeBulkRuns, shapes, toRows, withKit } from './testing/bulk-runs.ts';

const { makeKit, close } = await makeBulkRuns();
after(close);

/** Days whose numbers say which they are: hundreds of a source and the day of the year, and nothing on 31 May. */
const countDays: ReadDaily = async ({ shapes: asked, to, sources }) =>
  asked.map(({ from }) => {
    const [first, last] = [from, to].map((day) => Date.parse(day) / 86_400_000) as [number, number];
    const values = sources.flatMap((_, source) =>
      Array.from({ length: last - first + 1 }, (__, i) => {
        const day = new Date((first + i) * 86_400_000);
        const ofYear = (day.getTime() - Date.UTC(day.getUTCFullYear(), 0, 0)) / 86_400_000;
        return ofYear === 151 ? Number.NaN : 1_000 * source + ofYear;
      }),
    );
    return { utcOffsetHours: 0, values: new Float64Array(values) };
  });

const joined: readonly JoinedColumn[] = [
  { name: 'rainfall', source: { kind: 'weather', variable: 'rainfall' }, over: { kind: 'day' } },
  {
    name: 'rainfall_since_last',
    source: { kind: 'weather', variable: 'rainfall' },
    over: { kind: 'since-last', fold: 'sum' },
  },
  {
    name: 'degrees',
    source: { kind: 'growing-degrees', baseTemperature: 5 },
    over: { kind: 'since', start: 'sowing' },
  },
];

test('joined columns follow the numbers in every format', () =>
  withKit(async (kit) => {
    const listed = shapes.map((shape, i) => ({ ...shape, sownOn: i === 0 ? '2026-06-02' : null }));
    const run = async (more: Partial<BulkOrder>) =>
      (await makeKit({ ...kit, listed, readDaily: countDays }).run({ joined, ...more })).bytes;
    const rows = toRows(await run({ layout: 'wide' }));
    assert.deepEqual(
      rows
        .slice(0, 4)
        .map((row) => [row.field_id, row.date, row.rainfall, row.rainfall_since_last, row.degrees]),
      [
        ['id-0', '2026-06-03', '154', '154', String(1_153 + 1_154)],
        ['id-0', '2026-06-02', '153', '153', '1153'],
        // The sum since 1 January has an unknown day, and the field was not sown yet.
        ['id-0', '2026-06-01', '152', '', ''],
        ['id-1', '2026-06-03', '154', '154', ''],
      ],
    );
    const wanted = toRows(await run({})).map((row) => Number(row.rainfall));
    assert.equal(wanted.length, 12);
    const { features } = JSON.parse((await run({ format: 'geojson' })).toString()) as {
      readonly features: readonly { readonly properties: Record<string, unknown> }[];
    };
    assert.deepEqual(
      features.map(({ properties }) => properties.rainfall),
      wanted,
    );
    assert.equal(features[4]?.properties.degrees, null);
    const arrow = tableFromIPC(await run({ format: 'arrow' }));
    assert.deepEqual(
      arrow.toArray().map((row) => (row as { rainfall: number }).rainfall),
      wanted,
    );
    const path = join(kit.blobFolder, 'table.parquet');
    for (const format of ['parquet', 'geoparquet'] as const) {
      await writeFile(path, await run({ format }));
      const read = await askDuckDb(`SELECT rainfall FROM '${path}'`);
      assert.deepEqual(
        read.map(({ rainfall }) => rainfall),
        wanted,
      );
    }
  }));

test('joined days are not read again after a kill, and the table has the same bytes', () =>
  withKit(async (kit) => {
    // Two blocks of fields.
    const many = Array.from({ length: 260 }, (_, i): OrderedShape => ({ ...shapes[0]!, id: `f-${i}` }));
    const more = { joined, layout: 'wide' } as const;
    const wanted = (
      await withKit((other) => makeKit({ ...other, listed: many, readDaily: countDays }).run(more))
    ).bytes;
    let reads = 0;
    const outage = unavailable('weather-unavailable', 'No provider of weather answers at the moment.');
    const failing: ReadDaily = (request, signal) => {
      reads += 1;
      return reads === 2 ? Promise.reject(outage) : countDays(request, signal);
    };
    await assert.rejects(makeKit({ ...kit, listed: many, readDaily: failing }).run(more), outage);
    const { bytes } = await makeKit({ ...kit, listed: many, readDaily: failing }).run(more);
    assert.equal(reads, 3, 'the first block was stored');
    assert.deepEqual(bytes, wanted);
  }));
