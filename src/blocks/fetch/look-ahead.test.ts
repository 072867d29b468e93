import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { waitFor } from '../../testing/wait-for.ts';
import type { WindowRequest } from '../image-files.ts';
import { makeLookAhead } from './look-ahead.ts';

const toWindow = (href: string): WindowRequest => ({
  band: 'B04',
  href,
  bandIndex: 0,
  nodata: 0,
  record: { name: 'scene', version: '1' },
  read: { level: 0, window: { x: 0, y: 0, width: 1, height: 1 } },
});

test('after a pause the newest pictures are prefetched first, only from remote files, and a failure ends nothing', async () => {
  const asked: string[][] = [];
  const { note, close } = makeLookAhead({
    network: {
      fetchAhead: async (windows) => {
        asked.push(windows.map(({ href }) => href));
      },
    },
    isIdle: () => true,
  });
  note(() => [toWindow('https://a/1'), toWindow('local')]);
  note(() => {
    throw new Error('cannot be planned');
  });
  note(() => [toWindow('https://a/2')]);
  await waitFor(() => asked.length === 2);
  assert.deepEqual(asked, [['https://a/2'], ['https://a/1']]);
  close();
});

test('nothing is listed or read while pictures are drawn, and only the latest ones are remembered', async () => {
  let isIdle = false;
  let listed = 0;
  let looked = 0;
  const { note, close } = makeLookAhead({
    network: { fetchAhead: async () => {} },
    isIdle: () => {
      looked += 1;
      return isIdle;
    },
  });
  for (let i = 0; i < 1_000; i += 1)
    note(() => {
      listed += 1;
      return [];
    });
  await waitFor(() => looked >= 2);
  assert.equal(listed, 0);
  isIdle = true;
  await waitFor(() => listed === 200);
  close();
});

test('the event loop turns between two pictures, whether or not there was something to read', async () => {
  const { promise: isStarted, resolve: start } = Promise.withResolvers<void>();
  let listed = 0;
  const { note, close } = makeLookAhead({ network: { fetchAhead: async () => {} }, isIdle: () => true });
  for (let i = 0; i < 100; i += 1)
    note(() => {
      listed += 1;
      start();
      return [];
    });
  // The pause alone does not hold the process open.
  const holding = setInterval(() => {}, 1_000);
  await isStarted;
  clearInterval(holding);
  for (let turn = 0; turn < 3; turn += 1) {
    const before = listed;
    await setImmediate();
    assert.ok(listed - before <= 1, `${listed - before} pictures in one turn`);
  }
  close();
});
