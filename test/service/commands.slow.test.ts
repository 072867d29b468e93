import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath } from '../support/start-swath.ts';

const directory = mkdtempSync(join(tmpdir(), 'swath-commands-'));
after(() => rmSync(directory, { recursive: true, force: true }));
const env = { SWATH_DATA: directory };

test('help and version print to standard output and exit with 0', async () => {
  // src/cli/help.test.ts has all ways to ask; a process takes half a second to start.
  for (const args of [[], ['keys', '--help']]) {
    const { status, stdout, stderr } = await runSwath(args, env);
    assert.equal(status, 0, args.join(' '));
    assert.match(stdout, /Usage: swath/);
    assert.equal(stderr, '');
    assert.ok(!stdout.includes('\u001b['), 'no colours without a terminal');
  }
  assert.match((await runSwath(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/);
});

test('wrong usage prints one sentence on standard error and exits with 2', async () => {
  for (const args of [['swim'], ['keys', 'create', '--rate', '0']]) {
    const { status, stdout, stderr } = await runSwath(args, env);
    assert.equal(status, 2, args.join(' '));
    assert.equal(stdout, '');
    assert.match(stderr, /^swath: .*\n$/);
  }
});

test('a key created on the command line works on a running server at once, and not after it is revoked', async () => {
  await using swath = await startSwath({ dataDir: directory, env: ONE_THREAD });
  const created = await runSwath(['keys', 'create', '--label', 'phone', '--rate', '100'], env);
  const key = created.stdout.trim();
  assert.match(key, /^apk\.[0-9a-f]{64}$/);
  const ask = async () =>
    (
      await fetch(`${swath.url}/api/lms/search/v2/sentinel2?api_key=${key}`, {
        method: 'POST',
        body: '{"search":{}}',
      })
    ).status;
  assert.equal(await ask(), 200);
  const posted = await fetch(`${swath.url}/api/render/cropper?api_key=${key}`, {
    method: 'POST',
    body: '{"type":"Polygon","coordinates":[[[1,1],[2,1],[2,2],[1,1]]]}',
  });
  const { cropper_ref: ref } = (await posted.json()) as { cropper_ref: string };
  const readArea = async () =>
    (await fetch(`${swath.url}/api/render/cropper/${ref}?api_key=${SERVICE_KEY}`)).status;
  const listed = JSON.parse((await runSwath(['keys', 'list', '--json'], env)).stdout) as {
    id: string;
    label: string;
  }[];
  const id = listed.find(({ label }) => label === 'phone')?.id ?? '';
  const table = (await runSwath(['keys', 'list'], env)).stdout;
  assert.match(table, new RegExp(`${id}\\s+active\\s+order\\s+100/min`));
  assert.ok(!table.includes(key));
  assert.equal((await runSwath(['keys', 'revoke', id], env)).status, 0);
  assert.equal(await ask(), 403);
  assert.match(table, new RegExp(`^${id}.* 1 +0 +0 +0 +0 +0 +0\\.0 MiB +phone$`, 'm'));
  const deleted = await runSwath(['keys', 'delete-stored', id], env);
  assert.deepEqual(
    [deleted.status, deleted.stdout],
    [
      0,
      `Deleted what key ${id} had stored: areas 1, colormaps 0, recipes 0, fields 0, subscriptions 0, tasks 0.\n`,
    ],
  );
  assert.equal(await readArea(), 404);
  assert.equal((await runSwath(['keys', 'revoke', 'nothere'], env)).status, 1);
  assert.ok(!swath.output().includes(key), 'a key must not appear in any output of the server');
  assert.equal(await swath.stop(), 0);
});

test('doctor reports on all parts, hides secrets, and exits with 0 when all is well', async () => {
  const { status, stdout } = await runSwath(['doctor'], { ...env, SWATH_API_KEY: 'a-very-secret-key-value' });
  assert.equal(status, 0, stdout);
  for (const words of [
    'Swath',
    'Node.js',
    'SQLite',
    'SWATH_PORT',
    'Free space',
    'Integrity',
    'Code from text',
    'bodyBytes',
  ]) {
    assert.ok(stdout.includes(words), words);
  }
  assert.ok(!stdout.includes('a-very-secret-key-value'));
});
