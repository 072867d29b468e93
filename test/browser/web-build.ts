/** Guards against testing yesterday's page: the browser sees `web/dist`, not the sources. */
import { join } from 'node:path';
import { isWebFresh } from '../../scripts/web-sources.ts';

// Reads: nothing more

/** Throws, with the command to run, when `web/dist` is not what the sources of the page make. */
export const requireFreshWebBuild = (): void => {
  if (isWebFresh(join(import.meta.dirname, '..', '..'))) return;
  throw new Error('web/dist is missing or not built from these sources: run "npm run prepare" first.');
};
