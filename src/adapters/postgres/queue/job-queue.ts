import { PgBoss } from 'pg-boss';
import type { SqlClient } from '../connection/sql-client.ts';

/** A job of the queue in the hands of one worker. pg-boss counts attempts, and refuses the end of an earlier one. */
export interface JobAttempt {
  readonly id: string;
  readonly retryCount: number;
}

/** A job to be queued. */
export interface NewJob {
  readonly id: string;
  readonly owner: string;
  readonly priority: number;
}

/** The queue of tasks on pg-boss. Every call is part of the transaction of the client that it is given. */
export interface JobQueue {
  /** Resolves when the queue can be used. Awaited before a transaction: one that waits for it holds a connection. */
  ready(): Promise<void>;
  /** Higher priorities first; within one the oldest first. */
  push(client: SqlClient, jobs: readonly NewJob[]): Promise<void>;
  /** Takes jobs that need not run alone, none of `exceptOwners`. */
  take(client: SqlClient, max: number, exceptOwners: readonly string[]): Promise<readonly JobAttempt[]>;
  /** Takes the job that goes first: one that must run alone, if there is one. */
  takeFirst(client: SqlClient): Promise<JobAttempt | null>;
  /** Ends jobs; false when any of the attempts is not the current one. */
  complete(client: SqlClient, attempts: readonly JobAttempt[]): Promise<boolean>;
  /** Queues the job again; it can be taken after the delay. False when the attempt is not the current one. */
  giveBack(client: SqlClient, attempt: JobAttempt, delayMs: number): Promise<boolean>;
  /** Queues the job again, before all others, to be run alone; those with fewer deaths first. False when the attempt is not the current one. */
  giveBackAlone(client: SqlClient, attempt: JobAttempt, deaths: number): Promise<boolean>;
  /** Takes jobs out of the queue, whatever their state. */
  remove(client: SqlClient, ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const QUEUE = 'tasks';

/** The group of jobs that must run alone; the other groups are named by ids of keys, which have no spaces. */
const ALONE = 'to run alone';
/** The highest that pg-boss can store: these jobs go before all others. */
const ALONE_PRIORITY = 2_147_483_647;

/**
 * How often and how long a job may be tried is decided by the service, from its own table, so pg-boss is told not to give
 * up. A day is the longest that it lets a job be active.
 */
const QUEUE_OPTIONS = {
  retryLimit: 1_000_000,
  retryDelay: 0,
  retryBackoff: false,
  expireInSeconds: 24 * 3_600 - 1,
  retentionSeconds: 30 * 24 * 3_600,
  deleteAfterSeconds: 3_600,
};

interface JobQueueDeps {
  /**
   * For what pg-boss does outside of a caller's transaction. On connections of its own: callers that hold all others may
   * be waiting for it.
   */
  readonly client: SqlClient;
  /** Where pg-boss has its tables. */
  readonly schema: string;
  /** Told of failures of maintenance, which is tried again. */
  readonly onFailure: (error: Error) => void;
}

/** Builds the queue; pg-boss is started, and installs its tables, when it is first used. */
export function makeJobQueue({ client, schema, onFailure }: JobQueueDeps): JobQueue {
  let starting: Promise<PgBoss> | undefined;

  async function start(): Promise<PgBoss> {
    const boss = new PgBoss({
      db: toDatabase(client),
      schema,
      // Made by the migrations, which ask for no right that they do not need.
      createSchema: false,
      schedule: false,
      supervise: true,
      monitorVacuum: false,
    });
    boss.on('error', onFailure);
    await boss.start();
    await boss.createQueue(QUEUE, QUEUE_OPTIONS);
    return boss;
  }

  function started(): Promise<PgBoss> {
    starting ??= start().catch((error: unknown) => {
      // A database that is away now may be there for the next call.
      starting = undefined;
      throw error;
    });
    return starting;
  }

  return {
    ready: async () => void (await started()),
    async push(held, jobs) {
      const boss = await started();
      const rows = jobs.map(({ id, owner, priority }) => ({ id, priority, group: { id: owner } }));
      await boss.insert(QUEUE, rows, { db: toDatabase(held) });
    },
    async take(held, max, exceptOwners) {
      const boss = await started();
      const jobs = await boss.fetch(QUEUE, {
        batchSize: max,
        db: toDatabase(held),
        ignoreGroups: [...exceptOwners, ALONE],
      });
      return jobs.map(({ id, retryCount }) => ({ id, retryCount }));
    },
    async takeFirst(held) {
      const boss = await started();
      const [job] = await boss.fetch(QUEUE, { batchSize: 1, db: toDatabase(held) });
      return job === undefined ? null : { id: job.id, retryCount: job.retryCount };
    },
    async complete(held, attempts) {
      const boss = await started();
      // Deleted, not marked as complete: what became of a task is in our table, and the queue stays small.
      const response = await boss.deleteJob(QUEUE, [...attempts], { db: toDatabase(held) });
      return toAffected(response) === attempts.length;
    },
    async giveBack(held, attempt, delayMs) {
      const boss = await started();
      const db = toDatabase(held);
      if (toAffected(await boss.fail(QUEUE, attempt, null, { db })) === 0) return false;
      if (delayMs > 0) {
        await boss.update(QUEUE, undefined, { id: attempt.id, startAfter: Math.ceil(delayMs / 1000), db });
      }
      return true;
    },
    async giveBackAlone(held, attempt, deaths) {
      const boss = await started();
      const db = toDatabase(held);
      if (toAffected(await boss.fail(QUEUE, attempt, null, { db })) === 0) return false;
      const { id } = attempt;
      await boss.update(QUEUE, undefined, {
        id,
        group: { id: ALONE },
        priority: ALONE_PRIORITY - deaths,
        db,
      });
      return true;
    },
    async remove(held, ids) {
      const boss = await started();
      if (ids.length > 0) await boss.deleteJob(QUEUE, [...ids], { db: toDatabase(held) });
    },
    async close() {
      const boss = await starting?.catch(() => undefined);
      await boss?.stop({ graceful: true, close: false });
    },
  };
}

const toDatabase = (client: SqlClient) => ({
  executeSql: (text: string, values?: unknown[]) => client.execute(text, values),
});

/** The number of jobs that a command has changed is documented, but missing in the types of pg-boss. */
const toAffected = (response: object): number => ('affected' in response ? Number(response.affected) : 0);
