/**
 * Validates capabilities and errors of WMTS and WMS by the schemas and DTDs of OGC, and compares the golden content models,
 * by which `test/spec/sections/ogc.test.ts` checks the same documents without Python. `npm run oracle standards` needs Python
 * and, once, the network: the schemas come from Maven Central (org.jvnet.ogc:ogc-schemas). With --write it writes the models.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEMO_SCENE, makeDemoData } from '../../support/demo-data.ts';
import { hasPython, installPython } from '../../support/python-packages.ts';
import { ONE_THREAD, SERVICE_KEY, startSwath, waitUntilReady } from '../../support/start-swath.ts';
import { tellMissing } from './verdicts.ts';

const JAR = 'https://repo1.maven.org/maven2/org/jvnet/ogc/ogc-schemas/2.6.1/ogc-schemas-2.6.1.jar';
const SHA256 = 'a7f247113acebef11682c3adfc6e23527627488daede58d22839379209b1481c';
const GOLDEN = fileURLToPath(new URL('../../golden/ogc/content-models.json', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/ogc-schemas/', import.meta.url));

if (!hasPython()) {
  tellMissing('schemas of OGC', 'there is no python3 with venv');
  process.exit(0);
}
const bin = await installPython('ogc-schemas', ['xmlschema==4.3.2', 'lxml==6.1.3'], console.log);
const python = join(bin, 'python');
await fetchSchemas();
const dataDir = await makeDemoData();
const swath = await startSwath({ dataDir, env: { SWATH_LOG: 'error', ...ONE_THREAD } });
try {
  await waitUntilReady(swath.url);
  const judge = fileURLToPath(new URL('judge_schemas.py', import.meta.url));
  const layer = `scene.${DEMO_SCENE.viewId.replaceAll('/', '_')}`;
  const run = spawnSync(python, [judge, join(CACHE, 'schemas/ogc'), swath.url, SERVICE_KEY, layer], {
    encoding: 'utf8',
    maxBuffer: 2 ** 24,
  });
  const lines = run.stdout.trim().split('\n');
  console.log(lines.slice(0, -1).join('\n'));
  assert.equal(run.status, 0, run.stderr);
  const models = `${JSON.stringify(JSON.parse(lines.at(-1) ?? ''), null, 2)}\n`;
  if (process.argv.includes('--write')) writeFileSync(GOLDEN, models);
  assert.equal(
    readFileSync(GOLDEN, 'utf8'),
    models,
    'the golden content models are not those of the schemas',
  );
} finally {
  await swath.stop();
  rmSync(dataDir, { recursive: true });
}

/** Once for all runs. */
async function fetchSchemas(): Promise<void> {
  const [jar, folder] = [join(CACHE, 'schemas.jar'), join(CACHE, 'schemas')];
  if (existsSync(folder)) return;
  mkdirSync(CACHE, { recursive: true });
  const response = await fetch(JAR);
  assert.equal(response.status, 200, JAR);
  const bytes = new Uint8Array(await response.arrayBuffer());
  assert.equal(createHash('sha256').update(bytes).digest('hex'), SHA256, JAR);
  writeFileSync(jar, bytes);
  const unpacked = spawnSync(python, ['-m', 'zipfile', '-e', jar, folder], { encoding: 'utf8' });
  assert.equal(unpacked.status, 0, unpacked.stderr);
}
