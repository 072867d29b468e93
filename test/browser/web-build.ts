/** Guards against testing yesterday's page: the browser sees `web/dist`, not the sources. */
import { join } from 'node:path';
import { isFresh, WEB } from '../../scripts/built-from.ts';

// Reads: nothing more

/** Throws, with the command to run, when `web/dist` is not what the sources of the page make. */
export const requireFreshWebBuild = (): void => {
  if (isFresh(join(import.meta.dirname, '..', '..'), WEB)) return;
  throw new Error('web/dist is missing or not built from these sources: run "npm run prepare" first.');
};
