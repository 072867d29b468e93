import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTestFolder } from '../folder/testing/make-folder.ts';
import type { IngestItemOptions } from './ingest-item.ts';
import { ingestItem } from './ingest-item.ts';
import { addNaip } from './testing/ingest-items.ts';
import { naipItem } from './testing/make-items.ts';

const HOST = 'https://files.example/';

/** A catalog, and a server of files that has the image of one item; what was opened is listed. */
async function makeCatalog() {
  const folder = await makeTestFolder();
  await addNaip(folder, 1);
  const { store, open } = folder.options;
  const opened: string[] = [];
  const item = naipItem(1);
  const name = String(item.assets.image?.href).split('/').at(-1) ?? '';
  const withHref = (href: string): string =>
    JSON.stringify({ ...item, assets: { image: { ...item.assets.image, href } } });
  const bugs: unknown[] = [];
  const put = (text: string, more: Partial<IngestItemOptions> = {}) =>
    ingestItem(text, {
      store,
      open: (href, signal) => {
        opened.push(href);
        assert.ok(href.startsWith(HOST), href);
        return open(folder.options.toHref(`${folder.root}/${href.slice(HOST.length)}`), signal);
      },
      isAllowedHref: (href) => href.startsWith(HOST),
      isDry: false,
      onBug: (error) => bugs.push(error),
      ...more,
    });
  return { put, withHref, store, scenes: folder.scenes, opened, name, bugs };
}

test('a posted item becomes a scene like an item of a catalog', async () => {
  const { put, withHref, store, opened, name, bugs } = await makeCatalog();
  const text = withHref(`${HOST}${name}`);
  const planned = await put(text, { isDry: true });
  assert.deepEqual([planned.outcome, planned.change, opened.length], ['ingested', 'added', 0]);
  assert.equal(await store.findByViewId(planned.viewId ?? ''), null);
  const report = await put(text);
  assert.deepEqual([report.outcome, report.change, report.viewId], ['ingested', 'added', planned.viewId]);
  const scene = await store.findByViewId(report.viewId ?? '');
  assert.deepEqual([scene?.dataset, scene?.assets.R?.href], ['naip', `${HOST}${name}`]);
  assert.equal((await put(text, { isDry: true })).change, 'replaced');
  assert.equal((await put(text)).outcome, 'unchanged');
  assert.deepEqual(bugs, []);
});

test('files of other servers, of this machine and beside the item are not opened', async () => {
  const { put, withHref, scenes, opened, name } = await makeCatalog();
  for (const href of [
    `https://elsewhere.example/${name}`,
    `http://169.254.169.254/${name}`,
    `file:///etc/passwd`,
    `/etc/${name}`,
    `./${name}`,
    `s3://bucket/${name}`,
  ]) {
    const { outcome, code } = await put(withHref(href));
    assert.ok(outcome === 'skipped' || outcome === 'broken', href);
    // A file whose name is not that of a scene is refused even earlier.
    assert.equal(code, href.endsWith(name) ? 'source-not-allowed' : 'stac-incomplete', href);
  }
  assert.deepEqual(opened, []);
  assert.equal(scenes.size, 0);
});

test('a body that is not an item is refused, and an unknown collection is skipped', async () => {
  const { put, withHref, name } = await makeCatalog();
  for (const text of ['', '{', '[]', 'null', '{"type": "Feature"}'])
    await assert.rejects(put(text), (error: { code: string }) => error.code.startsWith('stac-'), text);
  const other = JSON.parse(withHref(`${HOST}${name}`)) as Record<string, unknown>;
  const report = await put(JSON.stringify({ ...other, collection: 'cop-dem-glo-30' }));
  assert.deepEqual([report.outcome, report.code], ['skipped', 'stac-collection']);
});
