import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import type { FileFault } from './fake-files.ts';
import {
  claimMatched,
  linkTo,
  makeHostileItems,
  nest,
  repeatItems,
  repeatPage,
  withoutFiles,
} from './fake-lies.ts';
import type { CatalogFault } from './fake-stac.ts';
import { startFakeStac } from './fake-stac.ts';
import { makeItem } from './make-item.ts';

const DAYS = ['2022-06-01', '2022-06-06', '2022-06-11'];
const fake = await startFakeStac({
  items: (place) =>
    DAYS.map((day) => makeItem('earth-search/sentinel-2-l2a', { tile: '31TDH', day, cloud: 0 }, place)),
});
after(() => fake[Symbol.asyncDispose]());
afterEach(() => fake.reset());

const ask = (body: object = {}) =>
  fetch(`${fake.url}/search`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'user-agent': 'tester' },
  });

/** The page that a lie makes. */
async function lie(fault: CatalogFault) {
  fake.catalogFault = () => fault;
  return (await (await ask({ limit: 2 })).json()) as Record<string, unknown> & {
    features: { id: string }[];
    links: { rel: string; href: string }[];
  };
}

test('requests are recorded', async () => {
  await ask({ limit: 2 });
  const [call] = fake.calls;
  assert.deepEqual(
    [call?.kind, call?.method, call?.path, call?.userAgent],
    ['search', 'POST', '/v1/search', 'tester'],
  );
  assert.deepEqual(call?.body, { limit: 2 });
});

test('the catalog can return wrong answers', async () => {
  assert.equal((await lie(claimMatched(7))).numberMatched, 7);
  assert.equal((await lie(repeatItems)).features.length, 4);
  const { features, links } = await lie(repeatPage());
  assert.ok(links.some(({ rel }) => rel === 'next'));
  assert.deepEqual((await lie(repeatPage())).features, features);
  const elsewhere = 'http://evil.example/next';
  assert.equal((await lie(linkTo(elsewhere))).links.find(({ rel }) => rel === 'next')?.href, elsewhere);
  await lie(nest(1_000));
});

test('the catalog can fail, delay and disconnect', async () => {
  fake.catalogFault = () => ({ status: 429, retryAfter: '7' });
  const busy = await ask();
  assert.deepEqual([busy.status, busy.headers.get('retry-after')], [429, '7']);
  fake.catalogFault = () => ({ text: '<html>' });
  await assert.rejects((await ask()).json());
  fake.catalogFault = () => ({ cut: true });
  await assert.rejects(ask());
  fake.reset();
  const { promise, resolve } = Promise.withResolvers<void>();
  fake.pause = () => promise;
  const slow = ask();
  resolve();
  assert.equal((await slow).status, 200);
  await fake.goDown();
  await assert.rejects(ask());
  await fake.comeBack();
  fake.reset();
  assert.equal((await ask()).status, 200);
});

test('files can fail in every way', async () => {
  const [made] = DAYS.map((day) =>
    makeItem('earth-search/sentinel-2-l2a', { tile: '31TDH', day, cloud: 0 }, fake.place),
  );
  const { href } = fake.itemOf(made!.head.id).assets.scl!;
  const read = (fault: FileFault | null, range = 'bytes=0-99') => {
    fake.fileFault = () => fault;
    return fetch(String(href), { headers: { range }, redirect: 'manual' });
  };
  const whole = await read(null);
  assert.deepEqual([whole.status, whole.headers.get('content-length')], [206, '100']);
  const size = Number(whole.headers.get('content-range')!.split('/')[1]);
  assert.equal((await read(null, `bytes=${size}-`)).status, 416);
  const last = await read(null, 'bytes=-10');
  assert.equal(last.headers.get('content-range'), `bytes ${size - 10}-${size - 1}/${size}`);
  assert.equal((await read({ status: 403 })).status, 403);
  assert.equal((await read({ status: 429, retryAfter: '3' })).headers.get('retry-after'), '3');
  assert.equal(
    (await read({ redirectTo: 'http://evil.example/' })).headers.get('location'),
    'http://evil.example/',
  );
  await assert.rejects(read({ cut: true }));
  await assert.rejects((await read({ sendOnly: 10 })).arrayBuffer());
  await assert.rejects((await read({ wrongLength: 10 })).arrayBuffer());
  assert.match((await read({ wrongSize: 5_000 })).headers.get('content-range')!, /\/5000$/);
  assert.equal((await read({ etag: '"new"' })).headers.get('etag'), '"new"');
  assert.equal((await read({ ignoresRange: true })).status, 200);
  const half = Promise.withResolvers<void>();
  const slow = await read({ halfUntil: half.promise });
  half.resolve();
  assert.equal((await slow.arrayBuffer()).byteLength, 100);
  fake.replace(withoutFiles(made!));
  assert.equal((await read(null)).status, 404);
  for (const hostile of makeHostileItems(made!)) assert.equal(hostile.item.assets().red!.href, hostile.href);
});
