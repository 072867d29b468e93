import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import type { KeptArea } from '../../library/index.ts';
import type { Composition, Mosaic, Selection } from '../../mosaic/index.ts';
import { parseMosaicPath, parseMosaicPicturePath, toMosaic } from './mosaic-request.ts';

const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (isSwathError(error)) return error.code;
    throw error;
  }
  return 'none';
};

const parse = (rest: string) => parseMosaicPicturePath(`/api/mosaic/${rest}`, '');

test('an address names sensors, a period, bands and a tile', () => {
  assert.deepEqual(parse('S2L2A/2026-07/B04,B03,B02/12/655/1420'), {
    datasets: ['sentinel2l2a'],
    period: { from: '2026-07-01', to: '2026-07-31' },
    bands: 'B04,B03,B02',
    ground: { kind: 'tile', tile: { z: 12, x: 655, y: 1420 } },
    ending: { isDouble: false, format: null },
  });
  const two = parse('S2L2A,L8/2026-07-01..2026-07-20/RED/12/655/1420@2x.png');
  assert.deepEqual(two.datasets, ['sentinel2l2a', 'landsat8']);
  assert.deepEqual(two.period, { from: '2026-07-01', to: '2026-07-20' });
  assert.deepEqual(two.ending, { isDouble: true, format: 'png' });
});

test('bands may contain slashes, plain or encoded, and commas between sensors may be encoded', () => {
  for (const bands of ['(B08-B04)/(B08+B04)', '(B08-B04)%2F(B08+B04)'])
    assert.equal(parse(`S2L2A/2026/${bands}/12/655/1420`).bands, '(B08-B04)/(B08+B04)');
  assert.deepEqual(parse('S2L2A%2CL8/2026/RED/12/655/1420').datasets, ['sentinel2l2a', 'landsat8']);
  const point = parseMosaicPath('/api/mosaic/point/S2L2A/2026-W30/B08/B04/48.1/-122.2', 'point/', 2);
  assert.deepEqual([point.bands, point.rest], ['B08/B04', ['48.1', '-122.2']]);
  assert.deepEqual(point.period, { from: '2026-07-20', to: '2026-07-26' });
});

test('bounds may replace a tile', () => {
  const { ground } = parse('S2L2A/2026/B04/12/500000;510000;32610/5400000;5390000;32610');
  assert.equal(ground.kind, 'bounds');
});

test('malformed addresses are refused with a code', () => {
  assert.equal(
    codeOf(() => parse('S2L2A/2026/B04/12/655')),
    'unknown-route',
  );
  assert.equal(
    codeOf(() => parse('S2L2A')),
    'unknown-route',
  );
  assert.equal(
    codeOf(() => parse('S99/2026/B04/12/655/1420')),
    'unknown-sensor',
  );
  assert.equal(
    codeOf(() => parse('S2L2A,/2026/B04/12/655/1420')),
    'unknown-sensor',
  );
  assert.equal(
    codeOf(() => parse('S2L2A,S2L2A/2026/B04/12/655/1420')),
    'bad-sensors',
  );
  assert.equal(
    codeOf(() => parse('S2,S2L2A,L4TM,L5TM,L7,L8,L9,MODIS,S1/2026/B04/12/655/1420')),
    'bad-sensors',
    'more than eight',
  );
  for (const period of ['2026-13', 'July', '2026-07-32', '2026-W54', '2026-08..2026-07', '..'])
    assert.equal(
      codeOf(() => parse(`S2L2A/${period}/B04/12/655/1420`)),
      'bad-period',
      period,
    );
  assert.equal(
    codeOf(() => parse('S2L2A/2026/B04/2/4/0')),
    'no-such-tile',
  );
});

const PATH = { datasets: ['sentinel2l2a'], period: { from: '2026-07-01', to: '2026-07-31' }, bands: 'B04' };
const AREA = 'c6af0ad18db8d56a0ff4934f6dedd2e1';

/** A circle of so many positions. */
const makeArea = (positions: number): KeptArea => {
  const ring = Array.from({ length: positions + 1 }, (_, i) => {
    const angle = (2 * Math.PI * (i % positions)) / positions;
    return [10 + Math.cos(angle), 50 + Math.sin(angle)] as const;
  });
  const edges = ring.slice(1).flatMap((to, i) => [...ring[i]!, ...to]);
  return {
    geometry: JSON.stringify({ type: 'Polygon', coordinates: [ring] }),
    outline: Float64Array.from(edges),
  } as unknown as KeptArea;
};

const read = (query: string, area: KeptArea | null = null): Promise<Mosaic> => {
  const areas = { find: async (ref: string) => (ref === AREA ? area : null) };
  const parameters = new URLSearchParams(query);
  return toMosaic(PATH, new Map(parameters) as never, areas as never);
};

test('by default the newest pixel without cloud, cirrus or shadow is used', async () => {
  assert.deepEqual(await read(''), {
    search: { datasets: PATH.datasets, period: PATH.period, maxCloudPercent: null, area: null },
    composition: {
      selection: { kind: 'newest' },
      masked: { clouds: true, cirrus: true, shadows: true },
      dilateM: 0,
      featherPx: 0,
    },
    bands: 'B04',
  });
});

test('each selection has a name in the query', async () => {
  const wanted: readonly (readonly [string, Selection])[] = [
    ['selection=oldest', { kind: 'oldest' }],
    ['selection=least_cloudy', { kind: 'least-cloudy' }],
    ['selection=nearest&date=2026-07-15', { kind: 'nearest', date: '2026-07-15' }],
    ['selection=highest&by=NDVI', { kind: 'highest', by: 'NDVI' }],
    ['selection=lowest&by=B08%2FB04', { kind: 'lowest', by: 'B08/B04' }],
    ['selection=median', { kind: 'median' }],
    ['selection=mean', { kind: 'mean' }],
    ['selection=stddev', { kind: 'deviation' }],
    ['selection=count', { kind: 'count' }],
    ['selection=medoid', { kind: 'medoid' }],
    ['selection=percentile&percent=12.5', { kind: 'percentile', percent: 12.5 }],
    ['selection=percentile&percent=0', { kind: 'percentile', percent: 0 }],
  ];
  for (const [query, selection] of wanted)
    assert.deepEqual((await read(query)).composition.selection, selection, query);
});

test('masks, widths and limits reach the mosaic', async () => {
  const masks: readonly (readonly [string, Composition['masked']])[] = [
    ['none', { clouds: false, cirrus: false, shadows: false }],
    ['clouds', { clouds: true, cirrus: false, shadows: false }],
    ['shadows,cirrus', { clouds: false, cirrus: true, shadows: true }],
  ];
  for (const [mask, masked] of masks)
    assert.deepEqual((await read(`mask=${mask}`)).composition.masked, masked, mask);
  const { search, composition } = await read('max_cloud=20&dilate=60&feather=16');
  assert.deepEqual([search.maxCloudPercent, composition.dilateM, composition.featherPx], [20, 60, 16]);
});

test('wrong parameters are refused', async () => {
  const codes: readonly (readonly [string, string])[] = [
    ['selection=best', 'bad-selection'],
    ['selection=highest', 'bad-selection'],
    ['selection=nearest', 'bad-selection'],
    ['selection=percentile', 'bad-selection'],
    ['selection=percentile&percent=101', 'bad-percent'],
    ['selection=nearest&date=2026-02-30', 'bad-date'],
    ['mask=fog', 'bad-mask'],
    ['mask=none,clouds', 'bad-mask'],
    ['dilate=1001', 'bad-dilate'],
    ['feather=65', 'bad-feather'],
    ['feather=1.5', 'bad-feather'],
    ['max_cloud=-1', 'bad-max-cloud'],
  ];
  for (const [query, code] of codes)
    await assert.rejects(read(query), (error) => isSwathError(error) && error.code === code, query);
});

test('an area with many positions is searched by its bounding box', async () => {
  const exact = (await read(`within=${AREA}`, makeArea(32))).search.area;
  assert.equal(exact?.ref, AREA);
  assert.equal(exact?.geometry.coordinates[0]?.length, 33);
  const around = (await read(`within=${AREA}`, makeArea(400))).search.area?.geometry.coordinates[0];
  assert.deepEqual(around, [
    [9, 49],
    [11, 49],
    [11, 51],
    [9, 51],
    [9, 49],
  ]);
  for (const ref of [AREA, '../x'])
    await assert.rejects(read(`within=${ref}`), (error) => isSwathError(error) && error.tag === 'not-found');
});
