/** Pictures of files on stores that misbehave: complete or an error, and no other picture waits for them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { waitFor, whenHolds } from '../../../src/testing/wait-for.ts';
import type { RunningSwath } from '../../support/start-swath.ts';
import { ONE_THREAD } from '../../support/start-swath.ts';
import { FAULTS } from './faults.ts';
import type { Behaviour, FaultyStore } from './faulty-store.ts';
import { behaveWell } from './faulty-store.ts';
import type { ImageService } from './image-service.ts';
import { startImageService } from './image-service.ts';
import { askTile } from './served-scenes.ts';

/** One scene for each fault, whose blocks no other test has read; then the local one, and one that hangs. */
const LOCAL_DAY = FAULTS.length + 1;
const HANGING_DAY = FAULTS.length + 2;

let service: ImageService;
let store: FaultyStore;
let swath: RunningSwath;

before(async () => {
  service = await startImageService({ localDay: LOCAL_DAY, days: HANGING_DAY, env: ONE_THREAD });
  ({ store, swath } = service);
});

after(() => service[Symbol.asyncDispose]());

const ask = (day: number, options: Parameters<typeof askTile>[2] = {}) => askTile(swath.url, day, options);

/** Headers are answered well: the fault is in the blocks. */
const inBlocks =
  (behave: Behaviour): Behaviour =>
  (request) =>
    request.offset === 0 ? request.answerWell() : behave(request);

const HANG: Behaviour = () => {};

test('a picture from a faulty store is an error, and complete once the store recovers', async () => {
  const local = await ask(LOCAL_DAY);
  assert.equal(local.status, 200);
  assert.ok(local.bytes.length > 1_000);
  for (const [i, { name, behave, code }] of FAULTS.entries()) {
    store.behave(inBlocks(behave));
    const failed = await ask(i + 1);
    assert.deepEqual([[502, 503].includes(failed.status), failed.code], [true, code], name);
    store.behave(behaveWell);
    const { status, bytes } = await ask(i + 1);
    assert.equal(status, 200, name);
    assert.ok(bytes.equals(local.bytes), `${name}: another picture than that of the same local file`);
  }
});

test('a picture is complete although a store asks to wait, or breaks off now and then', async () => {
  let answers = 0;
  store.behave(({ response, request, answerWell, offset }) => {
    answers += 1;
    if (offset === 0 || answers % 5 !== 0) answerWell();
    else if (answers % 2 === 0) response.writeHead(503, { 'retry-after': '1' }).end();
    else request.socket.destroy();
  });
  const { status, bytes } = await ask(HANGING_DAY);
  store.behave(behaveWell);
  assert.equal(status, 200);
  assert.ok(bytes.equals((await ask(LOCAL_DAY)).bytes));
});

test('pictures of local files are drawn while those of a hanging store wait, even with a single thread', async () => {
  store.behave(inBlocks(HANG));
  // The store is given up after some seconds: on a busy machine that may be before the last local picture, but not each time.
  await whenHolds(async () => {
    const seen = store.seen.requests;
    const leaving = new AbortController();
    let isAnswered = false;
    // Blocks that no picture has got yet.
    const hanging = ask(HANGING_DAY, { tile: '14/8332/6058', signal: leaving.signal }).finally(() => {
      isAnswered = true;
    });
    hanging.catch(() => {});
    await waitFor(() => store.seen.requests > seen);
    for (let i = 0; i < 5; i += 1) assert.equal((await ask(LOCAL_DAY)).status, 200);
    assert.equal(isAnswered, false, 'it still waits');
    leaving.abort();
    await assert.rejects(hanging);
  });
  store.behave(behaveWell);
});
