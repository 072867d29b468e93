/**
 * Writes a table of items and asks stac-geoparquet, rustac, GeoPandas and PyArrow what is in it; then reads what the first
 * two write of the same items.
 *   npm run oracle stac/check-geoparquet
 * Installs the Python packages once, below node_modules/.cache. DuckDB judges in the tests of src/ingest/stac.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toScene } from '../../../src/catalog/index.ts';
import { makeScene } from '../../../src/catalog/testing/make-scene.ts';
import { exportScenes } from '../../../src/cli/export-scenes.ts';
import { makeTerminal } from '../../../src/cli/index.ts';
import { readItems } from '../../../src/ingest/stac/geoparquet.ts';
import { fromOwnItem } from '../../../src/ingest/stac/own-item.ts';
import { earthSearchItem, landsatItem, naipItem } from '../../../src/ingest/stac/testing/make-items.ts';
import { isObject } from '../../../src/json.ts';
import { hasPython, installPython } from '../../support/python-packages.ts';

const PACKAGES = [...['stac-geoparquet==0.8.3', 'rustac==0.9.18', 'pyarrow==26.0.1', 'geopandas==1.2.0']];

if (!hasPython()) {
  console.error('There is no python3 with venv.');
  process.exit(1);
}
const bin = await installPython('stac-geoparquet', PACKAGES, console.log);
const folder = mkdtempSync(join(tmpdir(), 'swath-geoparquet-'));
const at = (name: string): string => join(folder, name);
try {
  const scenes = Array.from({ length: 20 }, (_, day) => toScene(makeScene(1 + day)));
  async function* list() {
    yield* scenes;
  }
  const terminal = makeTerminal({ out: process.stdout, err: process.stderr, noColor: true });
  const deps = { terminal, out: process.stdout, dataDir: '/srv/swath', outputMode: 0o600 };
  await exportScenes(list, { format: 'ndjson', output: at('own.ndjson') }, deps);
  await exportScenes(list, { format: 'geoparquet', output: at('own.parquet') }, deps);
  const others = [earthSearchItem(3), earthSearchItem(4), landsatItem('L2SP'), naipItem(1)];
  writeFileSync(at('others.ndjson'), others.map((item) => `${JSON.stringify(item)}\n`).join(''));
  const judge = fileURLToPath(new URL('judge_geoparquet.py', import.meta.url));
  const { status } = spawnSync(`${bin}/python3`, [judge, folder], { stdio: 'inherit' });
  assert.equal(status, 0, 'the judges disagree');
  for (const program of ['stac-geoparquet', 'rustac']) {
    const own = await readAll(at(`own.${program}.parquet`));
    const versions = own.map((item) => toScene(fromOwnItem(item, { isAllowedHref: () => true })).version);
    const moved = await readAll(at('own.parquet'));
    const wanted = moved.map((item) => toScene(fromOwnItem(item, { isAllowedHref: () => true })).version);
    assert.deepEqual(versions, wanted, `${program}: our own scenes`);
    assert.deepEqual(plain(await readAll(at(`others.${program}.parquet`))), plain(others), program);
    console.log(`| ${program} writes, Swath reads | ${own.length + others.length} items equal | passed |`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

async function readAll(path: string) {
  const items: Readonly<Record<string, unknown>>[] = [];
  for await (const { item } of readItems(path)) items.push(item);
  return items;
}

/**
 * Without nulls, which a table cannot tell from fields that are missing, and with times in milliseconds; rustac states the
 * newest version.
 */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value))
    return new Date(value).toISOString();
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([name, one]) => one !== null && name !== 'stac_version');
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, plain(one)]),
  );
}
