import type { Lease, SweepRule, TaskError, TaskProgress, TaskState } from '../../tasks/index.ts';
import type { QueueDialect } from './lease-queue.ts';
import { makeLeaseQueue } from './lease-queue.ts';
import type { Clause } from './sql-clause.ts';
import { raw, sql } from './sql-clause.ts';

/** Who asks for tasks, and for how many. */
interface LeaseOptions {
  readonly worker: string;
  readonly max: number;
  readonly isIdle: boolean;
  readonly leaseMs: number;
  readonly exceptOwners: readonly string[];
}

/** The end of a task: where its result comes from, and which tasks it is the end of. */
interface FinishOptions {
  readonly changes: Clause;
  /** A list to take the changes from; nothing for a single task. */
  readonly from?: Clause;
  readonly which: Clause;
}

const OPEN = raw(`state IN ('queued', 'running')`);
const WAITS_ALONE = raw(`state = 'queued' AND deaths > 0`);
const WAITS = raw(`state = 'queued' AND deaths = 0`);

/** 1 for a task that died alone, unless another one has since its last death alone: then something else kills workers. */
const IS_STRIKE = raw(`CASE WHEN alone = 1 AND NOT EXISTS (SELECT 1 FROM tasks other
  WHERE other.id <> tasks.id AND other.died_alone_at > tasks.died_alone_at) THEN 1 ELSE 0 END`);

const to = (state: TaskState): Clause => raw(`state = '${state}'`);

/**
 * The state machine of tasks, the same on every database:
 *
 *     queued ──lease──▶ running ──finish──▶ finished
 *       ▲ ◀──release, tryAgain, requeueDead── │
 *       │                                     ├──fail, giveUpDead, failOverdue──▶ failed
 *       │                                     └──cancel──▶ cancelled
 *       └──retry── failed, cancelled
 *
 * A queued task can also be cancelled, or outlive its time. Each transition is one statement, which changes nothing where
 * the task is in another state or the lease is not the last one.
 */
export function makeTaskMachine(dialect: QueueDialect) {
  const { now, after, atOnce, isPast, isOverdue, isNumberIn, skipLocked } = dialect;
  const queue = makeLeaseQueue(dialect, { table: 'tasks', id: 'id' });

  const ended = sql`ended_at = ${now}`;
  const died = sql`deaths = deaths + 1, strikes = strikes + ${IS_STRIKE},
    died_alone_at = CASE WHEN alone = 1 THEN ${now} ELSE died_alone_at END`;
  const lapsed = (): Clause => sql`state = 'running' AND ${isPast('lease_until')}`;
  /** Of a task whose worker has died: whether that was once too often. */
  const isDoomed = ({ maxStrikes, maxDeaths }: SweepRule): Clause =>
    sql`(alone = 1 AND (strikes + ${IS_STRIKE} >= ${maxStrikes} OR deaths + 1 >= ${maxDeaths}))`;
  const whileRunning = (lease: Lease, changes: Clause): Clause =>
    sql`${queue.change(lease, changes)} AND state = 'running'`;
  /** Changes many tasks at once. Those that another process is changing are left to its sweep, or to the next one. */
  const changeAll = (changes: Clause, which: Clause): Clause =>
    sql`UPDATE tasks SET ${changes} WHERE ${isNumberIn(sql`SELECT number FROM tasks WHERE ${which} ${skipLocked}`)}`;

  return {
    /** While a task waits that must run alone, an idle worker gets that one, and others get nothing. */
    lease({ worker, max, isIdle, leaseMs, exceptOwners }: LeaseOptions): Clause {
      const inTurn = queue.findReady({
        waiting: WAITS,
        order: 'priority DESC, turn, number',
        max,
        exceptOwners,
      });
      const alone = queue.findReady({ waiting: WAITS_ALONE, order: 'deaths, number', max: 1 });
      const unlessAlone = sql`SELECT number FROM (${inTurn}) in_turn
        WHERE NOT EXISTS (SELECT 1 FROM tasks WHERE ${WAITS_ALONE} AND ${isPast('ready_at')})`;
      return queue.take(
        isIdle ? sql`SELECT number FROM (${alone}) alone UNION ALL ${unlessAlone}` : unlessAlone,
        sql`${to('running')}, worker = ${worker}, lease_until = ${after(leaseMs)},
          alone = CASE WHEN deaths > 0 THEN 1 ELSE 0 END, done = 0, total = 0,
          started_at = coalesce(started_at, ${now})`,
      );
    },
    renew: (lease: Lease, { done, total }: TaskProgress, leaseMs: number): Clause =>
      whileRunning(lease, sql`lease_until = ${after(leaseMs)}, done = ${done}, total = ${total}`),
    finish: ({ changes, from = raw(''), which }: FinishOptions): Clause =>
      sql`UPDATE tasks SET ${to('finished')}, ${changes}, error = NULL, done = total, ${ended}
        ${from} WHERE ${which} AND state = 'running'`,
    fail: (lease: Lease, error: TaskError): Clause =>
      whileRunning(lease, sql`${to('failed')}, error = ${JSON.stringify(error)}, ${ended}`),
    tryAgain: (lease: Lease, error: TaskError, inMs: number): Clause =>
      whileRunning(
        lease,
        sql`${to('queued')}, error = ${JSON.stringify(error)}, attempts = attempts + 1, ready_at = ${after(inMs)}`,
      ),
    release: (lease: Lease): Clause => whileRunning(lease, sql`${to('queued')}, ready_at = ${atOnce}`),
    cancel: (id: string): Clause =>
      sql`UPDATE tasks SET ${to('cancelled')}, ${ended} WHERE id = ${id} AND ${OPEN}`,
    /** As new, in its old turn. */
    retry: (id: string): Clause =>
      sql`UPDATE tasks SET ${to('queued')}, attempts = 0, deaths = 0, strikes = 0, died_alone_at = NULL, error = NULL,
          started_at = NULL, ended_at = NULL, created_at = ${now}, ready_at = ${atOnce}
        WHERE id = ${id} AND state IN ('failed', 'cancelled')`,
    giveUpDead: (rule: SweepRule): Clause =>
      changeAll(
        sql`${to('failed')}, ${died}, error = ${JSON.stringify(rule.death)}, ${ended}`,
        sql`${lapsed()} AND ${isDoomed(rule)}`,
      ),
    requeueDead: (rule: SweepRule): Clause =>
      changeAll(
        sql`${to('queued')}, ${died}, ready_at = ${atOnce}`,
        sql`${lapsed()} AND NOT ${isDoomed(rule)}`,
      ),
    failOverdue: ({ timeout }: SweepRule): Clause =>
      changeAll(
        sql`${to('failed')}, error = ${JSON.stringify(timeout)}, ${ended}`,
        sql`${OPEN} AND ${isOverdue}`,
      ),
  };
}
