import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import type { Asset } from '../../catalog/index.ts';
import type { SwathError } from '../../errors.ts';
import { openZip } from '../../formats/testing/read-zip.ts';
import { startCanary, toLoopback } from '../../net/testing/canary.ts';
import { HOSTILE_ADDRESSES } from '../../net/testing/hostile-addresses.ts';
import type { NetworkSources } from '../../sources/index.ts';
import type { BandsHere } from './testing/bands-here.ts';
import {
  makeBandsHere,
  makeBandsScene,
  readImageFile,
  withFolder,
  writeTestFile,
} from './testing/bands-here.ts';

const canary = await startCanary();
after(() => canary.stop());

/** The door as open as it can be set: whatever an order could reach through it, it would. */
const openDoor: NetworkSources = {
  hosts: [
    '*.example',
    'localhost',
    '127.0.0.1',
    '127.0.0.2',
    '[::1]',
    '[::ffff:7f00:1]',
    '0.0.0.0',
    '10.0.0.1',
  ],
  allowHttp: true,
  ports: [canary.port, 80, 443],
  privateNetworks: ['0.0.0.0/0', '::/0'],
  maxRedirects: 3,
  s3: [{ buckets: ['other'], region: 'x', endpoint: `http://127.0.0.1:${canary.port}`, pathStyle: true }],
};

/** Addresses as they are, and as those of files that could be metadata. */
const rows = HOSTILE_ADDRESSES.flatMap((row) => {
  const url = row.replaceAll('PORT', String(canary.port));
  return [url, `${url.replace(/\/+$/, '')}/metadata.xml`, `${url}?metadata.xml`, `${url}#metadata.xml`];
});

/** Ways out of a product, into other products, and to files of the service. */
const LOCAL = [
  '../other/metadata.xml',
  'product/../other/metadata.xml',
  'product/../../etc/passwd.xml',
  '..\\other\\metadata.xml',
  'product/%2e%2e/other/metadata.xml',
  '%2e%2e/other/metadata.xml',
  '/etc/passwd',
  '/etc/hosts.xml',
  'file:///etc/hosts.xml',
  './metadata.xml',
  '.hidden.xml',
  'product/.hidden.xml',
  '//product/metadata.xml',
  'product//metadata.xml',
  'product/metadata.xml\0.tif',
  'product/metadata.xml/',
  'other/metadata.json ',
  '~/metadata.xml',
  'swath.sqlite',
  'product/swath.sqlite',
  'product/B04.tif',
  'product/metadata.xml.tif',
  's3://other/metadata.xml',
  's3://product/metadata.xml',
  'x'.repeat(5_000),
  `${'x'.repeat(3_000)}.xml`,
  '',
];

async function expectRefusals(here: BandsHere, urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    const metadata = [{ label: 'x', url }];
    const error = await here.plan({ bands: ['B04', 'B02'], metadata }).then(
      () => assert.fail(`${url} was accepted`),
      (thrown: unknown) => thrown as SwathError,
    );
    assert.deepEqual([error.tag, error.code], ['bad-input', 'bad-metadata-url'], url);
  }
  assert.deepEqual(here.asked, [], 'nothing was opened');
}

test(`${rows.length} hostile metadata addresses reach nothing, for a scene on disk or in a store`, () =>
  withFolder(async (folder) => {
    assert.ok(HOSTILE_ADDRESSES.length >= 60);
    await mkdir(join(folder, 'product'));
    const { asset } = await writeTestFile(folder, { name: 'product/B04.tif', width: 100, height: 80 });
    canary.connections = 0;
    for (const href of [
      'product/B04.tif',
      'https://data.example/tiles/1/B04.tif',
      's3://bucket/tiles/1/B04.tif',
    ]) {
      const stored: Asset = { ...asset, href };
      const here = makeBandsHere(makeBandsScene({ B04: stored, B02: stored }), folder, {
        files: { network: openDoor, resolveName: toLoopback },
      });
      await expectRefusals(here, [...rows, ...LOCAL]);
      await expectRefusals(here, [
        'https://data.example/tiles/2/metadata.xml',
        'https://data.example/tiles/1/../2/metadata.xml',
        'https://data.example/tiles/1/%2e%2e/2/metadata.xml',
        'https://data.example/tiles/1/..%2f2/metadata.xml',
        'https://data.example/tiles/1/metadata.xml?x=.xml',
        'https://data.example:8443/tiles/1/metadata.xml',
        'https://data.example.evil.example/tiles/1/metadata.xml',
        'https://user@data.example/tiles/1/metadata.xml',
        'http://data.example/tiles/1/metadata.xml',
        'https://data.example@127.0.0.1/tiles/1/metadata.xml',
        's3://bucket/tiles/10/metadata.xml',
        's3://bucket/metadata.xml',
        's3://bucket/tiles/1/../2/metadata.xml',
      ]);
    }
    assert.equal(canary.connections, 0);
  }));

/** A store of files that answers ranges; `/moved.xml` leads to the canary. */
function answer(folder: string) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    if (pathname.endsWith('/moved.xml')) {
      response.writeHead(302, { location: `http://127.0.0.1:${canary.port}/secret.xml` }).end();
      return;
    }
    const bytes = await readFile(join(folder, pathname)).catch(() => null);
    if (bytes === null) {
      response.writeHead(404).end();
      return;
    }
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const part = bytes.subarray(Number(from), Math.min(bytes.length, Number(to) + 1));
    response
      .writeHead(206, {
        'content-range': `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`,
        etag: '"1"',
      })
      .end(part);
  };
}

test('for a scene in a store its blocks and its own metadata are read, and a redirect to elsewhere is not followed', () =>
  withFolder(async (folder) => {
    await mkdir(join(folder, 'tiles'));
    const { asset, bands } = await writeTestFile(folder, {
      name: 'tiles/B04.tif',
      width: 700,
      height: 600,
      interleave: 'band',
      seeds: [1, 2],
    });
    await writeFile(join(folder, 'tiles/metadata.xml'), '<metadata/>');
    const server = createServer(answer(folder)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    after(() => server.close().closeAllConnections());
    const { port } = server.address() as AddressInfo;
    const origin = `http://data.example:${port}`;
    const network: NetworkSources = {
      hosts: ['data.example'],
      allowHttp: true,
      ports: [port, canary.port],
      privateNetworks: ['127.0.0.1/32'],
      maxRedirects: 3,
    };
    const href = `${origin}/tiles/B04.tif`;
    const scene = makeBandsScene({ B04: { ...asset, href }, B02: { ...asset, href, bandIndex: 1 } });
    const here = makeBandsHere(scene, folder, { files: { network, resolveName: toLoopback } });
    canary.connections = 0;

    const whole = await readImageFile(await here.write({ bands: ['B04', 'B02'] }));
    assert.deepEqual(whole.pixels, bands);
    assert.ok(here.asked.some(({ kind }) => kind === 'export-copy'));

    const metadata = ['metadata.xml', `${origin}/tiles/metadata.xml`].map((url) => ({ label: 'm', url }));
    const zip = openZip(await here.write({ bands: ['B04', 'B02'], metadata }));
    assert.deepEqual(
      zip.entries.map(({ name }) => name),
      ['S2-31-T-DH-2026-6-1-0_10m.TIF', 'm.xml', 'm_2.xml'],
    );
    assert.equal(inflateRawSync(zip.readStored(zip.entries[2]!)).toString(), '<metadata/>');
    zip.close();

    for (const url of ['moved.xml', 'absent.xml', `${origin}/tiles/moved.xml`]) {
      await assert.rejects(here.plan({ bands: ['B04', 'B02'], metadata: [{ label: 'm', url }] }), {
        tag: 'bad-input',
        code: 'no-such-metadata',
      });
    }
    assert.equal(canary.connections, 0);

    // the name of the store leads elsewhere now: to a network that is not allowed
    const moved = makeBandsHere(scene, folder, {
      files: { network: { ...network, privateNetworks: [] }, resolveName: toLoopback },
    });
    await assert.rejects(
      moved.plan({ bands: ['B04', 'B02'], metadata: [{ label: 'm', url: 'metadata.xml' }] }),
      {
        code: 'no-such-metadata',
      },
    );
    assert.equal(canary.connections, 0);
  }));

test('large metadata is refused before it is read', () =>
  withFolder(async (folder) => {
    await mkdir(join(folder, 'product'));
    const { asset } = await writeTestFile(folder, { name: 'product/B04.tif', width: 100, height: 80 });
    await writeFile(join(folder, 'product/large.xml'), Buffer.alloc(16 * 2 ** 20 + 1));
    const here = makeBandsHere(makeBandsScene({ B04: asset, B02: asset }), folder);
    await assert.rejects(here.plan({ bands: ['B04', 'B02'], metadata: [{ label: 'm', url: 'large.xml' }] }), {
      code: 'metadata-too-large',
    });
  }));
