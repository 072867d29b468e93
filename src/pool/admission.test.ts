import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FairQueue } from './admission.ts';
import { makeByteLedger, makeFairQueue, makeRecentOwners } from './admission.ts';
import type { Lane } from './job.ts';

test('the ledger takes exactly its budget and not a byte more', () => {
  const ledger = makeByteLedger(100);
  assert.ok(ledger.take(60));
  assert.equal(ledger.hasRoom(40), true);
  assert.equal(ledger.hasRoom(41), false);
  assert.equal(ledger.take(41), undefined);
  assert.ok(ledger.take(40));
  assert.equal(ledger.usedBytes(), 100);
});

test('releasing twice gives the bytes back once', () => {
  const ledger = makeByteLedger(100);
  const first = ledger.take(30);
  ledger.take(50);
  first?.();
  first?.();
  assert.equal(ledger.usedBytes(), 50);
});

test('any order of takes and releases stays within the budget and adds up', () => {
  const action = fc.oneof(
    fc.record({ take: fc.integer({ min: 0, max: 400 }) }),
    fc.record({ release: fc.nat({ max: 20 }) }),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.array(action, { maxLength: 200 }),
      (budget, actions) => {
        const ledger = makeByteLedger(budget);
        const held: { bytes: number; release: () => void }[] = [];
        for (const action of actions) {
          if ('take' in action) {
            const before = ledger.usedBytes();
            const release = ledger.take(action.take);
            assert.equal(release !== undefined, before + action.take <= budget);
            if (release !== undefined) held.push({ bytes: action.take, release });
          } else {
            for (const { release } of held.splice(action.release, 1)) release();
          }
          assert.ok(ledger.usedBytes() >= 0 && ledger.usedBytes() <= budget);
          assert.equal(
            ledger.usedBytes(),
            held.reduce((sum, { bytes }) => sum + bytes, 0),
          );
        }
        for (const { release } of held) release();
        assert.equal(ledger.usedBytes(), 0);
      },
    ),
  );
});

test('another owner counts as recent for the given time, however often the first one calls in between', () => {
  const owners = makeRecentOwners(1_000);
  assert.equal(owners.hasOthers('a', 0), false);
  for (let ms = 0; ms < 500; ms += 10) owners.note('a', ms);
  assert.equal(owners.hasOthers('a', 500), false);
  assert.equal(owners.hasOthers('b', 500), true);
  owners.note('b', 500);
  for (let ms = 510; ms < 1_600; ms += 10) {
    owners.note('a', ms);
    assert.equal(owners.hasOthers('a', ms), ms < 1_500, `${ms}`);
  }
  assert.equal(owners.hasOthers('b', 1_600), true);
});

interface Item {
  readonly name: string;
  readonly lane: Lane;
  readonly owner: string;
  readonly sinceMs: number;
  readonly bytes?: number;
}

const always = () => true;

const tile = (name: string, sinceMs = 0): Item => ({ name, owner: name[0] ?? '', lane: 'tile', sinceMs });
const task = (name: string, sinceMs = 0): Item => ({ ...tile(name, sinceMs), lane: 'task' });

function makeQueue(items: readonly Item[]): FairQueue<Item> {
  const queue = makeFairQueue<Item>({ patienceMs: 1_000 });
  for (const item of items) queue.push(item);
  return queue;
}

function takeNames(queue: FairQueue<Item>, nowMs: number, count: number): string[] {
  return Array.from({ length: count }, () => queue.take(nowMs, always)?.name ?? '-');
}

test('owners take turns, each in their own order', () => {
  const queue = makeQueue([tile('a1'), tile('a2'), tile('a3'), tile('b1'), tile('c1'), tile('b2')]);
  assert.deepEqual(takeNames(queue, 0, 7), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', '-']);
});

test('a newcomer waits for one item of a greedy owner, not for all', () => {
  const queue = makeQueue([tile('a1'), tile('a2'), tile('a3'), tile('a4')]);
  assert.deepEqual(takeNames(queue, 0, 2), ['a1', 'a2']);
  queue.push(tile('b1'));
  assert.deepEqual(takeNames(queue, 0, 3), ['a3', 'b1', 'a4']);
});

test('tiles run before tasks that arrived earlier', () => {
  const queue = makeQueue([task('a1'), task('b1'), tile('a2'), tile('c1')]);
  assert.deepEqual(takeNames(queue, 10, 4), ['a2', 'c1', 'a1', 'b1']);
});

test('an unserved task lane is served first once per patience time, so neither lane starves', () => {
  const queue = makeQueue([task('t1'), task('t2'), ...['a1', 'a2', 'a3', 'a4'].map((name) => tile(name))]);
  assert.deepEqual(takeNames(queue, 999, 1), ['a1']);
  assert.deepEqual(takeNames(queue, 1_000, 2), ['t1', 'a2']);
  assert.deepEqual(takeNames(queue, 1_999, 1), ['a3']);
  assert.deepEqual(takeNames(queue, 2_000, 2), ['t2', 'a4']);
});

test('patience counts from when the task lane stopped being empty', () => {
  const queue = makeQueue([task('t1', 0)]);
  assert.deepEqual(takeNames(queue, 100, 1), ['t1']);
  queue.push(task('t2', 5_000));
  queue.push(tile('a1', 5_000));
  assert.deepEqual(takeNames(queue, 5_500, 2), ['a1', 't2']);
});

test('an item that cannot start is skipped and keeps its turn', () => {
  const queue = makeQueue([tile('a-big'), tile('a-next'), tile('b1'), tile('b2')]);
  const canStart = (item: Item) => item.name !== 'a-big';
  assert.equal(queue.take(0, canStart)?.name, 'b1');
  assert.equal(queue.take(0, canStart)?.name, 'b2');
  assert.equal(queue.take(0, canStart), undefined);
  assert.equal(queue.take(0, always)?.name, 'a-big');
});

test('an item that was skipped too long holds up its own lane, not the other', () => {
  const queue = makeQueue([tile('a-big'), tile('b1', 900), task('c1', 900)]);
  const canStart = (item: Item) => item.name !== 'a-big';
  assert.equal(queue.take(1_000, canStart)?.name, 'c1');
  assert.equal(queue.take(1_000, canStart), undefined);
  assert.deepEqual(takeNames(queue, 1_000, 2), ['a-big', 'b1']);
});

test('counts and removal are by lane and owner', () => {
  const [a1, a2, b1] = [tile('a1'), tile('a2'), task('b1')];
  const queue = makeQueue([a1, a2, b1]);
  assert.deepEqual([queue.count('tile'), queue.count('task')], [2, 1]);
  assert.deepEqual([queue.count('tile', 'a'), queue.count('tile', 'b'), queue.count('task', 'b')], [2, 0, 1]);
  assert.equal(queue.remove(a1), true);
  assert.equal(queue.remove(a1), false);
  assert.deepEqual([queue.count('tile'), queue.count('tile', 'a')], [1, 1]);
  assert.deepEqual(takeNames(queue, 0, 2), ['a2', 'b1']);
  assert.equal(queue.remove(a2), false);
});

test('takeAll empties both lanes', () => {
  const queue = makeQueue([task('b1'), tile('a1'), tile('a2')]);
  assert.deepEqual(
    queue
      .takeAll()
      .map((item) => item.name)
      .sort(),
    ['a1', 'a2', 'b1'],
  );
  assert.deepEqual([queue.count('tile'), queue.count('task'), queue.takeAll().length], [0, 0, 0]);
  assert.equal(queue.take(0, always), undefined);
});

test('whatever arrives and leaves, nothing is lost, doubled or overtaken by two items of one owner', () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ owner: fc.constantFrom('a', 'b', 'c', 'd'), isTask: fc.boolean() }) },
    { weight: 2, arbitrary: fc.constant('take' as const) },
    { weight: 1, arbitrary: fc.record({ remove: fc.nat() }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const queue = makeFairQueue<Item>({ patienceMs: 10 });
      const waiting: Item[] = [];
      /** For each waiting item: how many of each other owner were served while it was its owner's first. */
      const overtaken = new Map<Item, Map<string, number>>();
      steps.forEach((step, nowMs) => {
        if (step === 'take') {
          const item = queue.take(nowMs, always);
          assert.equal(item === undefined, waiting.length === 0);
          if (item === undefined) return;
          const mine = waiting.filter((other) => other.owner === item.owner && other.lane === item.lane);
          assert.equal(item, mine[0], 'each owner is served in order');
          waiting.splice(waiting.indexOf(item), 1);
          for (const other of waiting) {
            const isFirst = waiting.find((w) => w.owner === other.owner && w.lane === other.lane) === other;
            if (!isFirst || other.owner === item.owner || other.lane !== item.lane) continue;
            const counts = overtaken.get(other) ?? new Map<string, number>();
            const count = (counts.get(item.owner) ?? 0) + 1;
            assert.ok(count <= 1, `${item.owner} was served ${count} times before a waiting ${other.owner}`);
            overtaken.set(other, counts.set(item.owner, count));
          }
        } else if ('remove' in step) {
          const [item] = waiting.splice(step.remove % Math.max(1, waiting.length), 1);
          if (item !== undefined) assert.equal(queue.remove(item), true);
        } else {
          const item = { ...tile(step.owner, nowMs), lane: step.isTask ? 'task' : 'tile' } as Item;
          waiting.push(item);
          queue.push(item);
        }
        assert.equal(queue.count('tile') + queue.count('task'), waiting.length);
      });
      assert.deepEqual(new Set(queue.takeAll()), new Set(waiting));
    }),
  );
});

test('the surplus of a full lane is the newest item of the owner with the longest queue', () => {
  const queue = makeQueue([tile('a1', 1), tile('b1', 2), tile('a2', 3), tile('c1', 4), task('d1', 5)]);
  assert.equal(queue.findSurplus('tile')?.name, 'a2');
  queue.remove(queue.findSurplus('tile') as Item);
  assert.equal(queue.findSurplus('tile')?.name, 'c1', 'of equal owners the one that came last');
  assert.equal(makeQueue([]).findSurplus('tile'), undefined);
});
