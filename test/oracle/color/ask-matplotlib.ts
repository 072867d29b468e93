import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ColormapTables } from './colormap-tables.ts';

/** Asks matplotlib for every map in these numbers of colours; tries $MATPLOTLIB_PYTHON, python3, /usr/bin/python3. */
export function askMatplotlib(counts: readonly number[]): ColormapTables {
  const python = [process.env.MATPLOTLIB_PYTHON, 'python3', '/usr/bin/python3'].find(
    (path) => path !== undefined && spawnSync(path, ['-c', 'import matplotlib']).status === 0,
  );
  if (python === undefined) {
    console.error('No Python with matplotlib was found; install it and set MATPLOTLIB_PYTHON to its Python.');
    process.exit(2);
  }
  const script = fileURLToPath(new URL('colormap_tables.py', import.meta.url));
  const answer = execFileSync(python, [script, ...counts.map(String)], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(answer);
}
