import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestFolder } from '../folder/testing/make-folder.ts';
import { makeTestFolder } from '../folder/testing/make-folder.ts';
import type { IngestStacOptions } from './ingest-stac.ts';
import type { StacFilters } from './source/source.ts';
import type { Reply, Seen } from './testing/ingest-items.ts';
import { everything, ingest, startFakeCatalog } from './testing/ingest-items.ts';
import { earthSearchItem, naipItem } from './testing/make-items.ts';

interface Served {
  readonly folder: TestFolder;
  readonly answer: (seen: Seen, base: string) => Reply;
  readonly more?: Partial<IngestStacOptions>;
}

async function ingestFrom({ folder, answer, more = {} }: Served) {
  const catalog = await startFakeCatalog(answer);
  try {
    const given = { from: `${catalog.base}/search`, fetch: catalog.fetch, isAllowedHref: () => true };
    return await ingest(folder, { ...given, probe: false, ...more });
  } finally {
    await catalog.stop();
  }
}

const days = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => earthSearchItem(from + i, { cloud: (from + i) * 3 }));
const list = (features: object[], links: object[] = []) => ({ type: 'FeatureCollection', features, links });

test('filters apply even if the server ignores them', async () => {
  const ingestWith = async (filters: Partial<StacFilters>) => {
    const folder = await makeTestFolder();
    const answer = () => list([...days(1, 30), naipItem(1)]);
    await ingestFrom({ folder, answer, more: { filters: { ...everything, limit: 1_000, ...filters } } });
    return [...folder.scenes.keys()].map((viewId) => viewId.split('/').at(-2));
  };
  assert.equal((await ingestWith({})).length, 30);
  assert.deepEqual(await ingestWith({ date: { from: '2022-06-28', to: null } }), ['28', '29']);
  assert.deepEqual(
    await ingestWith({ date: { from: null, to: '2022-06-02' }, collections: ['sentinel-2-l2a'] }),
    ['1', '2'],
  );
  assert.deepEqual(await ingestWith({ maxCloudPercent: 6 }), ['1', '2']);
  assert.deepEqual(await ingestWith({ bbox: [-86, 30, -85, 31] }), ['30085']);
  assert.deepEqual(await ingestWith({ bbox: [3, 42, 2, 43] }), [...(await ingestWith({}))].slice(0, 29));
  assert.deepEqual(await ingestWith({ limit: 3 }), ['1', '2', '3']);
});

test('an interrupted run is reported as stopped, and another continues', async () => {
  const folder = await makeTestFolder();
  let isDown = true;
  const answer = ({ query }: Seen, base: string) => {
    if (!query.has('page')) return list(days(1, 11), [{ rel: 'next', href: `${base}/search?page=2` }]);
    return isDown ? { status: 503 } : list(days(11, 16));
  };
  const more = { filters: { ...everything, collections: ['sentinel-2-l2a'] } };
  const first = await ingestFrom({ folder, answer, more });
  assert.equal(first.stopped, true);
  assert.deepEqual(first.totals, { ingested: 10, unchanged: 0, skipped: 0, broken: 1 });
  isDown = false;
  const second = await ingestFrom({ folder, answer, more });
  assert.equal(second.stopped, false);
  assert.deepEqual(second.totals, { ingested: 5, unchanged: 10, skipped: 0, broken: 0 });
});

test('after a stop the records stay, and the report says so', async () => {
  const folder = await makeTestFolder();
  const controller = new AbortController();
  const report = await ingestFrom({
    folder,
    answer: ({ body }, base) => {
      const at = Number(body.page ?? 0);
      const next = {
        rel: 'next',
        href: `${base}/search`,
        method: 'POST',
        merge: true,
        body: { page: at + 1 },
      };
      return list(
        Array.from({ length: 50 }, (_, i) => naipItem(1 + ((at * 50 + i) % 60))),
        [next],
      );
    },
    more: {
      filters: { ...everything, collections: ['naip'] },
      signal: controller.signal,
      onProgress: ({ done }) => {
        if (done >= 40) controller.abort();
      },
    },
  });
  assert.equal(report.stopped, true);
  assert.equal(folder.scenes.size, report.totals.ingested);
  assert.ok(report.totals.ingested >= 40 && report.totals.ingested <= 60);
});

test('the newer of two processings of a scene is kept, in any order', async () => {
  const older = earthSearchItem(5, { baseline: '03.01' });
  const newer = earthSearchItem(5, { baseline: '05.00', cloud: 33 });
  for (const features of [
    [older, newer],
    [newer, older],
  ]) {
    const folder = await makeTestFolder();
    const more = { filters: { ...everything, limit: 10 } };
    const report = await ingestFrom({ folder, answer: () => list(features), more });
    assert.equal([...folder.scenes.values()][0]?.cloudPercent, 33);
    assert.equal(report.totals.ingested + report.totals.skipped, 2);
  }
});

test('progress counts to the total of the source', async () => {
  const folder = await makeTestFolder();
  const seen: [number, number | null][] = [];
  await ingestFrom({
    folder,
    answer: () => ({ ...list(days(1, 6)), numberMatched: 5 }),
    more: {
      filters: { ...everything, collections: ['sentinel-2-l2a'] },
      onProgress: ({ done, total }) => seen.push([done, total]),
    },
  });
  assert.deepEqual(seen.at(-1), [5, 5]);
});
