import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { openTestStore } from '../../adapters/sqlite/testing/test-store.ts';
import { makeAreas } from '../../library/index.ts';
import { makeMemoryAreas, unlimitedAreas } from '../../library/testing/memory-library.ts';
import type { WatchEvent } from '../../watch/index.ts';
import { makeSubscriptions, packReadings } from '../../watch/index.ts';
import { EXAMPLE_AREA } from '../areas.ts';
import {
  makeTestApp,
  OTHER_KEY,
  otherRecord,
  READER_KEY,
  readError,
  readerRecord,
} from '../testing/make-test-app.ts';

/** The service over a store of its own. */
function makeWatchApp(t: TestContext) {
  const { store, close } = openTestStore();
  t.after(close);
  const now = (): Date => new Date('2026-07-05T12:00:00.000Z');
  const ordered: { kind: string; order: unknown }[] = [];
  const app = makeTestApp({
    subscriptions: makeSubscriptions({ store: store.watches, maxPerOwner: 3, now }),
    areas: makeAreas({ ...unlimitedAreas, store: makeMemoryAreas().store }),
    mayMail: (address) => address.endsWith('@farm.example'),
    tasks: {
      callbackPolicy: { allowHttp: true, ports: [443, 80] },
      tasks: {
        async create(task: { kind: string; order: unknown }) {
          ordered.push(task);
          return { task: { id: 't1', reference: 'r1' }, isNew: true } as never;
        },
      } as never,
    },
    records: [readerRecord, otherRecord],
    now,
  });
  return { ...app, store, ordered };
}

const aBody = {
  name: 'Drops',
  group: 'north',
  expression: 'NDVI',
  condition: { kind: 'drop', by: 0.25, against: 'normal', years: 2 },
};

const toEvent = (n: number): WatchEvent => ({
  id: `event ${n}`,
  fieldId: n === 0 ? '0000000000000000' : '00000000000000a1',
  fieldName: 'Field',
  externalId: 'theirs',
  viewId: 'S2L2A/10/U/EU/2026/7/5/0',
  sceneId: 'scene',
  dataset: 'sentinel2l2a',
  acquiredAt: '2026-07-05T19:00:00.000Z',
  expression: 'NDVI',
  value: 0.25,
  compared: 0.75,
});

test('only its own key can read, list, change and delete a subscription', async (t) => {
  const { post, call } = makeWatchApp(t);
  const created = await post('/api/subscriptions', {
    ...aBody,
    callback_url: 'https://example.com/hook?token=1',
  });
  assert.equal(created.status, 201, await created.clone().text());
  const made = (await created.json()) as { id: string };
  assert.equal(created.headers.get('location'), `http://swath.test/api/subscriptions/${made.id}`);
  assert.deepEqual(made, {
    id: made.id,
    name: 'Drops',
    paused: false,
    since: '2026-07-05',
    created_at: '2026-07-05T12:00:00.000Z',
    checked_at: null,
    group: 'north',
    sensors: ['sentinel2l2a'],
    expression: 'NDVI',
    expressions: ['NDVI'],
    max_cloud: 20,
    min_data: 80,
    condition: { kind: 'drop', by: 0.25, against: 'normal', years: 2, around_days: 15 },
    callback_url: 'https://example.com/hook?…',
    email: null,
    feed: `http://swath.test/api/subscriptions/${made.id}/events`,
  });
  const path = `/api/subscriptions/${made.id}`;
  assert.deepEqual(await (await call('/api/subscriptions')).json(), { subscriptions: [made] });
  const read = (await (await call(path)).json()) as { sending: unknown };
  assert.deepEqual(read.sending, [
    { channel: 'callback', arrived: 0, failed_attempts: 0, next_attempt_at: null, last_error: null },
  ]);
  for (const key of [OTHER_KEY, READER_KEY]) {
    assert.equal((await call(path, { key })).status, 404);
    assert.equal((await call(`${path}/events`, { key })).status, 404);
  }
  assert.equal((await call(path, { method: 'DELETE', key: OTHER_KEY })).status, 404);
  assert.equal((await call(path, { method: 'DELETE', key: READER_KEY })).status, 403);
  const patch = (body: object) => call(path, { method: 'PATCH', body: JSON.stringify(body) });
  const paused = (await (await patch({ paused: true, email: 'ann@farm.example' })).json()) as object;
  assert.deepEqual(paused, { ...made, paused: true, email: 'ann@farm.example' });
  assert.equal((await readError(await patch({ expression: 'NDMI' }))).code, 'fixed-subscription');
  assert.equal((await readError(await patch({}))).code, 'bad-body');
  assert.equal((await call(path, { method: 'DELETE' })).status, 204);
  assert.equal((await call(path)).status, 404);
});

test('a malformed body is refused, and the message names the field', async (t) => {
  const { post } = makeWatchApp(t);
  const cases: readonly (readonly [object, string, RegExp])[] = [
    [{ name: '' }, 'bad-name', /^name must be a text/],
    [{ expression: null }, 'bad-expression', /^expression is required/],
    [{ expressions: ['NDMI'] }, 'bad-expression', /not both/],
    [{ expression: null, expressions: [] }, 'bad-expressions', /list of 1 to 10/],
    [{ expression: null, expressions: ['NDVI', 'B99'] }, 'bad-expression', /^expression: /],
    [{ expression: 'B99' }, 'bad-expression', /^expression: /],
    [{ expression: 'B04,B03' }, 'bad-expression', /one value/],
    [{ sensors: ['nothing'] }, 'bad-sensors', /nothing/],
    [{ geometry: EXAMPLE_AREA }, 'bad-area', /one of group, fields, geometry/],
    [{ group: null, fields: ['x'] }, 'bad-fields', /16 hexadecimal digits/],
    [{ group: null, fields: [] }, 'bad-fields', /list of ids/],
    [{ group: null, cropper_ref: 'x' }, 'unknown-area', /no area/],
    [{ max_cloud: 101 }, 'bad-max-cloud', /from 0 to 100/],
    [{ min_data: 0 }, 'bad-min-data', /from 1 to 100/],
    [{ condition: 'drop' }, 'bad-condition', /must be an object/],
    [{ condition: { kind: 'fall' } }, 'bad-kind', /every, below, above, drop, rise/],
    [{ condition: { kind: 'below' } }, 'bad-limit', /^limit is required with kind below\.$/],
    [{ condition: { kind: 'drop' } }, 'bad-by', /^by is required with kind drop and must be above 0\.$/],
    [{ condition: { kind: 'drop', by: -1 } }, 'bad-by', /above 0/],
    [{ condition: { kind: 'drop', by: 1, against: 'all' } }, 'bad-against', /last, normal, group/],
    [{ condition: { kind: 'drop', by: 1, within: 9 } }, 'bad-condition', /has no within/],
    [{ callback_url: 'http://127.0.0.1/' }, 'bad-callback-url', /public http/],
    [{ email: 'ann@farm.example\r\nBcc: x@farm.example' }, 'bad-email', /one address/],
    [{ email: 'ann@elsewhere.example' }, 'bad-email', /operator allows/],
    [{ since: 'yesterday' }, 'bad-since', /date such as/],
    [{ mosaic: 'week' }, 'bad-mosaic', /object with a period/],
    [{ mosaic: {} }, 'bad-period', /week, month, or 1 to 92 days/],
    [{ mosaic: { period: '2026-07' } }, 'bad-period', /"10 days"/],
    [{ mosaic: { period: '93 days' } }, 'bad-period', /1 to 92 days/],
    [{ mosaic: { period: 'week', within: 'x' } }, 'bad-mosaic', /has no within; it may have period/],
    [{ mosaic: { period: 'week', date: '2026-07-01' } }, 'bad-mosaic', /has no date/],
    [{ mosaic: { period: 'week', selection: 'nearest' } }, 'bad-selection', /needs date/],
    [{ mosaic: { period: 'week', selection: 'best' } }, 'bad-selection', /newest/],
    [{ mosaic: { period: 'week', selection: 'highest' } }, 'bad-selection', /needs by/],
    [{ mosaic: { period: 'week', selection: 'lowest', by: 'B99' } }, 'bad-expression', /^by: /],
    [{ mosaic: { period: 'week', grace_days: 31 } }, 'bad-grace-days', /from 0 to 30/],
    [{ mosaic: { period: 'week', mask: { clouds: true } } }, 'bad-mosaic', /mask is none of these/],
    [{ mosaic: { period: 'week' }, max_cloud: 20 }, 'bad-max-cloud', /belongs into mosaic/],
    [
      {
        mosaic: { period: 'month' },
        condition: { kind: 'drop', by: 1, against: 'last', within_days: 30 },
      },
      'bad-within-days',
      /at least 31/,
    ],
  ];
  for (const [more, code, sentence] of cases) {
    const error = await readError(await post('/api/subscriptions', { ...aBody, ...more }));
    assert.equal(error.code, code, JSON.stringify(more));
    assert.match(error.error, sentence);
  }
});

test('a key has a subscription limit', async (t) => {
  const { post } = makeWatchApp(t);
  for (let n = 0; n < 3; n += 1) assert.equal((await post('/api/subscriptions', aBody)).status, 201);
  const refused = await post('/api/subscriptions', aBody);
  assert.equal(refused.status, 402);
  assert.equal((await readError(refused)).code, 'too-many-subscriptions');
});

test('the feed is read page by page, and continues where it stopped', async (t) => {
  const { post, call, store } = makeWatchApp(t);
  const { id } = (await (await post('/api/subscriptions', aBody)).json()) as { id: string };
  const scene = { viewId: 'a', day: '2026-07-05', sources: [], readings: [packReadings([])] };
  const at = '2026-07-05T20:00:00.000Z';
  await store.watches.commit(id, scene, { events: [0, 1, 2].map(toEvent), at });
  const page = async (query: string) =>
    (await (await call(`/api/subscriptions/${id}/events${query}`)).json()) as {
      events: object[];
      next: number;
    };
  const first = await page('?limit=2');
  assert.equal(first.events.length, 2);
  assert.deepEqual(first.events[1], {
    id: 'event 1',
    position: first.next,
    made_at: at,
    field_id: '00000000000000a1',
    field_name: 'Field',
    external_id: 'theirs',
    date: '2026-07-05T19:00:00.000Z',
    view_id: 'S2L2A/10/U/EU/2026/7/5/0',
    scene_id: 'scene',
    sensor: 'sentinel2l2a',
    expression: 'NDVI',
    value: 0.25,
    compared: 0.75,
  });
  assert.equal((first.events[0] as { field_id: unknown }).field_id, null, 'an area is not a field');
  const second = await page(`?after=${first.next}`);
  assert.equal(second.events.length, 1);
  assert.deepEqual(await page(`?after=${second.next}`), { events: [], next: second.next });
  assert.equal((await call(`/api/subscriptions/${id}/events?after=x`)).status, 400);
});

test('a list shows areas without their outlines', async (t) => {
  const { post, call } = makeWatchApp(t);
  const { group: _, ...rest } = aBody;
  await post('/api/subscriptions', { ...rest, name: 'an area', geometry: EXAMPLE_AREA });
  await post('/api/subscriptions', { ...rest, name: 'fields' });
  const { subscriptions } = (await (await call('/api/subscriptions')).json()) as {
    subscriptions: { name: string; geometry?: unknown }[];
  };
  assert.deepEqual(
    subscriptions.map(({ name, geometry }) => [name, geometry]),
    [
      ['an area', null],
      ['fields', undefined],
    ],
  );
});

test('a dry run is a task for the days up to today', async (t) => {
  const { post, ordered } = makeWatchApp(t);
  const answer = await post('/api/subscriptions/dry-run', {
    geometry: EXAMPLE_AREA,
    expression: 'NDVI',
    days: 30,
  });
  assert.equal(answer.status, 202, await answer.clone().text());
  const { kind, order } = ordered[0] as { kind: string; order: { days: unknown; ground: { kind: string } } };
  assert.equal(kind, 'dry-run');
  assert.deepEqual(order.days, { from: '2026-06-05', to: '2026-07-05' });
  assert.equal(order.ground.kind, 'area');
});

test('a mosaic subscription and its events are described by mosaic parameters', async (t) => {
  const { post, call, store, ordered } = makeWatchApp(t);
  const mosaic = { period: '10 days', selection: 'highest', by: 'NDVI', max_cloud: 60, mask: ['clouds'] };
  const created = await post('/api/subscriptions', { ...aBody, mosaic });
  assert.equal(created.status, 201, await created.clone().text());
  const made = (await created.json()) as { id: string; mosaic: object };
  assert.deepEqual(made.mosaic, { ...mosaic, mask: 'clouds', dilate: 0, feather: 0 });
  assert.ok(!('max_cloud' in made));
  const weekly = { period: 'week', selection: 'least_cloudy', prefer: 'sensors', mask: 'none', dilate: 60 };
  const second = await post('/api/subscriptions', { ...aBody, mosaic: weekly });
  assert.deepEqual(((await second.json()) as typeof made).mosaic, { ...weekly, grace_days: 2, feather: 0 });
  const viewIds = ['S2L2A/10/U/EU/2026/7/2/0', 'S2L2A/10/U/EU/2026/7/5/0'];
  await store.watches.commit(
    made.id,
    {
      viewId: '2026-06-26..2026-07-05',
      day: '2026-07-05',
      sources: viewIds,
      readings: [packReadings([])],
    },
    {
      events: [{ ...toEvent(1), mosaic: { period: '2026-06-26..2026-07-05', viewIds } }],
      at: '2026-07-05T20:00:00.000Z',
    },
  );
  const feed = (await (await call(`/api/subscriptions/${made.id}/events`)).json()) as {
    events: { period: string; view_ids: readonly string[]; view_id: string }[];
  };
  const [event] = feed.events;
  assert.equal(event?.period, '2026-06-26..2026-07-05');
  assert.deepEqual(event?.view_ids, viewIds);
  assert.equal(event?.view_id, viewIds[1]);
  const { name: _, ...tried } = aBody;
  assert.equal((await post('/api/subscriptions/dry-run', { ...tried, mosaic })).status, 202);
  const order = ordered[0]?.order as { value: { mosaic: { every: object } } } | undefined;
  assert.deepEqual(order?.value.mosaic.every, { kind: 'days', days: 10 });
});
