import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import type { ReadWindow } from '../../blocks/index.ts';
import type { Scene } from '../../catalog/index.ts';
import { toScene } from '../../catalog/index.ts';
import { box, makeScene } from '../../catalog/testing/make-scene.ts';
import type { AreaGeometry, Grid } from '../../geo/index.ts';
import { applyAffine, tileGrid, toOutline } from '../../geo/index.ts';
import { sieve } from '../../numbers/index.ts';
import { aTicket, makeRunnerHere } from '../../pool/testing/run-here.ts';
import { makeProjection } from '../../proj/index.ts';
import { loadKernels, makeComputeBands } from '../../raster/index.ts';
import { sensorByAbbreviation } from '../../sensors/index.ts';
import type { Picture } from '../pictures/draw.ts';
import { makeDraw } from '../pictures/draw.ts';
import type { RenderOptions } from '../pictures/plan-picture.ts';
import { planPicture } from '../pictures/plan-picture.ts';
import { defaultOptions } from '../pictures/testing/default-options.ts';
import type { TestImage } from '../pixels/testing/compute-plan.ts';
import { readFrom } from '../pixels/testing/compute-plan.ts';
import { DEFAULT_LIMITS } from '../plan/plan-inputs.ts';
import { makeFindClusters, toShownColor } from './find-clusters.ts';
import type { ClusterJobs, FitClustersJob } from './fit-clusters.ts';
import { makeFitClusters } from './fit-clusters.ts';

const SIDE = 1024;
const sensor = sensorByAbbreviation('S2')!;
const plain = { ...makeScene(21).assets.B04!, overviews: [] };
const scene = toScene(makeScene(21, { assets: { B03: plain, B04: plain, B08: plain } }));

const maskedScene: Scene = {
  ...scene,
  cloudMask: { kind: 'polygons', href: 'clouds.gml', epsg: plain.epsg },
};

const fill = (value: (column: number, row: number) => number): TestImage => ({
  pixels: new Uint16Array(SIDE * SIDE).map((_, i) => value(i % SIDE, Math.floor(i / SIDE))),
  width: SIDE,
  height: SIDE,
});
/** Looks like noise, and is the same every time. */
const stir = (column: number, row: number): number => ((column * 7919 + row * 104_729) % 997) / 997;
/** B04: three heights in stripes of 40 columns, with a little noise, and holes. B08: rising with the rows. */
const images: Record<string, TestImage> = {
  B04: fill((column, row) =>
    column % 29 === 0 && row % 31 === 0
      ? 0
      : [2000, 3000, 6000][Math.floor(column / 40) % 3]! + Math.floor(300 * stir(column, row)),
  ),
  B08: fill((column, row) => 1500 + 4 * row + Math.floor(50 * stir(row, column))),
  B03: fill((column, row) => 2000 + ((column * row) % 1000)),
};

const toClusters = (count: number, minAreaM2 = 0) => ({ count, minAreaM2 });
const { signal } = new AbortController();
const context = { signal, cancelled: () => false, report: () => {} };

function makeRig() {
  const kernels = loadKernels();
  const compute = makeComputeBands(kernels);
  const readImages = readFrom(images);
  const reads: string[] = [];
  const readWindow: ReadWindow = (request, ...more) => {
    reads.push(request.band);
    return readImages(request, ...more);
  };
  const fit = makeFitClusters({ readWindow, kernels, compute });
  // Clouds everywhere, where a plan has any.
  const readClouds = async ({ grid: { width, height } }: { grid: Grid }) =>
    new Uint8Array(width * height).fill(1);
  const draw = makeDraw({ readWindow, kernels, compute, readClouds });
  const fits: FitClustersJob[] = [];
  const pool = makeRunnerHere<ClusterJobs>({
    'fit-clusters'(input) {
      fits.push(input);
      return fit(input, context);
    },
  });
  const findClusters = makeFindClusters({ pool, limits: DEFAULT_LIMITS });

  /** The pixels of a picture as hexadecimal colours with alpha. */
  const show = async (
    grid: Grid,
    bands: string,
    more: Partial<RenderOptions>,
    of = scene,
  ): Promise<string[]> => {
    const options: RenderOptions = { ...defaultOptions, format: 'png', clusters: toClusters(3), ...more };
    const plan = planPicture({ sensor, bands, grid, options }, of);
    const outline = options.area?.outline ?? null;
    const clusters = await findClusters({ plan, scene: of, outline }, aTicket);
    const contrast = plan.stretches.map(() => ({ min: 0, max: 1 }));
    const color = toShownColor(plan, clusters);
    const job = { plan: { ...plan, color }, contrast, outline, ...(clusters === null ? {} : { clusters }) };
    reads.length = 0;
    const drawn = await draw(job, context);
    const rgba = await sharp((drawn.output as Picture).bytes)
      .ensureAlpha()
      .raw()
      .toBuffer();
    return toHexadecimal(rgba);
  };
  return { show, fits, reads };
}

/** Pictures of classes have few colours: each is written once. */
function toHexadecimal(rgba: Buffer): string[] {
  const texts = new Map<number, string>();
  return Array.from({ length: rgba.length / 4 }, (_, i) => {
    const color = rgba.readUInt32BE(4 * i);
    let text = texts.get(color);
    if (text === undefined) {
      text = color.toString(16).padStart(8, '0');
      texts.set(color, text);
    }
    return text;
  });
}

const NOTHING = '00000000';
/** The scene's own pixels, so that what is shown can be compared one by one. */
const native = (x: number, y: number, side: number): Grid => {
  const [originX, originY] = applyAffine(plain.transform, x, y);
  return { epsg: plain.epsg, transform: [originX, 10, 0, originY, 0, -10], width: side, height: side };
};

test('CLUSTERING shows classes by their centres, from low to high; pixels without data have no class', async () => {
  const { show } = makeRig();
  const pixels = await show(native(100, 200, 256), 'B04', {});
  const colors = ['a50026ff', 'ffffbfff', '006837ff'];
  for (const [i, color] of pixels.entries()) {
    const [column, row] = [100 + (i % 256), 200 + Math.floor(i / 256)];
    const isHole = column % 29 === 0 && row % 31 === 0;
    assert.equal(color, isHole ? NOTHING : colors[Math.floor(column / 40) % 3], `${column}, ${row}`);
  }
});

test('PALETTE and COLORMAP colour classes, the map from its first colour to its last', async () => {
  const { show } = makeRig();
  const grid = native(0, 1, 128);
  const kinds = async (color: RenderOptions['color']) => [...new Set(await show(grid, 'B04', { color }))];
  assert.deepEqual(await kinds({ palette: '{"1":"#ff0000","3":"#0000ff"}' }), [
    'ff0000ff',
    NOTHING,
    '0000ffff',
  ]);
  const gray = { kind: 'named', name: 'gray', isReversed: true } as const;
  assert.deepEqual((await kinds({ colormap: gray })).toSorted(), [
    NOTHING,
    '000000ff',
    '808080ff',
    'ffffffff',
  ]);
  // tab10 has ten colours of its own.
  const discrete = { kind: 'named', name: 'tab10', isReversed: false } as const;
  const ten = await kinds({ colormap: discrete });
  assert.ok(ten.includes('1f77b4ff') && ten.includes('17becfff') && ten.length === 4, ten.join());
  for (const color of [
    { colors: 'ff0000', thresholds: '' },
    { colorsLimit: '4', colormap: gray },
  ]) {
    await assert.rejects(kinds(color), { tag: 'unsupported', code: 'colored-clusters' });
  }
  await assert.rejects(show(grid, 'B04', { isSharpened: true }), { code: 'sharpened-clusters' });
});

test('clusters are fitted once: tiles of all zooms share them, and other requests do not', async () => {
  const { show, fits } = makeRig();
  const tile = { z: 14, x: 8331, y: 6055 };
  await show(tileGrid(tile), 'NDVI', {});
  await show(tileGrid({ z: 15, x: 2 * tile.x, y: 2 * tile.y }), 'NDVI', { method: 'cubic' });
  await show(native(0, 0, 64), 'ndvi', { color: { palette: '{"1":"#ff0000"}' } });
  assert.equal(fits.length, 1);
  await show(tileGrid(tile), 'NDVI', { clusters: toClusters(4) });
  await show(tileGrid(tile), 'NDVI', { calibrated: true });
  await show(tileGrid(tile), 'B04', {});
  await show(tileGrid(tile), 'NDVI', { area: toArea('a', 10, 10, 90) });
  assert.equal(fits.length, 5);
});

test('four class tiles equal one picture of twice the size, also for composites', async () => {
  const { show } = makeRig();
  const tile = { z: 14, x: 8331, y: 6055 };
  for (const [bands, more] of [
    ['(B08-B04)/(B08+B04)', { clusters: toClusters(7) }],
    ['B04,B08,B03', { method: 'bilinear', calibrated: true, clusters: toClusters(5) }],
    ['B04', { area: toArea('b', 300, 250, 400) }],
    ['B04', { area: toArea('b', 300, 250, 400), clusters: toClusters(4, 2000) }],
  ] as const) {
    const whole = await show(tileGrid(tile, 512), bands, more);
    assert.ok(new Set(whole).size >= 4, bands);
    for (const [dx, dy] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      const part = await show(tileGrid({ z: 15, x: 2 * tile.x + dx, y: 2 * tile.y + dy }), bands, more);
      const wanted = part.map((_, i) => whole[(Math.floor(i / 256) + 256 * dy) * 512 + (i % 256) + 256 * dx]);
      assert.ok(part.join() === wanted.join(), `${bands} ${dx} ${dy}`);
    }
  }
});

/** An area around pixels of the scene, straight in degrees. */
function toArea(ref: string, x: number, y: number, side: number) {
  const { forward } = makeProjection(plain.epsg, 4326);
  const [west, north] = forward(...applyAffine(plain.transform, x, y));
  const [east, south] = forward(...applyAffine(plain.transform, x + side, y + side));
  return { ref, outline: toOutline(box(west, south, east, north) as AreaGeometry) };
}

test('an area has its own classes, from the pixels inside it only', async () => {
  const { show, fits } = makeRig();
  // Columns 0 to 79 hold two of the three heights: three classes divide them, and not what lies beside.
  const area = toArea('c', 4, 4, 70);
  const colors = new Set(await show(native(0, 0, 80), 'B04', { area }));
  assert.deepEqual(colors.size, 4);
  const high = await show(native(80, 0, 40), 'B04', { area });
  assert.deepEqual([...new Set(high)], [NOTHING]);
  const [job] = fits;
  assert.ok(job && job.sample.grid.width < 90 && job.sample.grid.width > 70, `${job?.sample.grid.width}`);
});

test('an area outside the scene, or without data, shows nothing and does not fail', async () => {
  const { show } = makeRig();
  const beside = toArea('d', -500, -500, 100);
  assert.deepEqual([...new Set(await show(native(0, 0, 64), 'B04', { area: beside }))], [NOTHING]);
  assert.deepEqual(
    [...new Set(await show(native(0, 0, 64), 'B04/0', { area: toArea('e', 5, 5, 50) }))],
    [NOTHING],
  );
});

test('MIN_AREA merges patches of fewer square metres into their largest neighbour, in the whole area at once', async () => {
  const { show } = makeRig();
  const area = toArea('f', 100, 100, 200);
  const grid = native(90, 90, 224);
  const [whole, sieved] = [
    await show(grid, 'B03', { area, clusters: toClusters(4) }),
    await show(grid, 'B03', { area, clusters: toClusters(4, 2000) }),
  ];
  // 2000 square metres are 20 pixels of 10 m.
  const colors = [NOTHING, ...new Set(whole.filter((color) => color !== NOTHING))];
  const labels = Uint8Array.from(whole, (color) => colors.indexOf(color));
  const wanted = Array.from(sieve({ labels, width: 224, height: 224 }, 20), (label) => colors[label]);
  assert.ok(wanted.join() !== whole.join());
  assert.ok(sieved.join() === wanted.join());
  // A limit below one pixel removes nothing.
  const none = await show(grid, 'B03', { area, clusters: toClusters(4, 50) });
  assert.ok(none.join() === whole.join());
});

test("with MIN_AREA, at zooms beyond the scene's pixels the area is filled up to its edge", async () => {
  const { show } = makeRig();
  const area = toArea('g', 300, 300, 30);
  const [x, y] = applyAffine(plain.transform, 295, 295);
  const fine: Grid = { epsg: plain.epsg, transform: [x, 1, 0, y, 0, -1], width: 400, height: 400 };
  const seen = async (minAreaM2: number) =>
    (await show(fine, 'B08', { area, clusters: toClusters(3, minAreaM2) })).map((color) => color !== NOTHING);
  assert.ok((await seen(1000)).join() === (await seen(0)).join());
});

test('MIN_AREA reuses the map that was made once: no band is read for a tile unless it has clouds', async () => {
  const { show, reads } = makeRig();
  const area = toArea('i', 20, 20, 120);
  const grid = native(10, 10, 140);
  const clusters = toClusters(3, 2000);
  const pixels = await show(grid, 'B04', { area, clusters });
  assert.equal(reads.length, 0);
  // Holes stay holes, also those at the edge of the area: nothing grows into what has no data.
  let holes = 0;
  for (const [i, color] of pixels.entries()) {
    const [column, row] = [10 + (i % 140), 10 + Math.floor(i / 140)];
    if (column % 29 !== 0 || row % 31 !== 0) continue;
    assert.equal(color, NOTHING, `${column}, ${row}`);
    holes += 1;
  }
  assert.ok(holes >= 9 && pixels.filter((color) => color !== NOTHING).length > 13_000);
  await show(grid, 'B04', { area, clusters: toClusters(3) });
  assert.deepEqual(reads, ['B04']);
  const clouded = await show(grid, 'B04', { area, clusters, clouds: { color: '123456' } }, maskedScene);
  assert.deepEqual(reads, ['B04']);
  assert.ok(clouded.every((color, i) => color === (pixels[i] === NOTHING ? NOTHING : '123456ff')));
  // Nothing to divide is nothing to read.
  await show(grid, 'B04/0', { area: toArea('j', 20, 20, 120) });
  assert.equal(reads.length, 0);
});

test('a colormap spans the found classes from its first colour to its last', async () => {
  const { show } = makeRig();
  const grid = native(0, 1, 128);
  const kinds = async (bands: string, count: number, more: Partial<RenderOptions> = {}) =>
    [...new Set(await show(grid, bands, { clusters: toClusters(count), ...more }))]
      .filter((color) => color !== NOTHING)
      .toSorted();
  // Of three heights without noise there are three classes, however many are asked for.
  const three = 'floor(B04/1000)';
  for (const count of [3, 4, 20]) {
    assert.deepEqual(await kinds(three, count), ['006837ff', 'a50026ff', 'ffffbfff'], `${count}`);
  }
  assert.equal((await kinds(three, 2)).length, 2);
  assert.deepEqual(await kinds('B04^0', 5), ['a50026ff'], 'one class has the first colour');
  const palette = '{"1":"#ff0000","3":"#0000ff"}';
  assert.deepEqual(await kinds(three, 9, { color: { palette } }), ['0000ffff', 'ff0000ff']);
});

test('MIN_AREA is refused without an area, or with one that is too large', async () => {
  const { show } = makeRig();
  const clusters = toClusters(3, 2000);
  const grid = native(0, 0, 64);
  await assert.rejects(show(grid, 'B04', { clusters }), { tag: 'unsupported', code: 'min-area-of-scene' });
  // So expensive that the sample has fewer pixels than the area.
  const expensive = Array.from({ length: 30 }, (_, i) => `sin(B04*${i}.5)`).join('+');
  const area = toArea('h', 10, 10, 1000);
  await assert.rejects(show(grid, expensive, { clusters, area }), {
    tag: 'unsupported',
    code: 'area-too-large',
  });
});
