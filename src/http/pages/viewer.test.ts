import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { makeTestApp } from '../testing/make-test-app.ts';
import { readViewer } from './viewer.ts';

const folder = mkdtempSync(join(tmpdir(), 'swath-viewer-'));
after(() => rmSync(folder, { recursive: true }));
const SCRIPT = 'console.log("map");'.repeat(50);
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), '<p>map</p>');
writeFileSync(join(folder, 'assets', 'main-1.js'), SCRIPT);
writeFileSync(join(folder, 'assets', 'main-1.js.br'), brotliCompressSync(SCRIPT));
const viewer = readViewer(pathToFileURL(`${folder}/`));
const { call } = makeTestApp({ viewer });

const get = (path: string, accepted?: string) =>
  call(path, { key: null, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } });

test('files are sent in the smallest encoding that the browser accepts', async () => {
  const same = (bytes: Buffer): Buffer => bytes;
  for (const [accepted, encoding, decode] of [
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['BR', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ['br;q=0.000', null, same],
    ['identity', null, same],
    [undefined, null, same],
  ] as const) {
    const response = await get('/assets/main-1.js', accepted);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-encoding'), encoding, accepted);
    assert.equal(response.headers.get('vary'), 'accept-encoding');
    assert.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal(decode(Buffer.from(await response.arrayBuffer())).toString(), SCRIPT);
  }
});

test('a file that the build did not compress is gzipped', async () => {
  const response = await get('/', 'gzip, br');
  assert.equal(response.headers.get('content-encoding'), 'gzip');
  assert.equal(gunzipSync(Buffer.from(await response.arrayBuffer())).toString(), '<p>map</p>');
});

test('compressed variants cannot be requested as files', async () => {
  assert.equal((await get('/assets/main-1.js.br')).status, 404);
  assert.deepEqual([...viewer.keys()].sort(), ['assets/main-1.js', 'index.html']);
});

test('the page may show pictures of live catalogs, and loads nothing else from other origins', async () => {
  const catalog = { name: 'a', title: 'A', datasets: ['sentinel2l2a'], attribution: 'Data by A.' };
  const { call: callLive } = makeTestApp({
    viewer,
    catalogs: [
      { ...catalog, pictureOrigins: ['https://stac.example', 'https://*.files.example'] },
      { ...catalog, name: 'b', pictureOrigins: ['https://stac.example', 'http://10.20.0.5:8081'] },
    ],
  });
  const policyOf = async (path: string) =>
    ((await callLive(path, { key: null })).headers.get('content-security-policy') ?? '').split('; ');
  const alone = ((await get('/')).headers.get('content-security-policy') ?? '').split('; ');
  assert.ok(alone.includes("img-src 'self' data:"));
  const live = await policyOf('/');
  assert.deepEqual(
    live.filter((directive) => !alone.includes(directive)),
    ["img-src 'self' data: https://stac.example https://*.files.example http://10.20.0.5:8081"],
  );
  assert.equal(live.length, alone.length);
  assert.deepEqual(await policyOf('/docs'), alone);
  assert.deepEqual(await policyOf('/assets/main-1.js'), ["default-src 'none'", "frame-ancestors 'none'"]);
});

test('a base map set by the operator adds only its own origin to the policy, and the page gets its address', async () => {
  const { call: callMap } = makeTestApp({
    viewer,
    about: {
      contact: 'maps@example.org',
      hasGuests: true,
      hasSignIn: true,
      baseMap: {
        url: 'https://tiles.example:8443/{z}/{x}/{y}.png',
        attribution: '© Example',
        origin: 'https://tiles.example:8443',
      },
    },
  });
  const alone = ((await get('/')).headers.get('content-security-policy') ?? '').split('; ');
  const page = await callMap('/', { key: null });
  const policy = (page.headers.get('content-security-policy') ?? '').split('; ');
  assert.deepEqual(
    policy.filter((directive) => !alone.includes(directive)),
    ["img-src 'self' data: https://tiles.example:8443", "connect-src 'self' https://tiles.example:8443"],
  );
  assert.deepEqual(await (await callMap('/api/about', { key: null })).json(), {
    contact: 'maps@example.org',
    guests: true,
    sign_in: true,
    base_map: { url: 'https://tiles.example:8443/{z}/{x}/{y}.png', attribution: '© Example' },
  });
  assert.deepEqual(await (await get('/api/about')).json(), {
    contact: null,
    guests: false,
    sign_in: false,
    base_map: null,
  });
});
