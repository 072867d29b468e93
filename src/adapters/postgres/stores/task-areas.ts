import type { NewTaskRow, TaskAreaRow } from '../../sql/task-rows.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import { lockTasksOf } from './write-locks.ts';

/** An area of an owner, as a task that needs it says it. */
interface NeededArea {
  readonly owner: string;
  readonly area: string | null;
}

const toKey = (owner: string, digest: string): string => `${owner} ${digest}`;

/** The areas of owners whose tasks are locked, as they grow while tasks are added. */
export interface StoredAreas {
  /** What the area of a task adds: 0 for one that is stored already. */
  bytesOf(row: NewTaskRow): number;
  /** What all areas of an owner take. */
  bytesOfOwner(owner: string): number;
  add(row: NewTaskRow): void;
  /** Stores those that were added. */
  write(): Promise<void>;
}

/** Finds which areas of orders are stored already. */
export async function readStoredAreas(held: SqlClient, rows: readonly NewTaskRow[]): Promise<StoredAreas> {
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
 * Removes the areas of tasks that were removed or have finished, unless another task may still run with them. Under the lock
 * of their owners: a task that is being created may need one of them.
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
