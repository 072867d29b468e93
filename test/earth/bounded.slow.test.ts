/**
 * Four thousand scenes of a live catalog, a fifth of which are read: the table, the folders and the memory stay within their bounds.
 * All bounds are small, so a third of the scenes reaches them, and the others show that they hold. `BOUNDED_DAYS=1000` tries ten
 * thousand scenes.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { changeItem } from '../../src/live/testing/fake-lies.ts';
import { startFakeStac } from '../../src/live/testing/fake-stac.ts';
import type { FilePlace, MadeItem, MakeFile } from '../../src/live/testing/made-item.ts';
import { makeItem } from '../../src/live/testing/make-item.ts';
import { listMgrsTiles, toMgrsTile } from '../../src/live/testing/mgrs-tiles.ts';
import { makeLru } from '../../src/lru.ts';
import { DAY_MS } from '../../src/units.ts';
import { ANSWERS_BYTES, HEADERS_BYTES } from './live-here.ts';
import { toEntry } from './live-service.ts';
import type { TouchAnswer, TouchQuestion } from './touch-scenes.ts';

const DAYS = Number(process.env.BOUNDED_DAYS ?? 400);
const FIRST_DAY = '2018-01-01';
const TILES = listMgrsTiles({ west: 0, south: 40, east: 9, north: 46 }, 10);
const SCENES = DAYS * TILES.length;
const MOST_WAITING_BYTES = 150 * 2 ** 20;
const KNOWN = 1_000;

const FIRST_MS = Date.parse(`${FIRST_DAY}T00:00:00Z`);
/** The days, oldest first. */
const DAY_NAMES = Array.from({ length: DAYS }, (_, i) =>
  new Date(FIRST_MS + i * DAY_MS).toISOString().slice(0, 10),
);

const viewIdOf = (tile: string, day: string): string => {
  const { zone, latitudeBand, square } = toMgrsTile(tile);
  return `S2L2A/${zone}/${latitudeBand}/${square}/${day.split('-').map(Number).join('/')}/0`;
};

/** One recording of each tile and day. They have one band each, whose file is that of the tile's first day. */
function makeManyScenes(place: FilePlace) {
  const made = makeLru<MadeItem>({ max: 1_000 });
  const at = (tile: string, day: string): MadeItem =>
    made.remember(`${tile} ${day}`, () =>
      changeItem(
        makeItem('earth-search/sentinel-2-l2a', { tile, day, cloud: 0 }, place),
        ({ red, thumbnail }) => ({ red: red!, thumbnail: thumbnail! }),
      ),
    );
  const files = makeLru<ReturnType<MakeFile>>({ max: TILES.length });
  /** Those that end after `from` and begin by `to`. */
  const listDays = (from: number, to: number): readonly string[] =>
    DAY_NAMES.slice(
      Math.max(0, Math.floor((from - FIRST_MS) / DAY_MS)),
      Math.max(0, Math.floor((to - FIRST_MS) / DAY_MS) + 1),
    );
  return {
    source: {
      collections: ['sentinel-2-l2a'],
      list: ({ during: [from, to] }: { readonly during: readonly [number, number] }) =>
        listDays(from, to).flatMap((day) => TILES.map((tile) => at(tile, day))),
      find(_: string, id: string) {
        const [, tile = '', day = ''] = id.split('_');
        const item = at(tile, `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`);
        return item.head.id === id ? item : null;
      },
    },
    findFile(path: string): MakeFile | null {
      const [, tile = '', , name = ''] = /\/S2[AB]_([^_]+)_(\d+)_0_L2A\/([^/]+)$/.exec(path) ?? [];
      if (!TILES.includes(tile)) return null;
      const [, make] = [...at(tile, FIRST_DAY).files()].find(([one]) => one.endsWith(`/${name}`)) ?? [];
      return make === undefined ? null : () => files.remember(`${tile} ${name}`, make);
    },
  };
}

test(`${SCENES} scenes with a table of ${KNOWN} keep disk and memory bounded`, async (t) => {
  await using fake = await startFakeStac({ style: 'earth-search', earth: makeManyScenes });
  // The record of requests is the fake's own, and would grow too.
  fake.pause = () => {
    fake.calls.length = 0;
    return null;
  };
  const child = fork(new URL('./touch-scenes.ts', import.meta.url), {
    execArgv: ['--expose-gc', '--max-semi-space-size=64'],
  });
  const exited = once(child, 'exit');
  t.after(() => child.kill('SIGKILL'));
  const send = async (question: TouchQuestion): Promise<TouchAnswer> => {
    const answered = once(child, 'message');
    child.send(question);
    const [reply] = await Promise.race([
      answered,
      exited.then(([code]) => assert.fail(`the process ended with ${code}`)),
    ]);
    return reply as TouchAnswer;
  };
  await send({ open: toEntry('earth-search', fake), knownScenes: KNOWN });
  const ids = DAY_NAMES.flatMap((day) => TILES.map((tile) => viewIdOf(tile, day)));
  const third = Math.floor(SCENES / 3);
  const early = await send({ touch: ids.slice(0, third) });
  const late = await send({ touch: ids.slice(third) });
  assert.deepEqual([early.found, late.found], [third, SCENES - third]);
  for (const { known, folderBytes } of [early, late]) {
    assert.equal(known, KNOWN);
    assert.ok(folderBytes['remote-headers']! <= HEADERS_BYTES, JSON.stringify(folderBytes));
    assert.ok(folderBytes['catalog-answers']! <= ANSWERS_BYTES, JSON.stringify(folderBytes));
  }
  t.diagnostic(JSON.stringify({ early, late }));
  // Without entries a bound would hold by itself.
  assert.ok(late.folderBytes['remote-headers']! > HEADERS_BYTES / 2, 'headers are cached');
  assert.ok(late.folderBytes['catalog-answers']! > ANSWERS_BYTES / 2, 'answers are cached');
  const grownBytes = (late.heapBytes - early.heapBytes) / (SCENES - third);
  // Addresses of items are remembered, up to 20,000 of them. Records of scenes have some kilobytes, items more.
  assert.ok(grownBytes < 2_000, `each scene leaves ${Math.round(grownBytes)} bytes in memory`);
  // Headers and blocks that were read would be hundreds of megabytes; some may still wait for a slow disk.
  assert.ok(late.bufferBytes - early.bufferBytes < MOST_WAITING_BYTES, 'buffers stay in memory');
  child.send({ close: true } satisfies TouchQuestion);
  await exited;
});
