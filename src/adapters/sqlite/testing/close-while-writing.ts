/** A whole program: it closes the store while a write is in flight, and nothing else keeps it alive. */
import { openSqliteStore } from '../index.ts';

const [directory = ''] = process.argv.slice(2);
const store = openSqliteStore(directory);
const createdAt = new Date(0).toISOString();
const key = {
  id: 'a',
  label: 'a',
  ratePerMinute: null,
  createdAt,
  expiresAt: null,
  revokedAt: null,
  parent: null,
};
const writing = store.keys.insert({ ...key, role: 'order' }, 'hash');
await store.close();
await writing;
console.log('closed');
