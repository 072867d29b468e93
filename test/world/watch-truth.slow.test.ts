/** Subscriptions over the world's wildfire and flood, through a real service: what burnt and what was flooded is told, and nothing else. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeProjection } from '../../src/proj/index.ts';
import { waitFor } from '../../src/testing/wait-for.ts';
import type { DemoPart } from '../../world/demo/demo-part.ts';
import type { Cover } from '../../world/ground/ground.ts';
import { covers } from '../../world/ground/ground.ts';
import { materials } from '../../world/ground/materials.ts';
import type { World } from '../../world/ground/world.ts';
import { epsg, frame, spots, toDay } from '../../world/setting.ts';
import type { RunningSwath } from '../support/start-swath.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath } from '../support/start-swath.ts';
import { isSigned, startMailServer, startReceiver } from '../watch/receivers.ts';
import { copyParts, openWorld } from './shared-world.ts';

const CLEAR = { seed: 1, opaque: 0, cirrus: 0, haze: 0 } as const;
const SIDE_M = 9_000;

/** The fire burnt from 9 to 11 August, and the flood stood highest on 11 December. */
const SHOTS = {
  fire: { before: ['2026-07-18', '2026-08-02'], after: '2026-08-17', cover: 'burnt' },
  flood: { before: ['2025-11-15', '2025-11-28'], after: '2025-12-11', cover: 'flood' },
} as const;
type Event = keyof typeof SHOTS;
const EVENTS: readonly Event[] = ['fire', 'flood'];

const cornerOf = (middle: number): number => Math.round((middle - SIDE_M / 2) / 60) * 60;

function toPart(event: Event, date: string): DemoPart {
  const { x, y } = spots[event];
  const plan = {
    satellite: 'S2A' as const,
    atMs: Date.parse(`${date}T19:10:00Z`),
    sequence: 0,
    baseline: '05.11',
    seed: 7,
    finestM: 20,
    sky: CLEAR,
    window: { x: cornerOf(x), y: cornerOf(y), width: SIDE_M, height: SIDE_M },
  } as const;
  return { key: `watch-${event}-${date}`, cost: 1, kind: 'sentinel2-l2a', plan };
}

type Ring = readonly (readonly [x: number, y: number])[];

/** A piece of land that is watched. */
interface Piece {
  readonly name: string;
  readonly group: Event;
  /** In local metres. */
  readonly ring: Ring;
}

const STAND_M = 420;

/** Fields on the low ground along the river; square stands of the forest around the fire. */
function listPieces(world: World): readonly Piece[] {
  const reachM = SIDE_M / 2 - 600;
  const boxOf = (event: Event) => {
    const { x, y } = spots[event];
    return { minX: x - reachM, minY: y - reachM, maxX: x + reachM, maxY: y + reachM };
  };
  const fields = world.ground
    .fieldsIn(boxOf('flood'))
    .map(({ id, ring }): Piece => ({ name: `field ${id}`, group: 'flood', ring }));
  const stands: Piece[] = [];
  const { minX, minY, maxX, maxY } = boxOf('fire');
  for (let x = minX; x + STAND_M <= maxX; x += STAND_M) {
    for (let y = minY; y + STAND_M <= maxY; y += STAND_M) {
      const [east, south] = [x + STAND_M, y + STAND_M];
      const ring: Ring = [
        [x, y],
        [x, south],
        [east, south],
        [east, y],
        [x, y],
      ];
      stands.push({ name: `stand ${stands.length + 1}`, group: 'fire', ring });
    }
  }
  return [...fields, ...stands];
}

const isInside = (ring: Ring, x: number, y: number): boolean =>
  ring.slice(1).reduce((inside, [x1, y1], i) => {
    const [x0, y0] = ring[i] as readonly [number, number];
    return y0 > y !== y1 > y && x < x0 + ((y - y0) * (x1 - x0)) / (y1 - y0) ? !inside : inside;
  }, false);

/** The share of a piece that is covered with something on a day, by the pixels of 20 m that lie in it. */
function shareOf(world: World, ring: Ring, cover: Cover, day: number): number {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  const [x, y]: [number[], number[]] = [[], []];
  for (let px = Math.floor(Math.min(...xs) / 20) * 20 + 10; px < Math.max(...xs); px += 20) {
    for (let py = Math.floor(Math.min(...ys) / 20) * 20 + 10; py < Math.max(...ys); py += 20) {
      if (!isInside(ring, px, py)) continue;
      x.push(px);
      y.push(py);
    }
  }
  const survey = world.ground.survey({
    width: x.length,
    height: 1,
    sideM: 20,
    x: Float64Array.from(x),
    y: Float64Array.from(y),
  });
  const dark = Object.fromEntries(materials.map((material) => [material, new Float32Array(1)]));
  const { cover: found } = world.ground.paint(survey, day, { bandCount: 1, of: dark as never });
  return found.filter((one) => covers[one] === cover).length / x.length;
}

const headers = { 'x-api-key': SERVICE_KEY };
let world: World;
let swath: RunningSwath;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let mail: Awaited<ReturnType<typeof startMailServer>>;

const ask = async (path: string, body?: object, status = 200) => {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`${swath.url}${path}`, { headers, ...init });
  const text = await response.text();
  assert.equal(response.status, status, text);
  return JSON.parse(text);
};

async function ingest(parts: readonly DemoPart[], name: string): Promise<void> {
  const folder = join(swath.dataDir, name);
  await copyParts(parts, ({ key }) => join(folder, key));
  const { status, stderr } = await runSwath(['ingest', 'folder', folder], {
    SWATH_DATA: swath.dataDir,
    SWATH_DEMO: 'off',
  });
  assert.equal(status, 0, stderr);
}

before(async () => {
  world = await openWorld();
  receiver = await startReceiver(2);
  mail = await startMailServer();
  swath = await startSwath({
    dataDir: mkdtempSync(join(tmpdir(), 'swath-watch-')),
    env: {
      SWATH_LOG: 'warn',
      SWATH_DEMO: 'off',
      SWATH_WRITES_PER_MINUTE: '0',
      SWATH_WORK_PER_MINUTE: '0',
      SWATH_WATCH_SECONDS: '1',
      SWATH_CALLBACK_HOSTS: `127.0.0.1:${receiver.port} 127.0.0.0/8`,
      SWATH_CALLBACK_RETRY_MS: '50',
      SWATH_SMTP_URL: mail.url,
      SWATH_MAIL_FROM: 'swath@example.org',
      SWATH_MAIL_TO: '@farm.example',
      ...ONE_THREAD,
    },
  });
});
after(async () => {
  await swath?.stop();
  rmSync(swath.dataDir, { recursive: true });
  receiver.stop();
  mail.stop();
});

const CONDITIONS = {
  fire: { expression: 'NBR', condition: { kind: 'drop', by: 0.25, against: 'last', within_days: 30 } },
  flood: { expression: '(B03-B11)/(B03+B11)', condition: { kind: 'above', limit: 0 } },
} as const;

/** The file of a dry run. */
async function dryRun(body: object): Promise<{ events: FedEvent[]; periods?: number; scenes?: number }> {
  const { task_id: task } = await ask('/api/subscriptions/dry-run', body, 202);
  let poll = await fetch(`${swath.url}/api/${task}`, { headers, redirect: 'manual' });
  await waitFor(async () => {
    poll = await fetch(`${swath.url}/api/${task}`, { headers, redirect: 'manual' });
    return poll.status === 303;
  });
  return (await fetch(poll.headers.get('location') ?? '')).json() as never;
}

interface FedEvent {
  readonly field_id: string;
  readonly field_name: string;
  readonly value: number;
  readonly period: string;
  readonly view_ids: readonly string[];
}

/** Checks that events have the values, and the scenes, that the statistics of their mosaic have. */
async function checkMosaics(events: readonly FedEvent[], expression: string, selection: string) {
  for (const { field_id: field, field_name: name, value, period, view_ids: viewIds } of events) {
    const path = `/api/mosaic/statistics/S2L2A/${period}/${expression}?CALIBRATE=1&selection=${selection}`;
    const { bands, sources } = await ask(path, { field });
    assert.equal(value, Math.fround(bands[0].average), `${name} in ${period}`);
    assert.deepEqual(
      viewIds,
      sources.map((one: { view_id: string }) => one.view_id),
    );
  }
}

test('a subscription tells of the burnt and the flooded, and of nothing else', async () => {
  const { forward } = makeProjection(epsg, 4326);
  const pieces = listPieces(world);
  const fieldIds = new Map<string, string>();
  for (const { name, group, ring } of pieces) {
    const coordinates = [ring.map(([x, y]) => forward(frame.west + x, frame.north - y))];
    const { id } = await ask(
      '/api/fields',
      { name, group, external_id: name, geometry: { type: 'Polygon', coordinates } },
      201,
    );
    fieldIds.set(name, id);
  }
  const secret = await runSwath(['keys', 'rotate-callback-secret', 'configured'], {
    SWATH_DATA: swath.dataDir,
  });
  assert.equal(secret.status, 0, secret.stderr);
  await ingest(
    EVENTS.flatMap((event) => SHOTS[event].before.map((date) => toPart(event, date))),
    'before',
  );
  const ids: Partial<Record<Event, string>> = {};
  for (const event of EVENTS) {
    const { id } = await ask(
      '/api/subscriptions',
      {
        name: event,
        group: event,
        ...CONDITIONS[event],
        since: SHOTS[event].before[1],
        callback_url: receiver.url,
        email: 'ann@farm.example',
      },
      201,
    );
    ids[event] = id;
  }
  await ingest(
    EVENTS.map((event) => toPart(event, SHOTS[event].after)),
    'after',
  );
  for (const event of EVENTS) {
    // The events of a scene come together.
    await waitFor(async () => (await ask(`/api/subscriptions/${ids[event]}/events`)).events.length > 0);
    const { events } = await ask(`/api/subscriptions/${ids[event]}/events?limit=1000`);
    const told = new Set(events.map((one: { field_name: string }) => one.field_name));
    assert.equal(told.size, events.length, 'once each');
    assert.ok(events.every((one: { date: string }) => one.date.startsWith(SHOTS[event].after)));
    let [hit, spared] = [0, 0];
    for (const { name, group, ring } of pieces) {
      if (group !== event) continue;
      const share = shareOf(world, ring, SHOTS[event].cover, toDay(SHOTS[event].after));
      if (share > 0.7) {
        hit += 1;
        assert.ok(told.has(name), `${name}: ${share} of it is ${SHOTS[event].cover}, and nothing was told`);
      } else if (share < 0.1) {
        spared += 1;
        assert.ok(!told.has(name), `${name}: ${share} of it is ${SHOTS[event].cover}, and it was told`);
      }
    }
    assert.ok(hit >= 10 && spared >= 10, `${event}: ${hit} hit, ${spared} spared, ${told.size} told`);
  }

  // Callbacks come with the same events, in order, although the first attempts were refused.
  // A receiver that takes long to answer is told again, so events count by their ids.
  const distinct = (events: readonly { readonly id: string }[]) => [
    ...new Map(events.map((one) => [one.id, one])).values(),
  ];
  const countSent = (): number =>
    distinct(receiver.messages.flatMap(({ body }) => JSON.parse(body).events)).length;
  const feeds = await Promise.all(
    EVENTS.map(async (event) => (await ask(`/api/subscriptions/${ids[event]}/events?limit=1000`)).events),
  );
  const all = feeds.flat() as { id: string; position: number }[];
  await waitFor(() => countSent() >= all.length && mail.mails.length >= 2);
  assert.equal(receiver.refusals.length, 2);
  for (const [i, event] of EVENTS.entries()) {
    const got = receiver.messages
      .map((message) => ({ ...message, ...JSON.parse(message.body) }))
      .filter((message) => message.subscription.id === ids[event]);
    for (const message of got) {
      assert.ok(isSigned(message, secret.stdout.trim()));
      assert.equal(message.headers['x-swath-subscription'], ids[event]);
    }
    assert.deepEqual(distinct(got.flatMap((message) => message.events)), feeds[i]);
  }
  const [first] = mail.mails;
  assert.equal(first?.to, 'ann@farm.example');
  assert.match(first?.text ?? '', /Subject: (fire|flood): \d+ events/);

  // A dry run over the same days says the same.
  const days = Math.ceil((Date.now() - Date.parse(SHOTS.flood.before[1])) / 86_400_000);
  const report = await dryRun({ group: 'flood', ...CONDITIONS.flood, days });
  const names = (events: readonly { field_name: string }[]) => events.map((one) => one.field_name).toSorted();
  assert.deepEqual(names(report.events), names(feeds[1]));

  // Mosaics of periods tell of the burnt too, with the values that their statistics have.
  const shares = pieces
    .filter(({ group }) => group === 'fire')
    .map(({ name, ring }) => ({ name, share: shareOf(world, ring, 'burnt', toDay(SHOTS.fire.after)) }));
  const burnt = shares.filter(({ share }) => share > 0.7).slice(0, 4);
  const spared = shares.filter(({ share }) => share < 0.1).slice(0, 4);
  const fields = [...burnt, ...spared].map(({ name }) => fieldIds.get(name));
  const { id } = await ask(
    '/api/subscriptions',
    {
      name: 'newest of 20 days',
      fields,
      ...CONDITIONS.fire,
      mosaic: { period: '20 days', selection: 'newest' },
      since: SHOTS.fire.before[1],
    },
    201,
  );
  await waitFor(async () => (await ask(`/api/subscriptions/${id}/events`)).events.length > 0);
  const { events: told } = await ask(`/api/subscriptions/${id}/events`);
  assert.deepEqual(names(told), burnt.map(({ name }) => name).toSorted());
  assert.ok(told.every((one: FedEvent) => one.period === '2026-07-29..2026-08-17'));
  await checkMosaics(told, 'NBR', 'newest');
  const months = await dryRun({
    fields,
    expression: 'NBR',
    mosaic: { period: 'month', selection: 'mean' },
    days,
  });
  assert.equal(months.periods, 2);
  assert.deepEqual(months.events.map((one) => `${one.period} ${one.view_ids.length}`).toSorted(), [
    ...fields.map(() => '2026-07 1'),
    ...fields.map(() => '2026-08 2'),
  ]);
  await checkMosaics(months.events, 'NBR', 'mean');
});
