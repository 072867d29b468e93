import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openTiff } from '../../src/formats/index.ts';
import { makeDataFiles } from '../../src/storage/index.ts';
import { runSwath, startSwath, waitUntilReady } from '../support/start-swath.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'swath-kill-'));
after(() => rmSync(dataDir, { recursive: true, force: true }));

const listDemo = (): readonly string[] => {
  try {
    return readdirSync(join(dataDir, 'scenes/demo'));
  } catch {
    return [];
  }
};

async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}

test('kill -9 while the demo scene and keys are written: the next start is clean and keeps every key', {
  timeout: 115_000,
}, async () => {
  const keys: string[] = [];
  const makeKey = async (): Promise<void> => {
    const { status, stdout } = await runSwath(['keys', 'create'], { SWATH_DATA: dataDir });
    assert.equal(status, 0);
    keys.push(stdout.trim());
  };

  const first = await startSwath({ dataDir, env: { SWATH_DEMO: 'on', SWATH_LOG: 'warn' } });
  await makeKey();
  await waitFor(async () => /scene [3-9]\d %/.test(await (await fetch(`${first.url}/readyz`)).text()));
  const creating = makeKey();
  assert.equal(await first.stop('SIGKILL'), 'SIGKILL');
  await creating;

  // What has its final name is whole: every such file opens, and none is there that the catalog could not use.
  for (const name of listDemo().filter((file) => file.endsWith('.tif'))) {
    const source = await makeDataFiles(dataDir)(`scenes/demo/${name}`);
    assert.ok((await openTiff(source)).images[0].width > 300, name);
    await source.close();
  }

  const second = await startSwath({ dataDir, env: { SWATH_DEMO: 'on', SWATH_LOG: 'warn' } });
  await waitUntilReady(second.url);
  for (const key of keys) {
    const answer = await fetch(`${second.url}/api/lms/search/v2/sentinel2`, {
      method: 'POST',
      headers: { 'x-api-key': key },
      body: '{"search":{}}',
    });
    assert.equal(answer.status, 200);
    assert.equal(((await answer.json()) as { meta: { found: number } }).meta.found, 1);
  }
  assert.deepEqual(
    listDemo().filter((name) => !name.endsWith('.tif')),
    [],
    'nothing half-made is left behind',
  );
  assert.equal(await second.stop(), 0);
  const { status, stdout } = await runSwath(['doctor'], { SWATH_DATA: dataDir });
  assert.equal(status, 0, stdout);
});
