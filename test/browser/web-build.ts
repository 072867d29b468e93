/** Guards against testing yesterday's page: the browser sees `web/dist`, not the sources beside it. */
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const webFolder = join(import.meta.dirname, '..', '..', 'web');

/** Throws, with the command to run, when `web/dist` is missing or older than a source of the page. */
export const requireFreshWebBuild = (): void => {
  const built = statSync(join(webFolder, 'dist', 'index.html'), { throwIfNoEntry: false });
  const sources = globSync(['*.{ts,css,html,svg}', 'styles/*.css'], { cwd: webFolder })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => ({ file, changedMs: statSync(join(webFolder, file)).mtimeMs }));
  const newer = sources.find(({ changedMs }) => built === undefined || changedMs > built.mtimeMs);
  if (newer !== undefined) {
    throw new Error(
      `web/dist is missing or older than web/${newer.file}: run "node scripts/build-web.ts" first.`,
    );
  }
};
