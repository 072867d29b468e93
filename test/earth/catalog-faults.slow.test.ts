/** A running service whose catalog dies, lies, or is hostile: clear answers, and the right ones as soon as it is well. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import {
  changeItem,
  claimMatched,
  linkTo,
  repeatItems,
  repeatPage,
  withoutFiles,
} from '../../src/live/testing/fake-lies.ts';
import type { FakeCall, FakeStac } from '../../src/live/testing/fake-stac.ts';
import { expectNdvi } from '../../src/live/testing/ground.ts';
import type { MadeItem } from '../../src/live/testing/made-item.ts';
import { makeItem } from '../../src/live/testing/make-item.ts';
import { toMgrsTile } from '../../src/live/testing/mgrs-tiles.ts';
import { MSI_PLAIN } from '../../src/live/testing/sentinel2-scene.ts';
import { waitFor } from '../../src/testing/wait-for.ts';
import { runSwath } from '../support/start-swath.ts';
import type { Found, LiveService } from './live-service.ts';
import {
  expectSomething,
  makeAhead,
  readPicture,
  startFake,
  startLiveService,
  toEntry,
  toTilePath,
} from './live-service.ts';
import { CLEAR_CROP, CORNER_CROP, fieldAround, positionOf } from './made-places.ts';
import { makeWillRead } from './preset-worlds.ts';

const DATASET = 'sentinel2l2a';
const frame = toMgrsTile('31TDH');
const crop = positionOf(frame, CLEAR_CROP);
const viewIdOn = (day: string): string => `S2L2A/31/T/DH/${day.split('-').map(Number).join('/')}/0`;

let fake: FakeStac;
let service: LiveService;
/** Whoever connects to it has followed an address that no preset names. */
const canary = createServer((socket) => socket.destroy());
const canaryCalls: string[] = [];

before(async () => {
  canary.on('connection', ({ remotePort }) => canaryCalls.push(String(remotePort)));
  canary.listen(0, '127.0.0.1');
  await once(canary, 'listening');
  fake = await startFake('earth-search');
  service = await startLiveService([toEntry('earth-search', fake)]);
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await fake[Symbol.asyncDispose]();
  canary.close();
});

const makeScene = (day: string): MadeItem =>
  makeItem('earth-search/sentinel-2-l2a', { tile: '31TDH', day, cloud: 0 }, fake.place);

async function addScenes(...days: readonly string[]): Promise<void> {
  fake.add(...(await Promise.all(days.map((day) => makeAhead(makeScene(day), makeWillRead(day))))));
}

/** Scenes of some days. A search is answered from memory for a minute: another limit makes it another search. */
const searchDays = (from: string, to: string, more: object = {}): Promise<Found> =>
  service.search(DATASET, { search: { date: { from, to } }, ...more });

const daysOf = ({ results }: Found): readonly string[] => results.map(({ date }) => date.slice(0, 10));

const isApi = ({ kind }: FakeCall): boolean => kind === 'search' || kind === 'item' || kind === 'landing';

/** After failures the catalog is left alone for some seconds; then the service finds by itself that it is well. */
async function waitUntilWell(): Promise<void> {
  let limit = 100;
  await waitFor(
    async () => (await searchDays('2016-01-01', '2016-01-31', { limit: ++limit })).incomplete === null,
  );
}
afterEach(async () => {
  fake.reset();
  await waitUntilWell();
});

test('if the catalog is killed midway, partial results come with a reason, and all results when it is back', async () => {
  const [stored, known, unknown] = ['2017-05-01', '2017-05-11', '2017-05-21'] as const;
  // An ingest opens the files of all bands.
  fake.add(await makeAhead(makeScene(stored)));
  await addScenes(known, unknown);
  const { head } = makeScene(stored);
  const itemUrl = `${fake.url}/collections/${head.collection}/items/${head.id}`;
  const ingested = await runSwath(['ingest', 'stac', itemUrl], service.commandEnv);
  assert.equal(ingested.status, 0, ingested.stderr + ingested.stdout);
  const all = await searchDays('2017-05-01', '2017-05-31');
  assert.deepEqual([daysOf(all), all.meta.found], [[unknown, known, stored], 3], 'each scene once');
  expectSomething(await service.drawTile(viewIdOn(known), 'B04,B03,B02', crop));

  fake.catalogFault = () => ({ cut: true });
  const less = await searchDays('2017-05-01', '2017-06-30');
  assert.deepEqual([daysOf(less), less.meta.found], [[stored], 1]);
  assert.match(less.incomplete ?? '', /^earth-search; reason=/);
  const [note] = less.meta.catalogs;
  assert.ok(note?.problem !== undefined && note.problem.message.length > 20);
  assert.deepEqual([note.name, note.found_by], ['earth-search', 'at-least']);
  const elsewhere = positionOf(frame, CORNER_CROP);
  expectSomething(await service.drawTile(viewIdOn(known), 'B04,B03,B02', elsewhere));
  expectSomething(await service.drawTile(viewIdOn(stored), 'B04,B03,B02', elsewhere));
  const refused = await service.askRefused(toTilePath(viewIdOn(unknown), 'B04', crop));
  assert.deepEqual([refused.status, refused.code], [503, 'catalog-unavailable']);
  assert.match(refused.error, /Earth Search/);
  assert.ok(Number(refused.retryAfter) >= 1);

  await fake.goDown();
  assert.match((await searchDays('2017-05-01', '2017-07-31')).incomplete ?? '', /^earth-search/);
  await fake.comeBack();
  fake.reset();
  await waitUntilWell();
  for (const to of ['2017-06-30', '2017-07-31']) {
    const again = await searchDays('2017-05-01', to);
    assert.deepEqual([daysOf(again), again.incomplete], [[unknown, known, stored], null]);
  }
  expectSomething(await service.drawTile(viewIdOn(unknown), 'B04,B03,B02', crop));
});

test('a slow catalog is skipped after its deadline, and queried again later', async () => {
  await addScenes('2017-08-01');
  await using slow = await startLiveService([toEntry('earth-search', fake, { deadlineMs: 3_000 })]);
  const { promise, resolve: release } = Promise.withResolvers<void>();
  fake.pause = (call) => (isApi(call) ? promise : null);
  const body = { search: { date: { from: '2017-08-01', to: '2017-08-31' } } };
  const late = await slow.search(DATASET, body);
  assert.deepEqual([late.results, late.meta.found], [[], 0]);
  assert.equal(late.incomplete, 'earth-search; reason=catalog-slow');
  assert.match(late.meta.catalogs[0]?.problem?.message ?? '', /3 seconds/);
  const refused = await slow.askRefused(toTilePath(viewIdOn('2017-08-01'), 'B04', crop));
  assert.deepEqual([refused.status, refused.code], [503, 'catalog-unavailable']);
  assert.match(refused.error, /3 seconds/);
  release();
  fake.reset();
  await waitFor(async () => (await slow.search(DATASET, body)).results.length === 1);
  await waitFor(async () => (await slow.ask(toTilePath(viewIdOn('2017-08-01'), 'B04', crop))).status === 200);
});

test('a wrong count, duplicates and a repeating page do no harm', async () => {
  const days = ['2018-03-01', '2018-03-06', '2018-03-11', '2018-03-16'];
  await addScenes(...days);
  const newestFirst = days.toReversed();
  fake.catalogFault = () => claimMatched(1);
  const fewer = await searchDays('2018-03-01', '2018-03-31', { limit: 2 });
  assert.deepEqual(daysOf(fewer), newestFirst.slice(0, 2));
  assert.ok(fewer.meta.found >= 2 && fewer.meta.catalogs[0]?.found_by === 'at-least');
  assert.deepEqual(
    daysOf(await searchDays('2018-03-01', '2018-03-31', { limit: 2, page: 2 })),
    newestFirst.slice(2),
  );

  fake.catalogFault = () => claimMatched(1_000_000);
  const more = await searchDays('2018-03-01', '2018-03-30');
  assert.deepEqual([daysOf(more), more.meta.found], [newestFirst, 4], 'all were read, so they were counted');

  fake.catalogFault = () => repeatItems;
  const twice = await searchDays('2018-03-01', '2018-03-29', { limit: 3 });
  assert.deepEqual(daysOf(twice), newestFirst.slice(0, 3));
  const rest = await searchDays('2018-03-01', '2018-03-29', { limit: 3, page: 2 });
  assert.deepEqual(daysOf(rest), newestFirst.slice(3));

  const lie = repeatPage();
  fake.catalogFault = ({ kind }) => (kind === 'search' ? lie : null);
  const before = fake.calls.length;
  const endless = await searchDays('2018-03-01', '2018-03-28');
  assert.deepEqual(daysOf(endless), newestFirst);
  assert.ok(fake.calls.length - before <= 10, `${fake.calls.length - before} requests`);
  assert.equal(endless.meta.found, 4);
  assert.equal(endless.meta.catalogs[0]?.problem?.message, 'The catalog repeats its pages.');

  fake.reset();
  for (const to of ['2018-03-27', '2018-03-26']) {
    const right = await searchDays('2018-03-01', to);
    assert.deepEqual([daysOf(right), right.meta.found, right.incomplete], [newestFirst, 4, null]);
  }
});

test('missing files give a clear message, the scene among the errors, and numbers when they are back', async () => {
  const [gone, there] = ['2018-07-01', '2018-07-11'] as const;
  await addScenes(there);
  fake.add(withoutFiles(makeScene(gone)));
  const path = toTilePath(viewIdOn(gone), 'B04,B03,B02', crop);
  const refused = await service.askRefused(path);
  assert.equal(refused.status, 502);
  assert.match(refused.error, /^(?:B\d\d: )?A file of this scene cannot be opened\.$/);
  const params = {
    expressions: 'NDVI',
    sensors: [DATASET],
    date_start: '2018-07-01',
    date_end: '2018-07-31',
    geometry: fieldAround(frame, CLEAR_CROP),
  };
  const measured = await service.measureNow(params);
  assert.deepEqual(
    measured.results.map(({ view_id: id }) => id),
    [viewIdOn(there)],
  );
  assert.deepEqual(
    measured.errors.map(({ view_id: id }) => id),
    [viewIdOn(gone)],
  );

  fake.replace(await makeAhead(makeScene(gone), makeWillRead(gone)));
  expectSomething(await readPicture(await service.ask(path)));
  const { results, errors } = await service.measureNow(params);
  assert.deepEqual(errors, []);
  for (const [i, day] of [there, gone].entries()) {
    const found = results[i]?.values.NDVI?.average ?? Number.NaN;
    assert.ok(Math.abs(found - expectNdvi('crop', day, MSI_PLAIN)) < 2e-6, `${day}: ${found}`);
  }
});

test('addresses inside the network in an item are never connected to', async () => {
  const { port } = canary.address() as AddressInfo;
  const origin = `127.0.0.1:${port}`;
  const hrefs = [
    `http://${origin}/B04.tif`,
    `http://localhost:${port}/B04.tif`,
    `http://[::ffff:127.0.0.1]:${port}/B04.tif`,
    `http://2130706433:${port}/B04.tif`,
    `http://127.0.0.1:${fake.port}@${origin}/B04.tif`,
    `//${origin}/B04.tif`,
    'http://169.254.169.254/latest/meta-data/B04.tif',
    'file:///etc/passwd',
    '/etc/passwd',
  ];
  for (const [i, href] of hrefs.entries()) {
    const day = `2019-02-${String(i + 1).padStart(2, '0')}`;
    const hostile = changeItem(makeScene(day), (assets) =>
      Object.fromEntries(Object.entries(assets).map(([key, asset]) => [key, { ...asset, href }])),
    );
    fake.add({
      ...hostile,
      links: [
        { rel: 'thumbnail', href },
        { rel: 'derived_from', href },
      ],
    });
    const refused = await service.askRefused(toTilePath(viewIdOn(day), 'B04', crop));
    assert.ok(refused.status >= 403 && refused.status <= 502, `${href}: ${refused.status} ${refused.error}`);
    assert.notEqual(refused.code, 'internal', href);
    assert.doesNotMatch(refused.error, /127\.0|169\.254|passwd|SWATH_/, 'addresses are not for users');
  }
  await searchDays('2019-02-01', '2019-02-28');

  await addScenes('2019-03-01');
  fake.fileFault = () => ({ redirectTo: `http://${origin}/B04.tif` });
  assert.equal((await service.askRefused(toTilePath(viewIdOn('2019-03-01'), 'B04', crop))).status, 502);
  fake.reset();
  fake.catalogFault = () => ({ redirectTo: `http://${origin}/search` });
  assert.notEqual((await searchDays('2019-03-01', '2019-03-31')).incomplete, null);
  fake.catalogFault = () => linkTo(`http://${origin}/search`);
  assert.notEqual((await searchDays('2019-03-01', '2019-03-30')).incomplete, null);
  fake.reset();
  assert.deepEqual(canaryCalls, []);
  // It would have been seen.
  await fetch(`http://${origin}/`).catch(() => null);
  await waitFor(() => canaryCalls.length > 0);
  canaryCalls.length = 0;
  expectSomething(await service.drawTile(viewIdOn('2019-03-01'), 'B04,B03,B02', crop));
});

test('after 429 with Retry-After a short pause is waited for, a long one is not, and no request is sent meanwhile', async () => {
  await addScenes('2019-06-01');
  const askedAt: number[] = [];
  fake.catalogFault = () => {
    askedAt.push(performance.now());
    return askedAt.length === 1 ? { status: 429, retryAfter: '2' } : null;
  };
  const patient = await searchDays('2019-06-01', '2019-06-30');
  assert.deepEqual([daysOf(patient), patient.incomplete], [['2019-06-01'], null]);
  assert.ok(askedAt.length === 2 && askedAt[1]! - askedAt[0]! >= 1_990, askedAt.join());

  await using other = await startLiveService([toEntry('earth-search', fake, { deadlineMs: 3_000 })]);
  fake.catalogFault = () => ({ status: 429, retryAfter: '600' });
  const before = fake.calls.length;
  const search = (to: string) => other.search(DATASET, { search: { date: { from: '2019-06-01', to } } });
  for (const to of ['2019-06-30', '2019-06-29']) {
    const refused = await search(to);
    assert.deepEqual([refused.results, refused.meta.catalogs[0]?.found_by], [[], 'at-least']);
    assert.match(refused.incomplete ?? '', /^earth-search; reason=/);
  }
  const tile = await other.askRefused(toTilePath(viewIdOn('2019-06-01'), 'B04', crop));
  assert.deepEqual([tile.status, tile.code], [503, 'catalog-unavailable']);
  assert.equal(fake.calls.length - before, 1, 'nothing is asked during the pause');
});
