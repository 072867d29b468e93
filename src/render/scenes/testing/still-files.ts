import assert from 'node:assert/strict';
import type { FileWatch } from '../file-watch.ts';

/** Files of scenes that never change, for tests whose scenes have none. */
export const stillFiles: FileWatch = {
  check: async (scene) => scene,
  renew: async () => assert.fail('the test does not expect that a file changes'),
};
