import type { NewCallback, TaskCreated, TaskLimits } from '../../../tasks/index.ts';
import type { NewCallbackRow } from '../../sql/callbacks.ts';
import { toCallbackRow } from '../../sql/callbacks.ts';
import { sql } from '../../sql/sql.ts';
import type { NewTaskRow, TaskAreaRow } from '../../sql/tasks.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import type { TaskEvents } from './task-queue.ts';
import { lockTasksOf } from './write-locks.ts';

/** A task to store if it is new and within the limits. */
export interface TaskToCreate {
  readonly row: NewTaskRow;
  readonly limits: TaskLimits;
  readonly callback: NewCallback | null;
}

interface CreateDeps {
  readonly held: SqlClient;
  readonly events: TaskEvents;
}

/** Stores and queues tasks in the transaction of `held`; returns the outcome of each, in order. */
export async function createTasks(
  orders: readonly TaskToCreate[],
  { held, events }: CreateDeps,
): Promise<readonly TaskCreated[]> {
  const owners = [...new Set(orders.map(({ row }) => row.owner))];
  await lockTasksOf(held, owners);
  const { known, usage } = await readRoom(held, orders, owners);
  const areas = await readStoredAreas(
    held,
    orders.map(({ row }) => row),
  );
  const added: (NewTaskRow & { readonly turn: number })[] = [];
  const created = orders.map((order, i) => {
    const { row } = order;
    const same = known[i] ?? added.find((other) => isSame(row, other))?.id;
    if (same !== undefined) return { kind: 'known', id: same } as const;
    const areaBytes = areas.bytesOf(row);
    const newBytes = row.estimated_bytes + row.order_bytes + areaBytes;
    const full = findLimit(usage, order, newBytes) ?? findAreaLimit(areas, order, areaBytes);
    if (full !== null) return full;
    areas.add(row);
    added.push({ ...row, turn: addUsage(usage, row, newBytes) });
    return { kind: 'created', ended: ownerIn(usage, row.owner).ended } as const;
  });
  if (added.length > 0) {
    await areas.write();
    const rows = added.map((row) => ({ ...row, area: row.area?.digest ?? null }));
    await events.change(held, 'queued', { sql: INSERT, values: [JSON.stringify(rows)] });
    for (const [i, { row, callback }] of orders.entries()) {
      if (created[i]?.kind === 'created' && callback !== null)
        await insertCallback(held, row, toCallbackRow(callback));
    }
  }
  for (const [owner, { parts }] of usage.owners) if (parts > USAGE_PARTS) await mergeUsage(held, owner);
  return created;
}

const INSERT = `INSERT INTO tasks (id, owner, kind, reference, digest, state, priority, turn, token, attempts, deaths, done,
    total, timeout_s, estimated_bytes, result_bytes, created_at, body, view_id, order_bytes, area, traceparent)
  SELECT id, owner, kind, reference, digest, 'queued', priority, turn, 0, 0, 0, 0, 0, timeout_s, estimated_bytes, 0, now(),
    body, view_id, order_bytes, area, traceparent
  FROM ROWS FROM (json_to_recordset(?::json) AS (id text, owner text, kind text, reference text, digest text,
    priority integer, turn integer, timeout_s integer, estimated_bytes bigint, body text, view_id text, order_bytes bigint,
    area text, traceparent text)) WITH ORDINALITY
  ORDER BY ordinality`;

const isSame = (one: NewTaskRow, other: NewTaskRow): boolean =>
  one.owner === other.owner && one.reference === other.reference && one.digest === other.digest;

/** Usage and queue turns, updated while tasks are added. */
interface Usage {
  open: number;
  /** The first turn in the queue; null when nothing is queued. */
  queued: number | null;
  /** The last turn of a running task; 0 if there is none. */
  readonly running: number;
  readonly owners: ReadonlyMap<string, OwnerUsage>;
}

interface OwnerUsage {
  open: number;
  /** Ended tasks. */
  readonly ended: number;
  bytes: number;
  /** The last turn of the owner's open tasks; null if there are none. */
  turn: number | null;
  /** The number of rows that add up to the usage. */
  readonly parts: number;
}

interface RoomRow {
  readonly owner: string;
  readonly open: string | null;
  readonly ended: string | null;
  readonly bytes: string | null;
  readonly parts: string;
  readonly turn: number | null;
  readonly known: readonly (string | null)[];
  readonly all_open: string | null;
  readonly queued: number | null;
  readonly running: number | null;
}

interface Room {
  /** The existing task of each order. */
  readonly known: readonly (string | null)[];
  readonly usage: Usage;
}

/** Reads everything that new tasks depend on, in one round trip. */
async function readRoom(
  client: SqlClient,
  orders: readonly TaskToCreate[],
  owners: readonly string[],
): Promise<Room> {
  const rows = await client.query<RoomRow>({
    sql: READ_ROOM,
    values: [
      orders.map(({ row }) => row.owner),
      orders.map(({ row }) => row.reference),
      orders.map(({ row }) => row.digest),
      owners,
    ],
  });
  // Each owner has a row, and there is at least one owner.
  const { known, all_open, queued, running } = rows[0] as RoomRow;
  const usages = rows.map(({ owner, open, ended, bytes, parts, turn }): [string, OwnerUsage] => [
    owner,
    { open: Number(open), ended: Number(ended), bytes: Number(bytes), parts: Number(parts), turn },
  ]);
  return { known, usage: { open: Number(all_open), queued, running: running ?? 0, owners: new Map(usages) } };
}

const READ_ROOM = `
  WITH shared AS MATERIALIZED (
    SELECT
      ARRAY(
        SELECT (SELECT id FROM tasks WHERE owner = asked.owner AND reference = asked.reference AND digest = asked.digest
            AND state IN ('queued', 'running', 'finished') ORDER BY number DESC LIMIT 1)
        FROM unnest(?::text[], ?::text[], ?::text[]) WITH ORDINALITY AS asked (owner, reference, digest, serial)
        ORDER BY serial) AS known,
      (SELECT sum(open) FROM task_usage) AS all_open,
      (SELECT min(turn) FROM tasks WHERE state = 'queued') AS queued,
      (SELECT max(turn) FROM tasks WHERE state = 'running') AS running
  )
  SELECT asked.owner, own.*, shared.*,
    (SELECT max(turn) FROM tasks WHERE owner = asked.owner AND state IN ('queued', 'running')) AS turn
  FROM shared, unnest(?::text[]) AS asked (owner), LATERAL (
    SELECT sum(open) AS open, sum(ended) AS ended, sum(bytes) AS bytes, count(*) AS parts
    FROM task_usage WHERE task_usage.owner = asked.owner) own`;

const ownerIn = (usage: Usage, owner: string): OwnerUsage => usage.owners.get(owner) as OwnerUsage;

/** The limit that a task would exceed, with the current usage. */
function findLimit(usage: Usage, { row, limits }: TaskToCreate, newBytes: number): TaskCreated | null {
  const own = ownerIn(usage, row.owner);
  if (own.open + 1 > limits.openPerOwner) return { kind: 'full', limit: 'openPerOwner', used: own.open };
  if (usage.open + 1 > limits.open) return { kind: 'full', limit: 'open', used: usage.open };
  if (own.bytes + newBytes > limits.bytesPerOwner) {
    return { kind: 'full', limit: 'bytesPerOwner', used: own.bytes };
  }
  return null;
}

/** The same for its area, if that is new. */
function findAreaLimit(
  areas: StoredAreas,
  { row, limits }: TaskToCreate,
  areaBytes: number,
): TaskCreated | null {
  const used = areas.bytesOfOwner(row.owner);
  if (areaBytes === 0 || used + areaBytes <= limits.areaBytesPerOwner) return null;
  return { kind: 'full', limit: 'areaBytesPerOwner', used };
}

/** Counts a new task and returns its turn: one after the owner's last turn, and not before the first in the queue. */
function addUsage(usage: Usage, { owner }: NewTaskRow, newBytes: number): number {
  const own = ownerIn(usage, owner);
  const front = usage.queued ?? usage.running;
  const turn = own.turn === null ? front : Math.max(own.turn + 1, front);
  own.open += 1;
  own.bytes += newBytes;
  own.turn = turn;
  usage.open += 1;
  usage.queued ??= turn;
  return turn;
}

/** From this many rows on an owner's usage is merged into one row: their sum takes a few microseconds. */
const USAGE_PARTS = 16;

/** Merges the usage of an owner whose tasks are locked. Rows that are added meanwhile are not merged. */
async function mergeUsage(client: SqlClient, owner: string): Promise<void> {
  await client.query({
    sql: `WITH parts AS (DELETE FROM task_usage WHERE owner = ? RETURNING owner, open, ended, bytes)
          INSERT INTO task_usage (owner, open, ended, bytes)
            SELECT owner, sum(open), sum(ended), sum(bytes) FROM parts GROUP BY owner`,
    values: [owner],
  });
}

/** Stores the callback of a new task, in the transaction of its creation. */
async function insertCallback(
  held: SqlClient,
  { id, owner }: { readonly id: string; readonly owner: string },
  { url, form, public_url }: NewCallbackRow,
): Promise<void> {
  await held.query(
    sql`INSERT INTO callbacks (task_id, owner, url, form, public_url, state, token, attempts)
        VALUES (${id}, ${owner}, ${url}, ${form}, ${public_url}, 'waiting', 0, 0)`,
  );
}

/** The area of a task. */
interface NeededArea {
  readonly owner: string;
  readonly area: string | null;
}

const toKey = (owner: string, digest: string): string => `${owner} ${digest}`;

/** The areas of owners whose tasks are locked, updated while tasks are added. */
interface StoredAreas {
  /** Bytes that the area of a task adds: 0 if it is already stored. */
  bytesOf(row: NewTaskRow): number;
  /** Bytes of all areas of an owner. */
  bytesOfOwner(owner: string): number;
  add(row: NewTaskRow): void;
  /** Stores the added areas. */
  write(): Promise<void>;
}

/** Finds the areas of orders that are already stored. */
async function readStoredAreas(held: SqlClient, rows: readonly NewTaskRow[]): Promise<StoredAreas> {
  const needed = rows.flatMap(({ owner, area }) => (area === null ? [] : [{ owner, digest: area.digest }]));
  const found =
    needed.length === 0
      ? []
      : await held.query<{ owner: string; digest: string }>({
          sql: `SELECT owner, digest FROM task_areas
                WHERE (owner, digest) IN (SELECT * FROM unnest(?::text[], ?::text[]))`,
          values: [needed.map(({ owner }) => owner), needed.map(({ digest }) => digest)],
        });
  const sums =
    needed.length === 0
      ? []
      : await held.query<{ owner: string; bytes: string }>({
          sql: 'SELECT owner, sum(bytes) AS bytes FROM task_areas WHERE owner = ANY(?::text[]) GROUP BY owner',
          values: [needed.map(({ owner }) => owner)],
        });
  const inUse = new Map(sums.map(({ owner, bytes }) => [owner, Number(bytes)]));
  const known = new Set(found.map(({ owner, digest }) => toKey(owner, digest)));
  const added: (TaskAreaRow & { readonly owner: string })[] = [];
  return {
    bytesOf: ({ owner, area }) => (area === null || known.has(toKey(owner, area.digest)) ? 0 : area.bytes),
    bytesOfOwner: (owner) => inUse.get(owner) ?? 0,
    add({ owner, area }) {
      if (area === null || known.has(toKey(owner, area.digest))) return;
      known.add(toKey(owner, area.digest));
      inUse.set(owner, (inUse.get(owner) ?? 0) + area.bytes);
      added.push({ owner, ...area });
    },
    async write() {
      if (added.length === 0) return;
      await held.query({
        sql: `INSERT INTO task_areas (owner, digest, bytes, json)
              SELECT * FROM unnest(?::text[], ?::text[], ?::bigint[], ?::text[])`,
        values: [
          added.map(({ owner }) => owner),
          added.map(({ digest }) => digest),
          added.map(({ bytes }) => bytes),
          added.map(({ json }) => json),
        ],
      });
    },
  };
}

/**
 * Removes the areas of removed and finished tasks, unless another task may still need them. Holds the locks of their
 * owners, because a task that is being created may need one of them.
 */
export async function removeUnusedAreas(held: SqlClient, tasks: readonly NeededArea[]): Promise<void> {
  const areas = tasks.flatMap(({ owner, area }) => (area === null ? [] : [{ owner, area }]));
  if (areas.length === 0) return;
  const owners = areas.map(({ owner }) => owner);
  await lockTasksOf(held, owners);
  await held.query({
    sql: `DELETE FROM task_areas WHERE (owner, digest) IN (SELECT * FROM unnest(?::text[], ?::text[]))
            AND NOT EXISTS (SELECT 1 FROM tasks
              WHERE owner = task_areas.owner AND area = task_areas.digest AND state <> 'finished')`,
    values: [owners, areas.map(({ area }) => area)],
  });
}
