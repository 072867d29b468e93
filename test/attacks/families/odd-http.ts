import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge } from '../attack.ts';
import { TILE } from '../demo-tiles.ts';
import { readLog } from '../target.ts';
import { isErrorBody, say } from '../wire.ts';

const H2_PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0';
const close = 'Host: x\r\nConnection: close\r\n';

/** What is hardly a request of ours, by what it is. */
const ODD: Readonly<Record<string, string>> = {
  'HTTP/1.1 without Host': 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n',
  'two Host headers': `GET /healthz HTTP/1.1\r\nHost: y\r\n${close}\r\n`,
  'unknown Expect': `GET /healthz HTTP/1.1\r\n${close}Expect: 200-maybe\r\n\r\n`,
  'unknown method': `BREW /healthz HTTP/1.1\r\n${close}\r\n`,
  'method in small letters': `get /healthz HTTP/1.1\r\n${close}\r\n`,
  'a method of WebDAV': `PROPFIND /healthz HTTP/1.1\r\n${close}\r\n`,
  'another method of WebDAV': `SEARCH ${TILE} HTTP/1.1\r\n${close}\r\n`,
  CONNECT: `CONNECT 127.0.0.1:22 HTTP/1.1\r\n${close}\r\n`,
  'CONNECT with data': `CONNECT 127.0.0.1:22 HTTP/1.1\r\n${close}\r\nSSH-2.0-x\r\n`,
  TRACE: `TRACE /healthz HTTP/1.1\r\n${close}X-Secret: s\r\n\r\n`,
  'OPTIONS *': `OPTIONS * HTTP/1.1\r\n${close}\r\n`,
  'GET *': `GET * HTTP/1.1\r\n${close}\r\n`,
  'a websocket': `GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  'an upgrade to h2c': `GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
  'HTTP/0.9': 'GET /healthz\r\n',
  'HTTP/1.0': 'GET /healthz HTTP/1.0\r\n\r\n',
  'HTTP/3.0': `GET /healthz HTTP/3.0\r\n${close}\r\n`,
  'the preface of HTTP/2': H2_PREFACE,
  'a TLS handshake': '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03',
  'a NUL in a header': `GET /healthz HTTP/1.1\r\n${close}X-A: a\0b\r\n\r\n`,
  'a header without colon': `GET /healthz HTTP/1.1\r\n${close}nonsense\r\n\r\n`,
  'a target without slash': `GET healthz HTTP/1.1\r\n${close}\r\n`,
  'an empty target': `GET  HTTP/1.1\r\n${close}\r\n`,
  'a negative length': `POST /healthz HTTP/1.1\r\n${close}Content-Length: -1\r\n\r\n`,
  'a length that is not a number': `POST /healthz HTTP/1.1\r\n${close}Content-Length: 1x\r\n\r\n`,
  'UTF-8 in the target': `GET /é HTTP/1.1\r\n${close}\r\n`,
  'a key of two lines': `GET ${TILE} HTTP/1.1\r\n${close}x-api-key: a\r\n b\r\n\r\n`,
  'only line ends': '\r\n'.repeat(2_000),
  'a body with GET': `GET /healthz HTTP/1.1\r\n${close}Content-Length: 5\r\n\r\nhello`,
};

/** These may be the beginning of a request: the time for headers ends them. */
const WAIT_FOR_MORE = new Set(['HTTP/0.9', 'only line ends']);

/** Requests that few clients ever send. */
export const oddHttp: Family = {
  name: 'odd HTTP',
  attacks: [
    {
      name: 'odd requests',
      severity: 'medium',
      does: `${Object.keys(ODD).length} odd requests: no Host, unknown Expect and methods, CONNECT, TRACE, upgrades, HTTP/0.9, HTTP/2, TLS`,
      limit: 'the standard error body, or a complete answer, or a close; never a bare answer',
      isQuick: true,
      run: runOdd,
    },
  ],
};

async function runOdd({ server }: AttackContext): Promise<Sight> {
  const printed = server.output().length;
  const names = Object.keys(ODD);
  const answers = await Promise.all(
    names.map(async (name) => ({
      name,
      ...(await say(server, Buffer.from(ODD[name] ?? '', 'latin1'), {
        // These would be waited for in vain.
        ...(WAIT_FOR_MORE.has(name) ? { vainMs: 700 } : {}),
      })),
    })),
  );
  const wrong = answers.flatMap(({ name, answers: given, rest }) => {
    if (rest.length > 0) return [`${name}: half an answer`];
    return given.flatMap(({ status, headers, body }) => {
      // An answer of the application has its id; what never became a request has the error body alone.
      const isOurs = status >= 400 ? isErrorBody(body) : headers['x-request-id'] !== undefined;
      if (status === 101) return [`${name}: switched protocols`];
      if (status >= 500) return [`${name}: ${status}`];
      return isOurs ? [] : [`${name}: bare ${status}`];
    });
  });
  const silent = answers.filter(({ answers: given }) => given.length === 0);
  const hanging = silent.filter(({ isClosed, name }) => !isClosed && !WAIT_FOR_MORE.has(name));
  const crashes = readLog(server.output().slice(printed)).filter(
    ({ msg }) => msg === 'request failed',
  ).length;
  const saw = `${names.length - wrong.length - silent.length} answered, ${silent.length} closed without a word${wrong.length > 0 ? `; ${wrong.join(', ')}` : ''}${hanging.length > 0 ? `; waiting: ${hanging.map(({ name }) => name).join(', ')}` : ''}`;
  return judge(saw, {
    'no bare answer': wrong.length === 0,
    'none left waiting': hanging.length === 0,
    'no request failed inside': crashes === 0,
  });
}
