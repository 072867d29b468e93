import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { closeRing } from '../../areas/rings.ts';
import type { ReadWindow } from '../../blocks/index.ts';
import type { Asset, CloudMask, Scene } from '../../catalog/index.ts';
import type { Grid, LonLat } from '../../geo/index.ts';
import { toOutline } from '../../geo/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { sensorByDataset } from '../../sensors/index.ts';
import type { OpenSource } from '../../sources/index.ts';
import { casesOf } from '../../testing/test-size.ts';
import { beginWork } from '../pixels/read-channels.ts';
import type { TestImage } from '../pixels/testing/compute-plan.ts';
import { makeTestTools, readFrom } from '../pixels/testing/compute-plan.ts';
import { planClouds } from './plan-clouds.ts';
import { makeReadClouds, makeReadOutlines, toCloudOutline } from './read-clouds.ts';

const SIDE = 8;
const GRID: Grid = { epsg: 32631, transform: [500_000, 10, 0, 4_600_000, 0, -10], width: SIDE, height: SIDE };

function toScene(cloudMask: CloudMask, band: string, nodata: number | null): Scene {
  const { transform, width, height } = GRID;
  const asset = {
    href: band,
    bandIndex: 0,
    epsg: 32631,
    transform,
    width,
    height,
    type: 'uint16',
    nodata,
    scale: 1,
    offset: 0,
    overviews: [],
  } satisfies Asset;
  return { viewId: 'x', version: '1', cloudMask, assets: { [band]: asset } } as unknown as Scene;
}

interface Files {
  readonly text?: string;
  readonly images?: Readonly<Record<string, TestImage>>;
  readonly readWindow?: ReadWindow;
}

function makeRead({ text = '', images = {}, readWindow = readFrom(images) }: Files) {
  let opened = 0;
  const open: OpenSource = async () => {
    opened += 1;
    const bytes = new TextEncoder().encode(text);
    const read = async (offset: number, length: number) => bytes.subarray(offset, offset + length);
    return { id: 'x', version: '1', size: bytes.length, read, close: async () => {} };
  };
  const readClouds = makeReadClouds({ open });
  const tools = { ...makeTestTools(images), readWindow };
  const read = async (scene: Scene, of: string | Sensor, onlyOpaque: boolean): Promise<string[]> => {
    const sensor = typeof of === 'string' ? sensorByDataset(of)! : of;
    const plan = planClouds({ scene, sensor, grid: GRID, onlyOpaque });
    assert.ok(plan !== null);
    const { signal } = new AbortController();
    const job = { plan, grid: GRID, viewId: 'x', sceneVersion: '1' };
    const marks = await readClouds(job, beginWork(tools, signal));
    return Array.from({ length: SIDE }, (_, row) => marks.slice(row * SIDE, (row + 1) * SIDE).join(''));
  };
  return { read, countOpened: () => opened };
}

type Corner = readonly [column: number, row: number];
const toList = (ring: readonly Corner[]): string =>
  ring.map(([column, row]) => `${500_000 + 10 * column} ${4_600_000 - 10 * row}`).join(' ');
const toBox = (left: number, top: number, right: number, bottom: number): string =>
  toList([
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
    [left, top],
  ]);

const toFeature = (type: string, outer: string, ...inner: string[]): string => `
  <eop:MaskFeature><eop:maskType>${type}</eop:maskType><eop:extentOf><gml:Polygon>
    <gml:exterior><gml:LinearRing><gml:posList>${outer}</gml:posList></gml:LinearRing></gml:exterior>
    ${inner.map((list) => `<gml:interior><gml:LinearRing><gml:posList>${list}</gml:posList></gml:LinearRing></gml:interior>`).join('')}
  </gml:Polygon></eop:extentOf></eop:MaskFeature>`;

const toGml = (features: string, epsg = 32631): string => `<?xml version="1.0"?>
<eop:Mask xmlns:eop="http://www.opengis.net/eop/2.0" xmlns:gml="http://www.opengis.net/gml/3.2">
  <gml:boundedBy><gml:Envelope srsName="urn:ogc:def:crs:EPSG:8.7:${epsg}"/></gml:boundedBy>
  <eop:maskMembers>${features}</eop:maskMembers></eop:Mask>`;

const POLYGONS = toScene({ kind: 'polygons', href: 'clouds.gml', epsg: 32631 }, 'B04', 0);

test('in polygons holes are not clouds, overlaps are, and the centre of a pixel decides', async () => {
  const features =
    toFeature('OPAQUE', toBox(0, 0, 5, 5), toBox(1, 1, 3, 3)) +
    toFeature('OPAQUE', toBox(4, 4, 7, 7)) +
    // from the middle of one pixel to the middle of another: the first centre lies on the edge
    toFeature('OPAQUE', toBox(6.4, 0.4, 7.6, 1.6)) +
    toFeature('CIRRUS', toBox(-9, 7, 99, 99)) +
    toFeature('SNOW', toBox(0, 0, 8, 8));
  const { read, countOpened } = makeRead({ text: toGml(features) });
  assert.deepEqual(await read(POLYGONS, 'sentinel2', true), [
    '11111011',
    '10011011',
    '10011000',
    '11111000',
    '11111110',
    '00001110',
    '00001110',
    '00000000',
  ]);
  const both = await read(POLYGONS, 'sentinel2', false);
  assert.equal(both[7], '11111111');
  assert.equal(countOpened(), 1, 'the polygons of a scene are remembered');
});

test('a polygon file without polygons is a sky without clouds', async () => {
  const text = '<eop:Mask xmlns:eop="http://www.opengis.net/eop/2.0"><eop:maskMembers/></eop:Mask>';
  const rows = await makeRead({ text }).read(POLYGONS, 'sentinel2', false);
  assert.ok(rows.every((row) => row === '00000000'));
});

test('polygon files of another place, too long or not GML are broken, and not remembered', async () => {
  for (const [text, code] of [
    [toGml(toFeature('OPAQUE', toBox(0, 0, 5, 5)), 32632), 'source-differs'],
    ['<html/>', 'metadata-wrong-kind'],
    ['no file', 'metadata-bad-xml'],
    [' '.repeat(16 * 2 ** 20 + 1), 'cloud-mask-too-large'],
  ] as const) {
    const { read, countOpened } = makeRead({ text });
    for (const _ of [1, 2])
      await assert.rejects(read(POLYGONS, 'sentinel2', true), { code, tag: 'source-broken' });
    assert.equal(countOpened(), 2);
  }
});

test('polygons on a grid that no band of the scene has are not used', () => {
  const scene = toScene({ kind: 'polygons', href: 'clouds.gml', epsg: 32632 }, 'B04', 0);
  const sensor = sensorByDataset('sentinel2')!;
  assert.equal(planClouds({ scene, sensor, grid: GRID, onlyOpaque: true }), null);
});

/** Fill, clear, opaque, cirrus, both, and a cloud of medium confidence. */
for (const [layout, stored] of [
  ['pre-collection', [1, 20_480, 53_248, 28_672, 61_440, 36_864]],
  ['collection-1', [1, 2_720, 2_800, 6_816, 6_896, 2_752]],
  ['collection-2', [1, 21_824, 22_280, 54_596, 55_052, 22_018]],
] as const) {
  test(`Landsat 8 ${layout}: both bits are a cloud, and cirrus is not opaque`, async () => {
    const pixels = new Uint16Array(SIDE * SIDE).fill(stored[1]);
    pixels.set(stored);
    const images = { BQA: { pixels, width: SIDE, height: SIDE } };
    const scene = toScene({ kind: 'quality', band: 'BQA', layout }, 'BQA', 1);
    const { read } = makeRead({ images });
    assert.equal((await read(scene, 'landsat8', true))[0], '00100000');
    assert.equal((await read(scene, 'landsat8', false))[0], '00111000');
  });
}

test('Sentinel-2 L2A: medium and high probability are opaque, thin cirrus is cirrus', async () => {
  const pixels = new Uint16Array(SIDE * SIDE).map((_, i) => i % 12);
  const images = { SCL: { pixels, width: SIDE, height: SIDE } };
  const { read } = makeRead({ images });
  const scene = toScene({ kind: 'classes', band: 'SCL' }, 'SCL', 0);
  assert.deepEqual((await read(scene, 'sentinel2l2a', true)).slice(0, 2).join(''), '0000000011000000');
  assert.deepEqual((await read(scene, 'sentinel2l2a', false)).slice(0, 2).join(''), '0000000011100000');
});

test('a mask file may flag clear pixels and several kinds of haze; outside it nothing is a cloud', async () => {
  const sensor: Sensor = {
    ...sensorByDataset('sentinel2')!,
    cloud: {
      kind: 'mask-file',
      opaque: [{ band: 0, marks: 'zero' }],
      cirrus: [
        { band: 1, marks: 'non-zero' },
        { band: 2, marks: 'non-zero' },
      ],
      shadow: [],
      onlyOpaqueByDefault: false,
    },
  };
  const { assets } = toScene({ kind: 'classes', band: 'B04' }, 'B04', null);
  const [x, , , y] = GRID.transform;
  // The mask begins at the third column, so two columns of the grid lie beyond it.
  const mask = { ...assets.B04!, href: 'mask', transform: [x + 20, 10, 0, y, 0, -10] } as Asset;
  const rows = [
    [1, 1, 0, 1, 1, 1, 1, 1],
    [0, 1, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 1, 0, 0, 0, 0],
  ];
  const readWindow: ReadWindow = (request, sink, signal) => {
    const row = rows[request.bandIndex]!;
    const pixels = new Uint16Array(SIDE * SIDE).map((_, i) => row[i % SIDE]!);
    return readFrom({ clouds: { pixels, width: SIDE, height: SIDE } })(request, sink, signal);
  };
  const scene = toScene({ kind: 'flags', asset: mask }, 'B04', 0);
  const { read } = makeRead({ readWindow });
  assert.equal((await read(scene, sensor, true))[0], '00001000');
  assert.equal((await read(scene, sensor, false))[0], '00011100');
});

test('a mask of 15 MiB is read in little more memory than its text', async () => {
  const worker = new Worker(new URL('testing/read-large-mask.ts', import.meta.url), {
    // The text is 15 of them and the program some ten; all features at once took a hundred.
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
  });
  const [{ size, edges, wanted }] = await once(worker, 'message');
  assert.ok(size > 14 * 2 ** 20 && size < 16 * 2 ** 20, `${size}`);
  assert.equal(edges, wanted);
  await worker.terminate();
});

test('a mask in another state than the planned one is not read', async () => {
  const text = new TextEncoder().encode('<gml/>');
  const source = {
    id: 'a.gml',
    version: 'now',
    size: text.length,
    read: async () => text,
    close: async () => {},
  };
  const readOutlines = makeReadOutlines(async () => source);
  const wanted = { kind: 'polygons', href: 'a.gml', epsg: 32631, warp: null, sceneVersion: 'v' } as const;
  const { signal } = new AbortController();
  await assert.rejects(readOutlines({ ...wanted, stamp: 'before' }, signal), { code: 'source-changed' });
  for (const stamp of [{ stamp: 'now' }, {}]) {
    const { opaque } = await readOutlines({ ...wanted, ...stamp }, signal).catch(
      (error: { code: string }) => {
        assert.notEqual(error.code, 'source-changed');
        return { opaque: [] };
      },
    );
    assert.deepEqual(opaque, []);
  }
});

/** Few places, so that corners are often the same and rings often closed. */
const coordinate = fc.integer({ min: -2, max: 2 });
const ring = fc.array(fc.tuple(coordinate, coordinate), { minLength: 4, maxLength: 9 });

test('rings become the same edges and bounding rectangle as areas with the same corners', () => {
  fc.assert(
    fc.property(fc.array(ring, { minLength: 1, maxLength: 3 }), (rings) => {
      const closed = rings.map((one) => closeRing(one as LonLat[]));
      const { edges, ...bounds } = toCloudOutline(rings.map((one) => Float64Array.from(one.flat())));
      assert.deepEqual([...edges], [...toOutline({ type: 'Polygon', coordinates: closed })]);
      const [xs, ys] = [rings.flat().map(([x]) => x), rings.flat().map(([, y]) => y)];
      assert.deepEqual(bounds, {
        minX: Math.min(...xs),
        maxX: Math.max(...xs),
        minY: Math.min(...ys),
        maxY: Math.max(...ys),
      });
    }),
    { numRuns: casesOf(500) },
  );
});
