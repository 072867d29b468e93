import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { makeTestApp } from '../testing/make-test-app.ts';
import { makeMadeCatalog } from './testing/made-catalog.ts';

const BYTES = new TextEncoder().encode('II*\0 a file of some bytes');

/** The application over one scene, whose file is in memory; a clock that can be moved. */
function makeFiles() {
  const opened = { count: 0, closed: 0 };
  const clock = { ms: Date.parse('2026-07-01T10:20:00Z') };
  let isActive = true;
  const { scenes } = makeMadeCatalog(makeScene(3));
  const app = makeTestApp({
    scenes,
    now: () => new Date(clock.ms),
    results: { isActiveKey: async () => isActive } as never,
    openFile: async (href) => {
      assert.equal(href, 'scenes/test/B04.tif');
      opened.count += 1;
      return {
        id: href,
        version: '1',
        size: BYTES.length,
        read: async (offset, length) => BYTES.slice(offset, offset + length),
        async close() {
          opened.closed += 1;
        },
      };
    },
  });
  const readHref = async (): Promise<string> => {
    const response = await app.call('/stac/collections/sentinel2/items/S2_31_T_DH_2026_6_3_0');
    const { assets } = (await response.json()) as { assets: Record<string, { href: string }> };
    return (assets.B04?.href ?? '').replace('http://swath.test', '');
  };
  const revoke = (): void => {
    isActive = false;
  };
  return { ...app, readHref, clock, revoke, opened };
}

test('the address of an asset serves the file without a key, whole and in ranges', async () => {
  const { call, readHref, opened } = makeFiles();
  const href = await readHref();
  const whole = await call(href, { key: null });
  assert.deepEqual(
    [whole.status, whole.headers.get('content-type')],
    [200, 'image/tiff; application=geotiff'],
  );
  assert.deepEqual(new Uint8Array(await whole.arrayBuffer()), BYTES);
  const part = await call(href, { key: null, headers: { range: 'bytes=5-10' } });
  assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes 5-10/${BYTES.length}`]);
  assert.equal(await part.text(), 'a file'.slice(0, 6));
  const etag = whole.headers.get('etag') ?? '';
  assert.equal((await call(href, { key: null, headers: { 'if-none-match': etag } })).status, 304);
  assert.equal((await call(href, { key: null, headers: { range: 'bytes=900-' } })).status, 416);
  assert.equal((await call(href, { key: null, headers: { 'if-match': '"other"' } })).status, 412);
  const head = await call(href, { key: null, method: 'HEAD' });
  assert.equal(head.headers.get('content-length'), String(BYTES.length));
  assert.equal(opened.closed, opened.count, 'every file is closed');
});

test('an address with any part changed is unknown', async () => {
  const { call, readHref } = makeFiles();
  const href = await readHref();
  for (const other of [
    href.replace('B04', 'B99'),
    href.replace('/3/0/', '/4/0/'),
    href.replace('configured.', 'another.'),
    href.replace(/\.(\d+)\./, (_, expires: string) => `.${Number(expires) + 1}.`),
    href.replace(/\/files\/[^/]+/, '/files/x'),
    '/stac/files/',
    '/stac/files/a.1.b/x',
  ]) {
    const response = await call(other, { key: null });
    assert.deepEqual(
      [response.status, ((await response.json()) as { code: string }).code],
      [404, 'unknown-file'],
      other,
    );
  }
});

test('an address expires after a day, or when the key that received it is revoked', async () => {
  const { call, readHref, clock, revoke, lines } = makeFiles();
  const href = await readHref();
  assert.equal(await readHref(), href, 'addresses of one hour are equal');
  clock.ms += 24 * 3_600_000;
  assert.equal((await call(href, { key: null })).status, 200);
  clock.ms += 3_600_000;
  const expired = await call(href, { key: null });
  assert.deepEqual(
    [expired.status, ((await expired.json()) as { code: string }).code],
    [410, 'link-expired'],
  );
  const fresh = await readHref();
  revoke();
  const revoked = await call(fresh, { key: null });
  assert.deepEqual(
    [revoked.status, ((await revoked.json()) as { code: string }).code],
    [410, 'link-revoked'],
  );
  const [permission = ''] = fresh.slice('/stac/files/'.length).split('/');
  assert.ok(!JSON.stringify(lines).includes(permission), 'the log shows no address that works');
});
