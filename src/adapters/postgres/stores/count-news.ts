import { randomUUID } from 'node:crypto';
import type { CountNews, ToldCount } from '../../../async/index.ts';
import { sql } from '../../sql/sql.ts';
import type { Listener } from '../connection/listener.ts';
import type { SqlClient } from '../connection/sql-client.ts';

/** The channel on which nodes send each other their counts. Nothing of it is stored. */
export const toCountsChannel = (schema: string): string => `${schema}_counts`;

/** A notification has less than 8,000 bytes; names are ids of keys and addresses. */
const COUNTS_PER_MESSAGE = 60;

/** Longer names cannot be ours, and are ignored. */
const MAX_NAME = 80;

interface CountNewsDeps {
  readonly client: SqlClient;
  readonly listener: Listener;
  readonly channel: string;
}

/** Counts of other nodes, by notifications. */
export function makeCountNews({ client, listener, channel }: CountNewsDeps): CountNews {
  const node = randomUUID();
  return {
    async tell(counts) {
      const rows = counts
        .filter(({ name }) => name.length <= MAX_NAME)
        .map(({ of, name, count }) => [of, name, count]);
      for (let at = 0; at < rows.length; at += COUNTS_PER_MESSAGE) {
        const message = JSON.stringify([node, ...rows.slice(at, at + COUNTS_PER_MESSAGE)]);
        await client.query(sql`SELECT pg_notify(${channel}, ${message})`);
      }
    },
    hear: (onCounts) =>
      listener.watch(channel, {
        onNotification(payload) {
          const [from, ...rows] = parseMessage(payload);
          if (from !== node) onCounts(rows.flatMap(parseCount));
        },
      }),
  };
}

/** Anyone with a connection to the database may send on the channel. */
function parseMessage(payload: string): readonly unknown[] {
  try {
    const message: unknown = JSON.parse(payload);
    return Array.isArray(message) ? message : [];
  } catch {
    return [];
  }
}

function parseCount(row: unknown): readonly ToldCount[] {
  const [of, name, count] = Array.isArray(row) ? (row as readonly unknown[]) : [];
  const isCount = typeof of === 'string' && typeof name === 'string' && Number.isSafeInteger(count);
  return isCount && (count as number) > 0 ? [{ of, name, count: count as number }] : [];
}
