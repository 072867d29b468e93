/** Builds `web/dist` again when its sources have changed. Run before `npm start` and `npm test`; takes some milliseconds. */
import { join } from 'node:path';
import { refreshWeb } from './web-sources.ts';

await refreshWeb({
  root: join(import.meta.dirname, '..'),
  // Loaded when needed: it brings the bundler, which an installation without development packages does not have.
  build: () => import('./build-web.ts'),
  onFailure: (sentence) => console.error(sentence),
});
