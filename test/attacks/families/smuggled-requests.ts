import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge } from '../attack.ts';
import { SEARCH } from '../demo-tiles.ts';
import { startNginx } from '../nginx.ts';
import { ask } from '../polite.ts';
import { readLog } from '../target.ts';
import { isErrorBody, say } from '../wire.ts';

/**
 * The request that was never sent; its path appears in the access log if the server processes it. Each trick gets a
 * number of its own, as long as this one, so that a line that comes late still tells which it was.
 */
const HIDDEN = '/hidden-00';
/** Asked for when all is done. */
const LAST = '/last-of-the-tricks';
const hidden = `GET ${HIDDEN} HTTP/1.1\r\nHost: x\r\n\r\n`;
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const post = (headers: string, body: string): string =>
  `POST ${SEARCH} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`;
/** A reader of chunks ends at once, and finds the hidden request after that. */
const emptyChunks = `0\r\n\r\n${hidden}`;
const lengthOf = (body: string): string => `Content-Length: ${body.length}`;
const clTe = (transferEncoding: string): string =>
  post(`${lengthOf(emptyChunks)}\r\n${transferEncoding}`, emptyChunks);

/** Requests whose end two parsers may see at two offsets, by the trick they use. */
const AMBIGUOUS: Readonly<Record<string, string>> = {
  'CL.TE': clTe('Transfer-Encoding: chunked'),
  'TE.CL': post('Transfer-Encoding: chunked\r\nContent-Length: 4', `${chunk(hidden)}0\r\n\r\n`),
  'TE.TE, an unknown coding': clTe('Transfer-Encoding: xchunked'),
  'TE.TE, twice': clTe('Transfer-Encoding: chunked\r\nTransfer-Encoding: x'),
  'TE.TE, a list': clTe('Transfer-Encoding: chunked, identity'),
  'TE.TE, identity first': clTe('Transfer-Encoding: identity, chunked'),
  'TE.TE, a tab': clTe('Transfer-Encoding:\tchunked'),
  'TE.TE, a vertical tab': clTe('Transfer-Encoding: \x0bchunked'),
  'TE.TE, quotes': clTe('Transfer-Encoding: "chunked"'),
  'TE.TE, capitals': clTe('Transfer-Encoding: CHUNKED'),
  'TE.TE, a NUL': clTe('Transfer-Encoding: chunked\0'),
  'TE.TE, a semicolon': clTe('Transfer-Encoding: chunked;x'),
  'space before the colon': clTe('Transfer-Encoding : chunked'),
  'obs-fold of the name': clTe('Transfer-Encoding\r\n : chunked'),
  'obs-fold of the value': clTe('Transfer-Encoding:\r\n chunked'),
  'a header behind a bare LF': clTe('X: x\nTransfer-Encoding: chunked'),
  'a header behind a bare CR': clTe('X: x\rTransfer-Encoding: chunked'),
  'underscore in the name': clTe('Transfer_Encoding: chunked'),
  'two lengths': post(`Content-Length: 0\r\n${lengthOf(hidden)}`, hidden),
  'two lengths, the longer first': post(`${lengthOf(hidden)}\r\nContent-Length: 0`, hidden),
  'a list of lengths': post(`Content-Length: 0, ${hidden.length}`, hidden),
  'a length with a plus': post(`Content-Length: +0`, hidden),
  'a length in hex': post(`Content-Length: 0x0`, hidden),
  'a length with a space': post(`Content-Length: 0 0`, hidden),
  'a length with a minus': post(`Content-Length: -0`, hidden),
  'a length past 2^64': post('Content-Length: 18446744073709551616', hidden),
  'a body with GET': `GET /healthz HTTP/1.1\r\nHost: x\r\n${lengthOf(hidden)}\r\n\r\n${hidden}`,
  'a chunked body with GET': `GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(hidden)}0\r\n\r\n`,
  'HTTP/1.0 with chunks': `POST ${SEARCH} HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n${lengthOf(emptyChunks)}\r\n\r\n${emptyChunks}`,
  'a chunk extension': post(
    'Transfer-Encoding: chunked',
    `${hidden.length.toString(16)};a=b\r\n${hidden}\r\n0\r\n\r\n`,
  ),
  'a chunk extension with a bare LF': post(
    'Transfer-Encoding: chunked',
    `2;\n\r\nxx\r\n${chunk(hidden)}0\r\n\r\n`,
  ),
  'a long chunk extension': post('Transfer-Encoding: chunked', `1;${'a'.repeat(20_000)}\r\nx\r\n0\r\n\r\n`),
  'a chunk size past 2^64': post('Transfer-Encoding: chunked', `10000000000000000\r\n${hidden}`),
  'a chunk size in 0x': post('Transfer-Encoding: chunked', `0x1\r\na\r\n0\r\n\r\n${hidden}`),
  'a negative chunk size': post('Transfer-Encoding: chunked', `-1\r\n${hidden}`),
  'chunks that end in LF': post('Transfer-Encoding: chunked', `1\na\n0\n\n${hidden}`),
  'a longer chunk than its size': post('Transfer-Encoding: chunked', `1\r\nabc\r\n0\r\n\r\n${hidden}`),
  'a length in the trailer': post('Transfer-Encoding: chunked', `1\r\n{\r\n0\r\n${lengthOf(hidden)}\r\n\r\n`),
  'lines that end in LF': `POST ${SEARCH} HTTP/1.1\nHost: x\nContent-Length: ${hidden.length}\n\n${hidden}`,
  'a space in the version': `GET /healthz HTTP/1.1 ${HIDDEN} HTTP/1.1\r\nHost: x\r\n\r\n`,
  'two hosts': `GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n${lengthOf(hidden)}\r\n\r\n${hidden}`,
  'continue first': post(`Expect: 100-continue\r\n${lengthOf(hidden)}`, hidden),
};

/** Requests inside of requests. */
export const smuggledRequests: Family = {
  name: 'smuggled requests',
  attacks: [
    {
      name: 'smuggling, directly',
      severity: 'high',
      does: `${Object.keys(AMBIGUOUS).length} requests whose end is ambiguous, each with another request inside`,
      limit: 'one answer each, 400 for ambiguous requests; the request inside is never processed',
      isQuick: true,
      run: (context) => runSmuggling(context, context.server.port),
    },
    {
      name: 'smuggling, behind nginx',
      severity: 'high',
      does: `the same ${Object.keys(AMBIGUOUS).length} through nginx with keep-alive connections, and three clients after each`,
      limit: 'every client gets its own answer',
      async run(context) {
        const nginx = await startNginx(context.server.port);
        context.defer(nginx.stop);
        return runSmuggling(context, nginx.port);
      },
    },
  ],
};

async function runSmuggling({ server, keys, isTimed }: AttackContext, port: number): Promise<Sight> {
  const isDirect = port === server.port;
  const printed = server.output().length;
  const wrong: string[] = [];
  const tricks = Object.entries(AMBIGUOUS);
  const toHidden = (n: number): string => `/hidden-${n + 10}`;
  const mayFollow: number[] = [];
  let refused = 0;
  for (const [n, [name, text]] of tricks.entries()) {
    const keyed = text
      .replace('Host: x', `Host: x\r\nx-api-key: ${keys.alice}`)
      .replaceAll(HIDDEN, toHidden(n));
    const { answers } = await say({ port, isTimed }, Buffer.from(keyed, 'latin1'), { silenceMs: 60 });
    const last = answers.filter(({ status }) => status >= 200);
    const { status = 0, body = Buffer.alloc(0) } = last[0] ?? {};
    if (status === 400) refused += 1;
    if (last.length === 0) wrong.push(`${name}: no answer`);
    if (isDirect && last.length > 1) wrong.push(`${name}: ${last.length} answers`);
    if (isDirect && status >= 400 && !isErrorBody(body)) wrong.push(`${name}: bare ${status}`);
    // A proxy may take what follows for the client's own next request: then the client gets both answers.
    mayFollow.push(isDirect ? 0 : Math.max(0, last.length - 1));
    for (let i = 0; i < 3; i += 1) {
      const id = `next-client-${n}-${i}`;
      const next = await ask({ port, isTimed }, '/healthz', { headers: { 'x-request-id': id } });
      if (next.status === 200 && next.headers['x-request-id'] === id) continue;
      wrong.push(`${name}: the next client got ${next.status} of ${next.headers['x-request-id']}`);
    }
  }
  // Lines come in order: the last one is behind those of the tricks.
  await ask(server, LAST);
  await server.printed(new RegExp(LAST));
  const paths = readLog(server.output().slice(printed)).map(({ path }) => path);
  for (const [n, [name]] of tricks.entries()) {
    const seen = paths.filter((path) => path === toHidden(n)).length;
    if (seen > (mayFollow[n] ?? 0)) wrong.push(`${name}: the hidden request was answered`);
  }
  const saw = `${tricks.length} sent, ${refused} refused with 400${wrong.length > 0 ? `; ${wrong.join('; ')}` : ''}`;
  return judge(saw, {
    'one answer each, none of a hidden request': wrong.length === 0,
    'most are refused': refused > 20,
  });
}
