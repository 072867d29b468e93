import { setTimeout as sleep } from 'node:timers/promises';
import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge } from '../attack.ts';
import type { BystanderReport } from '../bystander.ts';
import { watch } from '../bystander.ts';
import { SEARCH, TILE } from '../demo-tiles.ts';
import { toLimitMs, within } from '../patience.ts';
import { countStatuses, toPercentile } from '../polite.ts';
import { findSetting } from '../target.ts';
import type { RawConnection } from '../wire.ts';
import { openRaw, parseAnswers } from '../wire.ts';

/** docs/operate/limits.md: headers within 10 s, the whole request within 15 s. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 15_000;
/** The server looks at its connections every 2 s; the rest is room for a busy machine. */
const SLACK_MS = 4_000;
/** A few more than the server accepts in all: exactly a thousand would leave a slot for the first client. */
const CONNECTIONS = 1_050;

/** Clients that hold connections by being slow. */
export const slowClients: Family = {
  name: 'slow clients',
  attacks: [
    {
      name: 'slowloris, one address',
      severity: 'high',
      does: '1,050 connections of one address send endless headers, a byte every 3 s',
      limit: 'SWATH_CONNECTIONS_PER_ADDRESS; headers within 10 s',
      run: (context) => runSlowloris(context, 1),
    },
    {
      name: 'slowloris, eight addresses',
      severity: 'high',
      does: '1,050 connections of eight addresses send endless headers, a byte every 3 s',
      limit: 'SWATH_CONNECTIONS_PER_ADDRESS, 1,000 connections in all; headers within 10 s',
      run: (context) => runSlowloris(context, 8),
    },
    {
      name: 'slow bodies',
      severity: 'medium',
      does: '20 bodies each of: a byte a second, endless tiny chunks, fewer bytes than announced',
      limit: 'a request within 15 s',
      run: runSlowBodies,
    },
    {
      name: 'endless body',
      severity: 'medium',
      does: 'an endless chunked body, as fast as the server reads it',
      limit: '413 beyond 1 MiB',
      isQuick: true,
      run: (context) =>
        runEndlessBody(context, {
          chunk: Buffer.from(`10000\r\n${' '.repeat(65_536)}\r\n`),
          rounds: 1,
          maxHealthMs: Number.POSITIVE_INFINITY,
        }),
    },
    {
      name: 'endless body of 1-byte chunks',
      severity: 'medium',
      does: '20 endless bodies in chunks of one byte, one after the other',
      limit: '400 beyond 1,024 chunks of fewer than 64 bytes; /healthz within 50 ms (p50)',
      run: (context) =>
        runEndlessBody(context, {
          chunk: Buffer.from('1\r\n \r\n'.repeat(1_000)),
          rounds: 20,
          maxHealthMs: 50,
        }),
    },
  ],
};

async function runSlowloris({ server, keys, addresses }: AttackContext, from: number): Promise<Sight> {
  const [mine, ...theirs] = addresses(from + 1);
  const bystander = { server, key: keys.bob, localAddress: mine, tile: TILE, pauseMs: 100 };
  const { result: connections, report } = await watch(bystander, async () => {
    const opened: RawConnection[] = [];
    for (let i = 0; i < CONNECTIONS; i += 1) {
      const connection = openRaw({ port: server.port, localAddress: theirs[i % from] });
      connection.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: ');
      opened.push(connection);
      // A backlog that overflows would be the attacker's own fault.
      if (i % 50 === 49) await sleep(10);
    }
    const trickle = setInterval(() => {
      for (const { socket } of opened) if (socket.writable) socket.write('a');
    }, 3_000);
    await Promise.race([
      Promise.all(opened.map(({ closed }) => closed)),
      sleep(HEADERS_MS + SLACK_MS + 1_000),
    ]);
    clearInterval(trickle);
    return opened;
  });
  const times = connections.map((connection) => connection.closedAfterMs() ?? Number.POSITIVE_INFINITY);
  for (const { socket } of connections) socket.destroy();
  return judgeSlowloris(connections, times, report);
}

function judgeSlowloris(
  connections: readonly RawConnection[],
  times: readonly number[],
  report: BystanderReport,
): Sight {
  const refused = times.filter((ms) => ms < HEADERS_MS / 2).length;
  const open = times.filter((ms) => ms === Number.POSITIVE_INFINITY).length;
  const slowest = Math.max(...times.filter(Number.isFinite), 0);
  const answers = connections.flatMap((connection) => parseAnswers(connection.received()).answers);
  const saw = `${refused} refused at once, ${open} still open, the last closed after ${(slowest / 1000).toFixed(1)} s, answers ${countStatuses(answers.map(({ status }) => status))}; bystander ${report.text}`;
  return judge(saw, {
    'all closed within 14 s': open === 0 && slowest <= HEADERS_MS + SLACK_MS,
    'a limit of connections per address': refused > 0 && findSetting(/CONNECTIONS_PER_ADDRESS/) !== null,
    'the bystander is always served': report.isServed,
  });
}

async function runSlowBodies({ server, keys, addresses }: AttackContext): Promise<Sight> {
  const [mine, ...theirs] = addresses(4);
  const bystander = { server, key: keys.bob, localAddress: mine, tile: TILE, pauseMs: 100 };
  const { result: connections, report } = await watch(bystander, async () => {
    const begin = (from: number, framing: string): RawConnection[] =>
      Array.from({ length: 20 }, () => {
        const connection = openRaw({ port: server.port, localAddress: theirs[from] });
        connection.socket.write(
          `POST ${SEARCH} HTTP/1.1\r\nHost: x\r\nx-api-key: ${keys.alice}\r\n${framing}\r\n\r\n`,
        );
        return connection;
      });
    const bytes = begin(0, 'Content-Length: 5000');
    const chunks = begin(1, 'Transfer-Encoding: chunked');
    const short = begin(2, 'Content-Length: 5000');
    for (const { socket } of short) socket.write('{"search":');
    const all = [...bytes, ...chunks, ...short];
    const trickle = setInterval(() => {
      for (const { socket } of bytes) if (socket.writable) socket.write(' ');
      for (const { socket } of chunks) if (socket.writable) socket.write('1\r\n \r\n');
    }, 1_000);
    await Promise.race([Promise.all(all.map(({ closed }) => closed)), sleep(REQUEST_MS + SLACK_MS)]);
    clearInterval(trickle);
    return all;
  });
  const times = connections.map((connection) => connection.closedAfterMs() ?? Number.POSITIVE_INFINITY);
  for (const { socket } of connections) socket.destroy();
  const open = times.filter((ms) => ms === Number.POSITIVE_INFINITY).length;
  const answers = connections.flatMap((connection) => parseAnswers(connection.received()).answers);
  const median = (toPercentile(times, 0.5) / 1000).toFixed(1);
  const saw = `${open} still open after 19 s, median end after ${median} s, answers ${countStatuses(answers.map(({ status }) => status))}; bystander ${report.text}`;
  return judge(saw, {
    'all closed within 19 s': open === 0,
    'the bystander is always served': report.isServed,
  });
}

/** After its refusal the rest of a body is thrown away for half a second, so that the client reads the answer. */
const MOST_BYTES = 128 * 2 ** 20;

interface EndlessBody {
  readonly chunk: Buffer;
  /** How often it is sent, one after the other: a body that is cut at once shows nothing by itself. */
  readonly rounds: number;
  readonly maxHealthMs: number;
}

async function runEndlessBody(
  { server, keys, addresses }: AttackContext,
  { chunk, rounds, maxHealthMs }: EndlessBody,
): Promise<Sight> {
  const [mine, localAddress] = addresses(2);
  const bystander = { server, key: keys.bob, localAddress: mine, tile: null, pauseMs: 20 };
  const sendOne = async () => {
    const connection = openRaw({ port: server.port, localAddress });
    const { socket, closed } = connection;
    socket.write(
      `POST ${SEARCH} HTTP/1.1\r\nHost: x\r\nx-api-key: ${keys.alice}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const until = performance.now() + toLimitMs(REQUEST_MS, server);
    let sent = 0;
    while (socket.writable && sent < MOST_BYTES && performance.now() < until) {
      sent += chunk.length;
      if (socket.write(chunk)) continue;
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    }
    await within(toLimitMs(1_000, server), closed);
    const status = parseAnswers(connection.received()).answers[0]?.status ?? 'no answer';
    const ms = connection.closedAfterMs();
    socket.destroy();
    return { status, sent, ms };
  };
  const { result: bodies, report } = await watch(bystander, async () => {
    const sent = [];
    for (let i = 0; i < rounds; i += 1) sent.push(await sendOne());
    return sent;
  });
  const open = bodies.filter(({ ms }) => ms === null).length;
  const slowestS = Math.max(...bodies.map(({ ms }) => ms ?? 0)) / 1000;
  const mostMib = Math.max(...bodies.map(({ sent }) => sent)) / 2 ** 20;
  const statuses = [...new Set(bodies.map(({ status }) => status))].join(', ');
  const saw = `${rounds} bodies: ${statuses}, ${open} still open, closed within ${slowestS.toFixed(1)} s and ${mostMib.toFixed(1)} MiB; ${report.text}`;
  return judge(saw, {
    'an end of each': open === 0,
    'closed within 128 MiB': bodies.every(({ sent }) => sent < MOST_BYTES),
    '/healthz always 200': report.isServed,
    // The median: one stall of a busy machine is not the server's.
    [`/healthz within ${maxHealthMs} ms (p50)`]: report.healthP50 <= maxHealthMs,
  });
}
