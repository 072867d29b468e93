import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_SCENE } from '../../support/demo-data.ts';
import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge } from '../attack.ts';
import { nextTile } from '../demo-tiles.ts';
import { toLimitMs, within } from '../patience.ts';
import { ask, countStatuses } from '../polite.ts';
import type { Target } from '../target.ts';
import { countDescriptors, isAboveInfo, readLog, readRssMb } from '../target.ts';
import { openRaw, parseAnswers } from '../wire.ts';

/** Connections that are opened, halved and torn. */
export const rudeConnections: Family = {
  name: 'rude connections',
  attacks: [
    {
      name: 'connection churn',
      severity: 'medium',
      does: '2,000 connections are opened and closed, half of them reset, some after a few bytes',
      limit: 'no descriptor leaks, nothing is logged above info',
      isQuick: true,
      run: runChurn,
    },
    {
      name: 'half-closed sockets',
      severity: 'medium',
      does: '100 clients close their side after a request, 100 after half of one',
      limit: 'complete requests are answered, partial ones closed; no descriptor leaks',
      isQuick: true,
      run: runHalves,
    },
    {
      name: 'reset in the middle of an answer',
      severity: 'medium',
      does: '200 clients request a document or a tile and reset the connection when its first bytes arrive',
      limit: 'no descriptor leaks, nothing is logged above info',
      isQuick: true,
      run: runResets,
    },
    {
      name: 'aborted downloads',
      severity: 'medium',
      does: 'up to 10,000 downloads of a result of 0.6 MB within 45 s: most are aborted after the first bytes or reset, every tenth is read to its end',
      limit: 'no descriptor leaks, memory grows by less than 60 MB, nothing is logged above info',
      isQuick: true,
      run: runDownloads,
    },
  ],
};

/** What a server was before, to compare with what it is when all connections have gone. */
function remember(server: Target): {
  compare(): Promise<{ readonly left: number; readonly logged: string }>;
} {
  const before = countDescriptors(server) ?? 0;
  const printed = server.output().length;
  return {
    async compare() {
      const count = (): number => (countDescriptors(server) ?? 0) - before;
      const until = performance.now() + toLimitMs(3_000, server);
      while (count() > 5 && performance.now() < until) await sleep(100);
      const left = count();
      const lines = readLog(server.output().slice(printed)).filter(isAboveInfo);
      return { left, logged: countStatuses(lines.map(({ msg }) => msg)) };
    },
  };
}

async function runChurn({ server, addresses }: AttackContext): Promise<Sight> {
  const theirs = addresses(10);
  const memory = remember(server);
  for (let round = 0; round < 40; round += 1) {
    const connections = Array.from({ length: 50 }, (_, i) =>
      openRaw({ port: server.port, localAddress: theirs[i % 10] }),
    );
    await Promise.all(
      connections.map(async ({ socket, closed }, i) => {
        await Promise.race([new Promise((resolve) => socket.once('connect', resolve)), closed]);
        if (i % 3 === 0) socket.write('GET /he');
        if (i % 2 === 0) socket.resetAndDestroy();
        else socket.destroy();
        await closed;
      }),
    );
  }
  const { left, logged } = await memory.compare();
  return judge(`${left} descriptors more, above info: ${logged}`, {
    'no descriptor left': left <= 5,
    'nothing logged': logged === 'nothing',
  });
}

async function runHalves({ server, addresses }: AttackContext): Promise<Sight> {
  const theirs = addresses(10);
  const memory = remember(server);
  const send = async (text: string, localAddress: string | undefined): Promise<number> => {
    const connection = openRaw({ port: server.port, localAddress, allowHalfOpen: true });
    connection.socket.end(text);
    // The side that is left is ours to close, once the server has closed its own.
    connection.socket.once('end', () => connection.socket.destroy());
    await within(toLimitMs(4_000, server), connection.closed);
    const isClosed = connection.closedAfterMs() !== null;
    connection.socket.destroy();
    return isClosed ? (parseAnswers(connection.received()).answers[0]?.status ?? 0) : -1;
  };
  const whole = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
  const [wholes, halves] = await Promise.all([
    Promise.all(Array.from({ length: 100 }, (_, i) => send(whole, theirs[i % 10]))),
    Promise.all(Array.from({ length: 100 }, (_, i) => send(whole.slice(0, -6), theirs[i % 10]))),
  ]);
  const { left, logged } = await memory.compare();
  const saw = `whole ${countStatuses(wholes)}; half ${countStatuses(halves)}; ${left} descriptors more, above info: ${logged}`;
  return judge(saw, {
    'whole requests are answered': wholes.every((status) => status === 200),
    'halves are closed': halves.every((status) => status === 0 || status === 400),
    'no descriptor left': left <= 5,
    'nothing logged': logged === 'nothing',
  });
}

async function runResets({ server, keys, addresses }: AttackContext): Promise<Sight> {
  const theirs = addresses(10);
  const memory = remember(server);
  let torn = 0;
  const tear = async (path: string, localAddress: string | undefined): Promise<void> => {
    const { socket, closed } = openRaw({ port: server.port, localAddress });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nx-api-key: ${keys.alice}\r\n\r\n`.repeat(3));
    socket.once('data', () => {
      torn += 1;
      socket.resetAndDestroy();
    });
    await within(toLimitMs(4_000, server), closed);
    socket.destroy();
  };
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => tear(i % 2 === 0 ? '/openapi.json' : nextTile(), theirs[i % 10])),
    );
  }
  const { left, logged } = await memory.compare();
  return judge(`${torn} reset; ${left} descriptors more, above info: ${logged}`, {
    'answers were under way': torn > 150,
    'no descriptor left': left <= 5,
    'nothing logged': logged === 'nothing',
  });
}

/** How a client leaves a download; every tenth reads it to its end. */
const LEAVES = [
  'end',
  'abort',
  'reset',
  'abort',
  'reset',
  'abort',
  'reset',
  'at once',
  'reset',
  'abort',
] as const;
const AT_ONCE = 20;
const DOWNLOAD_MS = 45_000;

async function runDownloads({ server, keys, addresses, isTimed }: AttackContext): Promise<Sight> {
  const count = isTimed ? 10_000 : 200;
  const theirs = addresses(AT_ONCE);
  const link = await makeResult(server, keys.alice);
  const length = (await ask(server, link)).body.length;
  // The first downloads fill buffers that stay.
  for (let i = 0; i < 20; i += 1)
    await download(server, link, { leave: LEAVES[i % 10]!, localAddress: theirs[i % 20] });
  const memory = remember(server);
  const before = readRssMb(server);
  const ends: string[] = [];
  let next = 0;
  const until = performance.now() + toLimitMs(DOWNLOAD_MS, server);
  await Promise.all(
    theirs.map(async (localAddress) => {
      while (next < count && performance.now() < until) {
        const leave = LEAVES[next % LEAVES.length]!;
        next += 1;
        ends.push(await download(server, link, { leave, localAddress }));
      }
    }),
  );
  const { left, logged } = await memory.compare();
  const growth = (readRssMb(server) ?? 0) - (before ?? 0);
  const saw = `${ends.length} of ${length} bytes: ${countStatuses(ends)}; ${left} descriptors and ${growth.toFixed(0)} MB more, above info: ${logged}`;
  return judge(saw, {
    'downloads that are read are whole': !ends.includes('cut'),
    'no descriptor left': left <= 5,
    'less than 60 MB more': before === null || growth < 60,
    'nothing logged': logged === 'nothing',
  });
}

/** Orders a file; the path of its link. */
async function makeResult(server: Target, key: string): Promise<string> {
  const params = { view_id: DEMO_SCENE.viewId, bm_type: 'NDVI', bbox: [-122.45, 48.2, -122.38, 48.24] };
  const ordered = await ask(server, '/api', {
    method: 'POST',
    key,
    body: JSON.stringify({ type: 'bandmath', params }),
  });
  const { task_id: id } = JSON.parse(ordered.body.toString()) as { task_id: string };
  for (;;) {
    const poll = await ask(server, `/api/${id}`, { key });
    if (poll.status === 303) {
      const { pathname, search } = new URL(poll.headers.location ?? '', server.url);
      return `${pathname}${search}`;
    }
    if (poll.status !== 200 || poll.body.includes('"error"'))
      throw new Error(`the file was not made: ${poll.body}`);
    await sleep(100);
  }
}

/** Downloads a file and leaves in one of the ways: what became of it. */
async function download(
  { port, isTimed }: Target,
  path: string,
  {
    leave,
    localAddress,
  }: { readonly leave: (typeof LEAVES)[number]; readonly localAddress: string | undefined },
): Promise<string> {
  const { socket, closed, received } = openRaw({ port, localAddress });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  if (leave === 'at once') socket.destroy();
  else if (leave !== 'end')
    socket.once('data', () => (leave === 'reset' ? socket.resetAndDestroy() : socket.destroy()));
  await within(toLimitMs(30_000, { isTimed }), closed);
  socket.destroy();
  if (leave !== 'end') return 'left';
  const [answer] = parseAnswers(received()).answers;
  return answer === undefined ? 'cut' : String(answer.status);
}
