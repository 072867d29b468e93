import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from './failure.ts';
import { makeFollowLegend } from './follow-legend.ts';
import type { Legend } from './legend.ts';

const WATER: Legend = { kind: 'classes', entries: [{ color: '#0000ff', text: 'Water' }] };

/** A box that writes down what it is told, and legends that come when the test lets them. */
function makeBench() {
  const shown: string[] = [];
  const waiting = new Map<string, PromiseWithResolvers<Legend | null>>();
  const box = {
    show: (title: string, legend: Legend | string) =>
      void shown.push(typeof legend === 'string' ? `${title}: ${legend}` : title),
    hide: () => void shown.push('hidden'),
  };
  const follow = makeFollowLegend(box, {
    readLegend(template) {
      const coming = Promise.withResolvers<Legend | null>();
      waiting.set(template, coming);
      return coming.promise;
    },
  });
  return { shown, waiting, follow };
}

test('of legends that arrive out of order the last requested one is shown', async () => {
  const { shown, waiting, follow } = makeBench();
  const both = [follow({ title: 'A', template: 'a' }), follow({ title: 'B', template: 'b' })];
  waiting.get('b')?.resolve(WATER);
  waiting.get('a')?.resolve(WATER);
  await Promise.all(both);
  assert.deepEqual(shown, ['B']);
});

test('nothing to explain hides the box, also from a legend that is still to come', async () => {
  const { shown, waiting, follow } = makeBench();
  const late = follow({ title: 'A', template: 'a' });
  await follow(null);
  waiting.get('a')?.resolve(WATER);
  await late;
  const none = follow({ title: 'B', template: 'b' });
  waiting.get('b')?.resolve(null);
  await none;
  assert.deepEqual(shown, ['hidden', 'hidden']);
});

test('a legend that cannot be loaded is replaced by the reason, unless the tiles show it', async () => {
  const { shown, waiting, follow } = makeBench();
  const failing = follow({ title: 'A', template: 'a' });
  waiting.get('a')?.reject(new Error('The server is busy.'));
  await failing;
  const missing = follow({ title: 'B', template: 'b' });
  waiting.get('b')?.reject(new Failure(422, 'There is no such band.', 'no-such-band-file'));
  await missing;
  assert.deepEqual(shown, ['A: No legend: The server is busy.', 'hidden']);
});
