import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, test } from 'node:test';
import { DEMO_SCENE, makeDemoData } from '../support/demo-data.ts';
import type { RunningSwath } from '../support/start-swath.ts';
import { ONE_THREAD, SERVICE_KEY, startSwath } from '../support/start-swath.ts';

const dataDir = await makeDemoData();
after(() => rmSync(dataDir, { recursive: true }));

const start = (env: Readonly<Record<string, string>> = {}) =>
  startSwath({ dataDir, env: { ...ONE_THREAD, ...env } });

async function readThumbnail({ url }: RunningSwath): Promise<string> {
  const response = await fetch(`${url}/api/lms/search/v2/${DEMO_SCENE.dataset}`, {
    method: 'POST',
    headers: { 'x-api-key': SERVICE_KEY },
    body: JSON.stringify({ search: {} }),
  });
  const { results } = (await response.json()) as { results: { thumbnail: string }[] };
  return results[0]?.thumbnail ?? '';
}

test('a stored thumbnail address works without a key, also after a restart and another key', async () => {
  let [path, picture] = ['', Buffer.alloc(0)];
  {
    await using swath = await start();
    const address = await readThumbnail(swath);
    path = new URL(address).pathname;
    assert.ok(address.startsWith(`${swath.url}/api/render/thumbnails/`), address);
    const [open, keyed] = await Promise.all([
      fetch(address),
      fetch(
        `${swath.url}/api/render/${DEMO_SCENE.viewId.replace('/', '/thumb/')}.png?STRETCH=natural&api_key=${SERVICE_KEY}`,
      ),
    ]);
    assert.deepEqual([open.status, open.headers.get('content-type')], [200, 'image/png']);
    picture = Buffer.from(await open.arrayBuffer());
    assert.ok(picture.equals(Buffer.from(await keyed.arrayBuffer())), 'the same picture');
    assert.ok(Buffer.from(await (await fetch(address)).arrayBuffer()).equals(picture), 'and again');
    const head = await fetch(address, { method: 'HEAD' });
    assert.equal(head.headers.get('content-length'), String(picture.length));
  }
  await using swath = await start({ SWATH_API_KEY: 'another-key-for-service-tests' });
  const again = await fetch(swath.url + path);
  assert.equal(again.status, 200);
  assert.ok(Buffer.from(await again.arrayBuffer()).equals(picture));
  assert.equal((await fetch(swath.url + path.replace(/1\.png$/, '2.png'))).status, 404);
});
