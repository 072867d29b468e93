import { randomUUID } from 'node:crypto';
import type { WatchStore } from '../../../watch/index.ts';
import { makeWatchStore } from '../../sql/watch-programs.ts';
import type { Ask } from '../threads/database-threads.ts';

/** Subscriptions in SQLite: readings of many fields are long texts, so that nothing of them is read on the calling thread. */
export const makeSqliteWatchStore = (read: Ask, write: Ask): WatchStore =>
  makeWatchStore(
    {
      read: async (name, ...args) => (await read('readWatch', name, args)) as never,
      write: async (name, ...args) => (await write('writeWatch', name, args)) as never,
    },
    randomUUID,
  );
