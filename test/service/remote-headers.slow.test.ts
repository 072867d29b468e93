/** Remote scenes after an ingest and after restarts, in real processes: what is asked of their store. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createCog } from '../../src/formats/cog/index.ts';
import { naipItem } from '../../src/ingest/stac/testing/make-items.ts';
import { waitFor, whenHolds } from '../../src/testing/wait-for.ts';
import { listLiveFiles } from '../support/live-files.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath } from '../support/start-swath.ts';
import { readAttribute, startTraceCollector } from '../support/trace-collector.ts';

const root = mkdtempSync(join(tmpdir(), 'swath-remote-headers-'));
after(() => rmSync(root, { recursive: true, force: true }));

const SIZE = 1024;

/** An image whose pixels lie beyond what the first request brings. */
async function makeImage(value: number): Promise<Uint8Array> {
  const path = join(root, 'image.tif');
  const cog = await createCog(path, {
    epsg: 26916,
    type: 'uint8',
    bandCount: 4,
    nodata: null,
    width: SIZE,
    height: SIZE,
    transform: [602_183.5, 10, 0, 3_430_444.8, 0, -10],
    compression: 'none',
    predictor: 1,
    blockSize: 256,
    overviews: 'auto',
  });
  const band = new Uint8Array(SIZE * SIZE).fill(value);
  await cog.writeRows([band, band, band, band], SIZE);
  await cog.finish();
  return readFileSync(path);
}

/** The tile of zoom 13 in the middle of the image. */
const TILE = '13/2141/3354';

/** A second after a read from disk the store is asked for one byte, which tells whether the file is the same. */
const isForPixels = ({ range }: { readonly range: string }): boolean => range !== 'bytes=0-0';

const readMetrics = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text();

const countEntries = (folder: string): number =>
  listLiveFiles(folder).filter((path) => /\/[0-9a-f]+\+[0-9a-f]+$/.test(path)).length;

test('pictures of a remote scene request only pixels after an ingest, nothing after a restart, and follow the file', async () => {
  const served = { bytes: await makeImage(50), etag: '"one"' };
  const asked: { range: string; isPinned: boolean }[] = [];
  const server = createServer(({ headers }, response) => {
    const { bytes, etag } = served;
    asked.push({ range: headers.range ?? '', isPinned: headers['if-match'] !== undefined });
    if ((headers['if-match'] ?? etag) !== etag) return void response.writeHead(412).end();
    const [, first = '0', last = '0'] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    const [from, to] = [Number(first), Math.min(Number(last), bytes.length - 1)];
    response.writeHead(206, { etag, 'content-range': `bytes ${from}-${to}/${bytes.length}` });
    response.end(bytes.subarray(from, to + 1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;

  const item = naipItem(1, `http://127.0.0.1:${port}`);
  writeFileSync(join(root, 'item.json'), JSON.stringify(item));
  const sources = {
    folders: [root],
    hosts: ['127.0.0.1'],
    allowHttp: true,
    ports: [port],
    privateNetworks: ['127.0.0.0/8'],
  };
  writeFileSync(join(root, 'sources.json'), JSON.stringify(sources), { mode: 0o600 });
  const dataDir = join(root, 'data');
  // What is read ahead of the map would be counted too.
  const env = {
    SWATH_DATA: dataDir,
    SWATH_SOURCES: join(root, 'sources.json'),
    SWATH_PREFETCH: 'off',
    ...ONE_THREAD,
  };
  const ingested = await runSwath(['ingest', 'stac', join(root, 'item.json')], env);
  assert.equal(ingested.status, 0, ingested.stdout + ingested.stderr);
  assert.deepEqual(asked.splice(0), [{ range: 'bytes=0-65535', isPinned: false }]);
  const listed = await runSwath(['scenes', 'list'], env);
  const [viewId] = /NAIP\/\S+/.exec(listed.stdout) ?? [];
  assert.ok(viewId !== undefined, listed.stdout);

  const start = () => startSwath({ dataDir, env });
  const draw = async (url: string): Promise<{ readonly etag: string | null; readonly bytes: string }> => {
    const query = `api_key=${SERVICE_KEY}&MIN_MAX=0,255`;
    const answer = await fetch(`${url}/api/render/${viewId}/R/${TILE}?${query}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.equal(answer.status, 200, bytes.toString());
    return { etag: answer.headers.get('etag'), bytes: bytes.toString('base64') };
  };
  /** The blocks of the picture, by its explanation, and the bytes that drawing it fetched. */
  const explain = async (url: string, mode: '1' | 'drawn') => {
    const query = `api_key=${SERVICE_KEY}&MIN_MAX=0,255&explain=${mode}`;
    const answer = await fetch(`${url}/api/render/${viewId}/R/${TILE}?${query}`);
    assert.equal(answer.status, 200, await answer.clone().text());
    const { inputs, drawn } = (await answer.json()) as {
      readonly inputs: readonly { readonly blocks: Readonly<Record<string, number>> }[];
      readonly drawn?: { readonly bytes_fetched: number; readonly blocks_decoded: number };
    };
    const { count, cached, bytes_stored, bytes_in_memory, bytes_on_disk } = inputs[0]?.blocks ?? {};
    return { count, cached, bytes_stored, bytes_in_memory, bytes_on_disk, drawn };
  };

  await using collector = await startTraceCollector();
  await using first = await startSwath({ dataDir, env: { ...env, SWATH_TRACES: collector.url } });
  const cold = await explain(first.url, '1');
  assert.ok((cold.count ?? 0) > 0 && (cold.bytes_stored ?? 0) > 0);
  assert.deepEqual([cold.cached, cold.bytes_in_memory, cold.bytes_on_disk], [0, 0, 0]);
  assert.deepEqual(asked.splice(0).filter(isForPixels), [], 'no pixel is read, and the header is stored');
  const { drawn: work } = await explain(first.url, 'drawn');
  assert.equal(work?.blocks_decoded, cold.count);
  assert.equal(work?.bytes_fetched, cold.bytes_stored);
  // The network thread reads the blocks; its requests are spans below the job that needs them.
  const findRanges = () =>
    collector.spans.filter(
      (span) =>
        span.kind === 3 &&
        readAttribute(span, 'server.address') === '127.0.0.1' &&
        Number(readAttribute(span, 'http.response.body.size')) > 1,
    );
  await waitFor(() => {
    const jobs = new Set(
      collector.spans.filter(({ name }) => name === 'job draw').map(({ spanId }) => spanId),
    );
    return findRanges().some(({ parentSpanId }) => jobs.has(parentSpanId ?? ''));
  });
  await whenHolds(() => {
    const rangeBytes = findRanges().map((span) => Number(readAttribute(span, 'http.response.body.size')));
    // Ranges that lie close together are one request, with what lies between them.
    assert.ok(
      rangeBytes.reduce((sum, bytes) => sum + bytes, 0) >= (cold.bytes_stored ?? 0),
      String(rangeBytes),
    );
  });
  const warm = await explain(first.url, '1');
  assert.deepEqual([warm.cached, warm.bytes_stored], [cold.count, 0]);
  const drawn = await draw(first.url);
  const requests = asked.splice(0);
  assert.ok(requests.length > 0);
  for (const { range, isPinned } of requests) {
    assert.ok(isPinned, range);
    assert.doesNotMatch(range, /^bytes=0-/);
  }
  // Every block that was requested is stored, after the answer.
  await waitFor(async () => {
    const [, misses] =
      /swath_range_cache_total\{outcome="misses"\} (\d+)/.exec(await readMetrics(first.url)) ?? [];
    return countEntries(join(dataDir, 'range-cache')) === Number(misses);
  });
  await first.stop();

  await using second = await start();
  const stored = await explain(second.url, '1');
  assert.deepEqual([stored.bytes_stored, stored.bytes_on_disk], [cold.bytes_stored, cold.bytes_stored]);
  assert.deepEqual(await draw(second.url), drawn);
  assert.deepEqual(asked.splice(0).filter(isForPixels), []);
  const metrics = await readMetrics(second.url);
  assert.match(metrics, /swath_range_cache_total\{outcome="hits"\} [1-9]/);
  assert.match(metrics, /swath_range_cache_total\{outcome="misses"\} 0/);
  assert.match(metrics, /swath_header_cache_total\{outcome="hits"\} [1-9]/);
  await second.stop();

  served.bytes = await makeImage(200);
  served.etag = '"two"';
  await using third = await start();
  // A second after the first picture the store says that the file is another one.
  await waitFor(async () => {
    const answer = await draw(third.url);
    if (answer.etag === drawn.etag) assert.deepEqual(answer, drawn, 'pixels and ETag belong together');
    return answer.etag !== drawn.etag;
  });
  const renewed = await draw(third.url);
  assert.notEqual(renewed.bytes, drawn.bytes);
  await third.stop();
  await using fourth = await start();
  assert.deepEqual(await draw(fourth.url), renewed);
  await fourth.stop();
});
