/**
 * The cost of the task queue on PostgreSQL: `npm run with-postgres -- npm run bench -- tasks`.
 *
 * Orders tasks of ten keys, then claims and finishes them one by one, with one node and with four, and prints for each step
 * the time, the statements, and the CPU time of PostgreSQL per task, as medians over the rounds.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { openPostgresStore } from '../../src/adapters/postgres/index.ts';
import type { Store } from '../../src/adapters/store/index.ts';
import { makeSchemaName, postgresUrl, withClient } from '../../test/ports/postgres-schema.ts';
import { fileOf, LEASE_MS, newTask } from '../../test/ports/tasks.ts';
import { median } from '../exports/spent.ts';

const { values } = parseArgs({
  options: { tasks: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '3' } },
});
const TASKS = Number(values.tasks);
const KEYS = 10;
const CLOCK_TICKS_PER_S = 100;
const ROOM = { openPerOwner: 1e6, open: 1e6, bytesPerOwner: 1e15, areaBytesPerOwner: 1e15 };
if (postgresUrl === undefined) throw new Error('TEST_DATABASE_URL is not set: run this with with-postgres.');
const url = postgresUrl;

let statements = 0;
const { query } = Client.prototype;
Client.prototype.query = function counted(this: Client, ...args: unknown[]) {
  statements += 1;
  return Reflect.apply(query, this, args);
} as typeof query;

/** What a step took for each task. */
interface Cost {
  readonly ms: number;
  readonly statements: number;
  readonly serverMs: number;
}

/** The fields of a process in /proc after its name. */
const statOf = (pid: number | string): readonly string[] => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

/** The process that is the parent of all others of the server. */
const server = await withClient(url, 'public', async (client) => {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return statOf(rows[0]?.pid ?? '')[1] ?? '';
});

/** The CPU time of all processes of the server, in milliseconds. */
function readServerMs(): number {
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = statOf(pid);
      // The server has the time of its children that have ended.
      const fields = pid === server ? [11, 12, 13, 14] : stat[1] === server ? [11, 12] : [];
      for (const field of fields) ticks += Number(stat[field]);
    } catch {
      // It has ended meanwhile.
    }
  }
  return (1000 * ticks) / CLOCK_TICKS_PER_S;
}

async function measure(work: () => Promise<void>): Promise<Cost> {
  const [serverMs, sent, startedMs] = [readServerMs(), statements, performance.now()];
  await work();
  const ms = performance.now() - startedMs;
  const count = statements - sent;
  return { ms: ms / TASKS, statements: count / TASKS, serverMs: (readServerMs() - serverMs) / TASKS };
}

/** Each node orders its share, one after the other. */
const orderAll = async (nodes: readonly Store[]): Promise<void> => {
  const order = async ({ tasks }: Store, from: number): Promise<void> => {
    for (let i = from; i < TASKS; i += nodes.length) {
      await tasks.create(newTask({ id: randomUUID(), owner: `key ${i % KEYS}` }), ROOM);
    }
  };
  await Promise.all(nodes.map(order));
};

/** Each node works on one task after the other until none is left. */
const workAll = async (nodes: readonly Store[]): Promise<void> => {
  let finished = 0;
  const work = async ({ tasks }: Store, node: number): Promise<void> => {
    while (finished < TASKS) {
      const leased = await tasks.lease({ worker: `node ${node}`, max: 1, leaseMs: LEASE_MS });
      for (const { lease } of leased) if (await tasks.finish(lease, fileOf(1_000))) finished += 1;
    }
  };
  await Promise.all(nodes.map(work));
};

/** Both steps on a new schema. */
async function runRound(count: number): Promise<readonly [Cost, Cost]> {
  const schema = makeSchemaName();
  const nodes = await Promise.all(
    Array.from({ length: count }, () => openPostgresStore(url, { schema, poolSize: 4 })),
  );
  // The first task of a store prepares its statements.
  for (const { tasks } of nodes) {
    await tasks.create(newTask(), ROOM);
    for (const { lease } of await tasks.lease({ worker: 'w', max: 1, leaseMs: LEASE_MS })) {
      await tasks.finish(lease, fileOf(1));
    }
  }
  const ordered = await measure(() => orderAll(nodes));
  const worked = await measure(() => workAll(nodes));
  await Promise.all(nodes.map((node) => node.close()));
  await withClient(url, schema, (client) =>
    client.query(`DROP SCHEMA ${schema} CASCADE; DROP SCHEMA IF EXISTS ${schema}_queue CASCADE`),
  );
  return [ordered, worked];
}

for (const count of [1, 4]) {
  const rounds: (readonly [Cost, Cost])[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) rounds.push(await runRound(count));
  for (const [step, name] of ['order', 'claim and finish'].entries()) {
    const of = (field: keyof Cost): string =>
      median(rounds.map((costs) => costs[step]?.[field] ?? 0)).toFixed(2);
    console.log(
      `${count} node${count === 1 ? ' ' : 's'} ${name.padEnd(17)} ${of('ms')} ms, ${of('statements')} statements, ${of('serverMs')} ms of PostgreSQL's CPU a task`,
    );
  }
}
