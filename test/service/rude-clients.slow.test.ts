import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { waitFor } from '../../src/testing/wait-for.ts';
import type { RunningSwath } from '../support/start-swath.ts';
import { ONE_THREAD, SERVICE_KEY, startSwath } from '../support/start-swath.ts';

let swath: RunningSwath;
const sockets: Socket[] = [];
before(async () => {
  swath = await startSwath({ env: { SWATH_LOG: 'silent', ...ONE_THREAD } });
});
after(async () => {
  for (const socket of sockets) socket.destroy();
  await swath.stop();
});

async function open(): Promise<Socket> {
  const { hostname, port } = new URL(swath.url);
  const socket = connect({ host: hostname, port: Number(port) });
  sockets.push(socket);
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket;
}

/** Sends raw bytes and reads the answer until the server closes. */
async function say(text: string): Promise<string> {
  const socket = await open();
  socket.end(text);
  let answer = '';
  for await (const part of socket.setEncoding('utf8')) answer += part;
  return answer;
}

/** Requests of a route that the service has answered. */
async function countRequests(route: string): Promise<number> {
  const figures = await (await fetch(`${swath.url}/metrics`)).text();
  return figures
    .split('\n')
    .filter((line) => line.startsWith('swath_http_requests_total{') && line.includes(`"${route}"`))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

test('clients that request much and never read do not affect others', async () => {
  for (let i = 0; i < 20; i += 1) {
    const socket = await open();
    socket.pause();
    const page = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(40);
    const tile = (n: number) => `GET /api/render/S2/x?api_key=made-up-${i}-${n} HTTP/1.1\r\nHost: x\r\n\r\n`;
    socket.write(page + Array.from({ length: 40 }, (_, n) => tile(n)).join(''));
  }
  await waitFor(async () => (await countRequests('/openapi.json')) >= 20);
  for (let i = 0; i < 5; i += 1) {
    const answer = await fetch(`${swath.url}/api/render/S2L2A/10/U/EU/2026/6/21/1/B04/0/0/0`, {
      headers: { 'x-api-key': SERVICE_KEY },
    });
    // 404 because this catalog is empty: it was let in and looked up.
    assert.equal(answer.status, 404);
    await answer.text();
  }
});

test('requests that are hardly HTTP get the standard error body', async () => {
  const refused = [
    'GARBAGE\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: evil.com"x\r\nConnection: close\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  ];
  for (const text of refused) {
    const answer = await say(text);
    assert.match(answer, /^HTTP\/1\.1 4\d\d /, text.slice(0, 40));
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as object;
    assert.deepEqual(Object.keys(body), ['status', 'error', 'code', 'request_id'], text.slice(0, 40));
  }
});

test('an absolute URL as the request target is read like its path', async () => {
  const head = `Host: x\r\nx-api-key: ${SERVICE_KEY}\r\nConnection: close\r\n\r\n`;
  const answer = await say(`GET http://x/api/render/S2/nowhere HTTP/1.1\r\n${head}`);
  assert.match(answer, /"code":"unknown-scene"/);
});

test('a single Ctrl-C that arrives twice still shuts down gracefully', async (t) => {
  const other = await startSwath({ env: { SWATH_LOG: 'silent', ...ONE_THREAD } });
  t.after(() => other.process.kill('SIGKILL'));
  other.process.kill('SIGINT');
  assert.equal(await other.stop('SIGINT'), 0);
});
