/** A process of its own that finishes the task that waits and then does what it is told: `die`, or `send` its callback. */

import { openStore } from '../../../src/app/open-store.ts';
import { makeGuardedFetch } from '../../../src/net/index.ts';
import { startCallbackSender } from '../../../src/tasks/index.ts';
import { HANG_MS } from '../../../src/testing/wait-for.ts';

const [dataDir = '', databaseUrl = '', how = '', port = ''] = process.argv.slice(2);
const { tasks, callbacks } = await openStore({
  dataDir,
  databaseUrl: databaseUrl === '' ? null : databaseUrl,
});
const [leased] = await tasks.lease({ worker: `lone ${process.pid}`, max: 1, leaseMs: 60_000 });
if (leased === undefined) throw new Error('no task waits');
await tasks.finish(leased.lease, { kind: 'document', document: 'done' });
if (how === 'die') process.kill(process.pid, 'SIGKILL');
startCallbackSender({
  store: callbacks,
  tasks,
  toBody: async () => '"of the process that is killed"',
  findSecret: async () => 'secret',
  fetch: makeGuardedFetch({
    policy: { allowHttp: true, ports: [Number(port)], privateNetworks: ['127.0.0.0/8'] },
    timeouts: { headersMs: HANG_MS, totalMs: HANG_MS },
  }),
  userAgent: 'lone',
  // Longer than a busy machine takes to kill this process.
  leaseMs: 3_000,
  firstDelayMs: 1,
  perMinute: 100,
});
