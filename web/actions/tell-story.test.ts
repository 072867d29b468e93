/** Which stories the first screen offers, also after a failure. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Api } from '../api/api.ts';
import { STORIES } from '../scenes/stories.ts';
import { makeStore } from '../state/store.ts';
import { INITIAL_STATE } from '../state/viewer-state.ts';
import { en } from '../texts/en.ts';
import type { ActionParts } from './action-parts.ts';
import { makeStoryActions } from './tell-story.ts';

/** Actions on a service whose first `failures` counts fail; `sleep` is called at each pause. */
function makeBench(failures: number, sleep: (ms: number) => void = () => {}) {
  const pauses: number[] = [];
  let counted = 0;
  const api = {
    async countScenes() {
      if (counted++ < failures) throw new Error('the service is gone');
      return 4;
    },
  } as unknown as Api;
  const parts = {
    store: makeStore(INITIAL_STATE),
    api,
    texts: en,
    async sleep(ms: number) {
      pauses.push(ms);
      sleep(ms);
    },
  } as unknown as ActionParts;
  const report = { showError: assert.fail, fail: assert.fail } as never;
  return { pauses, actions: makeStoryActions(parts, { report, followAddress: async () => {} }) };
}

test('stories that could not be asked for are asked for again, less and less often', async () => {
  // Six counts a round, because two of the four stories compare two days: the third round fails too.
  const { actions, pauses } = makeBench(13);
  const there = await actions.readStories(new AbortController().signal);
  assert.deepEqual(
    there,
    STORIES.map(({ name }) => name),
  );
  assert.deepEqual(pauses, [5000, 10_000, 20_000]);
});

test('nobody asks for stories that are not wanted any more', async () => {
  const controller = new AbortController();
  const { actions, pauses } = makeBench(Infinity, () => controller.abort());
  await assert.rejects(actions.readStories(controller.signal), { name: 'AbortError' });
  assert.equal(pauses.length, 1);
});
