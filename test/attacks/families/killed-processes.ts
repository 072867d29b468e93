import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge } from '../attack.ts';
import { TILE } from '../demo-tiles.ts';
import { ask, makeAgent } from '../polite.ts';
import { toTestAttack } from '../test-attack.ts';
import { openRaw } from '../wire.ts';

/** Processes that die, hang or lose what they need while tasks are under way. `npm run faults` does it for longer. */
export const killedProcesses: Family = {
  name: 'killed processes',
  attacks: [
    toTestAttack('../faults/tasks/kill-loop.slow.test.ts', {
      name: 'kill -9 during tasks',
      severity: 'high',
      does: 'servers and workers are killed at random while clients order, poll, cancel and download',
      limit: 'every acknowledged task ends once, no half and no orphaned files',
    }),
    toTestAttack('../faults/tasks/lost-workers.slow.test.ts', {
      name: 'workers that stop',
      severity: 'high',
      does: 'workers are stopped past their lease and continued, die of a task again and again, or are told to end',
      limit: 'a late result is refused; a task that three workers died of fails; others go on',
    }),
    toTestAttack('../faults/tasks/lost-storage.slow.test.ts', {
      name: 'results without storage',
      severity: 'high',
      does: 'the disk of the results fills up, the database or the bucket goes away while tasks are under way',
      limit: 'tasks fail with the reason or are tried again; what was acknowledged is done when it is back',
    }),
    toTestAttack('../faults/migrations/killed-migrations.slow.test.ts', {
      name: 'kill -9 during migrations',
      severity: 'high',
      does: 'the migration of an old database is killed after any statement, again and again, and while another process migrates',
      limit: 'nothing is lost; the next start completes it, on SQLite and on PostgreSQL',
    }),
    {
      name: 'SIGTERM of idle servers',
      severity: 'low',
      does: 'servers without work get SIGTERM while clients hold connections: none, idle after an answer, opened without a byte, half a request, half a body',
      limit: 'exit status 0 within a second, or three times as long as without connections on a busy machine',
      isQuick: false,
      run: runIdleStops,
    },
  ],
};

/** Clients that hold a connection to a server that is told to end. */
const HOLDS: Readonly<Record<string, (port: number, key: string) => Promise<() => void>>> = {
  'no connection': async () => () => {},
  'idle after a tile': async (port, key) => {
    const agent = makeAgent(undefined, 2);
    await ask({ port }, TILE, { key, agent });
    return () => agent.destroy();
  },
  'without a byte': (port) => hold(port, ''),
  'half a request': (port) => hold(port, 'GET /healthz HTTP/1.1\r\nHost: x'),
  'half a body': (port, key) =>
    hold(port, `POST /api HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nContent-Length: 100\r\n\r\n{"type"`),
};

async function hold(port: number, text: string): Promise<() => void> {
  const { socket } = openRaw({ port });
  await new Promise((resolve) => socket.once('connect', resolve));
  if (text !== '') await new Promise((resolve) => socket.write(text, resolve));
  return () => socket.destroy();
}

const STOP_MS = 1_000;

async function runIdleStops({ start, keys }: AttackContext): Promise<Sight> {
  const seen: string[] = [];
  const late: string[] = [];
  let quietMs = 0;
  for (const [name, hold] of Object.entries(HOLDS)) {
    const server = await start();
    const release = await hold(server.port, keys.marked);
    const startedAt = performance.now();
    const status = await server.stop('SIGTERM');
    const ms = performance.now() - startedAt;
    release();
    if (quietMs === 0) quietMs = ms;
    seen.push(`${name} ${ms.toFixed(0)} ms`);
    if (status !== 0 || ms > Math.max(STOP_MS, 3 * quietMs)) late.push(`${name} ended with ${status}`);
  }
  return judge(seen.join(', '), { [`all within a second (${late.join(', ')})`]: late.length === 0 });
}
