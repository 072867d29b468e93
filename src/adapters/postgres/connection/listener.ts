import { Client } from 'pg';
import type { Changes, Heard } from '../../../async/index.ts';
import type { ChangeKind } from '../../store/store.ts';
import type { Connection } from './connection.ts';
import { within } from './connection.ts';

/** Notifications of PostgreSQL, over one connection for all channels. */
export interface Listener {
  watch(channel: string, watcher: ChannelWatcher): () => void;
  /** The last span of time in which no notification was missed; null before the first connection. */
  heard(): Heard | null;
  close(): Promise<void>;
}

interface ChannelWatcher {
  readonly onNotification: (payload: string) => void;
  /** Called after each connect: notifications that were sent without a connection are lost. */
  readonly onConnect?: () => void;
}

/** Time limit for closing a connection. */
const LEAVE_MS = 2_000;

/** Delay before a lost connection is opened again. */
const RECONNECT_MS = 1_000;

/** How often the connection is checked: one that a network has dropped brings no notification, and no error either. */
const BEAT_MS = 1_000;

/** Time limit of a check. */
const BEAT_TIMEOUT_MS = 5_000;

/** Listens to channels of a database on a connection of its own, which the first watcher opens. */
export function makeListener({ config, schema }: Connection, channels: readonly string[]): Listener {
  const watchers = new Map<ChannelWatcher, string>();
  let isClosed = false;
  let connection: Promise<Client | null> | undefined;
  /** The client that is in use or connecting; late events of replaced clients are ignored. */
  let current: Client | null = null;
  let waiting: NodeJS.Timeout | undefined;
  let beating: NodeJS.Timeout | undefined;
  let heard: Heard | null = null;

  async function connect(): Promise<Client | null> {
    const { statement_timeout: _server, query_timeout: _client, ...rest } = config;
    const client = new Client({ ...rest, application_name: `swath listens to ${schema}` });
    current = client;
    client.on('error', () => lose(client));
    client.on('end', () => lose(client));
    client.on('notification', ({ channel, payload = '' }) => {
      for (const [{ onNotification }, watched] of watchers) if (watched === channel) onNotification(payload);
    });
    try {
      await client.connect();
      await client.query(channels.map((channel) => `LISTEN "${channel}"`).join('; '));
      const nowMs = performance.now();
      heard = { fromMs: nowMs, untilMs: nowMs };
      scheduleBeat(client);
      for (const { onConnect } of watchers.keys()) onConnect?.();
      return client;
    } catch {
      lose(client);
      return null;
    }
  }

  function scheduleBeat(client: Client): void {
    clearTimeout(beating);
    beating = setTimeout(() => void beat(client), BEAT_MS).unref();
  }

  /** PostgreSQL delivers notifications in order: those sent before this answer have arrived. */
  async function beat(client: Client): Promise<void> {
    const untilMs = performance.now();
    try {
      await client.query({ text: 'SELECT 1', query_timeout: BEAT_TIMEOUT_MS } as { text: string });
    } catch {
      lose(client);
      return;
    }
    if (heard === null || current !== client) return;
    heard = { ...heard, untilMs };
    scheduleBeat(client);
  }

  function lose(client: Client): void {
    if (current !== client) return;
    current = null;
    clearTimeout(beating);
    void client.end().catch(() => {});
    if (isClosed || watchers.size === 0) return;
    waiting = setTimeout(() => {
      waiting = undefined;
      connection = connect();
    }, RECONNECT_MS).unref();
  }

  async function disconnect(): Promise<void> {
    clearTimeout(waiting);
    clearTimeout(beating);
    waiting = undefined;
    current = null;
    const open = connection;
    connection = undefined;
    const leave = async (): Promise<void> => {
      await (await open)?.end();
    };
    await within(LEAVE_MS, leave());
  }

  return {
    watch(channel, watcher) {
      watchers.set(watcher, channel);
      if (!isClosed) connection ??= connect();
      return () => {
        watchers.delete(watcher);
        if (watchers.size === 0) void disconnect();
      };
    },
    heard: () => heard,
    async close() {
      isClosed = true;
      watchers.clear();
      await disconnect();
    },
  };
}

/** The channel of the triggers in `schema/change-steps.ts`. */
export const toChangesChannel = (schema: string): string => `${schema}_changes`;

/** Changes of what nodes cache, as the triggers of the database report them. */
export function makeChangeReports(listener: Listener, channel: string): (kind: ChangeKind) => Changes {
  return (kind) => ({
    heard: listener.heard,
    watch: (tell) =>
      listener.watch(channel, {
        onNotification(payload) {
          const [changed, ...ids] = parseReport(payload);
          if (changed === kind) tell(ids.length === 0 ? null : ids);
        },
      }),
  });
}

/** Anyone with a connection to the database may send on the channel. */
function parseReport(payload: string): readonly string[] {
  try {
    const report: unknown = JSON.parse(payload);
    return Array.isArray(report) && report.every((part) => typeof part === 'string') ? report : [];
  } catch {
    return [];
  }
}
