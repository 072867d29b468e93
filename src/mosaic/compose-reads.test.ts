import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ComposeJob, FilledPixels } from './compose-job.ts';
import type { MosaicPictureRequest } from './mosaic.ts';
import { makePlanScene, planComposedGrid } from './plan-scenes.ts';
import { newest } from './testing/a-mosaic.ts';
import { CLOUD, COUNT, cloudyIf, daysOf, SIDE, sceneOf } from './testing/day-scenes.ts';
import type { MosaicsHere, TestScene } from './testing/mosaics-here.ts';
import { cutGrid, everywhere, makeMosaicsHere, NATIVE, requestOn, viewIdOf } from './testing/mosaics-here.ts';

/** A job of some days' scenes, in this order; their indexes are their places among all days. */
async function toJob(
  here: MosaicsHere,
  request: MosaicPictureRequest,
  { days, of, ...more }: { days: readonly number[]; of: readonly number[] } & Partial<ComposeJob>,
): Promise<ComposeJob> {
  const planScene = makePlanScene(here.renderer);
  const composed = planComposedGrid(request.grid, request.composition);
  const { hits } = here.search();
  const plan = async (day: number) => {
    const hit = hits.find(({ viewId }) => viewId === viewIdOf(day))!;
    return (await planScene({ index: of.indexOf(day), hit }, request, composed)).part;
  };
  return {
    ...composed,
    featherPx: request.composition.featherPx,
    channels: 1,
    scenes: await Promise.all(days.map(plan)),
    selection: request.composition.selection,
    before: null,
    rest: [],
    isLast: true,
    result: { kind: 'values', outline: null },
    ...more,
  };
}

test('scenes are read until the picture is full, and later ones are not', async () => {
  const left = cloudyIf((column) => column < SIDE / 2);
  const here = makeMosaicsHere(sceneOf(1), sceneOf(2), sceneOf(3), sceneOf(4, { classAt: left }));
  const { channels, indexes, sources } = await here.readValues(requestOn(NATIVE));
  assert.deepEqual(here.takeReads(), ['4 SCL', '4 B04', '3 SCL', '3 B04']);
  const expected = Array.from({ length: COUNT }, (_, i) => (i % SIDE < SIDE / 2 ? 3 : 4));
  assert.deepEqual(daysOf(channels[0]!), expected);
  assert.deepEqual(
    [...indexes!],
    expected.map((day) => 4 - day),
  );
  assert.deepEqual(
    sources.map(({ hit, pixels }) => [hit.viewId, pixels]),
    [
      [viewIdOf(4), COUNT / 2],
      [viewIdOf(3), COUNT / 2],
    ],
  );
});

test('if the mask of a scene hides everything that is missing, only the mask is read', async () => {
  const left = cloudyIf((column) => column < SIDE / 2);
  const here = makeMosaicsHere(sceneOf(1), sceneOf(2, { classAt: left }), sceneOf(3, { classAt: left }));
  const { channels } = await here.readValues(requestOn(NATIVE));
  assert.deepEqual(here.takeReads(), ['3 SCL', '3 B04', '2 SCL', '1 SCL', '1 B04']);
  assert.deepEqual(
    daysOf(channels[0]!),
    Array.from({ length: COUNT }, (_, i) => (i % SIDE < SIDE / 2 ? 1 : 3)),
  );
});

test('a scene whose footprint covers nothing that is missing is not read', async () => {
  const half = (x: number): Partial<TestScene> => ({ grid: cutGrid(NATIVE, x, 0, SIDE / 2, SIDE) });
  const here = makeMosaicsHere(
    sceneOf(1, half(SIDE / 2)),
    sceneOf(2, half(0)),
    sceneOf(3, { ...half(0), classAt: cloudyIf((column, row) => row >= SIDE / 2 && column < 8) }),
  );
  await here.readValues(requestOn(NATIVE));
  assert.deepEqual(
    new Set(here.takeReads()),
    new Set(['3 SCL', '3 B04', '2 SCL', '2 B04', '1 SCL', '1 B04']),
  );
  await here.readValues(requestOn(cutGrid(NATIVE, SIDE / 2, 0, SIDE / 2, SIDE)));
  assert.deepEqual(here.takeReads(), ['1 SCL', '1 B04']);
});

test('the order decides where clouds of one scene leave a choice, whichever scenes are read first', async () => {
  // The third scene alone covers the right; the second one must still win in the gap that the first leaves.
  const half = cutGrid(NATIVE, 0, 0, SIDE / 2, SIDE);
  const gap = cloudyIf((column, row) => column >= 8 && column < 16 && row < 16);
  const here = makeMosaicsHere(
    sceneOf(1),
    sceneOf(2, { grid: half }),
    sceneOf(3, { grid: half, classAt: gap }),
  );
  const { channels, indexes } = await here.readValues(requestOn(NATIVE));
  const expected = Array.from({ length: COUNT }, (_, i) => {
    const [column, row] = [i % SIDE, Math.floor(i / SIDE)];
    if (column >= SIDE / 2) return 1;
    return column >= 8 && column < 16 && row < 16 ? 2 : 3;
  });
  assert.deepEqual(daysOf(channels[0]!), expected);
  assert.deepEqual(
    [...indexes!],
    expected.map((day) => 3 - day),
  );
});

test('the narrowest part of a footprint at the edge of a picture is filled', async () => {
  for (const pixels of [1, 2, 3]) {
    const here = makeMosaicsHere(
      sceneOf(1, { grid: cutGrid(NATIVE, -60, 0, 60 + pixels, SIDE), classPx: 1 }),
      sceneOf(2, { grid: cutGrid(NATIVE, pixels, 0, SIDE - pixels, SIDE), classPx: 1 }),
    );
    const { channels } = await here.readValues(requestOn(NATIVE));
    assert.deepEqual(
      daysOf(channels[0]!),
      Array.from({ length: COUNT }, (_, i) => (i % SIDE < pixels ? 1 : 2)),
      `${pixels}`,
    );
  }
});

test('consecutive jobs give the same pixels as one job with all scenes', async () => {
  const stripes = (from: number) => cloudyIf((column) => Math.floor(column / 8) % 4 !== from);
  const here = makeMosaicsHere(
    ...[1, 2, 3, 4].map((day) =>
      sceneOf(day, {
        classAt: stripes(day - 1),
        bands: { B04: (column, row) => 100 * day + ((column + row) % 7) },
      }),
    ),
    sceneOf(5, { grid: cutGrid(NATIVE, 0, 0, 8, 8), classAt: everywhere(CLOUD) }),
  );
  const of = [5, 4, 3, 2, 1];
  const request = requestOn(NATIVE);
  const whole = await here.run(await toJob(here, request, { of, days: of }));
  assert.ok(whole.kind === 'values');
  let before: FilledPixels | null = null;
  const restOf = async (days: readonly number[]) =>
    (await toJob(here, request, { of, days })).scenes.map(({ index, footprint }) => ({ index, footprint }));
  for (const [days, rest, reaching] of [
    [[4], [5, 3, 2, 1], [0, 2, 3, 4]],
    [[3], [5, 2, 1], [0, 3, 4]],
    [[2], [5, 1], [0, 4]],
  ] as const) {
    const job = await toJob(here, request, { of, days, before, isLast: false, rest: await restOf(rest) });
    const part = await here.run(job);
    assert.ok(part.kind === 'unfinished', `${days}`);
    assert.deepEqual(part.reaching, reaching, `after ${days}`);
    before = part.filled;
  }
  const last = await here.run(await toJob(here, request, { of, days: [5, 1], before }));
  assert.ok(last.kind === 'values');
  assert.deepEqual(last, whole);
  assert.deepEqual(new Set(whole.indexes), new Set([1, 2, 3, 4]));
});

test('a finished picture needs no later scenes, even if it is not the last job', async () => {
  const here = makeMosaicsHere(sceneOf(1), sceneOf(2));
  const request = requestOn(NATIVE);
  const rest = (await toJob(here, request, { of: [2, 1], days: [1] })).scenes;
  const job = await toJob(here, request, { of: [2, 1], days: [2], isLast: false, rest });
  const done = await here.run(job);
  assert.equal(done.kind, 'values');
});

test('pixels around the picture, which only widen masks, need no scene', async () => {
  const inner = cutGrid(NATIVE, 16, 16, 32, 32);
  const around = cutGrid(NATIVE, 14, 14, 36, 36);
  const corner = cloudyIf((column, row) => column < 6 && row < 6);
  const here = makeMosaicsHere(sceneOf(1), sceneOf(2), sceneOf(3, { grid: around, classAt: corner }));
  const request = requestOn(inner, { composition: { ...newest, dilateM: 60 } });
  await here.readValues(request);
  assert.deepEqual(here.takeReads(), ['3 SCL', '3 B04', '2 SCL', '2 B04']);
  const clear = makeMosaicsHere(sceneOf(2), sceneOf(3, { grid: around }));
  const { indexes, sources } = await clear.readValues(request);
  assert.deepEqual(clear.takeReads(), ['3 SCL', '3 B04']);
  assert.ok(indexes!.every((index) => index === 0));
  assert.deepEqual(
    sources.map(({ pixels }) => pixels),
    [32 * 32],
  );
});
