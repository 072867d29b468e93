import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Asset, Scene } from '../../catalog/index.ts';
import type { Grid } from '../../geo/index.ts';
import { loadKernels } from '../../raster/index.ts';
import { sensorByDataset } from '../../sensors/index.ts';
import { casesOf } from '../../testing/test-size.ts';
import { beginWork } from '../pixels/read-channels.ts';
import { makeTestTools, readFrom } from '../pixels/testing/compute-plan.ts';
import type { CloudPixels, CloudPlan } from '../plan/render-plan.ts';
import { markClasses } from './cloud-mask.ts';
import { flagClasses, makeFlagClouds, planRepeated, repeatFlags } from './flag-clouds.ts';
import { planClasses, planClouds } from './plan-clouds.ts';
import { makeReadClouds } from './read-clouds.ts';

const open = (): never => {
  throw new Error('there are no polygons to open');
};
const tools = makeTestTools({});
const [readClouds, flagClouds] = [makeReadClouds({ open }), makeFlagClouds({ open })];

const image = { width: 40, height: 30 };
const sensor = sensorByDataset('sentinel2l2a')!;

function toScene(band: string, pixelM: number, nodata: number | null): Scene {
  const asset = {
    href: band,
    bandIndex: 0,
    epsg: 32631,
    type: 'uint16',
    scale: 1,
    offset: 0,
    overviews: [],
    ...image,
    nodata,
    transform: [500_000, pixelM, 0, 4_600_000, 0, -pixelM],
  } satisfies Asset;
  const kind = band === 'SCL' ? { kind: 'classes', band } : { kind: 'quality', band, layout: 'collection-2' };
  return { viewId: 'x', version: '1', cloudMask: kind, assets: { [band]: asset } } as unknown as Scene;
}

/** Compares the flags of a plan with its marks; earlier flags stay. */
async function compare(plan: CloudPlan, grid: Grid, pixels: Uint16Array): Promise<boolean> {
  const here = { ...tools, readWindow: readFrom({ SCL: { pixels, ...image }, BQA: { pixels, ...image } }) };
  const job = { plan, grid, viewId: 'x', sceneVersion: '1' };
  const { signal } = new AbortController();
  const marks = (await readClouds(job, beginWork(here, signal))).slice();
  const allocate = tools.kernels.begin();
  const flagsAt = allocate(marks.length);
  new Uint8Array(tools.kernels.buffer(), flagsAt, marks.length).fill(8);
  const any = await flagClouds(job, { flagsAt, flag: 3 }, beginWork(here, signal, allocate(0)));
  const flags = new Uint8Array(tools.kernels.buffer(), flagsAt, marks.length);
  assert.deepEqual(
    flags,
    marks.map((mark) => (mark === 1 ? 11 : 8)),
  );
  assert.equal(any, marks.includes(1));
  return any;
}

const anyCase = fc.record({
  pixelM: fc.constantFrom(10, 20, 30, 60, 25),
  shiftM: fc.constantFrom(0, 0, 0, 5),
  col: fc.integer({ min: -20, max: 90 }),
  row: fc.integer({ min: -20, max: 70 }),
  width: fc.integer({ min: 1, max: 60 }),
  height: fc.integer({ min: 1, max: 40 }),
  nodata: fc.constantFrom(0, null),
  classes: fc.uniqueArray(fc.nat(11), { minLength: 1, maxLength: 3 }),
  /** Most scenes have few different classes. */
  most: fc.nat(11),
  seed: fc.nat(),
});

test('property: the flagged pixels are those marked on reading, on the file grid, finer and rotated grids', async () => {
  let [repeated, warped, marked] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(anyCase, async ({ pixelM, shiftM, nodata, classes, most, seed, ...at }) => {
      const { col, row, width, height } = at;
      const transform = [500_000 + 10 * col + shiftM, 10, 0, 4_600_000 - 10 * row, 0, -10] as const;
      const grid: Grid = { epsg: 32631, transform, width, height };
      const pixels = new Uint16Array(image.width * image.height).map((_, i) =>
        (Math.imul(i + seed, 2_654_435_761) >>> 12) % 5 === 0 ? i % 12 : most,
      );
      const plan = planClasses(
        { band: 'SCL', classes },
        { scene: toScene('SCL', pixelM, nodata), sensor, grid },
      );
      assert.ok(plan !== null);
      const { warp } = (plan.source as CloudPixels).inputs[0]!;
      if (warp !== null && planRepeated(grid, warp) !== null) repeated += 1;
      else warped += 1;
      if (await compare(plan, grid, pixels)) marked += 1;
    }),
    { numRuns: 300 },
  );
  assert.ok(repeated > 30 && warped > 30 && marked > 30, `${[repeated, warped, marked]}`);
});

test('quality bits are flagged too', async () => {
  const grid: Grid = { epsg: 32631, transform: [500_000, 30, 0, 4_600_000, 0, -30], width: 20, height: 20 };
  const pixels = new Uint16Array(image.width * image.height).map((_, i) => (i % 3 === 0 ? 22_280 : 21_824));
  const landsat = { scene: toScene('BQA', 30, 1), sensor: sensorByDataset('landsat8')!, grid };
  const plan = planClouds({ ...landsat, onlyOpaque: true });
  assert.ok(plan !== null);
  assert.equal(await compare(plan, grid, pixels), true);
  assert.equal(await compare(plan, grid, pixels.fill(21_824)), false);
});

const kernels = loadKernels();

/** Copies bytes into the kernels' memory. */
function put(allocate: (bytes: number) => number, array: Uint8Array | Float32Array | Uint32Array): number {
  const at = allocate(array.byteLength);
  new Uint8Array(kernels.buffer(), at, array.byteLength).set(
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
  );
  return at;
}

test('property: class flags match a check of each pixel, and are added to earlier ones', () => {
  const anyClass = fc.oneof(fc.nat(11), fc.constant(2.5), fc.constant(300), fc.constant(Number.NaN));
  const input = fc.record({
    values: fc.array(anyClass, { maxLength: 70 }),
    classes: fc.uniqueArray(fc.nat(11), { maxLength: 4 }),
    hasMask: fc.boolean(),
    seed: fc.nat(),
  });
  fc.assert(
    fc.property(input, ({ values, classes, hasMask, seed }) => {
      const mask = Uint8Array.from(values, (_, i) => (hasMask && (seed >> (i % 30)) % 3 === 0 ? 0 : 1));
      const before = Uint8Array.from(values, (_, i) => (i % 5 === 0 ? 4 : 0));
      const allocate = kernels.begin();
      const plane = {
        valuesAt: put(allocate, Float32Array.from(values)),
        maskAt: hasMask ? put(allocate, mask) : 0,
        count: values.length,
      };
      const flagsAt = put(allocate, before);
      const any = flagClasses(kernels, allocate, plane, { classes, flag: 3, flagsAt });
      const marks = markClasses(
        Float32Array.from(values, (value, i) => (mask[i] === 0 ? 0 : value)),
        classes,
      );
      assert.equal(any, marks.includes(1));
      assert.deepEqual(
        [...new Uint8Array(kernels.buffer(), flagsAt, values.length)],
        [...before].map((flag, i) => flag | (marks[i] === 1 ? 3 : 0)),
      );
    }),
    { numRuns: casesOf(300) },
  );
});

test('property: flags of a coarser plane are added to all finer pixels it covers', () => {
  const input = fc.record({
    times: fc.constantFrom(1, 2, 3, 6),
    width: fc.integer({ min: 1, max: 90 }),
    height: fc.integer({ min: 1, max: 12 }),
    startCol: fc.nat(5),
    startRow: fc.nat(5),
    seed: fc.nat(),
  });
  fc.assert(
    fc.property(input, ({ times, width, height, seed, ...start }) => {
      const [startCol, startRow] = [start.startCol % times, start.startRow % times];
      const window = {
        x: 0,
        y: 0,
        width: Math.ceil((width + startCol) / times),
        height: Math.ceil((height + startRow) / times),
      };
      const flagAt = (i: number): number => (Math.imul(i + 1, 2_654_435_761 + seed) >>> 13) & 7;
      const coarse = new Uint8Array(window.width * window.height).map((_, i) => flagAt(i));
      const before = new Uint8Array(width * height).map((_, i) => (i % 7 === 0 ? 8 : 0));
      const allocate = kernels.begin();
      const flagsAt = put(allocate, before);
      const planes = { coarseAt: put(allocate, coarse), flagsAt, width, height };
      repeatFlags(kernels, { window, times, startCol, startRow }, planes);
      const wanted = before.map((flag, i) => {
        const col = Math.floor(((i % width) + startCol) / times);
        const row = Math.floor((Math.floor(i / width) + startRow) / times);
        return flag | (coarse[row * window.width + col] as number);
      });
      assert.deepEqual(new Uint8Array(kernels.buffer(), flagsAt, width * height), wanted);
    }),
    { numRuns: casesOf(300) },
  );
});
