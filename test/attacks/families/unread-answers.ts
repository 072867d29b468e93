import { setTimeout as sleep } from 'node:timers/promises';
import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge, skip } from '../attack.ts';
import { watch } from '../bystander.ts';
import { ask, countStatuses } from '../polite.ts';
import { readRssMb } from '../target.ts';
import type { RawConnection } from '../wire.ts';
import { openRaw, parseAnswers } from '../wire.ts';

const REQUESTS = 1_500;
const PIPELINE = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(REQUESTS);
/** More than this is a failure already: the attack must not take the machine down with the server. */
const GIVE_UP_MB = 600;
/** docs/operate/limits.md: neither sending nor reading for 30 s. */
const UNREAD_MS = 30_000;

/** Clients that ask without reading the answers. */
export const unreadAnswers: Family = {
  name: 'unread answers',
  attacks: [
    {
      name: 'pipelining, one connection',
      severity: 'high',
      does: '1,500 pipelined GET /openapi.json on one connection, no answer read',
      limit: 'memory grows by less than 30 MB; /healthz within 250 ms',
      run: (context) => runPipelines(context, { count: 1, watchMs: 4_000, maxMb: 30 }),
    },
    {
      name: 'pipelining, 200 connections',
      severity: 'high',
      does: '1,500 pipelined GET /openapi.json on each of 200 connections of 20 addresses, no answer read',
      limit: 'memory grows by less than 150 MB; /healthz within 250 ms',
      run: (context) => runPipelines(context, { count: 200, watchMs: 6_000, maxMb: 150 }),
    },
    {
      name: 'a client that stops reading',
      severity: 'medium',
      does: '10 connections request 1,500 answers each and read none for 35 s',
      limit: 'closed after 30 s without sending or reading',
      run: runStopped,
    },
  ],
};

interface PipelineOptions {
  readonly count: number;
  readonly watchMs: number;
  readonly maxMb: number;
}

async function runPipelines(
  { server, keys, addresses }: AttackContext,
  { count, watchMs, maxMb }: PipelineOptions,
): Promise<Sight> {
  // The first one makes the document, which stays.
  await ask(server, '/openapi.json');
  const before = readRssMb(server);
  if (before === null) skip('memory is read from /proc, which this system has not');
  const [mine, ...theirs] = addresses(21);
  const opened: RawConnection[] = [];
  const bystander = { server, key: keys.bob, localAddress: mine, tile: null, pauseMs: 50 };
  const { result: peak, report } = await watch(bystander, async () => {
    let highest = before;
    const measure = (): boolean => {
      highest = Math.max(highest, readRssMb(server) ?? 0);
      return highest - before < GIVE_UP_MB;
    };
    for (let i = 0; i < count && measure(); i += 1) {
      const connection = openRaw({ port: server.port, localAddress: theirs[i % 20], isPaused: true });
      connection.socket.write(PIPELINE);
      opened.push(connection);
      if (i % 10 === 9) await sleep(10);
    }
    const until = performance.now() + watchMs;
    while (performance.now() < until && measure()) await sleep(50);
    for (const { socket } of opened) socket.destroy();
    return highest;
  });
  const growth = peak - before;
  const given = growth >= GIVE_UP_MB ? ` (given up after ${opened.length} connections)` : '';
  return judge(`memory ${before.toFixed(0)} → ${peak.toFixed(0)} MB${given}; ${report.text}`, {
    [`less than ${maxMb} MB more`]: growth < maxMb,
    '/healthz always 200': report.isServed,
    '/healthz p99 within 250 ms': report.healthP99 <= 250,
  });
}

async function runStopped({ server, addresses }: AttackContext): Promise<Sight> {
  const theirs = addresses(10);
  const connections = theirs.map((localAddress) => {
    const connection = openRaw({ port: server.port, localAddress, isPaused: true });
    connection.socket.write(PIPELINE);
    return connection;
  });
  await sleep(UNREAD_MS + 5_000);
  // What lies in the buffers of the system comes out now; a connection that was cut ends after it.
  const parts = connections.map(() => [] as Buffer[]);
  for (const [i, { socket }] of connections.entries()) {
    socket.on('data', (part: Buffer) => void parts[i]?.push(part));
    socket.resume();
  }
  await Promise.race([Promise.all(connections.map(({ closed }) => closed)), sleep(1_500)]);
  const cut = connections.filter((connection) => connection.closedAfterMs() !== null).length;
  for (const { socket } of connections) socket.destroy();
  const answers = parts.map((part) => parseAnswers(Buffer.concat(part)).answers);
  const whole = answers.filter(({ length }) => length === REQUESTS).length;
  const statuses = answers.flat().map(({ status }) => status);
  return judge(`${cut} of 10 cut, ${whole} got all their answers, ${countStatuses(statuses)}`, {
    'all cut, with part of their answers': cut === 10 && whole === 0,
  });
}
