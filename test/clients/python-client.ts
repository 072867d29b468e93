import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPython } from '../support/python-packages.ts';
import type { ClientCheck } from './client-check.ts';
import { run } from './run-program.ts';

const CLIENT = fileURLToPath(new URL('../../clients/python', import.meta.url));

const PACKAGES = [
  ...['httpx==0.28.1', 'numpy==2.4.6', 'pandas==3.1.1', 'pandas-stubs==3.1.0.261029', 'pillow==13.0.0'],
  ...['pyarrow==26.0.1', 'rasterio==1.4.4', 'xarray==2026.9.0', 'tqdm==4.70.1'],
  ...[
    'mypy==2.4.1',
    'pytest==9.2.0',
    'setuptools==84.2.1',
    'nbclient==0.11.0',
    'ipykernel==7.4.0',
    'matplotlib==3.11.2',
  ],
];

/** Our own client for Python: its types by mypy, its tests, and its notebooks from beginning to end. */
export const pythonClient: ClientCheck = {
  name: 'Python client',
  async run({ url, key, folder }) {
    const bin = await installPython('python-client', PACKAGES, console.log);
    const python = join(bin, 'python');
    await run(join(bin, 'mypy'), ['--cache-dir', join(folder, 'mypy')], { cwd: CLIENT });
    const env = {
      SWATH_CLIENT_URL: url,
      SWATH_CLIENT_KEY: key,
      PYTHONPATH: join(CLIENT, 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
    };
    const tests = await run(python, ['-m', 'pytest', '--quiet', '-p', 'no:cacheprovider', 'tests'], {
      cwd: CLIENT,
      env,
    });
    return `mypy finds nothing; ${tests.trim().split('\n').at(-1)}`;
  },
};
