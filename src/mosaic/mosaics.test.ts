import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { isSwathError, SwathError } from '../errors.ts';
import type { AreaGeometry, Grid } from '../geo/index.ts';
import { toOutline } from '../geo/index.ts';
import { aTicket } from '../pool/testing/run-here.ts';
import { makeProjection } from '../proj/index.ts';
import type { RenderOptions } from '../render/index.ts';
import type { ComposeJob } from './compose-job.ts';
import type { MosaicPictureRequest, Selection } from './mosaic.ts';
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

const CLOUDY = everywhere(9);

const sceneOf = (day: number, more: Partial<TestScene> = {}): TestScene => ({
  day,
  grid: NATIVE,
  bands: { B04: everywhere(100 * day), B08: everywhere(1_000 + day) },
  ...more,
});

const by = (selection: Selection): Partial<MosaicPictureRequest> => ({
  composition: { ...newest, selection },
});

const etagOf = async ({ mosaics }: MosaicsHere, request: MosaicPictureRequest): Promise<string> =>
  (await mosaics.plan(request)).etag;

const refuses = (code: string) => (error: unknown) => isSwathError(error) && error.code === code;

/** Longer than any search is shared. */
const LATER_MS = 60_000;

test('the ETag stays when a scene outside the picture is added, and changes with one inside it', async () => {
  const here = makeMosaicsHere(sceneOf(3), sceneOf(5));
  const request = requestOn(NATIVE);
  const first = await etagOf(here, request);
  const after = async (scene: TestScene): Promise<string> => {
    here.put(scene);
    here.passTime(LATER_MS);
    return etagOf(here, request);
  };
  assert.equal(await after(sceneOf(1, { month: 8 })), first, 'after the period');
  assert.equal(await after(sceneOf(9, { grid: cutGrid(NATIVE, 5_000, 0, 64, 64) })), first, 'elsewhere');
  const added = await after(sceneOf(7));
  assert.notEqual(added, first);
  const replaced = await after(sceneOf(3, { edition: 'second' }));
  assert.notEqual(replaced, added);
  assert.equal(await after(sceneOf(3, { edition: 'second' })), replaced, 'the same file again');
});

test('the memory of a picture is its own unless another request has it too', async () => {
  const here = makeMosaicsHere(sceneOf(3));
  const render = async () => here.mosaics.render(await here.mosaics.plan(requestOn(NATIVE)), { ...aTicket });
  here.fillCache();
  assert.equal((await render()).isSole, true);
  here.shareJobs();
  assert.equal((await render()).isSole, false);
});

test('the ETag covers the selection, the ground and the look', async () => {
  const here = makeMosaicsHere(sceneOf(3), sceneOf(5));
  const requests: readonly MosaicPictureRequest[] = [
    requestOn(NATIVE),
    requestOn(NATIVE, by({ kind: 'oldest' })),
    requestOn(NATIVE, by({ kind: 'percentile', percent: 10 })),
    requestOn(NATIVE, by({ kind: 'percentile', percent: 20 })),
    requestOn(NATIVE, { composition: { ...newest, dilateM: 20 } }),
    requestOn(NATIVE, { composition: { ...newest, featherPx: 2 } }),
    requestOn(NATIVE, { composition: { ...newest, masked: { ...newest.masked, cirrus: false } } }),
    requestOn(cutGrid(NATIVE, 1, 0, 63, 64)),
    requestOn(NATIVE, { bands: 'B08' }),
    requestOn(NATIVE, { options: { ...options, range: { min: 0, max: 5_000 } } }),
  ];
  const etags = await Promise.all(requests.map((request) => etagOf(here, request)));
  assert.equal(new Set(etags).size, requests.length);
});

test('a contrast is measured once for all tiles, in the least cloudy scenes, and is part of the ETag', async () => {
  const here = makeMosaicsHere(...[1, 2, 3, 4, 5, 6].map((day) => sceneOf(day)));
  const measured: Partial<MosaicPictureRequest> = { options: { ...options, range: null } };
  const tiles = [cutGrid(NATIVE, 0, 0, 32, 32), cutGrid(NATIVE, 32, 0, 32, 32)];
  for (const grid of tiles) {
    const planned = await here.mosaics.plan(requestOn(grid, measured));
    assert.deepEqual(
      planned.sample.map(({ viewId }) => viewId),
      [1, 2, 3, 4, 5].map((day) => viewIdOf(day)),
    );
    await here.mosaics.render(planned, aTicket);
  }
  assert.equal(here.countMeasured(), 5);
  const before = await etagOf(here, requestOn(NATIVE, measured));
  here.put(sceneOf(9, { grid: cutGrid(NATIVE, 5_000, 0, 64, 64), cloudPercent: 0 }));
  here.passTime(LATER_MS);
  assert.notEqual(
    await etagOf(here, requestOn(NATIVE, measured)),
    before,
    'another contrast, another picture',
  );
});

test('a finished picture is not drawn again', async () => {
  const here = makeMosaicsHere(sceneOf(3));
  const planned = await here.mosaics.plan(requestOn(NATIVE));
  const drawn = await here.mosaics.render(planned, aTicket);
  assert.deepEqual([...here.stored.keys()], [planned.etag]);
  const [red] = await sharp(drawn.bytes).raw().toBuffer();
  assert.equal(red, Math.round((300 / 10_000) * 255));
  here.takeReads();
  const again = await here.mosaics.render(planned, aTicket);
  assert.deepEqual([again.bytes, again.etag, again.format], [drawn.bytes, drawn.etag, drawn.format]);
  assert.deepEqual(here.takeReads(), []);
});

test('a picture starts with as many scenes as the previous one needed', async () => {
  const isLeft = (column: number): boolean => column < 16;
  const here = makeMosaicsHere(
    sceneOf(3, { classAt: (column) => (isLeft(column) ? 9 : 4) }),
    sceneOf(2),
    sceneOf(1),
  );
  const countScenes = async (x: number): Promise<readonly number[]> => {
    const before = here.pool.asked.length;
    await here.mosaics.render(await here.mosaics.plan(requestOn(cutGrid(NATIVE, x, 0, 16, 32))), aTicket);
    return here.pool.asked.slice(before).map(({ input }) => (input as ComposeJob).scenes.length);
  };
  assert.deepEqual(await countScenes(0), [1, 2], 'a second job fills what clouds have left');
  assert.deepEqual(await countScenes(8), [2], 'its neighbour has clouds too, most likely');
  here.takeReads();
  assert.deepEqual(await countScenes(40), [2]);
  assert.deepEqual(here.takeReads(), ['3 SCL', '3 B04'], 'no scene is read that is not needed');
  assert.deepEqual(await countScenes(44), [1], 'and clear ground begins with one again');
});

test('requests that mosaics do not support are refused before any search', async () => {
  const here = makeMosaicsHere(sceneOf(3));
  const plan = (more: Partial<RenderOptions>) =>
    here.mosaics.plan(requestOn(NATIVE, { options: { ...options, ...more } }));
  const clusters = { count: 3 } as unknown as NonNullable<RenderOptions['clusters']>;
  await assert.rejects(plan({ clusters }), refuses('mosaic-of-classes'));
  await assert.rejects(plan({ isSharpened: true }), refuses('sharpened-mosaic'));
  await assert.rejects(plan({ clouds: { color: [0, 0, 0] } as never }), refuses('mosaic-with-clouds'));
  await assert.rejects(
    here.mosaics.plan(requestOn(NATIVE, by({ kind: 'highest', by: 'B04,B08,B04' }))),
    refuses('different-channels'),
  );
});

/** Small scenes in a row of months. */
const listScenes = (count: number, more: Partial<TestScene> = {}): readonly TestScene[] =>
  Array.from({ length: count }, (_, i) =>
    sceneOf((i % 28) + 1, {
      month: Math.floor(i / 28) + 1,
      grid: cutGrid(NATIVE, 0, 0, 4, 4),
      ...more,
    }),
  );

const inYear = (grid: Grid, more: Partial<MosaicPictureRequest> = {}): MosaicPictureRequest => {
  const request = requestOn(grid, more);
  return { ...request, search: { ...request.search, period: { from: '2026-01-01', to: '2026-12-31' } } };
};

test('a median reads up to 64 scenes, and more are refused with their number', async () => {
  const grid = cutGrid(NATIVE, 0, 0, 4, 4);
  const few = makeMosaicsHere(...listScenes(64));
  const { counts } = await few.readValues(inYear(grid, by({ kind: 'median' })));
  assert.ok(counts!.every((count) => count === 64));
  const many = makeMosaicsHere(...listScenes(65));
  for (const kind of ['median', 'medoid'] as const) {
    await assert.rejects(
      many.mosaics.plan(inYear(grid, by({ kind }))),
      (error) =>
        isSwathError(error) &&
        error.code === 'too-many-scenes' &&
        error.details.found === 65 &&
        error.details.limit === 64,
    );
  }
  assert.ok(await many.mosaics.plan(inYear(grid, by({ kind: 'mean' }))));
});

test('a picture with gaps after 128 scenes is refused; one with fewer scenes is drawn with its gaps', async () => {
  const grid = cutGrid(NATIVE, 24, 24, 16, 16);
  const some = makeMosaicsHere(...listScenes(40, { classAt: CLOUDY, grid: NATIVE }));
  assert.ok((await some.readValues(inYear(grid))).mask.every((has) => has === 0));
  const many = makeMosaicsHere(...listScenes(200, { classAt: CLOUDY, grid: NATIVE }));
  await assert.rejects(many.readValues(inYear(grid)), refuses('too-many-scenes'));
});

test('where all scenes end, only a few of them are tried at the edge, and the picture is drawn', async () => {
  const across = cutGrid(NATIVE, -32, 0, 64, 64);
  const here = makeMosaicsHere(...listScenes(200, { grid: NATIVE }));
  const { mask } = await here.readValues(inYear(across));
  assert.deepEqual([mask[31], mask[32]], [0, 1]);
  const scenes = new Set(here.takeReads().map((href) => href.split('/').slice(0, -1).join('/')));
  assert.ok(scenes.size > 1 && scenes.size < 30, `${scenes.size} scenes were read`);
});

test('a mosaic that would need more memory than a thread has is refused', async () => {
  const here = makeMosaicsHere(...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((day) => sceneOf(day)));
  const wide: Grid = {
    ...NATIVE,
    transform: [500_000, 0.2, 0, 4_600_000, 0, -0.2],
    width: 3_200,
    height: 3_200,
  };
  await assert.rejects(
    here.readValues(requestOn(wide, by({ kind: 'median' }))),
    refuses('mosaic-too-expensive'),
  );
  assert.deepEqual(here.takeReads(), []);
});

/** What a thread says when it meets another file than the planned one. */
const changed = () => new SwathError('unavailable', 'source-changed', 'The file was replaced.');

test('replaced files are renewed, and the mosaic is drawn again with its new ETag', async () => {
  const wide = cutGrid(NATIVE, -8, -8, 80, 80);
  const here = makeMosaicsHere(sceneOf(3), sceneOf(5, { grid: wide }));
  const planned = await here.mosaics.plan(requestOn(NATIVE));
  let isOld = true;
  here.onRead((href) => {
    if (!isOld || !href.includes('/5/0/first/')) return;
    isOld = false;
    here.put(sceneOf(5, { grid: wide, edition: 'second', bands: { B04: everywhere(2_000) } }));
    throw changed();
  });
  const drawn = await here.mosaics.render(planned, aTicket);
  assert.deepEqual(here.renewed, [viewIdOf(5)]);
  const [red] = await sharp(drawn.bytes).raw().toBuffer();
  assert.equal(red, Math.round((2_000 / 10_000) * 255));
  assert.notEqual(drawn.etag, planned.etag);
  assert.deepEqual([...here.stored.keys()], [drawn.etag]);
  assert.equal(await etagOf(here, requestOn(NATIVE)), drawn.etag);
});

test('files that keep changing fail the picture', async () => {
  const here = makeMosaicsHere(sceneOf(5));
  const planned = await here.mosaics.plan(requestOn(NATIVE));
  here.onRead(() => {
    throw changed();
  });
  await assert.rejects(here.mosaics.render(planned, aTicket), refuses('source-changed'));
  assert.deepEqual(here.renewed, [viewIdOf(5)]);
  assert.equal(here.stored.size, 0);
});

test('a source that fails midway is an error, not a hole, and nothing is cached', async () => {
  const stripe = (from: number) => (column: number) => (Math.floor(column / 16) === from ? 4 : 9);
  const scenes = [1, 2, 3, 4].map((day) => sceneOf(day, { classAt: stripe(4 - day) }));
  for (const selection of [
    { kind: 'newest' },
    { kind: 'highest', by: 'B08' },
    { kind: 'mean' },
    { kind: 'medoid' },
  ] as const satisfies readonly Selection[]) {
    const here = makeMosaicsHere(...scenes);
    const planned = await here.mosaics.plan(requestOn(NATIVE, by(selection)));
    here.onRead((href) => {
      if (href.includes('/2/0/first/B04')) throw new Error('the disk failed');
    });
    await assert.rejects(here.mosaics.render(planned, aTicket), /the disk failed/, selection.kind);
    await assert.rejects(here.mosaics.readValues(planned, null, aTicket), /the disk failed/);
    await assert.rejects(here.mosaics.drawSources(planned, aTicket), /the disk failed/);
    assert.ok(here.takeReads().includes('3 B04'), 'others were read before');
    assert.equal(here.stored.size, 0);
    // It was the file: with a good one the picture is there.
    here.onRead(() => {});
    await here.mosaics.render(planned, aTicket);
    assert.deepEqual([...here.stored.keys()], [planned.etag]);
  }
});

test('values of two areas with the same bounds do not share a job', async () => {
  const here = makeMosaicsHere(sceneOf(3));
  const planned = await here.mosaics.plan(requestOn(NATIVE));
  const { forward } = makeProjection(32631, 4326);
  const corner = ([x, y]: readonly [number, number]) =>
    forward(500_000 + 10 * x, 4_600_000 - 10 * y) as [number, number];
  const triangle = (tip: number): AreaGeometry => {
    const ring = [
      [0, 0],
      [64, 0],
      [tip, 64],
      [0, 0],
    ] as const;
    return { type: 'Polygon', coordinates: [ring.map(corner)] };
  };
  const [left, right] = [toOutline(triangle(0)), toOutline(triangle(64))];
  const [one, other] = await Promise.all(
    [left, right].map((outline) => here.mosaics.readValues(planned, outline, aTicket)),
  );
  assert.notDeepEqual(one!.mask, other!.mask);
  const keys = here.pool.asked.map(({ ticket }) => ticket.singleFlightKey);
  assert.equal(new Set(keys).size, 2);
  // Either of the two may have asked first.
  await here.mosaics.readValues(planned, left, aTicket);
  await here.mosaics.readValues(planned, right, aTicket);
  const again = here.pool.asked.slice(2).map(({ ticket }) => ticket.singleFlightKey);
  assert.deepEqual(new Set(again), new Set(keys));
  assert.equal(again.length, 2);
});

test('sources of a computed mosaic are the scenes that show the ground', async () => {
  const here = makeMosaicsHere(sceneOf(1), sceneOf(2, { classAt: CLOUDY }), sceneOf(3));
  const { sources, counts } = await here.readValues(requestOn(NATIVE, by({ kind: 'median' })));
  assert.ok(counts!.every((count) => count === 2));
  assert.deepEqual(
    sources.map(({ hit, pixels }) => [hit.viewId, pixels]),
    [
      [viewIdOf(3), null],
      [viewIdOf(1), null],
    ],
  );
});

test('without a scene a picture is transparent, and a mosaic elsewhere is planned where there is one', async () => {
  const here = makeMosaicsHere(sceneOf(3));
  const far = cutGrid(NATIVE, 9_000, 0, 16, 16);
  const kinds = ['newest', 'median', 'mean', 'count', 'medoid'] as const;
  for (const kind of kinds) {
    const planned = await here.mosaics.plan(requestOn(far, by({ kind })));
    assert.equal(planned.front, null);
    const { bytes } = await here.mosaics.render(planned, aTicket);
    const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([info.width, info.height], [16, 16]);
    assert.ok(data.every((level) => level === 0));
    const { sources } = await here.mosaics.drawSources(planned, aTicket);
    assert.deepEqual(sources, []);
  }
  const { grid: _, ...somewhere } = requestOn(far);
  assert.equal((await here.mosaics.planSomewhere(somewhere)).front?.scene.viewId, viewIdOf(3));
  const empty = makeMosaicsHere();
  await assert.rejects(empty.mosaics.planSomewhere(somewhere), refuses('nothing-there'));
});

test('the extent of a mosaic is the rectangle around its scenes', async () => {
  const here = makeMosaicsHere(sceneOf(3), sceneOf(5, { grid: cutGrid(NATIVE, 1_000, 0, 64, 64) }));
  const { found, bounds, hits } = await here.mosaics.describe(requestOn(NATIVE).search);
  assert.deepEqual([found, hits.length], [2, 2]);
  const { forward } = makeProjection(4326, 32631);
  const [west] = forward(bounds!.west, bounds!.north);
  const [east] = forward(bounds!.east, bounds!.north);
  assert.ok(Math.abs(west - 500_000) < 1 && Math.abs(east - 510_640) < 1, `${west} ${east}`);
  const none = { ...requestOn(NATIVE).search, period: { from: '2020-01-01', to: '2020-01-01' } };
  assert.deepEqual(await here.mosaics.describe(none), { found: 0, bounds: null, hits: [] });
});
