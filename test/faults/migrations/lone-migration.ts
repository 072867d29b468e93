/**
 * Opens a store, which migrates it, in a process of its own: `lone-migration.ts <data directory> <database> <statements>`.
 * The process kills itself with SIGKILL when so many statements were sent; with 0 it opens the store, prints how many
 * there were, and ends.
 */
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { openStore } from '../../../src/app/open-store.ts';

const [dataDir = '', databaseUrl = '', last = '0'] = process.argv.slice(2);
let sent = 0;
function count(): void {
  sent += 1;
  if (sent === Number(last)) process.kill(process.pid, 'SIGKILL');
}

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (text) {
  exec.call(this, text);
  // After a statement: what it has done is in the file, or in the log next to it, and not committed.
  count();
};
const { query } = Client.prototype;
Client.prototype.query = function (this: Client, ...args: unknown[]) {
  const answer = (query as (...all: unknown[]) => unknown).apply(this, args);
  // The statement is on its way to the server, which finds its client gone when it has executed it.
  count();
  return answer;
} as typeof query;

const store = await openStore({ dataDir, databaseUrl: databaseUrl === '' ? null : databaseUrl });
// The first use of the queue makes its tables.
await store.tasks.lease({ worker: 'lone', max: 1, leaseMs: 1_000 });
await store.close();
console.log(sent);
