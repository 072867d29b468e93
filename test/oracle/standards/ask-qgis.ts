/**
 * Asks QGIS whether it draws a WMTS layer, and a WMS layer at one time and not at another, over the small demo.
 *   npm run oracle standards            needs Debian's qgis, python3-qgis and xvfb, and says so when they are missing
 *   npm run node test/oracle/standards/ask-qgis.ts FOLDER    keeps the pictures of docs/use/qgis.md there
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../../clients/run-program.ts';
import { DEMO_SCENE, makeDemoData } from '../../support/demo-data.ts';
import { ONE_THREAD, SERVICE_KEY, startSwath, waitUntilReady } from '../../support/start-swath.ts';
import { tell, tellMissing } from './verdicts.ts';

/** Pixels of a map of 128 × 128 that a scene in its middle fills at least. */
const FILLED = 8_000;

const missing = ['qgis', 'xvfb-run'].filter((program) => findProgram(program) === null);
if (missing.length > 0) {
  tellMissing('QGIS', `not installed: ${missing.join(', ')}`);
  process.exit(0);
}
const dataDir = await makeDemoData();
const folder = mkdtempSync(join(tmpdir(), 'swath-qgis-'));
const swath = await startSwath({ dataDir, env: { SWATH_LOG: 'error', ...ONE_THREAD } });
try {
  await waitUntilReady(swath.url);
  const job = {
    url: swath.url,
    key: SERVICE_KEY,
    layer: DEMO_SCENE.dataset,
    day: '2026-06-21',
    before: '2026-04-01',
    box: [-122.445, 48.19, -122.36, 48.25],
    folder,
  };
  const code = fileURLToPath(new URL('judge_qgis.py', import.meta.url));
  const profile = ['--profiles-path', join(folder, 'profile'), '--nologo', '--noversioncheck', '--noplugins'];
  const screen = ['-a', '-s', '-screen 0 1100x700x24'];
  const run = spawnSync('xvfb-run', [...screen, 'qgis', ...profile, '--code', code], {
    encoding: 'utf8',
    env: { ...process.env, JUDGE: JSON.stringify(job) },
  });
  assert.equal(run.status, 0, run.stderr);
  const result = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')) as {
    failure?: string;
    wmts: number;
    wms: number;
    before: number;
    temporal: boolean;
  };
  assert.equal(result.failure, undefined);
  const version = /[\d.]+/.exec(spawnSync('qgis', ['--version'], { encoding: 'utf8' }).stdout)?.[0];
  const show = (what: string, isRight: boolean): void =>
    tell({
      judge: `QGIS ${version}`,
      classes: [what.startsWith('WMTS') ? 'WMTS 1.0.0' : 'WMS 1.3.0'],
      what,
      tests: 1,
      passed: isRight ? 1 : 0,
    });
  show('WMTS layer drawn', result.wmts > FILLED);
  show('WMS layer is temporal', result.temporal);
  show('WMS layer drawn at its time', result.wms > FILLED);
  show('WMS layer empty at a time without scenes', result.before === 0);
  const [, , keep] = process.argv;
  if (keep !== undefined)
    for (const name of ['qgis-wmts.png', 'qgis-wms.png']) copyFileSync(join(folder, name), join(keep, name));
} finally {
  await swath.stop();
  rmSync(folder, { recursive: true });
  rmSync(dataDir, { recursive: true });
}
