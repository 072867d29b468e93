import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import type { Grid } from '../geo/index.ts';
import { toOutline } from '../geo/index.ts';
import { aTicket } from '../pool/testing/run-here.ts';
import { makeProjection } from '../proj/index.ts';
import { NO_SCENE } from '../stack/index.ts';
import { listClear, meanOf, medoidOf, percentileOf } from '../stack/testing/plain-stack.ts';
import type { ComposeJob, FilledPixels } from './compose-job.ts';
import type { MosaicPictureRequest, Selection } from './mosaic.ts';
import { makePlanScene, planComposedGrid } from './plan-scenes.ts';
import { toSceneColor } from './source-colors.ts';
import { newest } from './testing/a-mosaic.ts';
import type { MosaicsHere, TestScene } from './testing/mosaics-here.ts';
import {
  cutGrid,
  everywhere,
  makeMosaicsHere,
  NATIVE,
  options,
  requestOn,
  viewIdOf,
} from './testing/mosaics-here.ts';

const SIDE = NATIVE.width;
const COUNT = SIDE * SIDE;
const CLOUD = 9;
const GROUND = 4;

/** A scene whose B04 says which day a pixel is of: 100 times the day, and its place. */
const sceneOf = (day: number, more: Partial<TestScene> = {}): TestScene => ({
  day,
  grid: NATIVE,
  bands: { B04: everywhere(100 * day), B08: everywhere(1_000 + day) },
  ...more,
});

const cloudyIf =
  (isCloudy: (column: number, row: number) => boolean) =>
  (column: number, row: number): number =>
    isCloudy(column, row) ? CLOUD : GROUND;

/** The values of one channel as rows of days. */
const daysOf = (values: Float32Array): readonly number[] => [...values].map((value) => value / 100);

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

test('scenes are read until the picture is full, and no later ones', async () => {
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

test('of a scene whose mask hides all that is missing, only the mask is read', async () => {
  const left = cloudyIf((column) => column < SIDE / 2);
  const here = makeMosaicsHere(sceneOf(1), sceneOf(2, { classAt: left }), sceneOf(3, { classAt: left }));
  const { channels } = await here.readValues(requestOn(NATIVE));
  assert.deepEqual(here.takeReads(), ['3 SCL', '3 B04', '2 SCL', '1 SCL', '1 B04']);
  assert.deepEqual(
    daysOf(channels[0]!),
    Array.from({ length: COUNT }, (_, i) => (i % SIDE < SIDE / 2 ? 1 : 3)),
  );
});

test('a scene whose footprint reaches nothing that is missing is not read', async () => {
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

test('jobs one after the other give the pixels of one job with all scenes', async () => {
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

test('a finished picture needs no later scenes, also if it is not the last job', async () => {
  const here = makeMosaicsHere(sceneOf(1), sceneOf(2));
  const request = requestOn(NATIVE);
  const rest = (await toJob(here, request, { of: [2, 1], days: [1] })).scenes;
  const job = await toJob(here, request, { of: [2, 1], days: [2], isLast: false, rest });
  const done = await here.run(job);
  assert.equal(done.kind, 'values');
});

test('nodata and NaN never win, whatever the selection is', async () => {
  // B08-B04 over their difference is not a number where both are equal.
  const here = makeMosaicsHere(
    sceneOf(1, { bands: { B04: everywhere(10), B08: everywhere(30) } }),
    sceneOf(2, { bands: { B04: (column) => (column < 8 ? 0 : 20), B08: everywhere(20) } }),
  );
  const bands = 'sqrt(B08-B04-1)';
  for (const selection of [
    { kind: 'newest' },
    { kind: 'highest', by: 'B08' },
    { kind: 'lowest', by: 'B08' },
    { kind: 'lowest', by: bands },
    { kind: 'median' },
    { kind: 'medoid' },
    { kind: 'mean' },
    { kind: 'percentile', percent: 100 },
  ] as const satisfies readonly Selection[]) {
    const request = requestOn(NATIVE, { bands, composition: { ...newest, selection } });
    const { channels, mask } = await here.readValues(request);
    assert.ok(
      mask.every((has) => has === 1),
      selection.kind,
    );
    assert.ok(
      channels[0]!.every((value) => Math.abs(value - Math.sqrt(19)) < 1e-6),
      selection.kind,
    );
  }
  const counted = await here.readValues(
    requestOn(NATIVE, { bands, composition: { ...newest, selection: { kind: 'count' } } }),
  );
  assert.ok(counted.channels[0]!.every((value) => value === 1));
});

test('computed selections and choices are those of plain arithmetic, pixel by pixel', async () => {
  const values = (day: number, band: number) => (column: number, row: number) =>
    1 + ((column * 31 + row * 17 + day * 101 + band * 7 + ((column * row * day) % 13)) % 97);
  const days = [1, 2, 3, 4, 5];
  const cloudsOf = (day: number) => cloudyIf((column, row) => (Math.floor(column / 4) + row + day) % 3 === 0);
  const here = makeMosaicsHere(
    ...days.map((day) =>
      sceneOf(day, {
        bands: { B04: values(day, 4), B08: values(day, 8) },
        classAt: cloudsOf(day),
        classPx: 1,
      }),
    ),
  );
  const places = Array.from({ length: COUNT }, (_, i) => [i % SIDE, Math.floor(i / SIDE)] as const);
  const scenes = days.toReversed().map((day) => {
    const plane = (band: number) =>
      Float32Array.from(places, ([column, row]) => values(day, band)(column, row));
    const [red, near] = [plane(4), plane(8)];
    return {
      channels: [red, near, red.map((value, i) => value + near[i]!)],
      mask: Uint8Array.from(places, ([column, row]) => Number(cloudsOf(day)(column, row) === GROUND)),
      values: red.map((value, i) => (near[i]! - value) / (near[i]! + value)),
    };
  });
  const read = (selection: Selection) =>
    here.readValues(
      requestOn(NATIVE, {
        bands: 'B04,B08,B04+B08',
        options: { ...options, isComposite: true },
        composition: { ...newest, selection },
      }),
    );
  const [median, mean, high, medoid, highest, count] = await Promise.all([
    read({ kind: 'median' }),
    read({ kind: 'mean' }),
    read({ kind: 'percentile', percent: 80 }),
    read({ kind: 'medoid' }),
    read({ kind: 'highest', by: 'NDVI' }),
    read({ kind: 'count' }),
  ]);
  for (let i = 0; i < COUNT; i += 1) {
    const clear = listClear(scenes, i);
    const ofChannel = (channel: number) => clear.map(({ channels }) => channels[channel]!);
    assert.equal(count.channels[0]![i], clear.length);
    for (const channel of [0, 1]) {
      const list = ofChannel(channel);
      assert.equal(median.channels[channel]![i], percentileOf(list, 50));
      assert.equal(mean.channels[channel]![i], Math.fround(meanOf(list)));
      assert.ok(Math.abs(high.channels[channel]![i]! - percentileOf(list, 80)) < 1e-4);
    }
    assert.equal(medoid.indexes![i], medoidOf(clear).index);
    const best = Math.max(...clear.map(({ value }) => value));
    assert.equal(highest.indexes![i], clear.find(({ value }) => value === best)!.index);
    assert.equal(highest.channels[0]![i], scenes[highest.indexes![i]!]!.channels[0]![i]);
  }
});

test('widened masks and faded edges do not end at the edge of a tile', async () => {
  const wave = (day: number) => (column: number, row: number) => 1_000 * day + 10 * column + row;
  const here = makeMosaicsHere(
    sceneOf(1, { bands: { B04: wave(1) } }),
    sceneOf(2, {
      bands: { B04: wave(2) },
      classAt: cloudyIf((column, row) => column >= 30 && column < 34 && row >= 20 && row < 26),
    }),
    sceneOf(3, { grid: cutGrid(NATIVE, 0, 32, 36, 32), bands: { B04: wave(3) } }),
  );
  const window = cutGrid(NATIVE, 16, 16, 32, 32);
  for (const [dilateM, featherPx] of [
    [0, 0],
    [35, 0],
    [0, 6],
    [35, 6],
  ] as const) {
    const read = (grid: Grid) =>
      here.readValues(requestOn(grid, { composition: { ...newest, dilateM, featherPx } }));
    const whole = await read(window);
    for (const [x, y] of [
      [0, 0],
      [16, 0],
      [0, 16],
      [16, 16],
    ] as const) {
      const tile = await read(cutGrid(window, x, y, 16, 16));
      for (let i = 0; i < 256; i += 1) {
        const at = (y + Math.floor(i / 16)) * 32 + x + (i % 16);
        assert.equal(tile.channels[0]![i], whole.channels[0]![at], `${dilateM} ${featherPx}: ${x},${y} ${i}`);
        assert.equal(tile.indexes![i], whole.indexes![at]);
      }
    }
    // What is widened and faded is not what is not.
    const isPlain = whole.channels[0]!.every((value) => value % 1 === 0);
    assert.equal(isPlain, featherPx === 0);
    const first = whole.indexes!.filter((index) => index === 2).length;
    assert.equal(first > 24, dilateM > 0 || featherPx > 0, `${first} pixels of the scene behind`);
  }
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

test('the picture of sources has the colour of the scene that each pixel is of', async () => {
  const left = cloudyIf((column) => column < SIDE / 2);
  const nothing = cloudyIf((_, row) => row < 8);
  const here = makeMosaicsHere(
    sceneOf(1, { classAt: nothing }),
    sceneOf(2, { classAt: (column, row) => Math.max(left(column, row), nothing(column, row)) }),
  );
  const planned = await here.mosaics.plan(requestOn(NATIVE));
  const { bytes, sources } = await here.mosaics.drawSources(planned, aTicket);
  const rgba = await sharp(bytes).ensureAlpha().raw().toBuffer();
  const counts = new Map<number, number>();
  for (let i = 0; i < COUNT; i += 1) {
    const [red, green, blue, alpha] = rgba.subarray(4 * i, 4 * i + 4);
    const row = Math.floor(i / SIDE);
    assert.equal(alpha, row < 8 ? 0 : 255);
    if (alpha === 0) continue;
    const day = i % SIDE < SIDE / 2 ? 1 : 2;
    const color = (red! << 16) | (green! << 8) | blue!;
    assert.equal(color, toSceneColor({ viewId: viewIdOf(day) }));
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  assert.deepEqual(
    sources.map(({ hit, pixels }) => [hit.viewId, pixels]),
    [2, 1].map((day) => [viewIdOf(day), counts.get(day)]),
  );
  const { indexes } = await here.readValues(requestOn(NATIVE));
  assert.equal(indexes!.filter((index) => index === NO_SCENE).length, 8 * SIDE);
});

test('a mosaic without a clear pixel has no sources', async () => {
  const here = makeMosaicsHere(sceneOf(1, { classAt: everywhere(CLOUD) }));
  for (const selection of [{ kind: 'newest' }, { kind: 'medoid' }, { kind: 'median' }] as const) {
    const request = requestOn(NATIVE, { composition: { ...newest, selection } });
    const planned = await here.mosaics.plan(request);
    const { sources } = await here.mosaics.drawSources(planned, aTicket);
    assert.deepEqual(sources, [], selection.kind);
    assert.ok((await here.readValues(request)).mask.every((has) => has === 0));
  }
});

test('scenes of two UTM zones and two resolutions meet', async () => {
  // Around 6 degrees east, where zone 31 ends and 32 begins.
  const around = (epsg: number, pixelM: number, side: number): Grid => {
    const [x, y] = makeProjection(4326, epsg).forward(6, 41);
    const [left, top] = [Math.round(x / pixelM) * pixelM, Math.round(y / pixelM) * pixelM];
    const half = (side / 2) * pixelM;
    return { epsg, transform: [left - half, pixelM, 0, top + half, 0, -pixelM], width: side, height: side };
  };
  // The value is the longitude in a scene of either zone, so that a wrong place shows.
  const toLongitude = ({ epsg, transform: [left, step, , top] }: Grid) => {
    const { forward } = makeProjection(epsg, 4326);
    return (column: number, row: number) =>
      Math.round((forward(left + (column + 0.5) * step, top - (row + 0.5) * step)[0] - 5) * 20_000);
  };
  const [west, east] = [around(32631, 10, 128), around(32632, 20, 96)];
  const here = makeMosaicsHere(
    sceneOf(1, { grid: west, bands: { B04: toLongitude(west) } }),
    sceneOf(2, {
      grid: east,
      bands: { B04: toLongitude(east) },
      classAt: cloudyIf((column, row) => (column + row) % 16 < 8),
    }),
  );
  const grid: Grid = {
    epsg: 4326,
    transform: [5.994, 0.0001, 0, 41.004, 0, -0.0001],
    width: 120,
    height: 80,
  };
  const { channels, indexes, mask } = await here.readValues(requestOn(grid));
  const seen = new Set<number>();
  for (let i = 0; i < channels[0]!.length; i += 1) {
    assert.equal(mask[i], 1);
    const longitude = 5.994 + ((i % 120) + 0.5) * 0.0001;
    // Half a pixel of 20 m is 0.00012 degrees there.
    assert.ok(Math.abs(channels[0]![i]! / 20_000 + 5 - longitude) < 0.00018, `pixel ${i}`);
    seen.add(indexes![i]!);
  }
  assert.deepEqual(seen, new Set([0, 1]));
});

test('what lies outside of an area is left out, and of no scene', async () => {
  const here = makeMosaicsHere(sceneOf(1));
  const planned = await here.mosaics.plan(requestOn(NATIVE));
  const { forward } = makeProjection(32631, 4326);
  const corner = (x: number, y: number) => forward(500_000 + 10 * x, 4_600_000 - 10 * y) as [number, number];
  const ring = [corner(-9, -9), corner(32.2, -9), corner(32.2, 99), corner(-9, 99), corner(-9, -9)];
  const outline = toOutline({ type: 'Polygon', coordinates: [ring] });
  const { mask, indexes, sources } = await here.mosaics.readValues(planned, outline, aTicket);
  assert.deepEqual(
    [...mask],
    Array.from({ length: COUNT }, (_, i) => Number(i % SIDE < 32)),
  );
  assert.deepEqual(
    [...indexes!],
    [...mask].map((has) => (has === 1 ? 0 : NO_SCENE)),
  );
  assert.deepEqual(
    sources.map(({ pixels }) => pixels),
    [COUNT / 2],
  );
});
