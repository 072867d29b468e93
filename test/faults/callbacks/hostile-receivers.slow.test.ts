/** Receivers of callbacks that are not who they say, at addresses of the sixth version, and messages that come again. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeDemoData } from '../../support/demo-data.ts';
import { makeCertificate } from '../../support/make-certificate.ts';
import type { RunningSwath } from '../../support/start-swath.ts';
import { ONE_THREAD, runSwath, startSwath } from '../../support/start-swath.ts';
import { awaitCallback, orderCallback } from './order-callback.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const received: Received[] = [];
const take: RequestListener = (request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (part: string) => {
    body += part;
  });
  request.on('end', () => {
    received.push({ headers: request.headers, body });
    response.end();
  });
};

const authority = makeCertificate({ name: 'Authority of the test', isAuthority: true });
const by = authority.signer;
const HERE = ['localhost', '127.0.0.1'];
/** By what is wrong with it. */
const certificates = {
  good: makeCertificate({ name: 'good', hosts: HERE, by }),
  'self-signed': makeCertificate({ name: 'self-signed', hosts: HERE }),
  'of another host': makeCertificate({ name: 'other', hosts: ['other.example', '127.0.0.2'], by }),
  expired: makeCertificate({ name: 'old', hosts: HERE, by, fromDay: -9, toDay: -2 }),
  'not valid yet': makeCertificate({ name: 'early', hosts: HERE, by, fromDay: 2, toDay: 9 }),
};

const servers: Server[] = [];
async function listen(server: Server, host: string, port = 0): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

const folder = mkdtempSync(join(tmpdir(), 'swath-receivers-'));
const ports = new Map<string, number>();
let [dataDir, hasIpv6] = ['', true];
let plainPort = 0;
let swath: RunningSwath;

before(async () => {
  for (const [what, { cert, key }] of Object.entries(certificates))
    ports.set(what, await listen(createTlsServer({ cert, key }, take), '127.0.0.1'));
  plainPort = await listen(createServer(take), '127.0.0.1');
  // Both versions at one port, so that a message that takes the wrong one is seen.
  await listen(createServer(take), '::1', plainPort).catch(() => {
    hasIpv6 = false;
  });
  const ca = join(folder, 'authority.pem');
  writeFileSync(ca, authority.cert);
  dataDir = await makeDemoData();
  const all = [...ports.values(), plainPort];
  swath = await startSwath({
    dataDir,
    env: {
      ...ONE_THREAD,
      NODE_EXTRA_CA_CERTS: ca,
      SWATH_CALLBACK_HOSTS: [
        ...all.flatMap((port) => [`127.0.0.1:${port}`, `[::1]:${port}`, `[::ffff:127.0.0.1]:${port}`]),
        '127.0.0.1/32',
        '::1/128',
      ].join(' '),
      SWATH_CALLBACK_RETRY_MS: '1',
      SWATH_WRITES_PER_MINUTE: '0',
    },
  });
});
after(async () => {
  await swath?.stop('SIGKILL');
  for (const server of servers) server.close().closeAllConnections();
  for (const path of [folder, dataDir]) rmSync(path, { recursive: true, force: true });
});

test('a receiver with a valid certificate is called; any other is tried five times, gets nothing, and is named as the reason', async () => {
  const good = await awaitCallback(swath, `https://127.0.0.1:${ports.get('good')}/`);
  assert.deepEqual([good.state, good.attempts, good.last_error], ['delivered', 1, null]);
  const before = received.length;
  const untrusted = ['self-signed', 'of another host', 'expired', 'not valid yet'];
  const ends = untrusted.map((what) => awaitCallback(swath, `https://127.0.0.1:${ports.get(what)}/`));
  for (const [i, { state, attempts, last_status, last_error }] of (await Promise.all(ends)).entries()) {
    assert.deepEqual(
      { state, attempts, last_status, last_error },
      { state: 'failed', attempts: 5, last_status: null, last_error: 'bad-certificate' },
      untrusted[i],
    );
  }
  assert.equal(received.length, before, 'no message is sent over a connection that is not trusted');
});

test('a receiver at an allowed IPv6 address is called; other forms of loopback are refused when they are ordered', async (t) => {
  if (!hasIpv6) return t.skip('this machine has no IPv6 loopback');
  const { state, id } = await awaitCallback(swath, `http://[::1]:${plainPort}/`);
  assert.equal(state, 'delivered');
  const message = received.find(({ headers }) => headers['x-swath-task'] === id);
  assert.equal(message?.headers.host, `[::1]:${plainPort}`);
  const before = received.length;
  for (const host of [
    '[::ffff:127.0.0.2]',
    '[::ffff:7f00:2]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fe80::1%25lo]',
    '[fe80::1%lo]',
    '[::1%25lo]',
    '[fd00::1]',
    '[ff02::1]',
    '[::]',
  ]) {
    const answer = await orderCallback(swath, `http://${host}:${plainPort}/`);
    const { code } = (await answer.json()) as { code: string };
    assert.deepEqual([answer.status, code], [400, 'bad-callback-url'], host);
  }
  assert.equal(received.length, before);
});

/** As docs/use/callbacks.md tells receivers to check a message. */
function makeReplayCheck(secret: string, nowS: () => number) {
  const seen = new Set<string>();
  const sign = (text: string): string => `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
  return ({ headers, body }: Received): 'new' | 'again' | 'late' | 'forged' => {
    const timestamp = String(headers['x-swath-timestamp']);
    if (headers['x-swath-timestamp-signature'] !== sign(`${timestamp}.${body}`)) return 'forged';
    if (Math.abs(nowS() - Number(timestamp)) > 300) return 'late';
    if (seen.has(String(headers['x-swath-task']))) return 'again';
    seen.add(String(headers['x-swath-task']));
    return 'new';
  };
}

test('a receiver can detect a replayed message: soon by its task, later by its signed time', async () => {
  const rotated = await runSwath(['keys', 'rotate-callback-secret', 'configured'], { SWATH_DATA: dataDir });
  const { id } = await awaitCallback(swath, `http://127.0.0.1:${plainPort}/`);
  const message =
    received.find(({ headers }) => headers['x-swath-task'] === id) ?? assert.fail('nothing came');
  const sentS = Number(message.headers['x-swath-timestamp']);
  let nowS = sentS;
  const check = makeReplayCheck(rotated.stdout.trim(), () => nowS);
  assert.deepEqual([check(message), check(message)], ['new', 'again']);
  nowS = sentS + 301;
  assert.equal(check(message), 'late');
  const renewed = { ...message, headers: { ...message.headers, 'x-swath-timestamp': String(nowS) } };
  assert.equal(check(renewed), 'forged');
  const changed = { ...message, body: message.body.replace('"progress":1', '"progress":0') };
  assert.notEqual(changed.body, message.body);
  assert.equal(check(changed), 'forged');
});
