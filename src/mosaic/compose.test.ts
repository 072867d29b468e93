import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import type { Grid } from '../geo/index.ts';
import { toOutline } from '../geo/index.ts';
import { aTicket } from '../pool/testing/run-here.ts';
import { makeProjection } from '../proj/index.ts';
import { NO_SCENE } from '../stack/index.ts';
import { listClear, meanOf, medoidOf, percentileOf } from '../stack/testing/plain-stack.ts';
import type { Selection } from './mosaic.ts';
import { toSceneColor } from './source-colors.ts';
import { newest } from './testing/a-mosaic.ts';
import { CLOUD, COUNT, cloudyIf, GROUND, SIDE, sceneOf } from './testing/day-scenes.ts';
import {
  cutGrid,
  everywhere,
  makeMosaicsHere,
  NATIVE,
  options,
  requestOn,
  viewIdOf,
} from './testing/mosaics-here.ts';

test('nodata and NaN never win, whatever the selection', async () => {
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

test('computed selections match plain arithmetic, pixel by pixel', async () => {
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

test('the source picture has the colour of the scene that each pixel comes from', async () => {
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

test('pixels outside an area are omitted, and belong to no scene', async () => {
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
