import type { DatabaseSync } from 'node:sqlite';
import type {
  Lease,
  LeaseState,
  SweepRule,
  SweptTasks,
  TaskCreated,
  TaskError,
  TaskLimits,
  TaskProgress,
} from '../../../tasks/index.ts';
import type { NewCallbackRow } from '../../sql/callback-row.ts';
import type { NewTaskRow, OrderedTaskRow, OutputRow, TaskRow } from '../../sql/task-row.ts';
import { IS_STRIKE, nextTurn } from '../../sql/task-row.ts';
import { inSavepoint } from '../database/transaction.ts';
import { sharedNowMs } from './shared-clock.ts';

/** The columns of a task without its order. */
export const TASK_COLUMNS = `id, owner, kind, reference, digest, view_id, priority, estimated_bytes, timeout_s, state, token,
  done, total, attempts, deaths, alone, worker, error, result, created_at, started_at, ended_at`;

/** The longest delay or lease: what lies further ahead was written before the machine started, when its clock was ahead. */
const LONGEST_MS = 3_600_000;

const OPEN = `state IN ('queued', 'running')`;
/** As JavaScript writes times. */
const NOW = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;

/** All that changes tasks. Each call is one of several that share a commit, so it begins no transaction of its own. */
export function makeTaskOperations(
  database: DatabaseSync,
  insertCallback: (taskId: string, owner: string, row: NewCallbackRow) => void,
) {
  const findKnown = database.prepare(
    `SELECT id FROM tasks WHERE owner = ? AND reference = ? AND digest = ?
       AND state IN ('queued', 'running', 'finished') ORDER BY number DESC LIMIT 1`,
  );
  const countOwn = database.prepare(`SELECT count(*) AS n FROM tasks WHERE owner = ? AND ${OPEN}`);
  const countOpen = database.prepare(`SELECT count(*) AS n FROM tasks WHERE ${OPEN}`);
  const sumBytes = database.prepare(
    `SELECT coalesce(sum(order_bytes + CASE WHEN ${OPEN} THEN estimated_bytes ELSE result_bytes END), 0)
       + (SELECT coalesce(sum(bytes), 0) FROM task_areas WHERE owner = ?1) AS n
     FROM tasks WHERE owner = ?1`,
  );
  const countEnded = database.prepare(
    `SELECT count(*) AS n FROM tasks WHERE owner = ? AND ended_at IS NOT NULL`,
  );
  const sumAreas = database.prepare('SELECT coalesce(sum(bytes), 0) AS n FROM task_areas WHERE owner = ?');
  const hasArea = database.prepare('SELECT 1 FROM task_areas WHERE owner = ? AND digest = ?');
  const insertArea = database.prepare(
    'INSERT INTO task_areas (owner, digest, bytes, json) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const insertOrder = database.prepare('INSERT INTO task_orders (task_id, body) VALUES (?, ?)');
  const insertDocument = database.prepare('INSERT INTO task_documents (task_id, document) VALUES (?, ?)');
  const findTurn = database.prepare(nextTurn('?'));
  const insert = database.prepare(
    `INSERT INTO tasks (id, owner, kind, reference, digest, state, priority, turn, token, attempts, deaths, ready_at, done,
       total, timeout_s, estimated_bytes, result_bytes, created_at, view_id, order_bytes, area)
     VALUES (?, ?, ?, ?, ?, 'queued', ?, ?, 0, 0, 0, 0, 0, 0, ?, ?, 0, ${NOW}, ?, ?, ?)`,
  );
  const findReady = database.prepare(
    `SELECT number FROM tasks WHERE state = 'queued' AND (ready_at <= ?1 OR ready_at > ?1 + ${LONGEST_MS})
       AND owner NOT IN (SELECT value FROM json_each(?3)) AND deaths = 0
     ORDER BY priority DESC, turn, number LIMIT ?2`,
  );
  const findAlone = database.prepare(
    `SELECT number FROM tasks WHERE state = 'queued' AND deaths > 0
       AND (ready_at <= ?1 OR ready_at > ?1 + ${LONGEST_MS}) ORDER BY deaths, number LIMIT 1`,
  );
  const lease = database.prepare(
    `UPDATE tasks SET state = 'running', token = token + 1, worker = ?, lease_until = ?, alone = deaths > 0, done = 0, total = 0,
       started_at = coalesce(started_at, ${NOW})
     WHERE number = ? RETURNING ${TASK_COLUMNS},
       (SELECT body FROM task_orders WHERE task_id = tasks.id) AS body,
       (SELECT json FROM task_areas WHERE owner = tasks.owner AND digest = tasks.area) AS area_json`,
  );
  const renew = database.prepare(
    `UPDATE tasks SET lease_until = ?, done = ?, total = ? WHERE id = ? AND token = ? AND state = 'running'`,
  );
  const finish = database.prepare(
    `UPDATE tasks SET state = 'finished', result = ?, result_bytes = ?, error = NULL, done = total, ended_at = ${NOW}
     WHERE id = ? AND token = ? AND state = 'running'`,
  );
  const failForGood = database.prepare(
    `UPDATE tasks SET state = 'failed', error = ?, ended_at = ${NOW} WHERE id = ? AND token = ? AND state = 'running'`,
  );
  const tryAgain = database.prepare(
    `UPDATE tasks SET state = 'queued', error = ?, attempts = attempts + 1, ready_at = ?
     WHERE id = ? AND token = ? AND state = 'running'`,
  );
  const release = database.prepare(
    `UPDATE tasks SET state = 'queued', ready_at = 0 WHERE id = ? AND token = ? AND state = 'running'`,
  );
  const cancel = database.prepare(
    `UPDATE tasks SET state = 'cancelled', ended_at = ${NOW} WHERE id = ? AND ${OPEN}`,
  );
  const retry = database.prepare(
    `UPDATE tasks SET state = 'queued', attempts = 0, deaths = 0, strikes = 0, died_alone_at = NULL, error = NULL, started_at = NULL, ended_at = NULL,
       created_at = ${NOW}, ready_at = 0
     WHERE id = ? AND state IN ('failed', 'cancelled')`,
  );
  const lapsed = `state = 'running' AND (lease_until < ?1 OR lease_until > ?1 + ${LONGEST_MS})`;
  const died = `deaths = deaths + 1, strikes = strikes + ${IS_STRIKE},
    died_alone_at = CASE WHEN alone = 1 THEN ${NOW} ELSE died_alone_at END`;
  const killAfterDeaths = database.prepare(
    `UPDATE tasks SET state = 'failed', ${died}, error = ?2, ended_at = ${NOW}
     WHERE ${lapsed} AND alone = 1 AND (strikes + ${IS_STRIKE} >= ?3 OR deaths + 1 >= ?4)`,
  );
  const requeueLapsed = database.prepare(
    `UPDATE tasks SET state = 'queued', ${died}, ready_at = 0 WHERE ${lapsed}`,
  );
  const failOverdue = database.prepare(
    `UPDATE tasks SET state = 'failed', error = ?, ended_at = ${NOW}
     WHERE ${OPEN} AND unixepoch(created_at) + timeout_s <= unixepoch('now')`,
  );
  const prune = database.prepare(
    `DELETE FROM tasks WHERE number IN (
       SELECT number FROM tasks WHERE ended_at < ? AND (?2 IS NULL OR owner = ?2) ORDER BY ended_at LIMIT ?)
     RETURNING ${TASK_COLUMNS}`,
  );
  const trim = database.prepare(
    `DELETE FROM tasks WHERE number IN (
       SELECT number FROM tasks WHERE owner = ?1 AND ended_at IS NOT NULL ORDER BY ended_at, number
       LIMIT min(?3, max(0, (SELECT count(*) FROM tasks WHERE owner = ?1 AND ended_at IS NOT NULL) - ?2)))
     RETURNING ${TASK_COLUMNS}`,
  );
  const remove = database.prepare(`DELETE FROM tasks WHERE id = ? AND NOT ${OPEN} RETURNING ${TASK_COLUMNS}`);
  const stateOf = database.prepare('SELECT state FROM tasks WHERE id = ?');

  const countOf = (row: unknown): number => (row as { n: number }).n;
  const changed = ({ changes }: { changes: number | bigint }): boolean => Number(changes) === 1;

  function findFull(row: NewTaskRow, limits: TaskLimits): TaskCreated | null {
    const open = countOf(countOwn.get(row.owner));
    if (open + 1 > limits.openPerOwner) return { kind: 'full', limit: 'openPerOwner', used: open };
    const all = countOf(countOpen.get());
    if (all + 1 > limits.open) return { kind: 'full', limit: 'open', used: all };
    const bytes = countOf(sumBytes.get(row.owner));
    const { owner, estimated_bytes, order_bytes, area } = row;
    const areaBytes = area === null || hasArea.get(owner, area.digest) !== undefined ? 0 : area.bytes;
    if (bytes + estimated_bytes + order_bytes + areaBytes > limits.bytesPerOwner)
      return { kind: 'full', limit: 'bytesPerOwner', used: bytes };
    if (areaBytes === 0) return null;
    const areas = countOf(sumAreas.get(owner));
    if (areas + areaBytes <= limits.areaBytesPerOwner) return null;
    return { kind: 'full', limit: 'areaBytesPerOwner', used: areas };
  }

  return {
    create: (row: NewTaskRow, limits: TaskLimits, callback: NewCallbackRow | null): TaskCreated =>
      inSavepoint(database, () => {
        const { id, owner, kind, reference, digest, priority } = row;
        const known = findKnown.get(owner, reference, digest) as { id: string } | undefined;
        if (known !== undefined) return { kind: 'known', id: known.id };
        const full = findFull(row, limits);
        if (full !== null) return full;
        const { turn } = findTurn.get(owner) as { turn: number };
        const { timeout_s, estimated_bytes, view_id, order_bytes, body, area } = row;
        const order = [timeout_s, estimated_bytes, view_id, order_bytes, area?.digest ?? null];
        insert.run(id, owner, kind, reference, digest, priority, turn, ...order);
        insertOrder.run(id, body);
        if (area !== null) insertArea.run(owner, area.digest, area.bytes, area.json);
        if (callback !== null) insertCallback(id, owner, callback);
        return { kind: 'created', ended: countOf(countEnded.get(owner)) };
      }),
    lease: (
      worker: string,
      max: number,
      leaseMs: number,
      exceptOwners: readonly string[],
      isIdle: boolean,
    ): readonly OrderedTaskRow[] =>
      inSavepoint(database, () => {
        const nowMs = sharedNowMs();
        const alone = findAlone.get(nowMs) as { number: number } | undefined;
        if (alone !== undefined && !isIdle) return [];
        const ready =
          alone === undefined
            ? (findReady.all(nowMs, max, JSON.stringify(exceptOwners)) as { number: number }[])
            : [alone];
        return ready.map(({ number }) => ({
          ...(lease.get(worker, nowMs + leaseMs, number) as unknown as OrderedTaskRow),
        }));
      }),
    renew: ({ id, token }: Lease, { done, total }: TaskProgress, leaseMs: number): LeaseState => {
      if (changed(renew.run(sharedNowMs() + leaseMs, done, total, id, token))) return 'held';
      const { state } = (stateOf.get(id) ?? { state: 'gone' }) as { state: string };
      return state === 'queued' || state === 'running' ? 'lost' : 'over';
    },
    finish: ({ id, token }: Lease, { result, document, bytes }: OutputRow): boolean =>
      inSavepoint(database, () => {
        if (!changed(finish.run(result, bytes, id, token))) return false;
        if (document !== null) insertDocument.run(id, document);
        return true;
      }),
    fail: ({ id, token }: Lease, error: TaskError, retryInMs: number | null): boolean => {
      const text = JSON.stringify(error);
      if (retryInMs === null) return changed(failForGood.run(text, id, token));
      return changed(tryAgain.run(text, sharedNowMs() + Math.min(retryInMs, LONGEST_MS), id, token));
    },
    release: ({ id, token }: Lease): boolean => changed(release.run(id, token)),
    cancel: (id: string): boolean => changed(cancel.run(id)),
    remove: (id: string): TaskRow | null => {
      const row = remove.get(id) as TaskRow | undefined;
      return row === undefined ? null : { ...row };
    },
    retry: (id: string): boolean => changed(retry.run(id)),
    sweep: ({ maxStrikes, maxDeaths, death, timeout }: SweepRule): SweptTasks =>
      inSavepoint(database, () => {
        const nowMs = sharedNowMs();
        const dead = Number(killAfterDeaths.run(nowMs, JSON.stringify(death), maxStrikes, maxDeaths).changes);
        const requeued = Number(requeueLapsed.run(nowMs).changes);
        const overdue = Number(failOverdue.run(JSON.stringify(timeout)).changes);
        return { requeued, failed: dead + overdue };
      }),
    prune: (endedBefore: string, owner: string | null, max: number): readonly TaskRow[] =>
      (prune.all(endedBefore, owner, max) as unknown as TaskRow[]).map((row) => ({ ...row })),
    trim: (owner: string, keep: number, max: number): readonly TaskRow[] =>
      (trim.all(owner, keep, max) as unknown as TaskRow[]).map((row) => ({ ...row })),
  };
}
