import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runSwath } from '../support/start-swath.ts';
import type { ClientCheck } from './client-check.ts';
import { run } from './run-program.ts';

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';

/** The OpenAPI document by the linter of Redocly: an error or a warning fails. */
export const redocly: ClientCheck = {
  name: 'redocly lint',
  async run({ url, npmFolder }) {
    const args = ['lint', `${url}/openapi.json`, '--config', fileOf('redocly.yaml'), '--format', 'json'];
    const printed = await run(process.execPath, [join(npmFolder, 'node_modules/.bin/redocly'), ...args]);
    const { totals } = JSON.parse(printed.slice(printed.indexOf('{'), printed.lastIndexOf('}') + 1)) as {
      totals: { errors: number; warnings: number };
    };
    if (totals.errors + totals.warnings > 0) throw new Error(printed.slice(0, 2_000));
    return 'the document has no errors and no warnings';
  },
};

/** An export of the whole catalog. */
export const pystac: ClientCheck = {
  name: 'pystac',
  async run({ pythonBin, folder, dataDir }) {
    const file = join(folder, 'items.ndjson');
    const { status, stderr } = await runSwath(['export', '-o', file], { SWATH_DATA: dataDir });
    if (status !== 0 || readFileSync(file).length === 0) throw new Error(stderr);
    return lastLine(await run(join(pythonBin, 'python'), [fileOf('pystac_check.py'), file]));
  },
};

/** Searches and quicklooks of EODAG. */
export const eodag: ClientCheck = {
  name: 'EODAG',
  async run({ url, key, pythonBin, folder }) {
    const args = [fileOf('eodag_checks.py'), url, key, folder];
    // It writes its configuration into the home folder.
    return lastLine(await run(join(pythonBin, 'python'), args, { env: { HOME: folder } }));
  },
};
