import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMemorySource } from '../testing/memory-source.ts';
import type { GribDescription } from './describe-field.ts';
import { describeField, parameterNames } from './describe-field.ts';
import { openGrib } from './open-grib.ts';
import type { TestField } from './testing/encode-grib.ts';
import { encodeGrib } from './testing/encode-grib.ts';

const RUN = Date.UTC(2026, 4, 2, 6);
const HOUR = 3_600_000;

async function describe(field: Partial<TestField> & Pick<TestField, 'edition' | 'parameter' | 'level'>) {
  const grid = { west: 0, north: 50, lonStep: 1, latStep: 1, width: 2, height: 2 };
  const whole = { run: '2026-05-02T06:00Z', grid, values: [1, 2, 3, 4], ...field };
  const { fields } = await openGrib(makeMemorySource(encodeGrib(whole)));
  return describeField(fields[0]!);
}

const nameOf = async (...of: Parameters<typeof describe>): Promise<string> => (await describe(...of)).name;

test('GFS parameters are described at their levels', async () => {
  const cases: readonly (readonly [string, readonly number[], TestField['level'], Partial<TestField>?])[] = [
    ['2t', [0, 0, 0], [103, 2]],
    ['skt', [0, 0, 0], [1]],
    ['t_l100_85000', [0, 0, 0], [100, 85_000]],
    ['mx2t', [0, 0, 4], [103, 2], { fromHours: 0, hours: 6, statistic: 2 }],
    ['mn2t', [0, 0, 5], [103, 2], { fromHours: 0, hours: 6, statistic: 3 }],
    ['2d', [0, 0, 6], [103, 2]],
    ['2r', [0, 1, 1], [103, 2]],
    ['2sh', [0, 1, 0], [103, 2]],
    ['10u', [0, 2, 2], [103, 10]],
    ['10v', [0, 2, 3], [103, 10]],
    ['u_l103_80', [0, 2, 2], [103, 80]],
    ['tp', [0, 1, 8], [1], { fromHours: 0, hours: 6 }],
    ['prate', [0, 1, 7], [1]],
    ['sde', [0, 1, 11], [1]],
    ['sdwe', [0, 1, 13], [1]],
    ['sp', [0, 3, 0], [1]],
    ['prmsl', [0, 3, 1], [101]],
    ['orog', [0, 3, 5], [1]],
    ['tcc', [0, 6, 1], [10]],
    ['sdswrf', [0, 4, 192], [1], { fromHours: 0, hours: 6, statistic: 0 }],
    ['lsm', [2, 0, 0], [1]],
    ['stl1', [2, 0, 2], [106, 0, 10]],
    ['st_l106_0.1_0.4', [2, 0, 2], [106, 10, 40]],
    ['swvl1', [2, 0, 192], [106, 0, 10]],
    ['d0c1n99_l103_2', [0, 1, 99], [103, 2]],
  ];
  for (const [name, parameter, level, more] of cases)
    assert.equal(await nameOf({ edition: 2, parameter, level, ...more }), name);
});

test('numbers from 192 on belong to their centre', async () => {
  assert.equal(await nameOf({ edition: 2, centre: 98, parameter: [0, 1, 193], level: [1] }), 'tp');
  assert.equal(await nameOf({ edition: 2, centre: 7, parameter: [0, 1, 193], level: [1] }), 'd0c1n193_l1');
  assert.equal(await nameOf({ edition: 1, centre: 98, parameter: [128, 167], level: [1] }), '2t');
  assert.equal(await nameOf({ edition: 1, centre: 7, parameter: [128, 167], level: [1] }), 't128n167_l1');
});

test('edition 1 uses the shared table, at its levels', async () => {
  const cases: readonly (readonly [string, number, TestField['level']])[] = [
    ['2t', 11, [105, 2]],
    ['skt', 11, [1]],
    ['stl1', 11, [112, 0, 10]],
    ['t_l100_50000', 11, [100, 500]],
    ['2r', 52, [105, 2]],
    ['10u', 33, [105, 10]],
    ['prmsl', 2, [102]],
    ['tcc', 71, [200]],
    ['t2n99_l1113_7', 99, [113, 7]],
  ];
  for (const [name, number, level] of cases)
    assert.equal(await nameOf({ edition: 1, parameter: [2, number], level }), name);
});

test('ECMWF totals since the run are sums, although their header states an instant', async () => {
  const rain = { edition: 1, centre: 98, parameter: [128, 228], level: [1], hours: 9 } as const;
  const period = ({ method, startMs }: GribDescription) => ({ method, startMs });
  assert.deepEqual(period(await describe(rain)), { method: 'sum', startMs: RUN });
  assert.deepEqual(period(await describe({ ...rain, hours: 0 })), { method: 'sum', startMs: null });
  assert.deepEqual(period(await describe({ ...rain, fromHours: 6, statistic: 4 })), {
    method: 'sum',
    startMs: RUN + 6 * HOUR,
  });
  const warmest = { ...rain, parameter: [128, 201] };
  assert.deepEqual(period(await describe(warmest)), { method: 'max', startMs: null });
  const mean = { ...rain, parameter: [128, 167], fromHours: 0, statistic: 3 };
  assert.deepEqual(period(await describe(mean)), { method: 'mean', startMs: RUN });
});

test('ERA5 sums cover one hour, and those of its ensemble three', async () => {
  const grid = { west: 0, north: 50, lonStep: 1, latStep: 1, width: 2, height: 2 };
  const plain = encodeGrib({
    edition: 1,
    centre: 98,
    parameter: [128, 228],
    level: [1],
    run: '2026-05-02T06:00Z',
    hours: 9,
    grid,
    values: [1, 2, 3, 4],
  });
  for (const [stream, hours] of [
    [1025, 1],
    [1030, 3],
  ] as const) {
    // A local section: twelve bytes that are reserved, its number, class 23, type and stream.
    const local = Buffer.alloc(24);
    local.set([1, 23, 2, stream >> 8, stream & 0xff], 12);
    const file = Buffer.concat([plain.subarray(0, 36), local, plain.subarray(36)]);
    file.writeUIntBE(file.length, 4, 3);
    file.writeUIntBE(28 + local.length, 8, 3);
    const { fields } = await openGrib(makeMemorySource(file));
    const { method, startMs } = describeField(fields[0]!);
    assert.deepEqual([method, startMs], ['sum', RUN + (9 - hours) * HOUR]);
  }
});

test('every name in the table has a unit, and names for one level precede names for any level', () => {
  assert.ok(parameterNames.size > 90);
  for (const [key, names] of parameterNames) {
    for (const { name, units, longName } of names)
      assert.ok(name !== '' && units !== '' && longName !== '', key);
    const open = names.findIndex(({ at, when }) => at === undefined && when === undefined);
    assert.ok(open === -1 || open === names.length - 1, key);
  }
});
