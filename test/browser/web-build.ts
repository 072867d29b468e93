/** Guards against testing yesterday's page: the browser sees `web/dist`, not the sources next to it. */
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
/** The page carries what the sensors say, too. */
const SOURCES = ['web/**/*.{ts,css,html,svg}', 'src/sensors/**/*.ts'];

/** Throws, with the command to run, when `web/dist` is missing or older than a source of the page. */
export const requireFreshWebBuild = (): void => {
  const built = statSync(join(root, 'web', 'dist', 'index.html'), { throwIfNoEntry: false });
  const sources = globSync(SOURCES, { cwd: root, exclude: ['web/dist/**'] })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => ({ file, changedMs: statSync(join(root, file)).mtimeMs }));
  const newer = sources.find(({ changedMs }) => built === undefined || changedMs > built.mtimeMs);
  if (newer !== undefined) {
    throw new Error(`web/dist is missing or older than ${newer.file}: run "npm run prepare" first.`);
  }
};
