import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scene } from '../../catalog/index.ts';
import type { Grid } from '../../geo/index.ts';
import { tileGrid } from '../../geo/index.ts';
import type { ResampleMethod } from '../../raster/index.ts';
import type { RenderOptions } from '../pictures/plan-picture.ts';
import { planPicture } from '../pictures/plan-picture.ts';
import { defaultOptions } from '../pictures/testing/default-options.ts';
import type { TestImage } from '../pixels/testing/compute-plan.ts';
import { computeSharp } from './testing/compute-sharp.ts';
import { landsat, MIDDLE, makeLandsat, paint, paintScene } from './testing/landsat-scene.ts';

const l8 = makeLandsat('L8');
const l7 = makeLandsat('L7', { type: 'uint8' });
/** The pixels of the bands in the middle of the scene, and those of the panchromatic one. */
const BAND_GRID: Grid = {
  epsg: 32631,
  transform: [501_500, 30, 0, 4_698_500, 0, -30],
  width: 64,
  height: 64,
};
const PAN_GRID: Grid = { ...BAND_GRID, transform: [501_507.5, 15, 0, 4_698_492.5, 0, -15] };
const DETAIL = { amount: 0.5, min: -1, max: 1 };

interface Asked {
  readonly bands: string;
  readonly scene?: Scene;
  readonly grid?: Grid;
  readonly options?: Partial<RenderOptions>;
}

const planOf = ({ bands, scene = l8, grid = PAN_GRID, options = {} }: Asked) =>
  planPicture(
    {
      sensor: landsat(scene.viewId.slice(0, 2)),
      bands,
      grid,
      options: { ...defaultOptions, isSharpened: true, ...options },
    },
    scene,
  );

/** Images of one value a band. */
const flat = ({ assets }: Scene, values: Readonly<Record<string, number>>): Record<string, TestImage> =>
  Object.fromEntries(
    Object.entries(assets).map(([band, asset]) => [band, paint(asset, () => values[band] ?? 1)]),
  );

const firstOf = (channels: Awaited<ReturnType<typeof computeSharp>>) =>
  channels.map(({ values }) => values[2_000] as number);

const assertNear = (actual: readonly number[], wanted: readonly number[], most = 1e-6) => {
  assert.equal(actual.length, wanted.length);
  for (const [i, value] of actual.entries()) {
    const difference = Math.abs(value - wanted[i]!) / Math.abs(wanted[i]!);
    assert.ok(difference < most, `${value} instead of ${wanted[i]}`);
  }
};

test('the Brovey transform matches its vector: weights follow the order of the requested bands', async () => {
  const images = flat(l8, { B4: 9000, B3: 8500, B2: 8200, B8: 9600 });
  const rgb = await computeSharp(planOf({ bands: 'B4,B3,B2' }), images);
  assertNear(firstOf(rgb), [9941.3186, 9389.0231, 9057.6458]);
  const factor = 9600 / (0.52 * 8200 + 0.25 * 8500 + 0.23 * 9000);
  const bgr = await computeSharp(planOf({ bands: 'B2,B3,B4' }), images);
  assertNear(firstOf(bgr), [8200 * factor, 8500 * factor, 9000 * factor]);
  const twice = await computeSharp(planOf({ bands: 'B4,B4,B2' }), images);
  const other = 9600 / (0.77 * 9000 + 0.23 * 8200);
  assertNear(firstOf(twice), [9000 * other, 9000 * other, 8200 * other]);
});

test('a Brovey transform of reflectances subtracts the offset from all four bands first', async () => {
  const stored = { B4: 9000, B3: 8500, B2: 8200, B8: 9600 };
  const images = flat(l8, stored);
  const plan = planOf({ bands: 'B4,B3,B2', options: { calibrated: true } });
  const sine = Math.sin((65 * Math.PI) / 180);
  const toReflectance = (value: number): number => (value * 2e-5 - 0.1) / sine;
  const [red, green, blue, pan] = Object.values(stored).map(toReflectance) as [
    number,
    number,
    number,
    number,
  ];
  const factor = pan / (0.52 * red + 0.25 * green + 0.23 * blue);
  assertNear(firstOf(await computeSharp(plan, images)), [red * factor, green * factor, blue * factor], 1e-4);
});

test('stored numbers stay within their type, reflectances are unlimited', async () => {
  const bright = flat(l8, { B4: 60_000, B3: 20_000, B2: 20_000, B8: 65_000 });
  const [red = 0] = firstOf(await computeSharp(planOf({ bands: 'B4,B3,B2' }), bright));
  assert.equal(red, 65_535);
  const images = {
    ...flat(l7, { B3: 200 }),
    B8: paint(l7.assets.B8!, (x) => (Math.floor(x / 15) % 2 ? 250 : 20)),
  };
  const [channel] = await computeSharp(planOf({ bands: 'B3', scene: l7 }), images);
  assert.equal(Math.max(...channel!.values), 255);
  assert.ok(Math.min(...channel!.values) >= 0);
});

test("a band is multiplied by the panchromatic band divided by its mean over the band's pixels", async () => {
  // Columns in turn: every band pixel of 30 m holds half a column, a whole one and half a column.
  const [dark, light] = [8_000, 12_000];
  const images = {
    ...flat(l8, { B5: 15_000 }),
    B8: paint(l8.assets.B8!, (x) => (Math.floor((x - 7.5) / 15) % 2 ? light : dark)),
  };
  const [channel] = await computeSharp(planOf({ bands: 'B5' }), images);
  const row = [...channel!.values.subarray(640, 644)].map(Math.round).sort();
  assert.deepEqual(row, [12_000, 12_000, 18_000, 18_000]);
});

test('a computed value is kept and gets the detail of the panchromatic band, by the measured amount', async () => {
  const [dark, light] = [8_000, 12_000];
  const images = {
    ...flat(l8, { B4: 10_000, B5: 15_000 }),
    B8: paint(l8.assets.B8!, (x) => (Math.floor((x - 7.5) / 15) % 2 ? light : dark)),
  };
  const [channel] = await computeSharp(planOf({ bands: 'NDVI' }), images, [DETAIL]);
  const row = [...channel!.values.subarray(640, 644)].sort((a, b) => a - b);
  assertNear(row, [0.1, 0.1, 0.3, 0.3], 1e-5);
});

test('at the resolution of the bands pixelwise sharpening changes nothing', async () => {
  for (const [scene, bands] of [
    [l8, 'B4'],
    [l8, 'NDVI'],
    [l8, 'NDVI,B4,B3'],
    [l7, 'B3,B2,B1'],
  ] as const) {
    const images = scene === l7 ? toBytes(paintScene(l7)) : paintScene(l8);
    const options = { isComposite: bands.includes(','), method: 'average' } as const;
    const details = [DETAIL, DETAIL, DETAIL];
    const sharp = await computeSharp(planOf({ bands, scene, options, grid: BAND_GRID }), images, details);
    const plain = await computeSharp(
      planOf({ bands, scene, options: { ...options, isSharpened: false }, grid: BAND_GRID }),
      images,
    );
    assert.deepEqual(sharp, plain, bands);
  }
});
const toBytes = (images: Readonly<Record<string, TestImage>>) =>
  Object.fromEntries(
    Object.entries(images).map(([band, image]) => [
      band,
      { ...image, pixels: image.pixels.map((value) => value >> 6) },
    ]),
  );

test('a pixel is visible where all bands and the panchromatic one have data', async () => {
  for (const bands of ['B4,B3,B2', 'B4', 'NDVI']) {
    const images = paintScene(l8);
    const gap = (image: TestImage, from: number) => ({
      ...image,
      pixels: image.pixels.map((value, i) => (Math.floor(i / image.width) >= from ? 0 : value)),
    });
    // Below the middle of this grid there is no panchromatic data.
    const lower = { ...images, B8: gap(images.B8!, 132) };
    const [channel] = await computeSharp(planOf({ bands, options: { method: 'near' } }), lower, [DETAIL]);
    const rows = Array.from({ length: 64 }, (_, row) => channel!.mask.subarray(64 * row, 64 * row + 64));
    assert.ok(
      rows.slice(0, 32).every((row) => row.every((has) => has === 1)),
      `${bands}: seen above`,
    );
    assert.ok(
      rows.slice(32).every((row) => row.every((has) => has === 0)),
      `${bands}: gap below`,
    );
    const none = { ...images, B4: gap(images.B4!, 0) };
    const [empty] = await computeSharp(planOf({ bands }), none, [DETAIL]);
    assert.ok(
      empty!.mask.every((has) => has === 0),
      `${bands}: no data, no picture`,
    );
  }
});

test('all resampling methods sharpen, each in its own way', async () => {
  const images = paintScene(l8);
  const methods: readonly ResampleMethod[] = [
    ...(['near', 'bilinear', 'cubic', 'cubicspline', 'lanczos', 'average'] as const),
    ...(['mode', 'max', 'min', 'med', 'q1', 'q3'] as const),
  ];
  for (const method of methods) {
    for (const bands of ['B4,B3,B2', 'B4', 'NDVI']) {
      const grid = tileGrid({ z: 14, x: 2 * MIDDLE.x, y: 2 * MIDDLE.y + 1 });
      const ask = (isSharpened: boolean) => planOf({ bands, grid, options: { method, isSharpened } });
      const [sharp] = await computeSharp(ask(true), images, [DETAIL]);
      const [plain] = await computeSharp(ask(false), images);
      const changed = sharp!.values.filter((value, i) => sharp!.mask[i] === 1 && value !== plain!.values[i]);
      assert.ok(changed.length > 10_000, `${bands} ${method}: ${changed.length} pixels changed`);
      assert.ok(sharp!.values.every(Number.isFinite));
    }
  }
});

test('four tiles equal one picture of twice their size, to the bit', async () => {
  const images = paintScene(l8);
  for (const method of ['near', 'bilinear', 'cubic', 'average', 'med'] as const) {
    for (const bands of ['B4,B3,B2', 'B4', 'NDVI', 'NDVI,B4,B3']) {
      const options = { method, isComposite: bands.includes(',') };
      const details = [DETAIL, DETAIL, DETAIL];
      const whole = await computeSharp(
        planOf({ bands, options, grid: tileGrid(MIDDLE, 512) }),
        images,
        details,
      );
      for (const [dx, dy] of [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
      ] as const) {
        const grid = tileGrid({ z: MIDDLE.z + 1, x: 2 * MIDDLE.x + dx, y: 2 * MIDDLE.y + dy });
        const tile = await computeSharp(planOf({ bands, options, grid }), images, details);
        for (const [i, { values, mask }] of tile.entries()) {
          for (let row = 0; row < 256; row++) {
            const from = (256 * dy + row) * 512 + 256 * dx;
            const part = [
              values.subarray(256 * row, 256 * row + 256),
              mask.subarray(256 * row, 256 * row + 256),
            ];
            const same = [
              whole[i]!.values.subarray(from, from + 256),
              whole[i]!.mask.subarray(from, from + 256),
            ];
            assert.deepEqual(part, same, `${bands} ${method}, tile ${dx} ${dy}, row ${row}`);
          }
        }
      }
    }
  }
});
