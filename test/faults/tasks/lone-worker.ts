/**
 * A worker in a process of its own that leases one task and then does what it is told: `die`, or wait and `finish`. As
 * `victim` it leases up to four, finishes them, and dies at once if one of them has the reference `poison`.
 */
import { openStore } from '../../../src/app/open-store.ts';

const [dataDir = '', databaseUrl = '', how = '', leaseMs = '1000'] = process.argv.slice(2);
const { tasks } = await openStore({ dataDir, databaseUrl: databaseUrl === '' ? null : databaseUrl });
const max = how === 'victim' ? 4 : 1;
const all = await tasks.lease({ worker: `lone ${process.pid}`, max, leaseMs: Number(leaseMs) });
const [leased] = all;
if (leased === undefined) {
  console.log('nothing');
  process.exit(0);
}
console.log(`leased ${leased.lease.token}`);
if (how === 'victim') {
  if (all.some(({ task }) => task.reference === 'poison')) process.kill(process.pid, 'SIGKILL');
  for (const { lease } of all) await tasks.finish(lease, { kind: 'document', document: 1 });
  process.exit(0);
}
if (how === 'die') process.kill(process.pid, 'SIGKILL');
// Long enough to be stopped meanwhile; the rest is done when it goes on.
process.stdin.once('data', async () => {
  const isPublished = await tasks.finish(leased.lease, { kind: 'document', document: 'of the zombie' });
  console.log(isPublished ? 'published' : 'refused');
  process.exit(0);
});
