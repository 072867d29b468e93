import type { Lease } from '../../tasks/index.ts';
import type { Clause } from './sql-clause.ts';
import { raw, sql } from './sql-clause.ts';

/** How a database says what a queue needs. */
export interface QueueDialect {
  /** The wall time, as tables store it. */
  readonly now: Clause;
  /** The wall time `ms` from now. */
  laterBy(ms: number): Clause;
  /** A time `ms` from now on the store's own clock, which does not jump: leases and delays run by it. */
  after(ms: number): Clause;
  /** A time of that clock that is always past. */
  readonly atOnce: Clause;
  isPast(column: string): Clause;
  /** True of a task that has outlived its time. */
  readonly isOverdue: Clause;
  /** True of a row whose number a statement selects; the statement runs once. */
  isNumberIn(numbers: Clause): Clause;
  /** The strings of a list as rows. */
  rowsOf(strings: readonly string[]): Clause;
  /** Ends a statement that selects rows to change: it skips those that another transaction is changing. */
  readonly skipLocked: Clause;
}

/** A table whose rows are leased, and its column with the id of a lease. */
interface LeasedTable {
  readonly table: 'tasks' | 'callbacks';
  readonly id: 'id' | 'task_id';
}

/** Which rows to lease, and in which order. */
interface ReadyQuery {
  readonly waiting: Clause;
  readonly order: string;
  readonly max: number;
  readonly exceptOwners?: readonly string[];
}

/**
 * Leases rows of a table. A lease is a row's number of leases so far, its token: it is valid until the next one, and only
 * its holder may change the row. A row needs the columns `number`, `owner`, `token` and `ready_at`, the time from which on it
 * may be leased.
 */
export interface LeaseQueue {
  /** Selects the numbers of rows that may be leased now. Processes that ask at once get different ones. */
  findReady(query: ReadyQuery): Clause;
  /** Leases the rows with these numbers. */
  take(numbers: Clause, changes: Clause): Clause;
  /** Changes the row of a lease, unless there is a later lease on it. */
  change(lease: Lease, changes: Clause): Clause;
}

/** The statements of a queue in the words of one database. */
export function makeLeaseQueue(dialect: QueueDialect, { table, id }: LeasedTable): LeaseQueue {
  const { isPast, isNumberIn, rowsOf, skipLocked } = dialect;
  const [name, key] = [raw(table), raw(id)];
  return {
    findReady({ waiting, order, max, exceptOwners = [] }) {
      const others = exceptOwners.length === 0 ? raw('') : sql`AND owner NOT IN (${rowsOf(exceptOwners)})`;
      // The limit is part of the text: a plan for an unknown one sorts the whole queue.
      return sql`SELECT number FROM ${name} WHERE ${waiting} AND ${isPast('ready_at')} ${others}
        ORDER BY ${raw(`${order} LIMIT ${Math.trunc(max)}`)} ${skipLocked}`;
    },
    take: (numbers, changes) =>
      sql`UPDATE ${name} SET token = token + 1, ${changes} WHERE ${isNumberIn(numbers)}`,
    change: (lease, changes) =>
      sql`UPDATE ${name} SET ${changes} WHERE ${key} = ${lease.id} AND token = ${lease.token}`,
  };
}
