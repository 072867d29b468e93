import type { ClientHttp2Session } from 'node:http2';
import { connect, constants } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge, skip } from '../attack.ts';
import { watch } from '../bystander.ts';
import { nextTile, SEARCH, TILE } from '../demo-tiles.ts';
import { startNginx } from '../nginx.ts';
import { isPicture } from '../polite.ts';

/** HTTP/2, which a proxy speaks for us. */
export const http2: Family = {
  name: 'HTTP/2',
  attacks: [
    {
      name: 'HTTP/2 through nginx',
      severity: 'medium',
      does: 'tiles and searches over HTTP/2, then header lists of 40 KB and 2,000 headers',
      limit: 'the same answers as over HTTP/1.1; long lists are refused by the proxy',
      run: runStreams,
    },
    {
      name: 'rapid reset',
      severity: 'high',
      does: '2,000 streams for tiles, each reset at once, through nginx',
      limit: 'renders that no one waits for are cancelled; other clients are served',
      run: runResets,
    },
  ],
};

async function openSession({ server, defer }: AttackContext): Promise<() => ClientHttp2Session> {
  const nginx = await startNginx(server.port);
  defer(nginx.stop);
  const { tlsPort } = nginx;
  if (tlsPort === null) skip('openssl, which makes the certificate, is not installed');
  return () => {
    const session = connect(`https://127.0.0.1:${tlsPort}`, { rejectUnauthorized: false });
    // A session that the proxy ends is one of the things to see; streams tell.
    session.on('error', () => {});
    defer(() => session.destroy());
    return session;
  };
}

interface StreamAnswer {
  readonly status: number | string;
  readonly body: Buffer;
}

function askStream(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body?: string,
): Promise<StreamAnswer> {
  return new Promise((resolve) => {
    const stream = session.request(headers, { endStream: body === undefined });
    const parts: Buffer[] = [];
    let status: number | string = 'reset';
    stream.setTimeout(10_000, () => stream.close(constants.NGHTTP2_CANCEL));
    stream.on('response', (given) => {
      status = given[':status'] ?? 0;
    });
    stream.on('data', (part: Buffer) => void parts.push(part));
    stream.on('error', () => {});
    stream.on('close', () => resolve({ status, body: Buffer.concat(parts) }));
    if (body !== undefined) stream.end(body);
  });
}

async function runStreams(context: AttackContext): Promise<Sight> {
  const open = await openSession(context);
  const session = open();
  const key = context.keys.bob;
  const tiles = await Promise.all(
    Array.from({ length: 20 }, () => askStream(session, { ':path': TILE, 'x-api-key': key })),
  );
  const found = await askStream(
    session,
    { ':path': SEARCH, ':method': 'POST', 'x-api-key': key },
    '{"search":{}}',
  );
  const many = (count: number, length: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, 'a'.repeat(length)]));
  const long = await askStream(open(), { ':path': '/healthz', ...many(200, 200) });
  const more = await askStream(open(), { ':path': '/healthz', ...many(2_000, 1) });
  const after = await askStream(open(), { ':path': '/healthz' });
  const same = tiles.every(
    ({ status, body }) => status === 200 && isPicture(body) && body.equals(tiles[0]!.body),
  );
  const isFound = found.status === 200 && found.body.includes('"results"');
  return judge(
    `20 tiles ${same ? 'alike' : 'not alike'}, search ${found.status}, 40 KB of headers ${long.status}, 2,000 headers ${more.status}, then ${after.status}`,
    {
      'tiles alike': same,
      'search answers': isFound || found.status === 200,
      'long lists refused': [long, more].every(({ status }) => ['reset', 400, 431].includes(status)),
      'well afterwards': after.status === 200,
    },
  );
}

async function runResets(context: AttackContext): Promise<Sight> {
  const open = await openSession(context);
  const [mine] = context.addresses(1);
  const { server, keys } = context;
  const bystander = { server, key: keys.bob, localAddress: mine, tile: TILE, pauseMs: 50 };
  let sent = 0;
  const { report } = await watch(bystander, async () => {
    let session = open();
    for (let round = 0; round < 40; round += 1) {
      if (session.closed || session.destroyed) session = open();
      for (let i = 0; i < 50; i += 1) {
        const stream = session.request({ ':path': nextTile(), 'x-api-key': keys.alice });
        stream.on('error', () => {});
        stream.close(constants.NGHTTP2_CANCEL);
        sent += 1;
      }
      await sleep(20);
    }
    await sleep(500);
  });
  const after = await askStream(open(), { ':path': TILE, 'x-api-key': keys.carol });
  return judge(`${sent} streams reset; bystander ${report.text}; then a tile ${after.status}`, {
    'the bystander is served': report.isServed,
    'a tile afterwards': after.status === 200,
  });
}
