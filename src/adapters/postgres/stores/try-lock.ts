import { Client } from 'pg';
import type { StoreLock } from '../../store/store.ts';
import type { Connection } from '../connection/connection.ts';
import { within } from '../connection/connection.ts';
import { explainPostgres } from '../connection/explain-postgres.ts';
import { NAMED_LOCKS } from './write-locks.ts';

/** Time limit for closing a connection. */
const LEAVE_MS = 2_000;

/** Locks by name for all processes on one database; a process that dies loses its connection, and with it the lock. */
export const makeTryLock =
  ({ config, schema, address }: Connection) =>
  async (name: string): Promise<StoreLock | null> => {
    const client = new Client(config);
    // The lock ends with the connection; the awaits below reject with the same error.
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ locked: boolean }>(
        'SELECT pg_try_advisory_lock($1::integer, hashtext($2)) AS locked',
        [NAMED_LOCKS, `${schema} ${name}`],
      );
      if (rows[0]?.locked === true) return { release: () => within(LEAVE_MS, client.end()) };
      await within(LEAVE_MS, client.end());
      return null;
    } catch (error) {
      void client.end().catch(() => {});
      throw explainPostgres(error, address);
    }
  };
