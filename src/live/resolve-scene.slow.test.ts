/** Scenes of live catalogs by name, through the fake one, and what can go wrong there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SwathError } from '../errors.ts';
import { makeItem } from './testing/make-item.ts';
import { callsOf, startLive } from './testing/start-live.ts';

const VIEW_ID = 'S2L2A/31/T/DH/2022/6/21/0';
const NAMED = { name: '31/T/DH/2022/6/21/0', viewId: VIEW_ID };

test('a scene that was never requested is found by its view id, with the headers of its files', async (t) => {
  const { fake, resolve } = await startLive(t);
  const found = await resolve(NAMED);
  assert.ok(found !== null && found !== 'unchanged');
  assert.equal(found.scene.viewId, VIEW_ID);
  assert.equal(found.catalog, 'earth-search');
  assert.ok(found.itemUrl.startsWith(`${fake.url}/collections/sentinel-2-l2a/items/S2`));
  const { assets } = found.scene;
  assert.equal(Object.keys(assets).length, 13);
  for (const [band, { overviews }] of Object.entries(assets)) assert.ok(overviews.length > 0, band);
  assert.equal(callsOf(fake, 'search').length, 1);
});

test('one header is read for each kind of file, and none for the next scene', async (t) => {
  const { fake, resolve } = await startLive(t);
  const first = await resolve(NAMED);
  assert.ok(first !== null && first !== 'unchanged');
  const opened = Object.entries(first.scene.assets).filter(([, { stamps }]) => stamps !== undefined);
  assert.deepEqual(
    opened.map(([band]) => band),
    ['B01', 'B02', 'B05', 'SCL'],
  );
  assert.equal(callsOf(fake, 'file').length, 4);
  fake.calls.length = 0;
  const next = await resolve({ name: '31/T/DH/2022/6/26/0', viewId: 'S2L2A/31/T/DH/2022/6/26/0' });
  assert.ok(next !== null && next !== 'unchanged');
  assert.equal(callsOf(fake, 'file').length, 0);
  assert.equal(Object.keys(next.scene.assets).length, 13);
});

test('after a search, only the item itself is requested', async (t) => {
  const { fake, search, resolve } = await startLive(t);
  await search();
  fake.calls.length = 0;
  assert.ok((await resolve(NAMED)) !== null);
  assert.deepEqual([callsOf(fake, 'search').length, callsOf(fake, 'item').length], [0, 1]);
});

test('after a search for whole items, only files are requested', async (t) => {
  const { fake, search, resolve } = await startLive(t);
  await search({ withFiles: true });
  fake.calls.length = 0;
  assert.ok((await resolve(NAMED)) !== null);
  assert.deepEqual([...new Set(fake.calls.map(({ kind }) => kind))], ['file']);
});

test('a scene is found by its other names; one that does not exist is null', async (t) => {
  const { resolve, search } = await startLive(t);
  const [hit] = (await search()).hits;
  for (const name of [hit!.sceneId, hit!.productId!]) {
    const found = await resolve({ name });
    assert.ok(found !== null && found !== 'unchanged', name);
    assert.equal(found.scene.viewId, hit!.viewId);
  }
  assert.equal(await resolve({ name: '31/T/DH/2022/6/22/0', viewId: 'S2L2A/31/T/DH/2022/6/22/0' }), null);
  assert.equal(await resolve({ name: 'nonsense' }), null);
});

test('an unchanged item is not read again, and a changed one is', async (t) => {
  const { fake, resolve } = await startLive(t);
  const first = await resolve(NAMED);
  assert.ok(first !== null && first !== 'unchanged');
  const earlier = { itemState: first.itemState, fingerprint: first.scene.origin?.fingerprint ?? '' };
  fake.calls.length = 0;
  assert.equal(await resolve(NAMED, earlier), 'unchanged');
  assert.equal(callsOf(fake, 'file').length, 0);
  fake.replace(
    makeItem(
      'earth-search/sentinel-2-l2a',
      { tile: '31TDH', day: '2022-06-21', cloud: 41, updated: '2026-01-01T00:00:00.000Z' },
      fake.place,
    ),
  );
  const second = await resolve(NAMED, earlier);
  assert.ok(second !== null && second !== 'unchanged');
  assert.equal(second.scene.cloudPercent, 41);
});

test('whether an item has changed is checked at its source, even if a search has read it before', async (t) => {
  const { fake, search, resolve } = await startLive(t);
  await search({ withFiles: true });
  const first = await resolve(NAMED);
  assert.ok(first !== null && first !== 'unchanged');
  fake.calls.length = 0;
  const earlier = { itemState: first.itemState, fingerprint: first.scene.origin?.fingerprint ?? '' };
  assert.equal(await resolve(NAMED, earlier), 'unchanged');
  assert.equal(callsOf(fake, 'item').length, 1);
});

test('a catalog that does not answer is a temporary error; missing files are a permanent one', async (t) => {
  const { fake, resolve } = await startLive(t);
  fake.catalogFault = () => ({ status: 403 });
  await assert.rejects(resolve(NAMED), { tag: 'unavailable', code: 'catalog-unavailable' });
  fake.catalogFault = () => null;
  fake.fileFault = () => ({ status: 404 });
  await assert.rejects(resolve(NAMED), ({ tag, message }: SwathError) => {
    assert.equal(tag, 'source-broken');
    assert.match(message, /^B01: /);
    assert.ok(!message.includes('127.0.0.1'), 'no address');
    return true;
  });
});

test('an item that refers to other hosts, to this machine or to its network is refused, and nothing is contacted', async (t) => {
  for (const href of [
    'http://169.254.169.254/latest/meta-data',
    'http://localhost/x.tif',
    'https://example.org/x.tif',
    'file:///etc/passwd',
    's3://somebodys-bucket/x.tif',
  ]) {
    const { fake, resolve } = await startLive(t);
    fake.catalogFault = ({ kind }) =>
      kind === 'file'
        ? null
        : {
            change: (answer) =>
              JSON.parse(JSON.stringify(answer, (key, value) => (key === 'href' ? href : value))) as Record<
                string,
                unknown
              >,
          };
    await assert.rejects(
      resolve(NAMED),
      {
        tag: 'not-allowed',
        message:
          'The item of this scene refers to files that are not where the files of its catalog may lie.',
      },
      href,
    );
    assert.equal(callsOf(fake, 'file').length, 0, href);
  }
});
