import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClientCheck } from './client-check.ts';
import { run } from './run-program.ts';

const SCRIPT = fileURLToPath(new URL('../../clients/qgis/tests/check_plugin.py', import.meta.url));
/** The Python that Debian's QGIS is built for; another one cannot load it. */
const PYTHON = '/usr/bin/python3';

/** Our own plugin in QGIS without a window: search, layer, statistics of a polygon. */
export const qgisPlugin: ClientCheck = {
  name: 'QGIS plugin',
  whyNot: () =>
    existsSync('/usr/lib/python3/dist-packages/qgis')
      ? null
      : 'python3-qgis is not installed on this machine',
  async run({ url, key, folder }) {
    const printed = await run(PYTHON, ['-B', SCRIPT, url, key, join(folder, 'layer.png')]);
    const checks = printed.match(/^ok .*$/gm) ?? [];
    return `${checks.length} checks, among them: ${checks.find((line) => line.includes('draws')) ?? ''}`;
  },
};
