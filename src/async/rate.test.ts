import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CountNews, ToldCount } from './rate.ts';
import { makeSharedCounts, makeTokenBuckets, makeWindowCounter } from './rate.ts';

const MINUTE_MS = 60_000;

test('every limit holds, and its bucket refills over time', () => {
  let nowMs = 0;
  const limits = [
    { max: 600, spanMs: MINUTE_MS },
    { max: 5_000, spanMs: 60 * MINUTE_MS },
  ];
  const buckets = makeTokenBuckets(limits, () => nowMs);
  assert.equal(buckets.take(600), null);
  assert.equal(buckets.take(1), 100, 'one token refills in a tenth of a second');
  nowMs += 100;
  assert.equal(buckets.take(1), null);
  nowMs += MINUTE_MS;
  let [taken, waitMs]: [number, number | null] = [601, null];
  for (; waitMs === null; nowMs += MINUTE_MS) {
    waitMs = buckets.take(500);
    if (waitMs === null) taken += 500;
    assert.ok(
      taken <= 5_000 * (1 + nowMs / (60 * MINUTE_MS)),
      'the hourly limit and the tokens that refilled',
    );
  }
  assert.ok(taken > 4_500);
  assert.ok(waitMs > 1_000, 'longer than the limit per minute alone would require');
  nowMs += waitMs;
  assert.equal(buckets.take(500), null);
});

test('a refusal takes no tokens; a request larger than a bucket passes when it is full and leaves a debt', () => {
  let nowMs = 0;
  const buckets = makeTokenBuckets([{ max: 10, spanMs: MINUTE_MS }], () => nowMs);
  assert.equal(buckets.take(6), null);
  assert.notEqual(buckets.take(6), null);
  assert.equal(buckets.take(4), null);
  nowMs += MINUTE_MS;
  assert.equal(buckets.take(30), null);
  nowMs += MINUTE_MS;
  assert.notEqual(buckets.take(1), null);
  nowMs += 2 * MINUTE_MS;
  assert.equal(buckets.take(10), null);
});

test('without limits everything passes; a clock that is set back refills nothing', () => {
  let nowMs = 1_000_000;
  assert.equal(makeTokenBuckets([], () => nowMs).take(1e9), null);
  const buckets = makeTokenBuckets([{ max: 600, spanMs: MINUTE_MS }], () => nowMs);
  assert.equal(buckets.take(600), null);
  nowMs = 0;
  assert.notEqual(buckets.take(600), null);
});

test('a window begins with the first event of a name and ends after its length', () => {
  let nowMs = 5;
  const counter = makeWindowCounter({ windowMs: 10_000, nowMs: () => nowMs });
  assert.deepEqual(counter.add('a', 9), { count: 1, resetS: 10 });
  nowMs += 9_500;
  assert.deepEqual(counter.add('a', 9), { count: 2, resetS: 1 });
  assert.deepEqual([counter.count('a'), counter.count('b')], [2, 0]);
  nowMs += 500;
  assert.equal(counter.count('a'), 0);
  assert.deepEqual(counter.add('a', 9), { count: 1, resetS: 10 });
});

test('the window that began longest ago is forgotten when there are too many names', () => {
  const counter = makeWindowCounter({ windowMs: 10_000, nowMs: () => 0, maxNames: 2 });
  for (const name of ['a', 'b', 'c']) counter.add(name, 9);
  assert.deepEqual(
    ['a', 'b', 'c'].map((name) => counter.count(name)),
    [0, 1, 1],
  );
});

/** News between nodes that arrive when they are delivered. */
function makePost() {
  const readers: ((counts: readonly ToldCount[]) => void)[] = [];
  const sent: { readonly from: number; readonly counts: readonly ToldCount[] }[] = [];
  let isDown = false;
  const makeNews = (): CountNews => {
    const from = readers.length;
    return {
      async tell(counts) {
        if (isDown) throw new Error('away');
        sent.push({ from, counts });
      },
      hear(onCounts) {
        readers.push(onCounts);
        return () => {
          readers[from] = () => {};
        };
      },
    };
  };
  return {
    makeNews,
    sent,
    setDown: (down: boolean) => {
      isDown = down;
    },
    deliver() {
      for (const { from, counts } of sent.splice(0))
        for (const [to, read] of readers.entries()) if (to !== from) read(counts);
    },
  };
}

function makeNodes(count: number) {
  const clock = { ms: 0 };
  const post = makePost();
  const nodes = Array.from({ length: count }, () => {
    const shared = makeSharedCounts({ news: post.makeNews(), windowMs: 60_000, nowMs: () => clock.ms });
    return { ...shared, requests: shared.makeCounter('requests'), writes: shared.makeCounter('writes') };
  });
  return { clock, post, nodes };
}

test('events that one node counts also count at the others; counters and names are separate', async () => {
  const { post, nodes } = makeNodes(3);
  const [one, two, three] = nodes as [(typeof nodes)[0], (typeof nodes)[0], (typeof nodes)[0]];
  for (let n = 0; n < 5; n += 1) one.requests.add('a', 1_000);
  one.writes.add('a', 1_000);
  two.requests.add('b', 1_000);
  assert.equal(post.sent.length, 0, 'an event costs no message');
  await Promise.all(nodes.map((node) => node.tell()));
  post.deliver();
  assert.deepEqual(
    [one, two, three].map(({ requests, writes }) => [
      requests.count('a'),
      writes.count('a'),
      requests.count('b'),
    ]),
    [
      [5, 1, 1],
      [5, 1, 1],
      [5, 1, 1],
    ],
  );
  await Promise.all(nodes.map((node) => node.tell()));
  assert.equal(post.sent.length, 0, 'counts are told once, and those of others not again');
});

test('in a burst over all nodes each further node admits a tenth of the limit more', async () => {
  const LIMIT = 100;
  const { post, nodes } = makeNodes(4);
  let admitted = 0;
  for (let n = 0; n < 1_000; n += 1) {
    const node = nodes[n % nodes.length];
    if ((node?.requests.add('a', LIMIT).count ?? 0) <= LIMIT) admitted += 1;
    // News arrive at once; nobody waits for the second to end.
    await Promise.resolve();
    post.deliver();
  }
  assert.ok(admitted >= LIMIT && admitted <= LIMIT * (1 + 0.1 * 3) + nodes.length, `${admitted}`);
});

test('refused events fill no window at other nodes, and a window ends at all nodes', async () => {
  const { clock, post, nodes } = makeNodes(2);
  const [one, two] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
  for (let n = 0; n < 50; n += 1) one.requests.add('a', 10);
  await one.tell();
  post.deliver();
  assert.equal(two.requests.count('a'), 10);
  assert.equal(two.requests.add('a', 10).count, 11);
  clock.ms = 60_000;
  assert.deepEqual([one.requests.add('a', 10).count, two.requests.add('a', 10).count], [1, 1]);
});

test('nodes that cannot send count for themselves, and share counts again when they can', async () => {
  const { post, nodes } = makeNodes(2);
  const [one, two] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
  post.setDown(true);
  for (let n = 0; n < 7; n += 1) one.requests.add('a', 1_000);
  await one.tell();
  post.setDown(false);
  one.requests.add('a', 1_000);
  await one.tell();
  post.deliver();
  assert.deepEqual([one.requests.count('a'), two.requests.count('a')], [8, 1]);
  two.stop();
  one.requests.add('a', 1_000);
  await one.tell();
  post.deliver();
  assert.equal(two.requests.count('a'), 1);
});
