/** Subscriptions in a database: every statement about them, for SQLite and PostgreSQL alike. */

import type {
  Channel,
  CheckRef,
  FeedEvent,
  LeasedCheck,
  LeasedSending,
  SendingState,
  Subscription,
  SubscriptionChanges,
  SubscriptionContent,
  SubscriptionPut,
  WatchEvent,
  WatchStore,
} from '../../watch/index.ts';
import type { Clause, RunPrograms, SqlProgram, SqlPrograms } from './sql.ts';
import { ask, list, raw, sql } from './sql.ts';
import type { EventRow, PackedScene, SendingRow, SourcesRow, SubscriptionRow } from './watch-rows.ts';
import {
  COLUMNS,
  LISTED,
  NO_AREA,
  toFeedEvent,
  toPacked,
  toScene,
  toSources,
  toSubscription,
} from './watch-rows.ts';

/** Values of one statement: both databases take at least 32,766. */
const ROWS_AT_ONCE = 500;

const toPieces = <Value>(values: readonly Value[]): readonly (readonly Value[])[] =>
  Array.from({ length: Math.ceil(values.length / ROWS_AT_ONCE) }, (_, i) =>
    values.slice(i * ROWS_AT_ONCE, (i + 1) * ROWS_AT_ONCE),
  );

const toList = (values: readonly string[]): Clause =>
  list(
    values.map((value) => sql`${value}`),
    ', ',
  );

const channelsOf = ({ delivery }: Pick<Subscription, 'delivery'>): readonly Channel[] => [
  ...(delivery.callbackUrl === null ? [] : (['callback'] as const)),
  ...(delivery.mailTo === null ? [] : (['mail'] as const)),
];

function* findOne(where: Clause): SqlProgram<Subscription | null> {
  const [row] = yield* ask<SubscriptionRow>(sql`SELECT ${COLUMNS} FROM subscriptions WHERE ${where}`);
  return row === undefined ? null : toSubscription(row);
}

/** Starts ways of sending with the next event, and ends those that are not wanted any more. */
function* setChannels(subscription: Subscription): SqlProgram<void> {
  const channels = channelsOf(subscription);
  const { id } = subscription;
  for (const channel of channels) {
    yield* ask(
      sql`INSERT INTO watch_sendings (subscription, channel, position)
        SELECT id, ${channel}, last_position FROM subscriptions WHERE id = ${id} ON CONFLICT DO NOTHING`,
    );
  }
  const others = channels.length === 0 ? raw('') : sql`AND channel NOT IN (${toList(channels)})`;
  yield* ask(sql`DELETE FROM watch_sendings WHERE subscription = ${id} ${others}`);
}

function* insertEvents(id: string, events: readonly WatchEvent[], at: string): SqlProgram<void> {
  const known = new Set<string>();
  for (const piece of toPieces(events)) {
    const rows = yield* ask<{ id: string }>(
      sql`SELECT id FROM watch_events WHERE subscription = ${id} AND id IN (${toList(piece.map((one) => one.id))})`,
    );
    for (const row of rows) known.add(row.id);
  }
  const fresh = events.filter((event) => !known.has(event.id));
  if (fresh.length === 0) return;
  const [row] = yield* ask<{ last_position: number | string }>(
    sql`UPDATE subscriptions SET last_position = last_position + ${fresh.length} WHERE id = ${id} RETURNING last_position`,
  );
  let position = Number(row?.last_position) - fresh.length;
  for (const piece of toPieces(fresh)) {
    const rows = piece.map((event) => {
      position += 1;
      return sql`(${id}, ${position}, ${event.id}, ${at}, ${JSON.stringify(event)})`;
    });
    yield* ask(
      sql`INSERT INTO watch_events (subscription, position, id, made_at, event) VALUES ${list(rows, ', ')}`,
    );
  }
}

/** The programs. Those that only read are run where they disturb no writer. */
export const watchPrograms = {
  *put(subscription: Subscription, maxPerOwner: number): SqlProgram<SubscriptionPut> {
    const { id, owner, name, ground, value, condition, delivery, createdAt, since } = subscription;
    const [row] = yield* ask<{ n: number | string }>(
      sql`SELECT count(*) AS n FROM subscriptions WHERE owner = ${owner}`,
    );
    const subscriptions = Number(row?.n);
    if (subscriptions >= maxPerOwner) return { kind: 'full', subscriptions };
    const area = ground.kind === 'area' ? JSON.stringify(ground.area) : null;
    const shown = ground.kind === 'area' ? { ...ground, area: NO_AREA } : ground;
    const content = JSON.stringify({ ground: shown, value, condition } satisfies SubscriptionContent);
    yield* ask(
      sql`INSERT INTO subscriptions (id, owner, name, content, area, callback_url, mail_to, is_paused, created_at, since)
        VALUES (${id}, ${owner}, ${name}, ${content}, ${area}, ${delivery.callbackUrl}, ${delivery.mailTo},
          ${Number(subscription.isPaused)}, ${createdAt}, ${since})`,
    );
    yield* setChannels(subscription);
    return { kind: 'stored' };
  },

  find: (id: string, owner: string): SqlProgram<Subscription | null> =>
    findOne(sql`id = ${id} AND owner = ${owner}`),

  *list(owner: string): SqlProgram<readonly Subscription[]> {
    const rows = yield* ask<SubscriptionRow>(
      sql`SELECT ${raw(LISTED)} FROM subscriptions WHERE owner = ${owner} ORDER BY name, id`,
    );
    return rows.map(toSubscription);
  },

  *change(id: string, owner: string, changes: SubscriptionChanges): SqlProgram<Subscription | null> {
    const { name, delivery, isPaused } = changes;
    const sets: Clause[] = name === undefined ? [raw('name = name')] : [sql`name = ${name}`];
    if (delivery !== undefined)
      sets.push(sql`callback_url = ${delivery.callbackUrl}, mail_to = ${delivery.mailTo}`);
    // Scenes that came in during a pause are checked at once.
    if (isPaused !== undefined) sets.push(sql`is_paused = ${Number(isPaused)}, next_check_at = 0`);
    const [row] = yield* ask<SubscriptionRow>(
      sql`UPDATE subscriptions SET ${list(sets, ', ')} WHERE id = ${id} AND owner = ${owner} RETURNING ${COLUMNS}`,
    );
    if (row === undefined) return null;
    const changed = toSubscription(row);
    yield* setChannels(changed);
    return changed;
  },

  *remove(id: string, owner: string): SqlProgram<boolean> {
    const rows = yield* ask(
      sql`DELETE FROM subscriptions WHERE id = ${id} AND owner = ${owner} RETURNING id`,
    );
    return rows.length === 1;
  },

  *removeAll(owner: string): SqlProgram<number> {
    return (yield* ask(sql`DELETE FROM subscriptions WHERE owner = ${owner} RETURNING id`)).length;
  },

  *findMeasured(id: string, viewIds: readonly string[]): SqlProgram<readonly SourcesRow[]> {
    const found: SourcesRow[] = [];
    for (const piece of toPieces(viewIds)) {
      const rows = yield* ask<SourcesRow>(
        sql`SELECT view_id, sources FROM watched_scenes WHERE subscription = ${id} AND view_id IN (${toList(piece)})`,
      );
      found.push(...rows);
    }
    return found;
  },

  *listMeasured(id: string, from: string, to: string): SqlProgram<readonly PackedScene[]> {
    return yield* ask<PackedScene>(
      sql`SELECT view_id, day, sources, readings FROM watched_scenes
        WHERE subscription = ${id} AND day >= ${from} AND day <= ${to} ORDER BY day, view_id`,
    );
  },

  *commit(
    id: string,
    { view_id: viewId, day, sources, readings }: PackedScene,
    events: readonly WatchEvent[],
    at: string,
  ): SqlProgram<boolean> {
    // Holds the subscription until the end, so that positions rise in the order of commits.
    const held = yield* ask(sql`UPDATE subscriptions SET name = name WHERE id = ${id} RETURNING id`);
    if (held.length === 0) return false;
    const stored = yield* ask(
      sql`INSERT INTO watched_scenes (subscription, view_id, day, sources, readings)
        VALUES (${id}, ${viewId}, ${day}, ${sources}, ${readings})
        ON CONFLICT (subscription, view_id) DO UPDATE SET sources = excluded.sources, readings = excluded.readings
          WHERE watched_scenes.sources <> excluded.sources
        RETURNING view_id`,
    );
    if (stored.length === 0) return false;
    yield* insertEvents(id, events, at);
    return true;
  },

  *leaseCheck(
    { nowMs, leaseMs, exceptOwners = [] }: Parameters<WatchStore['leaseCheck']>[0],
    token: string,
  ): SqlProgram<Subscription | null> {
    const isFree = sql`is_paused = 0 AND next_check_at <= ${nowMs} AND leased_until <= ${nowMs}`;
    const isOfOthers = exceptOwners.length === 0 ? raw('') : sql`AND owner NOT IN (${toList(exceptOwners)})`;
    for (;;) {
      const [due] = yield* ask<{ id: string }>(
        sql`SELECT id FROM subscriptions WHERE ${isFree} ${isOfOthers} ORDER BY next_check_at, id LIMIT 1`,
      );
      if (due === undefined) return null;
      const [row] = yield* ask<SubscriptionRow>(
        sql`UPDATE subscriptions SET leased_until = ${nowMs + leaseMs}, token = ${token}
          WHERE id = ${due.id} AND ${isFree} RETURNING ${COLUMNS}`,
      );
      // Another process may lease the row between the two statements: the next one that is due is leased then.
      if (row !== undefined) return toSubscription(row);
    }
  },

  *renewCheck({ id, token }: CheckRef, leaseUntilMs: number): SqlProgram<boolean> {
    const rows = yield* ask(
      sql`UPDATE subscriptions SET leased_until = ${leaseUntilMs} WHERE id = ${id} AND token = ${token} RETURNING id`,
    );
    return rows.length === 1;
  },

  *endCheck({ id, token }: CheckRef, checkedAt: string | null, nextAtMs: number): SqlProgram<boolean> {
    const checked = checkedAt === null ? raw('') : sql`, checked_at = ${checkedAt}`;
    const rows = yield* ask(
      sql`UPDATE subscriptions SET leased_until = 0, token = NULL, next_check_at = ${nextAtMs} ${checked}
        WHERE id = ${id} AND token = ${token} RETURNING id`,
    );
    return rows.length === 1;
  },

  *prune(day: string, madeAt: string): SqlProgram<void> {
    yield* ask(sql`DELETE FROM watched_scenes WHERE day < ${day}`);
    yield* ask(sql`DELETE FROM watch_events WHERE made_at < ${madeAt}`);
  },

  *listEvents(id: string, after: number, limit: number): SqlProgram<readonly FeedEvent[]> {
    const rows = yield* ask<EventRow>(
      sql`SELECT position, made_at, event FROM watch_events
        WHERE subscription = ${id} AND position > ${after} ORDER BY position LIMIT ${limit}`,
    );
    return rows.map(toFeedEvent);
  },

  *lastPosition(id: string): SqlProgram<number> {
    const [row] = yield* ask<{ last_position: number | string }>(
      sql`SELECT last_position FROM subscriptions WHERE id = ${id}`,
    );
    return Number(row?.last_position ?? 0);
  },

  *leaseSending(
    { nowMs, leaseMs, maxEvents }: Parameters<WatchStore['leaseSending']>[0],
    token: string,
  ): SqlProgram<LeasedSending | null> {
    const isFree = sql`due_at <= ${nowMs} AND leased_until <= ${nowMs}`;
    const [due] = yield* ask<{ subscription: string; channel: Channel }>(
      sql`SELECT w.subscription, w.channel FROM watch_sendings w JOIN subscriptions s ON s.id = w.subscription
        WHERE w.due_at <= ${nowMs} AND w.leased_until <= ${nowMs} AND w.position < s.last_position
        ORDER BY w.due_at, w.subscription LIMIT 1`,
    );
    if (due === undefined) return null;
    const [leased] = yield* ask<SendingRow>(
      sql`UPDATE watch_sendings SET leased_until = ${nowMs + leaseMs}, token = ${token}
        WHERE subscription = ${due.subscription} AND channel = ${due.channel} AND ${isFree}
        RETURNING channel, position, attempts, due_at, last_error`,
    );
    if (leased === undefined) return null;
    const subscription = yield* findOne(sql`id = ${due.subscription}`);
    const events = yield* watchPrograms.listEvents(due.subscription, Number(leased.position), maxEvents);
    if (subscription === null) return null;
    if (events.length === 0) {
      // All that had not arrived was too old to be kept.
      const position = yield* watchPrograms.lastPosition(due.subscription);
      yield* watchPrograms.endSending(
        { id: due.subscription, channel: due.channel, token },
        { kind: 'arrived', position },
      );
      return null;
    }
    return { subscription, channel: due.channel, attempts: leased.attempts, events, token };
  },

  *endSending(
    { id, channel, token }: Parameters<WatchStore['endSending']>[0],
    end: Parameters<WatchStore['endSending']>[1],
  ): SqlProgram<boolean> {
    const changes =
      end.kind === 'arrived'
        ? sql`position = ${end.position}, attempts = 0, due_at = 0, last_error = NULL`
        : sql`attempts = attempts + 1, due_at = ${end.retryAtMs}, last_error = ${end.error}`;
    const rows = yield* ask(
      sql`UPDATE watch_sendings SET leased_until = 0, token = NULL, ${changes}
        WHERE subscription = ${id} AND channel = ${channel} AND token = ${token} RETURNING channel`,
    );
    return rows.length === 1;
  },

  *listSending(id: string): SqlProgram<readonly SendingState[]> {
    const rows = yield* ask<SendingRow>(
      sql`SELECT channel, position, attempts, due_at, last_error FROM watch_sendings
        WHERE subscription = ${id} ORDER BY channel`,
    );
    return rows.map((row) => ({
      channel: row.channel,
      position: Number(row.position),
      attempts: row.attempts,
      nextAttemptAt: row.attempts === 0 ? null : new Date(Number(row.due_at)).toISOString(),
      lastError: row.last_error,
    }));
  },
} satisfies SqlPrograms;

/** Where programs are run: those that write in one transaction each. */
interface WatchRunners {
  readonly read: RunPrograms<typeof watchPrograms>;
  readonly write: RunPrograms<typeof watchPrograms>;
}

/** The store of subscriptions over programs. Texts with the character NUL, which PostgreSQL cannot hold, find nothing. */
export function makeWatchStore({ read, write }: WatchRunners, makeToken: () => string): WatchStore {
  const isNone = (id: string): boolean => id.includes('\0');
  return {
    put: (subscription, maxPerOwner) => write('put', subscription, maxPerOwner),
    find: async (id, owner) => (isNone(id) ? null : read('find', id, owner)),
    list: (owner) => read('list', owner),
    change: async (id, owner, changes) => (isNone(id) ? null : write('change', id, owner, changes)),
    remove: async (id, owner) => (isNone(id) ? false : write('remove', id, owner)),
    removeAll: (owner) => write('removeAll', owner),
    findMeasured: async (id, viewIds) =>
      new Map((await read('findMeasured', id, viewIds)).map((row) => [row.view_id, toSources(row.sources)])),
    listMeasured: async (id, { from, to }) => (await read('listMeasured', id, from, to)).map(toScene),
    commit: (id, scene, { events, at }) => write('commit', id, toPacked(scene), events, at),
    async leaseCheck(options): Promise<LeasedCheck | null> {
      const token = makeToken();
      const subscription = await write('leaseCheck', options, token);
      return subscription === null ? null : { subscription, token };
    },
    renewCheck: (check, leaseUntilMs) => write('renewCheck', check, leaseUntilMs),
    endCheck: (check, { checkedAt, nextAtMs }) => write('endCheck', check, checkedAt, nextAtMs),
    prune: ({ day, madeAt }) => write('prune', day, madeAt),
    listEvents: (id, { after, limit }) => read('listEvents', id, after, limit),
    lastPosition: (id) => read('lastPosition', id),
    leaseSending: (options) => write('leaseSending', options, makeToken()),
    endSending: (sending, end) => write('endSending', sending, end),
    listSending: (id) => read('listSending', id),
  };
}
