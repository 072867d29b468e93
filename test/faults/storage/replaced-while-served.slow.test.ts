/** Remote files that are replaced under a running server: every picture is of one file, or an error. */

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openSqliteStore } from '../../../src/adapters/sqlite/index.ts';
import { waitFor } from '../../../src/testing/wait-for.ts';
import type { RunningSwath } from '../../support/start-swath.ts';
import { startSwath } from '../../support/start-swath.ts';
import type { FaultyStore } from './faulty-store.ts';
import { behaveWell, startFaultyStore } from './faulty-store.ts';
import { askTile, SIDE, toImageScene, writeJp2, writeSources, writeTiff } from './served-scenes.ts';

const root = mkdtempSync(join(tmpdir(), 'swath-replaced-served-'));
const dataDir = join(root, 'data');
const FORMATS = [
  { ext: 'tif', write: writeTiff },
  { ext: 'jp2', write: writeJp2 },
] as const;
/** The file is replaced when the store gets its n-th request: within a header, the first blocks, later ones. */
const MOMENTS = [2, 4, 7, 11, 16];
/** Tiles that cover the image, from its overview to more than its own pixels. */
const TILES = [
  '12/2082/1514',
  ...[4165, 4166].flatMap((x) => [3027, 3028].map((y) => `13/${x}/${y}`)),
  ...[8330, 8331, 8332].flatMap((x) => [6055, 6056, 6057].map((y) => `14/${x}/${y}`)),
];

let swath: RunningSwath;
/** One store for each format, whose files are those of all rounds. */
const stores: { readonly store: FaultyStore; readonly files: readonly Uint8Array[] }[] = [];

/** Noise, which cannot be compressed to a few requests, and another one in each file. */
function makePixels(version: number): Uint16Array {
  let state = version + 1;
  return new Uint16Array(SIDE * SIDE).map(() => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
    return 1 + ((state >>> 16) % 2_999);
  });
}

/** Days of the remote scenes, and of the local ones that hold only one of the files. */
const toDay = (format: number, moment: number): number => 1 + format * MOMENTS.length + moment;
const toLocalDay = (format: number, version: number): number => 20 + 2 * format + version;

before(async () => {
  mkdirSync(join(dataDir, 'scenes'), { recursive: true });
  const catalog = openSqliteStore(dataDir);
  for (const [format, { ext, write }] of FORMATS.entries()) {
    const files: Uint8Array[] = [];
    for (const version of [0, 1]) {
      const href = `scenes/${version}.${ext}`;
      await write(join(dataDir, href), makePixels(version));
      files.push(readFileSync(join(dataDir, href)));
      await catalog.scenes.put(toImageScene(toLocalDay(format, version), () => href));
    }
    const store = await startFaultyStore(files[0]!);
    stores.push({ store, files });
    for (let moment = 0; moment < MOMENTS.length; moment += 1) {
      const day = toDay(format, moment);
      const stamp = `${files[0]!.length}-"${day}-old"`;
      await catalog.scenes.put(toImageScene(day, (band) => `${store.url}?${day}-${band}`, stamp));
    }
  }
  await catalog.close();
  const sources = join(root, 'sources.json');
  writeSources(
    sources,
    stores.map(({ store }) => store),
  );
  swath = await startSwath({ dataDir, env: { SWATH_THREADS: '2', SWATH_SOURCES: sources } });
});

after(async () => {
  await swath.stop('SIGKILL');
  for (const { store } of stores) await store[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

/** The tiles of a scene that holds only one of the files. */
async function drawPure(format: number, version: number): Promise<ReadonlyMap<string, Buffer>> {
  const pictures = new Map<string, Buffer>();
  for (const tile of TILES) {
    const { status, bytes } = await askTile(swath.url, toLocalDay(format, version), { tile });
    assert.equal(status, 200, tile);
    pictures.set(tile, bytes);
  }
  return pictures;
}

for (const [format, { ext }] of FORMATS.entries()) {
  test(`a .${ext} file that is replaced while pictures are drawn never gives a picture of both files`, async () => {
    const { store, files } = stores[format]!;
    const pure = [await drawPure(format, 0), await drawPure(format, 1)] as const;
    for (const tile of TILES)
      assert.ok(!pure[0].get(tile)!.equals(pure[1].get(tile)!), `${tile} is the same in both`);
    const seen = { old: 0, fresh: 0, errors: 0 };
    let replaced = 0;

    for (const [moment, wanted] of MOMENTS.entries()) {
      const day = toDay(format, moment);
      let requests = 0;
      store.replace(files[0]!, `"${day}-old"`);
      store.behave(({ answerWell }) => {
        requests += 1;
        answerWell();
        if (requests === wanted) store.replace(files[1]!, `"${day}-new"`);
      });
      const check = async (tile: string): Promise<'old' | 'fresh' | 'errors'> => {
        const { status, code, bytes } = await askTile(swath.url, day, { tile });
        if (status !== 200) {
          assert.deepEqual([status, code], [502, 'source-changed'], `day ${day}, ${tile}`);
          return 'errors';
        }
        if (bytes.equals(pure[0].get(tile)!)) return 'old';
        assert.ok(bytes.equals(pure[1].get(tile)!), `day ${day}, ${tile}: a picture of neither file`);
        return 'fresh';
      };
      // Four at once, so that several pictures meet the change.
      const left = [...TILES];
      const client = async (): Promise<void> => {
        for (let tile = left.shift(); tile !== undefined; tile = left.shift()) seen[await check(tile)] += 1;
      };
      await Promise.all([client(), client(), client(), client()]);
      // On a quiet machine reads are merged into fewer requests: then all pictures are drawn before the last moments.
      if (requests < wanted) continue;
      replaced += 1;
      for (const tile of TILES) await waitFor(async () => (await check(tile)) === 'fresh');
    }
    store.behave(behaveWell);
    assert.ok(replaced >= 3, `replaced ${replaced} times`);
    assert.ok(seen.fresh > 0, JSON.stringify(seen));
  });
}
