/**
 * Exports the scene of the small demo and random scenes of every sensor, or the catalog of a data directory, and asks
 * pystac whether every item and collection is valid STAC.
 *   npm run oracle stac/check-export
 *   npm run node -- test/oracle/stac/check-export.ts <data directory>
 * Needs a Python with pystac: pip install 'pystac[validation]'. Tries $ORACLE_PYTHON, python3, /usr/bin/python3.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { openSqliteStore } from '../../../src/adapters/sqlite/index.ts';
import type { Scene } from '../../../src/catalog/index.ts';
import { toScene } from '../../../src/catalog/index.ts';
import { exportScenes } from '../../../src/cli/export-scenes.ts';
import { makeTerminal } from '../../../src/cli/index.ts';
import { anyScene } from '../../../src/ingest/stac/testing/any-scene.ts';
import { casesOf } from '../../../src/testing/test-size.ts';
import { makeDemoData } from '../../support/demo-data.ts';

const python = [process.env.ORACLE_PYTHON ?? 'python3', '/usr/bin/python3'].find(
  (name) => spawnSync(name, ['-c', 'import pystac, jsonschema']).status === 0,
);
if (python === undefined) {
  console.error("No Python with pystac was found: pip install 'pystac[validation]'.");
  process.exit(1);
}
const [given] = process.argv.slice(2);
const dataDir = given ?? (await makeDemoData());
const folder = await mkdtemp(join(tmpdir(), 'swath-export-'));
const { scenes, close } = openSqliteStore(dataDir);
try {
  const output = join(folder, 'catalog.ndjson');
  const terminal = makeTerminal({ out: process.stdout, err: process.stderr, noColor: true });
  await exportScenes(
    listScenes,
    { format: 'ndjson', output },
    { terminal, out: process.stdout, dataDir, outputMode: 0o600 },
  );
  const judge = new URL('judge_export.py', import.meta.url).pathname;
  process.exitCode = spawnSync(python, [judge, output], { stdio: 'inherit' }).status ?? 1;
} finally {
  await close();
  await rm(folder, { recursive: true });
  if (given === undefined) await rm(dataDir, { recursive: true });
}

async function* listScenes(): AsyncGenerator<Scene> {
  yield* scenes.list();
  if (given === undefined)
    for (const scene of fc.sample(anyScene, { numRuns: casesOf(1_000), seed: 20 })) yield toScene(scene);
}
