import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { planPool } from './pool-options.ts';
import { isError } from './testing/pool-kit.ts';

const script = new URL('file:///worker.ts');

test('the defaults are cores × 2 in flight and cores × 8 waiting, a quarter of it for one owner', () => {
  const cores = availableParallelism();
  const { crew, lanes } = planPool({ script, budgetBytes: 1_000 });
  assert.equal(crew.threads, cores * 2);
  assert.equal(lanes.tile.threads, cores * 2);
  assert.equal(lanes.task.threads, cores * 2 - 1);
  assert.equal(lanes.tile.maxWaiting, cores * 8);
  assert.equal(lanes.tile.maxWaitingPerOwner, cores * 2);
  assert.deepEqual([lanes.tile.budgetBytes, lanes.task.budgetBytes], [500, 500]);
});

test('one thread serves tasks too, and an owner has at least one queue slot', () => {
  const { lanes } = planPool({ script, budgetBytes: 1_000, threads: 1, maxWaiting: { tile: 2, task: 1 } });
  assert.equal(lanes.task.threads, 1);
  assert.deepEqual([lanes.tile.maxWaitingPerOwner, lanes.task.maxWaitingPerOwner], [1, 1]);
});

test('the tiles get the part of the budget that tasks do not use', () => {
  const { lanes } = planPool({ script, budgetBytes: 1_000, taskBytes: 300 });
  assert.deepEqual([lanes.tile.budgetBytes, lanes.task.budgetBytes], [700, 300]);
});

test('invalid options are refused', () => {
  const wrong = [
    { threads: 0 },
    { threads: 1.5 },
    { threads: 2, taskThreads: 3 },
    { threads: 2, taskThreads: 0 },
    { budgetBytes: 0 },
    { budgetBytes: Number.NaN },
    { taskBytes: 1_001 },
    { taskBytes: -1 },
  ];
  for (const options of wrong) {
    assert.throws(
      () => planPool({ script, budgetBytes: 1_000, ...options }),
      isError('internal', 'bad-pool-options'),
      JSON.stringify(options),
    );
  }
});
