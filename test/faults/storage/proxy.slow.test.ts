/** A service whose only way out is a proxy, to stores whose certificates only its operator's authority has signed. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openSqliteStore } from '../../../src/adapters/sqlite/index.ts';
import type { Asset } from '../../../src/catalog/index.ts';
import { makeScene } from '../../../src/catalog/testing/make-scene.ts';
import { createCog } from '../../../src/formats/cog/index.ts';
import { startFakeProxy } from '../../../src/net/testing/fake-proxy.ts';
import { makeCertificate } from '../../support/make-certificate.ts';
import { ONE_THREAD, SERVICE_KEY, startSwath } from '../../support/start-swath.ts';

const root = mkdtempSync(join(tmpdir(), 'swath-proxy-'));
const SIZE = 64;
const TRANSFORM = [500_000, 10, 0, 4_700_000, 0, -10] as const;

async function writeImage(): Promise<Buffer> {
  const path = join(root, 'B04.tif');
  const cog = await createCog(path, {
    width: SIZE,
    height: SIZE,
    bandCount: 1,
    type: 'uint16',
    epsg: 32631,
    transform: [...TRANSFORM],
    nodata: 0,
    compression: 'none',
    predictor: 1,
    blockSize: 16,
  });
  await cog.writeRows([new Uint16Array(SIZE * SIZE).fill(500)], SIZE);
  await cog.finish();
  return readFileSync(path);
}

test('threads read through the proxy with the certificates of NODE_EXTRA_CA_CERTS, and never reveal its password', async () => {
  const image = await writeImage();
  const authority = makeCertificate({ name: 'Authority of the test', isAuthority: true });
  const { cert, key } = makeCertificate({ name: 'store', hosts: ['data.example'], by: authority.signer });
  const store = createTlsServer({ cert, key }, (request, response) => {
    const [, first = '0', last = '0'] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const [from, to] = [Number(first), Math.min(Number(last), image.length - 1)];
    response.writeHead(206, { etag: '"1"', 'content-range': `bytes ${from}-${to}/${image.length}` });
    response.end(image.subarray(from, to + 1));
  });
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
  const { port } = store.address() as AddressInfo;
  const proxy = await startFakeProxy();
  after(() => {
    store.close().closeAllConnections();
    proxy.stop();
    rmSync(root, { recursive: true, force: true });
  });

  const dataDir = join(root, 'data');
  mkdirSync(dataDir);
  const catalog = openSqliteStore(dataDir);
  for (const day of [1, 2]) {
    const B04: Asset = {
      ...(makeScene(day).assets.B04 as Asset),
      href: `https://data.example:${port}/${day}/B04.tif`,
      width: SIZE,
      height: SIZE,
      transform: [...TRANSFORM],
      overviews: [],
      scale: 1,
      offset: 0,
    };
    await catalog.scenes.put(makeScene(day, { assets: { B04 } }));
  }
  await catalog.close();
  writeFileSync(join(dataDir, 'sources.json'), JSON.stringify({ hosts: ['data.example'], ports: [port] }));
  writeFileSync(join(dataDir, 'authority.pem'), authority.cert);
  await using swath = await startSwath({
    dataDir,
    env: {
      ...ONE_THREAD,
      SWATH_SOURCES: join(dataDir, 'sources.json'),
      SWATH_PREFETCH: 'off',
      HTTPS_PROXY: `http://user:very-secret@127.0.0.1:${proxy.port}`,
      NODE_EXTRA_CA_CERTS: join(dataDir, 'authority.pem'),
    },
  });
  const ask = async (day: number) => {
    const path = `/api/render/S2/point/31/T/DH/2026/6/${day}/0/B04/42.4487/3.0038`;
    const answer = await fetch(`${swath.url}${path}`, { headers: { 'x-api-key': SERVICE_KEY } });
    const body = (await answer.json()) as { index_value?: number; code?: string; error?: string };
    return { ...body, status: answer.status };
  };
  const good = await ask(1);
  assert.deepEqual([good.status, good.index_value], [200, 500], JSON.stringify(good));
  assert.ok(proxy.calls.every(({ line }) => line === `CONNECT data.example:${port}`));
  assert.ok(proxy.calls.length > 0);

  proxy.refusal = 407;
  store.closeAllConnections();
  const refused = await ask(2);
  assert.deepEqual([refused.status, refused.code], [502, 'proxy-refused'], JSON.stringify(refused));
  assert.doesNotMatch(`${refused.error} ${swath.output()}`, /very-secret|dXNlcjp2/);
});
