import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSubscriptionApi, parseSubscription } from './subscriptions.ts';

const WIRE = {
  id: 's1',
  name: 'Loss of green',
  paused: false,
  expressions: ['NDVI'],
  condition: { kind: 'drop', by: 0.25, against: 'normal', years: 3 },
  group: 'North',
  checked_at: null,
};

test('a subscription is read with its ground and its condition', () => {
  const read = parseSubscription(WIRE);
  assert.deepEqual(read?.condition, { kind: 'drop', by: 0.25, against: 'normal' });
  assert.deepEqual(read?.ground, { kind: 'group', group: 'North' });
  const { group: _, ...rest } = WIRE;
  assert.deepEqual(parseSubscription(rest)?.ground, { kind: 'all' });
  assert.deepEqual(parseSubscription({ ...rest, fields: ['a'] })?.ground, { kind: 'fields', ids: ['a'] });
  assert.deepEqual(parseSubscription({ ...rest, geometry: {} })?.ground, { kind: 'area' });
  assert.deepEqual(parseSubscription({ ...rest, condition: { kind: 'above', limit: 0.8 } })?.condition, {
    kind: 'above',
    limit: 0.8,
  });
  assert.equal(parseSubscription({ ...rest, expressions: null }), null);
});

test('an order names its ground; a feed is read to its end and shown newest first', async () => {
  const sent: { readonly path: string; readonly body: unknown }[] = [];
  const event = (position: number) => ({
    id: `e${position}`,
    position,
    field_id: 'f',
    field_name: 'Long acre',
    date: '2026-07-05T19:03:12.000Z',
    expression: 'NDVI',
    value: position / 10_000,
    compared: 0.7,
  });
  const api = {
    call: async (path: string, { body }: { readonly body?: unknown }): Promise<unknown> => {
      sent.push({ path, body });
      if (!path.includes('/events')) return WIRE;
      const isFirst = path.includes('after=0&');
      const [from, count] = isFirst ? [1, 1000] : [1001, 2];
      return { events: Array.from({ length: count }, (_, i) => event(from + i)), next: from + count - 1 };
    },
    send: async () => new Response(null, { status: 204 }),
  };
  const calls = makeSubscriptionApi(api);
  await calls.make({
    name: 'Loss of green',
    ground: { kind: 'fields', ids: ['f'] },
    dataset: 'sentinel2l2a',
    expression: 'NDVI',
    condition: { kind: 'below', limit: 0.3 },
    delivery: { email: 'farm@example.org', callbackUrl: null },
    since: '2026-06-01',
  });
  assert.deepEqual(sent[0]?.body, {
    name: 'Loss of green',
    fields: ['f'],
    sensors: ['sentinel2l2a'],
    expression: 'NDVI',
    condition: { kind: 'below', limit: 0.3 },
    email: 'farm@example.org',
    callback_url: null,
    since: '2026-06-01',
  });
  const alerts = await calls.readAlerts('s1');
  assert.equal(alerts.length, 1002);
  assert.deepEqual([alerts[0]?.id, alerts[0]?.date, alerts[0]?.compared], ['e1002', '2026-07-05', 0.7]);
  assert.match(sent[2]?.path ?? '', /after=1000&/);
});

test('delivery is read with its failures, and changed in part', async () => {
  const sent: string[] = [];
  const failed = {
    channel: 'email',
    arrived: 3,
    failed_attempts: 2,
    next_attempt_at: '2026-07-05T19:03:12Z',
  };
  const calls = makeSubscriptionApi({
    call: async () => ({
      ...WIRE,
      sending: [failed, { ...failed, channel: 'callback', failed_attempts: 0 }],
    }),
    send: async (_, init) => {
      sent.push(String(init?.body));
      return new Response(null, { status: 200 });
    },
  });
  assert.deepEqual(await calls.readFailedSendings('s1'), [
    { channel: 'email', attempts: 2, nextAt: '2026-07-05T19:03:12Z' },
  ]);
  await calls.setDelivery('s1', { callbackUrl: null });
  await calls.setDelivery('s1', { email: 'farm@example.org' });
  assert.deepEqual(sent, ['{"callback_url":null}', '{"email":"farm@example.org"}']);
  assert.deepEqual(parseSubscription({ ...WIRE, email: 'a@b.example', callback_url: null })?.delivery, {
    email: 'a@b.example',
    callbackUrl: null,
  });
});
