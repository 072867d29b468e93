import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReadWindow, ThreadTools } from '../../blocks/index.ts';
import type { Grid } from '../../geo/index.ts';
import { makeProjection } from '../../proj/index.ts';
import { loadKernels } from '../../raster/index.ts';
import { makeLandsat } from '../pansharpening/testing/landsat-scene.ts';
import type { PaintedScene } from './paint-parts.ts';
import { MAX_PART_BYTES, makePaintParts } from './paint-parts.ts';
import { defaultOptions } from './testing/default-options.ts';

/** Nine kilometres in pixels of 1.5 m, without overviews. */
const SIDE = 6_000;
const scene = makeLandsat('L8', {
  width: SIDE,
  height: SIDE,
  transform: [500_000, 1.5, 0, 4_700_000, 0, -1.5],
});
const kernels = loadKernels();
const [x, y] = makeProjection(32631, 3857).forward(500_000, 4_700_000);
const grid: Grid = { epsg: 3857, transform: [x, 120, 0, y, 0, -120], width: 100, height: 100 };
const painted: PaintedScene = {
  scene,
  sensor: 'L8',
  bands: 'B4',
  options: { ...defaultOptions, method: 'average' },
  contrast: [{ min: 0, max: 255 }],
  clusters: null,
};

/** Tools whose files hold the same number everywhere. */
function makeTools(read: (pixels: number) => void): ThreadTools {
  const readWindow: ReadWindow = async ({ read: { window } }, sink) => {
    const { width, height } = window;
    read(width * height);
    sink.begin();
    const pixels = new Uint16Array(width * height).fill(77);
    sink.add({ pixels, width, height, corner: { x: 0, y: 0 }, mask: null });
  };
  return { readWindow, kernels } as Partial<ThreadTools> as ThreadTools;
}

async function paint(tools: ThreadTools, request: Partial<Parameters<ReturnType<typeof makePaintParts>>[1]>) {
  const allocate = kernels.begin();
  const rgbaAt = allocate(grid.width * grid.height * 4);
  const freeAt = allocate(0);
  const { signal } = new AbortController();
  await makePaintParts(tools)(painted, { grid, rgbaAt, freeAt, signal, ...request });
  return new Uint32Array(kernels.buffer(), rgbaAt, grid.width * grid.height);
}

test('a part that needs too much memory is halved until it fits, and no part of the picture is omitted', async () => {
  const windows: number[] = [];
  const pixels = await paint(
    makeTools((count) => windows.push(count)),
    {},
  );
  const all = windows.reduce((sum, count) => sum + count, 0);
  assert.ok(windows.length >= 4, `${windows.length} parts`);
  assert.ok(all > SIDE * SIDE * 0.8);
  for (const count of windows) assert.ok(count * 5 <= MAX_PART_BYTES, `${count} pixels at once`);
  // The corner of the picture is that of the image, whose rows are inclined by less than a pixel.
  const inner = [...pixels].filter((_, i) => i % 100 > 1 && i % 100 < 98 && i > 200 && i < 9_700);
  assert.deepEqual([...new Set(inner)], [0xff4d4d4d]);
});

test('painting stops between two parts when no caller waits any more', async () => {
  const controller = new AbortController();
  let parts = 0;
  const tools = makeTools(() => {
    parts += 1;
    controller.abort(new Error('given up'));
  });
  await assert.rejects(paint(tools, { signal: controller.signal }), { message: 'given up' });
  assert.equal(parts, 1);
});
