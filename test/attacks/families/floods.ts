import { gzipSync } from 'node:zlib';
import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge } from '../attack.ts';
import { watch } from '../bystander.ts';
import { SEARCH, TILE } from '../demo-tiles.ts';
import { ask, countStatuses, isPicture, makeAgent } from '../polite.ts';
import { readRssMb } from '../target.ts';
import { isErrorBody, parseAnswers, say } from '../wire.ts';

/** Too many, or too long, of what is allowed once. */
export const floods: Family = {
  name: 'floods',
  attacks: [
    {
      name: 'wrong keys',
      severity: 'medium',
      does: '300 made-up keys from one address, and a valid one between them',
      limit: '30 wrong keys a minute per address, then 429; valid keys stay served',
      isQuick: true,
      run: runWrongKeys,
    },
    {
      name: 'many and long headers',
      severity: 'medium',
      does: '200 headers, 3,000 headers, and headers of 17 KB',
      limit: 'request line and headers 16,384 bytes: 431',
      isQuick: true,
      run: runHeaders,
    },
    {
      name: 'long paths and queries',
      severity: 'low',
      does: 'paths of 4,097 and 15,000 characters, queries of 8,193 and 15,000, 5,000 parameters',
      limit: 'path 4,096, query 8,192: 414',
      isQuick: true,
      run: runLong,
    },
    {
      name: 'compressed bodies',
      severity: 'medium',
      does: 'a gzip body of 100 KB that inflates to 100 MB, under five encodings',
      limit: 'request bodies are not inflated: 400 or 415; memory grows by less than 60 MB',
      isQuick: true,
      run: runBombs,
    },
    {
      name: 'ranges and conditions',
      severity: 'low',
      does: 'Range with 1,000 parts, If-None-Match with 2,000 tags, twelve odd Accept-Encoding',
      limit: 'never more bytes than the whole; 304 when one of the tags is right',
      isQuick: true,
      run: runConditions,
    },
    {
      name: 'HEAD and OPTIONS',
      severity: 'medium',
      does: '2,000 HEAD and OPTIONS on 20 connections',
      limit: 'no more than GET costs; others are served',
      isQuick: true,
      run: runHeads,
    },
  ],
};

async function runWrongKeys({ server, keys, addresses }: AttackContext): Promise<Sight> {
  const [localAddress] = addresses(1);
  const agent = makeAgent(localAddress, 10);
  const statuses: number[] = [];
  const valid: number[] = [];
  let retryAfter = 0;
  const startedAt = performance.now();
  const connection = async (_: unknown, i: number): Promise<void> => {
    for (let n = 0; n < 30; n += 1) {
      const wrong = await ask(server, TILE, { key: `apk.${i}${'0'.repeat(60)}${n}`, agent });
      statuses.push(wrong.status);
      if (wrong.status === 429 && wrong.headers['retry-after'] !== undefined) retryAfter += 1;
      if (n % 3 === 0) valid.push((await ask(server, TILE, { key: keys.bob, agent })).status);
    }
  };
  await Promise.all(Array.from({ length: 10 }, connection));
  agent.destroy();
  // A slow machine needs several minutes for them, each with as many wrong keys.
  const allowed = 30 * (1 + Math.floor((performance.now() - startedAt) / 60_000));
  const count = (status: number): number => statuses.filter((one) => one === status).length;
  return judge(`wrong: ${countStatuses(statuses)}; valid: ${countStatuses(valid)}`, {
    // At the front door all callers without a valid key share the slots; those that find none are told to retry.
    '403, then 429 with Retry-After':
      count(403) <= allowed && count(429) === retryAfter && retryAfter > (statuses.length - allowed) / 3,
    'nothing else but 503': count(403) + count(429) + count(503) === statuses.length,
    'valid keys are served': valid.every((status) => status === 200),
  });
}

async function runHeaders({ server }: AttackContext): Promise<Sight> {
  const send = async (lines: string): Promise<string> => {
    const { answers, isClosed } = await say(
      server,
      `GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n`,
    );
    const { status = 0, body = Buffer.alloc(0) } = answers[0] ?? {};
    return `${status}${status >= 400 && !isErrorBody(body) ? ' bare' : ''}${isClosed ? '' : ' open'}`;
  };
  const many = await send(Array.from({ length: 200 }, (_, i) => `X-${i}: a\r\n`).join(''));
  const more = await send(Array.from({ length: 3_000 }, (_, i) => `X${i}:a\r\n`).join(''));
  const long = await send(`X-A: ${'a'.repeat(17_000)}\r\n`);
  const cookies = await send('Cookie: a=b\r\n'.repeat(1_200));
  const fine = ['200', '431'];
  return judge(`200 headers ${many}, 3,000 ${more}, 17 KB ${long}, 1,200 cookies ${cookies}`, {
    '200 headers are fine': many === '200',
    'the others 431 or fine': [more, cookies].every((status) => fine.includes(status)),
    '17 KB are 431': long === '431',
  });
}

async function runLong({ server, keys }: AttackContext): Promise<Sight> {
  const send = async (target: string): Promise<number> => {
    const { status, body } = await ask(server, target, { key: keys.bob });
    return status >= 400 && !isErrorBody(body) ? -status : status;
  };
  const paths = [await send(`/${'a'.repeat(4_096)}`), await send(`/api/render/${'a'.repeat(15_000)}`)];
  const queries = [
    await send(`/healthz?${'a'.repeat(8_193)}`),
    await send(`${TILE}?${'a'.repeat(15_000)}`),
    await send(`${TILE}?${'a&'.repeat(5_000)}`),
  ];
  const slashes = await send(`/${'/'.repeat(4_000)}`);
  const parameters = await send(`${TILE}?${'a&'.repeat(4_000)}`);
  const saw = `paths ${paths.join(', ')}; queries ${queries.join(', ')}; 4,000 slashes ${slashes}; 4,000 parameters ${parameters}`;
  return judge(saw, {
    '414 past the limits': [...paths, ...queries].every((status) => status === 414),
    'within them an answer': [200, 400].includes(parameters) && [400, 404].includes(slashes),
  });
}

async function runBombs({ server, keys }: AttackContext): Promise<Sight> {
  const bomb = gzipSync(Buffer.alloc(100 * 2 ** 20, 0x20), { level: 9 });
  const before = readRssMb(server) ?? 0;
  const statuses: number[] = [];
  for (const encoding of ['gzip', 'gzip, gzip', 'deflate', 'br', 'identity']) {
    for (const path of [SEARCH, '/api/render/cropper']) {
      const headers = { 'content-encoding': encoding };
      statuses.push((await ask(server, path, { method: 'POST', key: keys.bob, body: bomb, headers })).status);
    }
  }
  const growth = (readRssMb(server) ?? 0) - before;
  return judge(
    `${(bomb.length / 1024).toFixed(0)} KB each: ${countStatuses(statuses)}; memory +${growth.toFixed(0)} MB`,
    {
      refused: statuses.every((status) => [400, 413, 415].includes(status)),
      'less than 60 MB more': growth < 60,
    },
  );
}

async function runConditions({ server, keys, isTimed }: AttackContext): Promise<Sight> {
  const key = keys.bob;
  const whole = await ask(server, TILE, { key });
  const etag = String(whole.headers.etag);
  const range = await ask(server, TILE, {
    key,
    headers: { range: `bytes=${Array.from({ length: 1_000 }, () => '0-').join(',')}` },
  });
  const tags = Array.from({ length: 2_000 }, (_, i) => `"${i}"`).join(',');
  const [none, one] = [
    await ask(server, TILE, { key, headers: { 'if-none-match': tags } }),
    await ask(server, TILE, { key, headers: { 'if-none-match': `${tags.slice(0, 9_000)}",${etag}` } }),
  ];
  const slowest = Math.max(range.ms, none.ms, one.ms);
  const odd = [
    '',
    '*',
    '*;q=0',
    'identity;q=0',
    'gzip;q=0',
    'gzip;q=2',
    'br;q=1e9',
    ',,,,',
    'zstd',
    'x'.repeat(9_000),
    'gzip,'.repeat(2_000),
    'GZIP',
  ];
  const pages = await Promise.all(
    odd.map((accept) => ask(server, '/openapi.json', { headers: { 'accept-encoding': accept } })),
  );
  const isPage = pages.every(({ status, headers, body }) => {
    if (status === 406) return isErrorBody(body);
    return status === 200 && (headers['content-encoding'] !== undefined || body[0] === 0x7b);
  });
  const saw = `Range ${range.status} with ${range.body.length} of ${whole.body.length} bytes; tags ${none.status} and ${one.status}; slowest ${slowest.toFixed(0)} ms; encodings ${countStatuses(pages.map(({ status }) => status))}`;
  return judge(saw, {
    'no more than the whole':
      range.body.length <= whole.body.length && [200, 206, 416].includes(range.status),
    'a wrong tag is 200': none.status === 200 && isPicture(none.body),
    'a right one among thousands 304': one.status === 304,
    // The server needs some milliseconds; a busy machine needs the rest.
    'within a second': !isTimed || slowest < 1_000,
    'pages can be read': isPage,
  });
}

async function runHeads({ server, keys, addresses }: AttackContext): Promise<Sight> {
  const [mine, ...theirs] = addresses(5);
  const statuses: number[] = [];
  const flood = async (_: unknown, i: number): Promise<void> => {
    const agent = makeAgent(theirs[i % 4], 1);
    for (let n = 0; n < 100; n += 1) {
      const method = n % 2 === 0 ? 'HEAD' : 'OPTIONS';
      const path = ['/openapi.json', TILE, SEARCH, '/docs'][n % 4] as string;
      statuses.push((await ask(server, path, { method, key: keys.alice, agent })).status);
    }
    agent.destroy();
  };
  const bystander = { server, key: keys.bob, localAddress: mine, tile: TILE, pauseMs: 20 };
  const { report } = await watch(bystander, () => Promise.all(Array.from({ length: 20 }, flood)));
  const head = 'HEAD /openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const { bytes } = await say(server, head, { isHead: true });
  const behind = parseAnswers(bytes, true).rest.length;
  return judge(`${countStatuses(statuses)}; ${report.text}; ${behind} bytes behind a HEAD`, {
    'answers of ours': statuses.every((status) => [200, 204, 405, 503].includes(status)),
    'no body behind HEAD': behind === 0,
    'the bystander is served': report.isServed,
  });
}
