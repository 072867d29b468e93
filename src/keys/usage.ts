/** What keys use, by day: counted in memory, stored in batches, and held to the daily quotas of their roles. */

import { makeSerialWork } from '../async/index.ts';
import { isUnavailable } from '../errors.ts';
import { makeLru } from '../lru.ts';
import { DAY_MS } from '../units.ts';
import { notAllowed } from './errors.ts';
import type { KeyRecord, Role } from './keys.ts';

/** What a key has used on a day. */
export interface Usage {
  /** Answered requests, except those that a limit refused. */
  readonly requests: number;
  /** Pictures that were sent, or confirmed as unchanged. */
  readonly tiles: number;
  /** Bytes of answers, without their headers. */
  readonly bytes: number;
  /** Tasks that were ordered. */
  readonly tasks: number;
  /** Milliseconds that pixel threads worked, for pictures, numbers and tasks. */
  readonly threadMs: number;
}

/** Usage of one key on one day. */
export interface UsageRow extends Usage {
  readonly keyId: string;
  /** The day in UTC, as 2026-11-18. */
  readonly day: string;
}

/** Which rows are meant; both days are included. */
export interface UsageQuery {
  /** Null for all keys. */
  readonly keyIds: readonly string[] | null;
  readonly from: string;
  readonly to: string;
  /** At most this many rows. */
  readonly limit: number;
}

/** Where usage is stored. */
export interface UsageStore {
  /**
   * Adds counts to what is stored and returns the new sums of these keys and days, of all nodes. Of several callers at
   * once, also on several nodes, no count is lost. Each key and day is in the list once.
   */
  add(rows: readonly UsageRow[]): Promise<readonly UsageRow[]>;
  /** Sorted by day and key. */
  list(query: UsageQuery): Promise<readonly UsageRow[]>;
  /** Removes rows of days before this one. */
  prune(before: string): Promise<void>;
}

/** Counts what keys use. */
export interface UsageCounter {
  /** Adds to the usage of today, in memory. */
  count(keyId: string, amounts: Partial<Usage>): void;
  countTask(keyId: string): void;
  /** Adds the time of a job to the usage of the key that it ran for. */
  countJob(job: { readonly owner: string; readonly ranMs: number }): void;
  /**
   * What a key has used today. The first question about a key on a day reads the store; later ones are answered from
   * memory, where the counts of other nodes arrive with the flush that follows a request here.
   */
  readToday(keyId: string): Promise<Usage>;
  /** Stored usage, with what this node has counted since its last flush. */
  list(query: UsageQuery): Promise<readonly UsageRow[]>;
  /** Stores what was counted since the last flush; a failure keeps it for the next one. */
  flush(): Promise<void>;
  /** Removes what is older than `USAGE_MONTHS`. */
  prune(): Promise<void>;
}

interface UsageCounterDeps {
  readonly store: UsageStore;
  /** The wall clock. */
  readonly nowMs: () => number;
  readonly onFailure: (error: unknown) => void;
}

/** How often counts are stored: other nodes see them that late, and a killed node loses that much. */
export const USAGE_FLUSH_MS = 10_000;

/** How long usage is stored: two years can be compared month by month. */
const USAGE_MONTHS = 24;

/** The first day that is stored, by the calendar in UTC. */
export function toFirstUsageDay(nowMs: number): string {
  const now = new Date(nowMs);
  return toUsageDay(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - USAGE_MONTHS, 1));
}

/** Keys whose sums of today are cached; the sums of others are read from the store again. */
const MAX_KEYS = 10_000;

const NOTHING: Usage = { requests: 0, tiles: 0, bytes: 0, tasks: 0, threadMs: 0 };

const sum = (one: Usage, other: Partial<Usage> | undefined): Usage => ({
  requests: one.requests + (other?.requests ?? 0),
  tiles: one.tiles + (other?.tiles ?? 0),
  bytes: one.bytes + (other?.bytes ?? 0),
  tasks: one.tasks + (other?.tasks ?? 0),
  threadMs: one.threadMs + (other?.threadMs ?? 0),
});

/** The day of a time, in UTC. */
export const toUsageDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Builds the counter. */
export function makeUsageCounter({ store, nowMs, onFailure }: UsageCounterDeps): UsageCounter {
  // By key and day; `flying` is what a flush in flight stores.
  let pending = new Map<string, UsageRow>();
  let flying = new Map<string, UsageRow>();
  const stored = makeLru<Usage>({ max: MAX_KEYS });
  let flushes = 0;
  let today = { number: -1, text: '' };

  function findDay(): string {
    const number = Math.floor(nowMs() / DAY_MS);
    if (number !== today.number) today = { number, text: toUsageDay(nowMs()) };
    return today.text;
  }
  const toId = (keyId: string, day: string): string => `${day} ${keyId}`;

  function addTo(rows: Map<string, UsageRow>, { keyId, day }: UsageRow, amounts: Partial<Usage>): void {
    const id = toId(keyId, day);
    rows.set(id, { keyId, day, ...sum(rows.get(id) ?? NOTHING, amounts) });
  }

  const flushing = makeSerialWork(async () => {
    if (pending.size === 0) return;
    [flying, pending] = [pending, new Map()];
    flushes += 1;
    try {
      for (const row of await store.add([...flying.values()])) stored.set(toId(row.keyId, row.day), row);
    } catch (error) {
      for (const row of flying.values()) addTo(pending, row, row);
      throw error;
    } finally {
      flying = new Map();
    }
  }, onFailure);

  /** Reads while no flush moves counts from here to the store, which would count them twice or not at all. */
  async function readUnchanged(query: UsageQuery): Promise<Map<string, UsageRow>> {
    for (let attempt = 1; ; attempt += 1) {
      await flushing.settled();
      const before = flushes;
      const rows = await store.list(query);
      if (flushes === before || attempt === 3)
        return new Map(rows.map((row) => [toId(row.keyId, row.day), row]));
    }
  }

  const count = (keyId: string, amounts: Partial<Usage>): void =>
    addTo(pending, { keyId, day: findDay(), ...NOTHING }, amounts);

  return {
    count,
    countTask: (keyId) => count(keyId, { tasks: 1 }),
    countJob: ({ owner, ranMs }) => count(owner, { threadMs: ranMs }),
    async readToday(keyId) {
      const day = findDay();
      const id = toId(keyId, day);
      if (stored.get(id) === undefined) {
        const [row] = await store.list({ keyIds: [keyId], from: day, to: day, limit: 1 });
        // A flush that ended during the read has cached a newer sum.
        if (stored.get(id) === undefined) stored.set(id, row ?? NOTHING);
      }
      return sum(sum(stored.get(id) ?? NOTHING, flying.get(id)), pending.get(id));
    },
    async list(query) {
      const { keyIds, from, to, limit } = query;
      const rows = await readUnchanged(query);
      for (const row of pending.values()) {
        const isAsked = row.day >= from && row.day <= to && (keyIds === null || keyIds.includes(row.keyId));
        if (isAsked) addTo(rows, row, row);
      }
      return [...rows.entries()]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, row]) => row)
        .slice(0, limit);
    },
    flush: () => flushing.request(),
    prune: () => store.prune(toFirstUsageDay(nowMs())).catch(onFailure),
  };
}

/** A number for some roles; others have no limit. */
export type ByRole = Partial<Readonly<Record<Role, number>>>;

/** What has a quota for each day. */
export type DailyAmount = 'requests' | 'tasks';

/** How much the keys of a role may use on a day (UTC). */
export type DailyQuotas = Readonly<Record<DailyAmount, ByRole>>;

/** Refuses what is beyond the quotas of a key's role. */
export interface Quotas {
  /** Throws 429 `daily-quota`, with the time until the next day, if the key has used up its quota. */
  admit(key: Pick<KeyRecord, 'id' | 'role'>, amount: DailyAmount): Promise<void>;
  /** The same for the id of a key; what belongs to no key has no quota. */
  admitOwner(keyId: string, amount: DailyAmount): Promise<void>;
  /** Checks whether the owner of a task may order it. */
  admitTask(keyId: string): Promise<void>;
  /** The quota of a role; null for none. */
  find(role: Role, amount: DailyAmount): number | null;
}

interface QuotasDeps {
  readonly quotas: DailyQuotas;
  readonly usage: Pick<UsageCounter, 'readToday'>;
  readonly findKey: (id: string) => Promise<KeyRecord | null>;
  /** The wall clock. */
  readonly nowMs: () => number;
}

/**
 * Builds the check. All nodes of a database count together, but a node learns the counts of others only with a flush: until
 * then, each admits what is left of the quota. While the store does not answer, requests of keys whose usage is not known are
 * admitted, as by other rates.
 */
export function makeQuotas({ quotas, usage, findKey, nowMs }: QuotasDeps): Quotas {
  const find = (role: Role, amount: DailyAmount): number | null => quotas[amount][role] ?? null;
  const hasAny = (amount: DailyAmount): boolean => Object.keys(quotas[amount]).length > 0;

  async function readUsed(id: string, amount: DailyAmount): Promise<number> {
    try {
      return (await usage.readToday(id))[amount];
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return 0;
    }
  }

  return { find, admit, admitOwner, admitTask: (keyId) => admitOwner(keyId, 'tasks') };

  async function admitOwner(keyId: string, amount: DailyAmount): Promise<void> {
    const key = hasAny(amount) ? await findKey(keyId) : null;
    if (key !== null) await admit(key, amount);
  }

  async function admit({ id, role }: Pick<KeyRecord, 'id' | 'role'>, amount: DailyAmount): Promise<void> {
    const max = find(role, amount);
    if (max === null || (await readUsed(id, amount)) < max) return;
    const endMs = (Math.floor(nowMs() / DAY_MS) + 1) * DAY_MS;
    throw notAllowed(
      'daily-quota',
      `This key has used its ${max} ${amount} of today, the quota of the role "${role}"; the next day begins at ${toUsageDay(endMs)}T00:00:00Z.`,
      { details: { retryAfterS: Math.ceil((endMs - nowMs()) / 1000), rateLimit: max } },
    );
  }
}
