import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ArrayAttribute, ArrayFile, ArrayVariable } from '../formats/array-file.ts';
import { createCog } from '../formats/cog/index.ts';
import { encodeGrib } from '../formats/grib/testing/encode-grib.ts';
import { makeHdf5Thread } from '../formats/hdf5/index.ts';
import { encodeNetcdf } from '../formats/netcdf/index.ts';
import { makeMemorySource } from '../formats/testing/memory-source.ts';
import { makeOpenSource, toFileHref } from '../sources/index.ts';
import { toGridFile } from './grid-file.ts';
import { openGridFile, openTiffGrid } from './open-grid-file.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-grid-files-'));
});
after(() => rmSync(folder, { recursive: true }));

const open = (path: string) =>
  makeOpenSource({ dataDir: folder })(toFileHref(path, { dataDir: folder, folders: [] }));

type Attributes = Readonly<Record<string, ArrayAttribute>>;

/** A file of arrays in memory. */
function makeArrayFile(
  arrays: Readonly<
    Record<string, { dimensions: string[]; sizes: number[]; values: number[]; attributes?: Attributes }>
  >,
): ArrayFile {
  const variables = Object.entries(arrays).map(
    ([name, { dimensions, sizes, attributes = {} }]): ArrayVariable => ({
      name,
      dimensions,
      sizes,
      attributes: new Map(Object.entries(attributes)),
    }),
  );
  return {
    attributes: new Map(),
    variables,
    async read({ name, sizes }, { start, count }) {
      const { values } = arrays[name]!;
      const picked: number[] = [];
      const visit = (axis: number, at: number): void => {
        if (axis === sizes.length) picked.push(values[at]!);
        else for (let i = 0; i < count[axis]!; i++) visit(axis + 1, at * sizes[axis]! + start[axis]! + i);
      };
      visit(0, 0);
      return Float64Array.from(picked);
    },
    async close() {},
  };
}

const line = (name: string, values: number[], attributes: Attributes) => ({
  dimensions: [name],
  sizes: [values.length],
  values,
  attributes,
});
const lat = (values: number[]) => line('lat', values, { units: 'degrees_north' });
const lon = (values: number[]) => line('lon', values, { standard_name: 'longitude' });
const time = (values: number[], units = 'days since 2026-01-01') => line('time', values, { units });

test('fields are returned north up, whichever way the file stores them', async () => {
  // Value: 100 × time + 10 × row from the north + column.
  const of = (t: number, row: number, column: number): number => 100 * t + 10 * row + column;
  const orders: readonly (readonly [string[], boolean])[] = [
    [['time', 'lat', 'lon'], false],
    [['time', 'lat', 'lon'], true],
    [['lat', 'lon', 'time'], true],
    [['lon', 'time', 'lat'], false],
  ];
  const sizeOf: Readonly<Record<string, number>> = { time: 2, lat: 2, lon: 3 };
  for (const [dimensions, isSouthFirst] of orders) {
    const sizes = dimensions.map((name) => sizeOf[name]!);
    const values = Array.from({ length: 12 }, (_, i) => {
      const index: Record<string, number> = {};
      let rest = i;
      for (const [axis, name] of [...dimensions.entries()].reverse()) {
        index[name] = rest % sizes[axis]!;
        rest = Math.floor(rest / sizes[axis]!);
      }
      return of(index.time!, isSouthFirst ? 1 - index.lat! : index.lat!, index.lon!);
    });
    const { variables } = await toGridFile(
      makeArrayFile({
        lat: lat(isSouthFirst ? [49, 50] : [50, 49]),
        lon: lon([10, 11, 12]),
        time: time([0, 1.5]),
        sm: { dimensions, sizes, values },
      }),
      'x.nc',
    );
    const [moisture] = variables;
    assert.deepEqual(moisture!.grid, { west: 10, north: 50, lonStep: 1, latStep: 1, width: 3, height: 2 });
    assert.deepEqual(moisture!.timesMs, [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2, 12)]);
    for (const t of [1, 0])
      assert.deepEqual(
        [...(await moisture!.readField(t))],
        [0, 1, 2, 10, 11, 12].map((value) => 100 * t + value),
      );
  }
});

test('scale, offset, fill value, missing value and valid range are applied', async () => {
  const attributes = {
    scale_factor: [0.5],
    add_offset: [1],
    _FillValue: [-9],
    missing_value: [-8],
    valid_range: [0, 100],
    units: 'm3 m-3',
    long_name: 'Moisture',
  };
  const { variables } = await toGridFile(
    makeArrayFile({
      lat: lat([50, 49]),
      lon: lon([10, 11, 12]),
      time: time([0]),
      sm: {
        dimensions: ['time', 'lat', 'lon'],
        sizes: [1, 2, 3],
        values: [4, -9, -8, 101, -1, 100],
        attributes,
      },
    }),
    'x.nc',
  );
  const { NaN: gap } = Number;
  assert.deepEqual([...(await variables[0]!.readField(0))], [3, gap, gap, gap, gap, 51]);
  assert.deepEqual([variables[0]!.units, variables[0]!.longName], ['m3 m-3', 'Moisture']);
});

test('longitudes from 0 to 360, and across 180, form one row of cells', async () => {
  const gridOf = async (lons: number[]) => {
    const values = lons.map(() => 1);
    const { variables } = await toGridFile(
      makeArrayFile({
        lat: lat([50, 49]),
        lon: lon(lons),
        sm: { dimensions: ['lat', 'lon'], sizes: [2, lons.length], values: [...values, ...values] },
      }),
      'sm_20260502.nc',
    );
    assert.deepEqual(variables[0]!.timesMs, [Date.UTC(2026, 4, 2)]);
    return variables[0]!.grid;
  };
  const around = await gridOf(Array.from({ length: 36 }, (_, i) => 10 * i));
  assert.deepEqual([around.west, around.width, around.lonStep], [0, 36, 10]);
  const across = await gridOf([178, 179, -180, -179]);
  assert.deepEqual([across.west, across.width, across.lonStep], [178, 4, 1]);
});

test('an irregular grid, or one without a known time, is refused with an explanation', async () => {
  const field = (sizes: number[]) => ({
    dimensions: ['time', 'lat', 'lon'],
    sizes,
    values: new Array(sizes.reduce((a, b) => a * b)).fill(1) as number[],
  });
  const cases: readonly (readonly [string, Parameters<typeof makeArrayFile>[0]])[] = [
    ['grid-irregular', { lat: lat([50, 49, 47]), lon: lon([1, 2]), time: time([0]), sm: field([1, 3, 2]) }],
    ['grid-single', { lat: lat([50]), lon: lon([1, 2]), time: time([0]), sm: field([1, 1, 2]) }],
    ['grid-columns', { lat: lat([50, 49]), lon: lon([2, 1]), time: time([0]), sm: field([1, 2, 2]) }],
    ['grid-degrees', { lat: lat([95, 94]), lon: lon([1, 2]), time: time([0]), sm: field([1, 2, 2]) }],
    [
      'time-units',
      {
        lat: lat([2, 1]),
        lon: lon([1, 2]),
        time: time([0], 'months since 2000-01-01'),
        sm: field([1, 2, 2]),
      },
    ],
    ['bad-time', { lat: lat([2, 1]), lon: lon([1, 2]), time: time([1e9]), sm: field([1, 2, 2]) }],
    [
      'no-time',
      {
        lat: lat([2, 1]),
        lon: lon([1, 2]),
        sm: { dimensions: ['lat', 'lon'], sizes: [2, 2], values: [1, 2, 3, 4] },
      },
    ],
    ['no-grid', { a: { dimensions: ['x'], sizes: [3], values: [1, 2, 3] } }],
  ];
  for (const [code, arrays] of cases)
    await assert.rejects(toGridFile(makeArrayFile(arrays), 'x.nc'), { code }, code);
});

test('a GeoTIFF is read as the field of the day in its name', async () => {
  const path = join(folder, 'ssm-2026-05-02.tif');
  const writer = await createCog(path, {
    width: 3,
    height: 2,
    bandCount: 1,
    type: 'float32',
    epsg: 4326,
    transform: [9.5, 1, 0, 50.5, 0, -1],
    nodata: -9999,
    compression: 'deflate',
    isDurable: false,
    predictor: 1,
  });
  await writer.writeRows([Float32Array.of(0.25, -9999, 0.5, 0.125, Number.NaN, 0.75)], 2);
  await writer.finish();
  const hdf5 = makeHdf5Thread();
  const file = await openGridFile(path, { open, hdf5 });
  const [field] = file.variables;
  assert.deepEqual(field!.grid, { west: 10, north: 50, lonStep: 1, latStep: 1, width: 3, height: 2 });
  assert.deepEqual(field!.timesMs, [Date.UTC(2026, 4, 2)]);
  const { NaN: gap } = Number;
  assert.deepEqual([...(await field!.readField(0))], [0.25, gap, 0.5, 0.125, gap, 0.75]);
  await file.close();
});

test('formats are recognised by their first bytes', async () => {
  const hdf5 = makeHdf5Thread();
  const path = join(folder, 'any.dat');
  writeFileSync(
    path,
    encodeNetcdf({
      dimensions: { time: 1, lat: 2, lon: 2 },
      attributes: {},
      variables: {
        time: {
          dimensions: ['time'],
          attributes: { units: 'hours since 2026-01-01' },
          values: Float64Array.of(6),
        },
        lat: { dimensions: ['lat'], attributes: {}, values: Float64Array.of(50, 49) },
        lon: { dimensions: ['lon'], attributes: {}, values: Float64Array.of(1, 2) },
        sm: { dimensions: ['time', 'lat', 'lon'], attributes: {}, values: Float32Array.of(1, 2, 3, 4) },
      },
    }),
  );
  const file = await openGridFile(path, { open, hdf5 });
  assert.deepEqual([file.variables[0]!.name, file.variables[0]!.timesMs], ['sm', [Date.UTC(2026, 0, 1, 6)]]);
  await file.close();
  const field = encodeGrib({
    edition: 1,
    centre: 98,
    parameter: [128, 167],
    level: [1],
    run: '2026-05-02T06:00Z',
    grid: { west: 1, north: 50, lonStep: 1, latStep: 1, width: 2, height: 2 },
    values: [1, 2, 3, 4],
  });
  for (const heading of ['', '\u0001\r\r\n001\r\r\nHTXX98 ECMF 020600\r\r\n']) {
    writeFileSync(path, Buffer.concat([Buffer.from(heading), field]));
    const grib = await openGridFile(path, { open, hdf5 });
    const { name, timesMs } = grib.variables[0]!;
    assert.deepEqual([name, timesMs], ['2t', [Date.UTC(2026, 4, 2, 6)]]);
    await grib.close();
  }
  writeFileSync(path, 'plain text');
  await assert.rejects(openGridFile(path, { open, hdf5 }), { code: 'unknown-format' });
  writeFileSync(path, '');
  await assert.rejects(openGridFile(path, { open, hdf5 }), { tag: 'unsupported' });
  await assert.rejects(openGridFile(join(folder, 'none'), { open, hdf5 }), { code: 'source-gone' });
  await assert.rejects(openTiffGrid(makeMemorySource(Buffer.from('II*\0')), 'x.tif'), {
    tag: 'source-broken',
  });
});

test('periods, methods and the forecast run are read from the file where it states them', async () => {
  const sm = (attributes: Attributes) => ({
    dimensions: ['time', 'lat', 'lon'],
    sizes: [2, 2, 2],
    values: [1, 2, 3, 4, 5, 6, 7, 8],
    attributes,
  });
  const day = (number: number): number => Date.UTC(2026, 0, 1) + number * 86_400_000;
  const { variables } = await toGridFile(
    makeArrayFile({
      lat: lat([50, 49]),
      lon: lon([10, 11]),
      time: line('time', [0.5, 1.5], { units: 'days since 2026-01-01', bounds: 'time_bnds' }),
      time_bnds: { dimensions: ['time', 'two'], sizes: [2, 2], values: [0, 1, 1, 2] },
      run: {
        dimensions: [],
        sizes: [],
        values: [-1],
        attributes: { standard_name: 'forecast_reference_time', units: 'days since 2026-01-01' },
      },
      rain: sm({ cell_methods: 'area: mean time: sum (interval: 1 hour)' }),
      now: sm({ cell_methods: 'time: point' }),
      unsaid: sm({}),
    }),
    'x.nc',
  );
  const [rain, now, unsaid] = variables;
  assert.deepEqual(
    [rain!.method, rain!.startsMs, rain!.timesMs],
    ['sum', [day(0), day(1)], [day(1), day(2)]],
  );
  assert.deepEqual([now!.method, now!.startsMs], ['instant', undefined]);
  assert.deepEqual([unsaid!.method, unsaid!.startsMs], [undefined, undefined]);
  assert.deepEqual(unsaid!.timesMs, [day(0.5), day(1.5)]);
  for (const one of variables) assert.deepEqual(one.runsMs, [day(-1), day(-1)]);
});

test('if there are two single times, the run time is not the time of the field', async () => {
  const single = (value: number, attributes: Attributes) => ({
    dimensions: [],
    sizes: [],
    values: [value],
    attributes: { units: 'hours since 2026-01-01', standard_name: 'time', ...attributes },
  });
  const { variables } = await toGridFile(
    makeArrayFile({
      lat: lat([50, 49]),
      lon: lon([10, 11]),
      time: single(6, { long_name: 'initial time of forecast' }),
      valid_time: single(9, {}),
      t2m: { dimensions: ['lat', 'lon'], sizes: [2, 2], values: [1, 2, 3, 4] },
    }),
    'x.nc',
  );
  assert.deepEqual(variables[0]!.timesMs, [Date.UTC(2026, 0, 1, 9)]);
  assert.deepEqual(variables[0]!.runsMs, [Date.UTC(2026, 0, 1, 6)]);
});
