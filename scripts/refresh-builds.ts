/**
 * Builds the kernels, the viewer and the server again when their sources have changed, after a pull for example. Run before
 * `npm start` and `npm test`; takes some milliseconds.
 */
import { join } from 'node:path';
import { KERNELS, refresh, SERVER, WEB } from './built-from.ts';

const root = join(import.meta.dirname, '..');
const onFailure = (sentence: string): void => console.error(sentence);
// Loaded when needed: builders bring packages that an installation without development packages does not have.
await refresh(KERNELS, { root, onFailure, build: () => import('./build-kernels.ts') });
await refresh(WEB, { root, onFailure, build: () => import('./build-web.ts') });
await refresh(SERVER, {
  root,
  onFailure,
  build: async () => (await import('./build-server.ts')).buildServer(),
});
