/** An explanation names files and shows nothing that gives access to them, over real sources with keys and tokens. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Asset, Scene, SceneStore } from '../../src/catalog/index.ts';
import { toScene } from '../../src/catalog/index.ts';
import { makeScene } from '../../src/catalog/testing/make-scene.ts';
import { makeResultCache } from '../../src/files/index.ts';
import { withFolder, writeCogFile } from '../../src/formats/cog/testing/write-cog.ts';
import { makeTestApp } from '../../src/http/testing/make-test-app.ts';
import { aTicket } from '../../src/pool/testing/run-here.ts';
import { makeRendering } from '../../src/render/index.ts';
import type { NetworkSources } from '../../src/sources/index.ts';
import { makeReadFileStamp } from '../../src/sources/index.ts';
import type { FakeS3 } from '../../src/sources/testing/fake-s3.ts';
import { FAKE_BUCKET, startFakeS3 } from '../../src/sources/testing/fake-s3.ts';
import { makePoolHere } from '../support/pool-here.ts';

const SIDE = 256;
const TILE = '/api/render/S2/31/T/DH/2026/6/1/0';
/** The middle of the image. */
const AT = '12/2082/1513';
const POINT = '/api/render/S2/point/31/T/DH/2026/6/1/0';

let image: Buffer;
let s3: FakeS3;
const asked: string[] = [];

/** A store that gives a file only to those who have the token, and hides another. */
function answer({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
  asked.push(url);
  if (!url.includes('sig=SAS-SECRET') || url.includes('gone')) return void response.writeHead(404).end();
  const [, first = '0', last = '0'] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  const [from, to] = [Number(first), Math.min(Number(last), image.length - 1)];
  response.writeHead(206, { etag: '"one"', 'content-range': `bytes ${from}-${to}/${image.length}` });
  response.end(image.subarray(from, to + 1));
}
const server = createServer(answer);

before(async () => {
  image = await withFolder(async (folder) => {
    const path = join(folder, 'image.tif');
    const pixels = new Uint16Array(SIDE * SIDE).map((_, i) => 100 + (i % 5_000));
    await writeCogFile(
      path,
      {
        width: SIDE,
        height: SIDE,
        bandCount: 1,
        type: 'uint16',
        epsg: 32_631,
        transform: [500_000, 10, 0, 4_700_000, 0, -10],
        nodata: 0,
        compression: 'deflate',
        predictor: 1,
        blockSize: 128,
      },
      [pixels],
    );
    return readFileSync(path);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  s3 = await startFakeS3();
  s3.objects.set('bucket-folder/B04.tif', {
    bytes: image,
    etag: '"one"',
    contentType: 'image/tiff',
    modifiedAtMs: 0,
  });
});
after(() => {
  server.closeAllConnections();
  server.close();
  s3?.stop();
});

function makeService() {
  const { port } = server.address() as AddressInfo;
  const network: NetworkSources = {
    ...s3.network,
    hosts: ['127.0.0.1'],
    allowHttp: true,
    ports: [port],
  };
  const query = 'sv=2026-01-01&se=2027&sig=SAS-SECRET';
  const asset = (href: string): Asset => ({
    href,
    bandIndex: 0,
    epsg: 32_631,
    transform: [500_000, 10, 0, 4_700_000, 0, -10],
    width: SIDE,
    height: SIDE,
    type: 'uint16',
    nodata: 0,
    scale: 0.0001,
    offset: 0,
    overviews: [],
  });
  const scene: Scene = toScene(
    makeScene(1, {
      assets: {
        B04: asset(`s3://${FAKE_BUCKET}/bucket-folder/B04.tif`),
        B03: asset(`http://127.0.0.1:${port}/web-folder/B03.tif?${query}`),
        B02: asset(`http://127.0.0.1:${port}/web-folder/gone/B02.tif?${query}`),
        B08: asset(`http://127.0.0.1:${port}/web-folder/gone/NAME-SECRET?${query}`),
      },
    }),
  );
  const scenes: Partial<SceneStore> = {
    findByViewId: async (viewId) => (viewId === scene.viewId ? scene : null),
    findByName: async () => scene,
  };
  const ranges = new Map<string, never>();
  const store = {
    find: async (key: string) => ranges.get(key) ?? null,
    put: async () => {},
  };
  const failed = (error: unknown): never => assert.fail(String(error));
  const rendering = makeRendering({
    scenes: scenes as SceneStore,
    contrasts: store,
    intensities: store,
    results: makeResultCache(null),
    pool: makePoolHere({ dataDir: '/data-folder', network }).pool,
    readStamp: makeReadFileStamp('/data-folder'),
    nowMs: () => performance.now(),
    filesTicket: aTicket,
    events: { onForgotten: failed, onRenewed: failed, onUnfit: failed, onFailure: failed },
  });
  return makeTestApp({ scenes, ...rendering });
}

/** What must not be in any answer. */
const SECRETS = [
  ...['TESTACCESSKEY', 'very/secret', 'AWS4-HMAC', 'Signature'],
  ...['SAS-SECRET', 'sig=', 'se=2027', 'NAME-SECRET'],
  ...['127.0.0.1', 'http:', 's3:', FAKE_BUCKET, 'bucket-folder', 'web-folder', 'data-folder'],
];

interface Explained {
  readonly inputs: readonly {
    readonly file: { readonly store: string; readonly name: string | null };
    readonly blocks?: { readonly count: number; readonly cached: number };
    readonly problem?: { readonly code: string };
  }[];
  readonly drawn?: { readonly blocks_decoded: number; readonly picture?: { readonly bytes: number } };
}

async function explain({ call }: ReturnType<typeof makeService>, path: string): Promise<Explained> {
  const response = await call(path);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const headers = [...response.headers].join();
  for (const secret of SECRETS)
    assert.ok(!text.includes(secret) && !headers.includes(secret), `${path} shows ${secret}: ${text}`);
  return JSON.parse(text) as Explained;
}

test('files in buckets with keys and at addresses with tokens are shown by name only', async () => {
  const service = makeService();
  const { inputs } = await explain(service, `${TILE}/B04-B03/${AT}?explain=1`);
  assert.deepEqual(
    inputs.map(({ file, blocks }) => [file.store, file.name, blocks?.cached]),
    [
      ['s3', 'B04.tif', 0],
      ['http', 'B03.tif', 0],
    ],
  );
  assert.ok(inputs.every(({ blocks }) => (blocks?.count ?? 0) > 0));
  assert.ok(asked.every((url) => url.includes('SAS-SECRET')) && asked.length > 0, 'the token was used');
  const drawn = await explain(service, `${TILE}/B04-B03/${AT}?explain=drawn`);
  assert.ok((drawn.drawn?.picture?.bytes ?? 0) > 0);
  await explain(service, `${POINT}/B04-B03/42.44/3.01?explain=drawn`);
  await explain(service, '/api/render/S2/ir/31/T/DH/2026/6/1/0/B04-B03?explain=drawn&cloud=0');
  await explain(service, `/api/render/legend${TILE.slice('/api/render'.length)}/B03/${AT}?explain=drawn`);
});

test('a missing file is reported without its address, and drawing it is refused without one', async () => {
  const service = makeService();
  const { inputs } = await explain(service, `${TILE}/B04-B02/${AT}?explain=1`);
  assert.deepEqual(
    inputs.map(({ file, problem }) => [file.name, problem?.code]),
    [
      ['B04.tif', undefined],
      ['B02.tif', 'source-gone'],
    ],
  );
  const [nameless] = (await explain(service, `${TILE}/B08/${AT}?explain=1`)).inputs;
  assert.equal(nameless?.file.name, null);
  const refused = await service.call(`${TILE}/B04-B02/${AT}?explain=drawn`);
  const text = await refused.text();
  assert.equal(refused.status, 502);
  for (const secret of SECRETS) assert.ok(!text.includes(secret), text);
});
