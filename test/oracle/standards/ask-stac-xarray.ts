/**
 * Asks odc-stac and stackstac to load the small demo into xarray: the numbers that they read through items and addresses of
 * files are those of our points. `npm run oracle standards`. Installs the Python packages once, below node_modules/.cache.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DEMO_SCENE, makeDemoData } from '../../support/demo-data.ts';
import { hasPython, installPython } from '../../support/python-packages.ts';
import { ONE_THREAD, SERVICE_KEY, startSwath, waitUntilReady } from '../../support/start-swath.ts';
import { tellMissing } from './verdicts.ts';

const PACKAGES = [
  ...['odc-stac==0.5.3', 'stackstac==0.5.1', 'xarray==2026.9.0', 'rioxarray==0.19.0'],
  ...['pystac-client==0.9.1', 'pyproj'],
];

if (!hasPython()) {
  tellMissing('odc-stac, stackstac and leafmap', 'there is no python3 with venv');
  process.exit(0);
}
const bin = await installPython('stac-xarray', PACKAGES, console.log);
const dataDir = await makeDemoData();
const swath = await startSwath({ dataDir, env: { SWATH_LOG: 'error', ...ONE_THREAD } });
try {
  await waitUntilReady(swath.url);
  const judge = fileURLToPath(new URL('judge_stac_xarray.py', import.meta.url));
  const { status } = spawnSync(
    `${bin}/python3`,
    [judge, swath.url, SERVICE_KEY, DEMO_SCENE.dataset, DEMO_SCENE.viewId],
    { stdio: 'inherit' },
  );
  process.exitCode = status ?? 1;
} finally {
  await swath.stop();
  rmSync(dataDir, { recursive: true });
}
