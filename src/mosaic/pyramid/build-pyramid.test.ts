import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { SwathError } from '../../errors.ts';
import type { Grid } from '../../geo/index.ts';
import { gridBounds, tileGrid } from '../../geo/index.ts';
import { makeFolderObjects } from '../../objects/index.ts';
import { aTicket } from '../../pool/testing/run-here.ts';
import type { Mosaics } from '../mosaics.ts';
import type { PlannedMosaic } from '../plan-mosaic.ts';
import { july, newest } from '../testing/a-mosaic.ts';
import { makeBuildPyramid } from './build-pyramid.ts';
import type { PyramidOrder } from './pyramid-store.ts';
import { makePyramidStore, toPyramidKey } from './pyramid-store.ts';

const order: PyramidOrder = {
  search: july,
  composition: newest,
  bands: 'B04',
  values: { calibrated: false, isComposite: false, method: null },
};

/** Ground with a value everywhere in two tiles of zoom 7, and the versions of its scenes. */
function makeGround(versions: Map<string, string>) {
  const read: string[] = [];
  const nameOf = (grid: Grid): string | null => {
    const { minX, maxX, minY, maxY } = gridBounds(grid);
    const names = [...versions.keys()].filter((name) => {
      const [x = 0, y = 0] = name.split('/').map(Number);
      const own = gridBounds(tileGrid({ z: 7, x, y }));
      // Not by the rounding of a border.
      return minX < own.maxX - 1 && maxX > own.minX + 1 && minY < own.maxY - 1 && maxY > own.minY + 1;
    });
    return names[0] ?? null;
  };
  const mosaics: Pick<Mosaics, 'plan' | 'readValues' | 'touches'> = {
    touches: async (_, grid) => nameOf(grid) !== null,
    async plan(request) {
      // More scenes than a picture may read, in parts that are too large.
      if (request.grid.width > 64)
        throw new SwathError('unsupported', 'too-many-scenes', 'There are too many scenes.');
      const name = nameOf(request.grid);
      return { request, etag: `${name} ${versions.get(name ?? '')}` } as unknown as PlannedMosaic;
    },
    async readValues({ request, etag }) {
      read.push(etag);
      const count = request.grid.width * request.grid.height;
      const value = Number(etag.split(' ')[1]);
      return {
        channels: [new Float32Array(count).fill(value)],
        mask: new Uint8Array(count).fill(1),
        indexes: null,
        counts: null,
        areaPx: null,
        sources: [],
      };
    },
  };
  return { mosaics, read };
}

test('parts without a scene do not change the channels of others', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'swath-pyramid-'));
  const { mosaics } = makeGround(new Map([['20/44', '10']]));
  const store = makePyramidStore(makeFolderObjects({ folder: folder.path }), () => 0);
  const build = makeBuildPyramid({
    mosaics: {
      ...mosaics,
      // Only the lower right quarter of the tile has a scene, with three channels.
      async readValues(planned, outline, ticket) {
        const values = await mosaics.readValues(planned, outline, ticket);
        const { minX, maxY } = gridBounds(planned.request.grid);
        const own = gridBounds(tileGrid({ z: 7, x: 20, y: 44 }));
        const isIn = minX > (own.minX + own.maxX) / 2 - 1 && maxY < (own.minY + own.maxY) / 2 + 1;
        const [channel = new Float32Array(0)] = values.channels;
        return isIn
          ? { ...values, channels: [channel, channel, channel] }
          : { ...values, mask: new Uint8Array(values.mask.length) };
      },
    },
    store,
    now: () => new Date(0),
  });
  await build(order, {
    owner: 'me',
    ticket: aTicket,
    signal: aTicket.signal,
    onProgress: () => {},
  });
  const key = toPyramidKey(order);
  const made = await store.find(key);
  for (const [tile, pixels] of [
    [{ z: 7, x: 20, y: 44 }, 128 * 128],
    [{ z: 6, x: 10, y: 22 }, 64 * 64],
  ] as const) {
    const content = await store.findTile(key, tile, made?.tiles[`${tile.z}/${tile.x}/${tile.y}`] ?? '');
    assert.equal(content?.channels.length, 3);
    assert.equal(
      content?.mask.reduce((sum, bit) => sum + bit, 0),
      pixels,
    );
  }
});

test('a pyramid is built from scenes at its base and from tiles above, and renewed where scenes have changed', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'swath-pyramid-'));
  const versions = new Map([
    ['20/44', '10'],
    ['100/30', '30'],
  ]);
  const { mosaics, read } = makeGround(versions);
  const store = makePyramidStore(makeFolderObjects({ folder: folder.path }), () => 0);
  const build = makeBuildPyramid({ mosaics, store, now: () => new Date(0) });
  const progress: number[] = [];
  const work = {
    owner: 'me',
    signal: new AbortController().signal,
    ticket: { owner: 'me', lane: 'task', timeoutMs: 1_000 },
    onProgress: (done: number) => progress.push(done),
  } as const;
  const first = await build(order, work);
  // Two tiles of zoom 7, two of each level above, and the one at the top.
  assert.deepEqual(first, { tiles: 15, made: 15 });
  assert.equal(read.length, 2 * 16);
  assert.deepEqual(progress, [0, 1, 2]);
  const key = toPyramidKey(order);
  const stored = await store.find(key);
  assert.equal(stored?.builtAt, '1970-01-01T00:00:00.000Z');
  const top = await store.findTile(key, { z: 0, x: 0, y: 0 }, stored.tiles['0/0/0']!);
  // A tile of zoom 7 is two pixels of zoom 0 wide.
  assert.equal(
    top?.mask.reduce((sum, one) => sum + one, 0),
    8,
  );
  assert.equal(top?.channels[0]?.[88 * 256 + 40], 10);
  assert.equal(top?.channels[0]?.[60 * 256 + 200], 30);

  read.length = 0;
  assert.deepEqual(await build(order, work), { tiles: 15, made: 0 });
  assert.equal(read.length, 0);

  versions.set('20/44', '12');
  versions.delete('100/30');
  const again = await build(order, work);
  assert.deepEqual(again, { tiles: 8, made: 8 });
  assert.ok(read.every((etag) => etag === '20/44 12'));
  const renewed = await store.find(key);
  const now = await store.findTile(key, { z: 0, x: 0, y: 0 }, renewed!.tiles['0/0/0']!);
  assert.equal(
    now?.mask.reduce((sum, one) => sum + one, 0),
    4,
  );
  await store.remove(key);
  assert.equal(await store.find(key), null);
});
