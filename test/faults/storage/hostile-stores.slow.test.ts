/** Stores that lead elsewhere or are not who they say: never followed, never trusted, and said clearly. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openSqliteStore } from '../../../src/adapters/sqlite/index.ts';
import type { Asset } from '../../../src/catalog/index.ts';
import { makeScene } from '../../../src/catalog/testing/make-scene.ts';
import { createCog } from '../../../src/formats/cog/index.ts';
import { makeOpenSource } from '../../../src/sources/index.ts';
import { waitFor } from '../../../src/testing/wait-for.ts';
import { makeCertificate } from '../../support/make-certificate.ts';
import type { RunningSwath } from '../../support/start-swath.ts';
import { ONE_THREAD, SERVICE_KEY, startSwath } from '../../support/start-swath.ts';

const root = mkdtempSync(join(tmpdir(), 'swath-hostile-'));
const servers: Server[] = [];
const running: RunningSwath[] = [];
after(async () => {
  for (const swath of running) await swath.stop('SIGKILL');
  for (const server of servers) server.close().closeAllConnections();
  rmSync(root, { recursive: true, force: true });
});

const SIZE = 64;
const TRANSFORM = [500_000, 10, 0, 4_700_000, 0, -10] as const;
let image: Buffer;

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

/** A well-behaved store of one file. */
const serveImage: RequestListener = (request, response) => {
  const [, first = '0', last = '0'] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const [from, to] = [Number(first), Math.min(Number(last), image.length - 1)];
  response.writeHead(206, { etag: '"1"', 'content-range': `bytes ${from}-${to}/${image.length}` });
  response.end(image.subarray(from, to + 1));
};

async function listen(server: Server, host = '127.0.0.1', port = 0): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return (server.address() as AddressInfo).port;
}

const authority = makeCertificate({ name: 'Authority of the test', isAuthority: true });
const by = authority.signer;
const HERE = ['localhost', '127.0.0.1'];
/** By what is wrong with it; `good` shows that the others could be reached. */
const certificates = {
  good: makeCertificate({ name: 'good', hosts: HERE, by }),
  'self-signed': makeCertificate({ name: 'self-signed', hosts: HERE }),
  'of another host': makeCertificate({ name: 'other', hosts: ['other.example', '127.0.0.2'], by }),
  expired: makeCertificate({ name: 'old', hosts: HERE, by, fromDay: -9, toDay: -2 }),
  'not valid yet': makeCertificate({ name: 'early', hosts: HERE, by, fromDay: 2, toDay: 9 }),
};

/** Addresses of files by a word each, and how often the forbidden server was reached, and by a redirect. */
const addresses = new Map<string, string>();
const canary = { connections: 0, redirected: 0 };
const ports: number[] = [];

before(async () => {
  image = await writeImage();
  for (const [what, { cert, key }] of Object.entries(certificates)) {
    const port = await listen(createTlsServer({ cert, key }, serveImage));
    ports.push(port);
    addresses.set(`certificate ${what}`, `https://127.0.0.1:${port}/B04.tif`);
  }
  const inside = createServer((request, response) => {
    if (request.url === '/redirected.tif') canary.redirected += 1;
    serveImage(request, response);
  }).on('connection', () => {
    canary.connections += 1;
  });
  const insidePort = await listen(inside);
  ports.push(insidePort);
  let origin = '';
  const targets: Readonly<Record<string, () => string>> = {
    'to a private address': () => `http://127.0.0.1:${insidePort}/redirected.tif`,
    'to the metadata of a cloud': () => 'http://169.254.169.254/latest/meta-data/',
    'to another host': () => `http://localhost:${insidePort}/redirected.tif`,
    'to a file': () => 'file:///etc/passwd',
    'to itself': () => `${origin}/${encodeURIComponent('to itself')}`,
  };
  const redirecting: RequestListener = (request, response) => {
    const target = targets[decodeURIComponent(request.url ?? '').slice(1)]?.() ?? '';
    response.writeHead(302, { location: target }).end();
  };
  const port = await listen(createServer(redirecting));
  origin = `http://127.0.0.1:${port}`;
  const { cert, key } = certificates.good;
  const tlsPort = await listen(createTlsServer({ cert, key }, redirecting));
  ports.push(port, tlsPort);
  for (const what of Object.keys(targets)) {
    addresses.set(`redirect ${what}`, `${origin}/${encodeURIComponent(what)}`);
    // The same from https: all but the last two are also ways down to http.
    addresses.set(`redirect by https ${what}`, `https://127.0.0.1:${tlsPort}/${encodeURIComponent(what)}`);
  }
  addresses.set('a name inside', `http://localhost:${insidePort}/B04.tif`);
  addresses.set('an address inside', `http://127.0.0.1:${insidePort}/B04.tif`);
});

/** Starts a service whose catalog has a scene for each address. */
async function start(name: string, network: object): Promise<RunningSwath> {
  const dataDir = join(root, name);

  mkdirSync(dataDir);
  const store = openSqliteStore(dataDir);
  for (const [i, href] of [...addresses.values()].entries()) {
    const B04: Asset = {
      ...(makeScene(1).assets.B04 as Asset),
      href,
      width: SIZE,
      height: SIZE,
      transform: [...TRANSFORM],
      overviews: [],
      scale: 1,
      offset: 0,
    };
    await store.scenes.put(makeScene(i + 1, { assets: { B04 } }));
  }
  await store.close();
  writeFileSync(
    join(dataDir, 'sources.json'),
    JSON.stringify({ hosts: HERE, allowHttp: true, ports, ...network }),
  );
  writeFileSync(join(dataDir, 'authority.pem'), authority.cert);
  const swath = await startSwath({
    dataDir,
    env: {
      ...ONE_THREAD,
      SWATH_SOURCES: join(dataDir, 'sources.json'),
      NODE_EXTRA_CA_CERTS: join(dataDir, 'authority.pem'),
    },
  });
  running.push(swath);
  return swath;
}

/** Near the middle of the image. */
const LAT_LON = '42.4487/3.0038';

async function ask({ url }: RunningSwath, what: string) {
  const day = [...addresses.keys()].indexOf(what) + 1;
  assert.ok(day > 0, what);
  const answer = await fetch(`${url}/api/render/S2/point/31/T/DH/2026/6/${day}/0/B04/${LAT_LON}`, {
    headers: { 'x-api-key': SERVICE_KEY },
  });
  const body = (await answer.json()) as {
    index_value?: number;
    code?: string;
    error?: string;
    request_id?: string;
  };
  return { ...body, status: answer.status };
}

test('a service reads from no store with an invalid certificate, and follows no redirect', async () => {
  const swath = await start('open', { privateNetworks: ['127.0.0.0/8', '::1/128'] });
  const good = await ask(swath, 'certificate good');
  assert.deepEqual([good.status, good.index_value], [200, 500], JSON.stringify(good));
  assert.deepEqual((await ask(swath, 'a name inside')).status, 200, 'so the canary could be reached');
  const reasons: Readonly<Record<string, RegExp>> = {
    'self-signed': /self-signed certificate/,
    'of another host': /does not match certificate's altnames/,
    expired: /certificate has expired/,
    'not valid yet': /certificate is not yet valid/,
  };
  for (const [what, reason] of Object.entries(reasons)) {
    const { status, code, error, request_id: id } = await ask(swath, `certificate ${what}`);
    assert.deepEqual([status, code], [502, 'source-untrusted'], what);
    assert.doesNotMatch(error ?? '', /127|localhost|\d{4}/);
    const findLine = () =>
      swath
        .output()
        .split('\n')
        .slice(0, -1)
        .find((text) => text.includes(String(id)) && text.includes('"err"'));
    await waitFor(() => findLine() !== undefined);
    assert.match(findLine() ?? '', reason);
  }
  for (const what of addresses.keys()) {
    if (!what.startsWith('redirect')) continue;
    const { status, code } = await ask(swath, what);
    assert.deepEqual([status, code], [502, 'source-redirected'], what);
  }
  // Connections of its own are opened to the canary after a start; no redirect is among them.
  assert.equal(canary.redirected, 0);
  // It must not open any beside the next service, which may open none.
  await swath.stop('SIGKILL');
});

test('a service reaches no private address by name or number, by any route', async () => {
  const swath = await start('closed', {});
  canary.connections = 0;
  for (const what of addresses.keys()) {
    const { status, code } = await ask(swath, what);
    assert.deepEqual([status, code], [502, 'bad-href'], what);
  }
  assert.equal(canary.connections, 0);
});

test('a name that resolves to a public address first and an inside one later never leads a read inside', async () => {
  const connections = { outside: 0, inside: 0 };
  const outside = createServer((request, response) => {
    // No connection is used twice: every read asks for the name again.
    response.setHeader('connection', 'close');
    serveImage(request, response);
  }).on('connection', () => {
    connections.outside += 1;
  });
  // 127.0.0.2 stands for a public address, because only it is allowed.
  const port = await listen(outside, '127.0.0.2');
  await listen(
    createServer(serveImage).on('connection', () => {
      connections.inside += 1;
    }),
    '127.0.0.1',
    port,
  );
  const big = Buffer.concat([image, Buffer.alloc(300_000)]);
  image = big;
  let address = '127.0.0.2';
  const open = makeOpenSource({
    dataDir: root,
    network: {
      hosts: ['rebinding.example'],
      allowHttp: true,
      ports: [port],
      privateNetworks: ['127.0.0.2/32'],
    },
    resolveName: async () => [{ address, family: 4 }],
  });
  const source = await open(`http://rebinding.example:${port}/B04.tif`);
  assert.equal((await source.read(200_000, 100)).length, 100);
  address = '127.0.0.1';
  await assert.rejects(source.read(250_000, 100), { tag: 'source-broken', code: 'bad-href' });
  await assert.rejects(open(`http://rebinding.example:${port}/B04.tif`), { code: 'bad-href' });
  address = '127.0.0.2';
  assert.equal((await source.read(280_000, 100)).length, 100, 'and it goes on when the name is right again');
  assert.equal(connections.inside, 0);
  assert.ok(connections.outside >= 3);
});
