import assert from 'node:assert/strict';
import { test } from 'node:test';
import { letTurnsPass } from '../../testing/let-turns-pass.ts';
import type { Reading } from './reading-turns.ts';
import { makeLineEstimate, makeReadingTurns } from './reading-turns.ts';

const { signal } = new AbortController();

/** Enters and notes the name once it is its turn; the result ends it. */
function makeEntrance(leastBytes: number, more: { mostBytes?: number; nowMs?: () => number } = {}) {
  const turns = makeReadingTurns({ leastBytes, ...more });
  const entered: string[] = [];
  const enter = (name: string, more: Partial<Reading> & { origin?: string; signal?: AbortSignal } = {}) => {
    const { origin = 'https://a', signal: own = signal, ...reading } = more;
    const turn = turns.enter(origin, { lane: 'tile', owner: name, bytes: 4, ...reading }, own);
    turn.then(
      () => entered.push(name),
      () => {},
    );
    return { turn, leave: async (isRead = true) => (await turn)(isRead) };
  };
  return { entered, enter };
}

test('as many bytes as fit are read at once, and waiting reads follow as others end', async () => {
  const { entered, enter } = makeEntrance(10);
  const [first, , third] = [enter('1'), enter('2'), enter('3'), enter('4')];
  await letTurnsPass();
  assert.deepEqual(entered, ['1', '2']);
  await first.leave();
  await letTurnsPass();
  assert.deepEqual(entered, ['1', '2', '3']);
  await third!.leave();
  await letTurnsPass();
  assert.deepEqual(entered, ['1', '2', '3', '4']);
});

test('a fetch larger than the limit is read alone', async () => {
  const { entered, enter } = makeEntrance(10);
  const large = enter('large', { bytes: 100 });
  enter('small');
  await letTurnsPass();
  assert.deepEqual(entered, ['large']);
  await large.leave();
  await letTurnsPass();
  assert.deepEqual(entered, ['large', 'small']);
});

test('an origin that hangs does not hold up another', async () => {
  const { entered, enter } = makeEntrance(4);
  enter('hangs', { origin: 'https://slow' });
  enter('waits', { origin: 'https://slow' });
  enter('other', { origin: 'https://well' });
  await letTurnsPass();
  assert.deepEqual(entered, ['hangs', 'other']);
});

test('next to tiles, tasks get half of an origin and queue behind them', async () => {
  const { entered, enter } = makeEntrance(16);
  enter('tile');
  const tasks = [1, 2, 3].map((n) => enter(`task ${n}`, { lane: 'task' }));
  await letTurnsPass();
  assert.deepEqual(entered, ['tile', 'task 1', 'task 2']);
  const next = enter('last tile', { bytes: 8 });
  await tasks[0]!.leave();
  await letTurnsPass();
  assert.deepEqual(entered.slice(3), ['last tile']);
  await next.leave();
  await letTurnsPass();
  assert.deepEqual(entered.slice(4), ['task 3']);
});

test('tasks get all of an origin a few seconds after the last tile, and the next tile does not wait for them', async () => {
  let nowMs = 0;
  const { entered, enter } = makeEntrance(16, { nowMs: () => nowMs });
  const tile = enter('tile');
  await tile.leave();
  nowMs = 5_001;
  for (const n of [1, 2, 3, 4, 5]) enter(`task ${n}`, { lane: 'task' });
  await letTurnsPass();
  assert.deepEqual(entered, ['tile', 'task 1', 'task 2', 'task 3', 'task 4']);
  enter('next tile');
  await letTurnsPass();
  assert.deepEqual(entered.slice(5), ['next tile']);
});

test('tasks alone can measure how much an origin can send at once', async () => {
  let nowMs = 0;
  const { entered, enter } = makeEntrance(4, { mostBytes: 32, nowMs: () => nowMs });
  const tasks = Array.from({ length: 40 }, (_, n) => enter(`task ${n}`, { lane: 'task' }));
  const inFlight: number[] = [];
  for (let ended = 0; entered.length < 31; ) {
    await letTurnsPass();
    inFlight.push(entered.length - ended);
    nowMs += 100;
    for (const now = entered.length; ended < now; ended += 1) await tasks[ended]!.leave();
  }
  assert.deepEqual(inFlight.slice(0, 4), [1, 2, 4, 8]);
});

test('a fetch that is cancelled stops waiting, and lets others in', async () => {
  const { entered, enter } = makeEntrance(4);
  const first = enter('1');
  const leaving = new AbortController();
  const second = enter('2', { signal: leaving.signal });
  enter('3');
  leaving.abort(new Error('left'));
  await assert.rejects(second.turn, /left/);
  await first.leave();
  await letTurnsPass();
  assert.deepEqual(entered, ['1', '3']);
  assert.throws(() => void enter('4', { signal: leaving.signal }), /left/);
});

test('an origin with high latency and high bandwidth gets more bytes in flight', async () => {
  let nowMs = 0;
  const { entered, enter } = makeEntrance(8, { mostBytes: 20, nowMs: () => nowMs });
  const fetches = Array.from({ length: 8 }, (_, i) => enter(String(i)));
  await letTurnsPass();
  assert.equal(entered.length, 2);
  nowMs = 100;
  await fetches[0]!.leave(false);
  await letTurnsPass();
  assert.equal(entered.length, 3, 'a read that failed says nothing');
  // 4 bytes in 100 ms, so 8 under way; then 8 in 100 ms, so 16.
  await fetches[1]!.leave();
  await letTurnsPass();
  assert.equal(entered.length, 4);
  nowMs = 200;
  await fetches[2]!.leave();
  await fetches[3]!.leave();
  await letTurnsPass();
  assert.equal(entered.length, 8, '4 of 4 bytes each');
  nowMs = 201;
  const more = Array.from({ length: 9 }, (_, i) => enter(`more ${i}`));
  for (const { leave } of fetches.slice(4)) await leave();
  await letTurnsPass();
  assert.equal(entered.length - 8, 5, 'no more than the limit, however fast it is');
  assert.equal(more.length, 9);
});

function makeLine() {
  let nowMs = 1_000;
  const line = makeLineEstimate(() => nowMs);
  return {
    line,
    pass(ms: number) {
      nowMs += ms;
    },
  };
}

test('nothing is known before the first read is complete', () => {
  const { line, pass } = makeLine();
  line.begin(1_000);
  pass(10);
  assert.equal(line.bytesUnderWay, 0);
});

test('bytes that arrive in parallel are counted together, over the shortest read time', () => {
  const { line, pass } = makeLine();
  const ends = [line.begin(1_000), line.begin(1_000), line.begin(1_000)];
  pass(80);
  ends[0]!();
  assert.equal(line.bytesUnderWay, (2 * 1_000 * 80) / 80);
  pass(20);
  ends[1]!();
  ends[2]!();
  // 3000 bytes in 100 ms, and 80 ms for the shortest.
  assert.equal(line.bytesUnderWay, (2 * 3_000 * 80) / 100);
});

test('the measurements of a link that became slower or closer are forgotten after a few seconds', () => {
  const { line, pass } = makeLine();
  const end = line.begin(10_000);
  pass(100);
  end();
  assert.equal(line.bytesUnderWay, 20_000);
  for (let i = 0; i < 3; i += 1) {
    const slow = line.begin(500);
    pass(6_000);
    slow();
  }
  assert.equal(line.bytesUnderWay, 1_000);
});
