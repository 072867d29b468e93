import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { openOwnObjects } from '../objects/index.ts';
import { FAKE_BUCKET, startFakeS3 } from '../sources/testing/fake-s3.ts';
import { HANG_MS } from '../testing/wait-for.ts';
import { MIB } from '../units.ts';
import { readTileSets } from './read-tile-sets.ts';

const SETS = [
  { name: 'a.json', text: '{"id":"a"}' },
  { name: 'b.json', text: '{"id":"b"}' },
];

/** Starts a bucket with the sets, and says how its sets are read at a start. */
async function startBucket(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'swath-tile-sets-'));
  const fake = await startFakeS3();
  t.after(() => {
    fake.stop();
    rmSync(dataDir, { recursive: true });
  });
  const network = { ...fake.network, limits: { retries: 0, totalMs: HANG_MS } };
  const config = {
    dataDir,
    cubes: `s3://${FAKE_BUCKET}/own/`,
    sources: { network },
  } as unknown as Parameters<typeof readTileSets>[0];
  const warnings: string[] = [];
  const log = { warn: (_: object, text: string) => void warnings.push(text) };
  const objects = openOwnObjects(config, 'tile-matrix-sets');
  const put = (name: string, text: string) =>
    objects.put(name, Buffer.from(text), { contentType: 'application/json', when: 'always' });
  for (const { name, text } of SETS.toReversed()) await put(name, text);
  /** What happens in the waits of a start. */
  const waits: (() => void)[] = [];
  const read = () => readTileSets(config, log, async () => waits.shift()?.());
  return { dataDir, fake, warnings, put, read, waits };
}

const away = () => ({ cut: 'before' }) as const;

test('a first startup waits for the bucket, and names the setting if it stays unavailable', async (t) => {
  const { fake, read, waits, warnings } = await startBucket(t);
  fake.fault = away;
  await assert.rejects(read(), { code: 'bucket-unreachable', message: /SWATH_CUBES/ });
  warnings.length = 0;
  waits.push(
    () => {},
    () => {
      fake.fault = () => null;
    },
  );
  assert.deepEqual(await read(), SETS);
  assert.equal(warnings.length, 2);
});

test('while the bucket is unavailable the tile sets of the last startup are used; an invalid set is still refused', async (t) => {
  const { dataDir, fake, put, read, warnings } = await startBucket(t);
  assert.deepEqual(await read(), SETS);
  fake.fault = away;
  assert.deepEqual(await read(), SETS);
  assert.deepEqual(warnings.length, 1);
  writeFileSync(join(dataDir, 'tile-matrix-sets.copy.json'), '[{"name":"a.js');
  await assert.rejects(read(), { code: 'bucket-unreachable' }, 'half a copy is none');

  fake.fault = () => null;
  assert.deepEqual(await read(), SETS);
  warnings.length = 0;
  await put('c.json', ' '.repeat(MIB + 1));
  await assert.rejects(read(), { code: 'large-tile-set' });
  assert.deepEqual(warnings, []);
});
