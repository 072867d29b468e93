/**
 * DNS rebinding, live: a service that asks a DNS server of ours, which changes its mind. 127.0.0.2 stands for an address
 * that may be called, 127.0.0.1 for one inside: nothing leaves the machine.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeDemoData } from '../../support/demo-data.ts';
import { ONE_THREAD, startSwath } from '../../support/start-swath.ts';
import { startLocalDns } from './local-dns.ts';
import { awaitCallback } from './order-callback.ts';

const [OUTSIDE, INSIDE] = ['127.0.0.2', '127.0.0.1'];

/** Runs a program with another resolv.conf, which only it sees. */
const toOwnResolver = (path: string): readonly string[] => [
  'unshare',
  '--mount',
  'sh',
  '-c',
  `mount --bind ${path} /etc/resolv.conf && exec "$@"`,
  'sh',
];

test('a name that resolves to an outside address first and an inside one later is never called inside', async (t) => {
  if (process.platform !== 'linux') return t.skip('only Linux has mount namespaces');
  const times = new Map<string, number>();
  const dns = await startLocalDns((name) => {
    // Both versions of an address are asked for: each time is counted once, by the name.
    const time = Math.floor((times.get(name) ?? 0) / 2);
    times.set(name, (times.get(name) ?? 0) + 1);
    switch (name) {
      case 'outside.test':
        return [OUTSIDE];
      case 'rebinding.test':
        return [time === 0 ? OUTSIDE : INSIDE];
      case 'alternating.test':
        return [time % 2 === 0 ? OUTSIDE : INSIDE];
      case 'both.test':
        return [OUTSIDE, INSIDE];
      case 'sixth.test':
        return time === 0 ? [OUTSIDE] : ['::1'];
      case 'mapped.test':
        return time === 0 ? [OUTSIDE] : [`::ffff:${INSIDE}`];
      default:
        return null;
    }
  });
  if (dns === null) return t.skip('no right to listen at port 53');
  t.after(() => dns.close());
  const folder = mkdtempSync(join(tmpdir(), 'swath-rebinding-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const resolver = join(folder, 'resolv.conf');
  writeFileSync(resolver, `nameserver ${dns.address}\noptions timeout:5 attempts:1\n`, { mode: 0o644 });
  const within = toOwnResolver(resolver);
  if (spawnSync(within[0] as string, [...within.slice(1), 'true']).status !== 0)
    return t.skip('no right to a mount namespace');

  const hosts: string[] = [];
  let inside = 0;
  const outside = createServer((request, response) => {
    const host = (request.headers.host ?? '').split(':')[0] as string;
    hosts.push(host);
    // Not taken, so that the next attempt looks the name up again; each connection serves one request.
    response.writeHead(host === 'outside.test' ? 200 : 500, { connection: 'close' }).end();
  });
  await new Promise<void>((resolve) => outside.listen(0, OUTSIDE, resolve));
  const { port } = outside.address() as AddressInfo;
  const canaries = [INSIDE, '::1'].map((host) => {
    const canary = createServer((_request, response) => void response.end()).on('connection', () => {
      inside += 1;
    });
    canary.on('error', () => {});
    canary.listen(port, host);
    return canary;
  });
  t.after(() => {
    for (const server of [outside, ...canaries]) server.close().closeAllConnections();
  });
  const dataDir = await makeDemoData();
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const swath = await startSwath({
    dataDir,
    within,
    env: {
      ...ONE_THREAD,
      SWATH_CALLBACK_HOSTS: `*.test:${port} ${OUTSIDE}/32`,
      SWATH_CALLBACK_RETRY_MS: '1',
    },
  });
  t.after(() => swath.stop('SIGKILL'));

  const told = await awaitCallback(swath, `http://outside.test:${port}/`);
  assert.equal(told.state, 'delivered', 'names are looked up at the server of the test');
  assert.ok(dns.asked.includes('outside.test'));
  const names = ['rebinding.test', 'alternating.test', 'both.test', 'sixth.test', 'mapped.test'];
  const ends = await Promise.all(names.map((name) => awaitCallback(swath, `http://${name}:${port}/`)));
  for (const [i, { state, attempts }] of ends.entries()) {
    const name = names[i];
    assert.deepEqual([state, attempts], ['failed', 5], name);
    assert.ok(dns.asked.filter((one) => one === name).length >= 5, `${name} is looked up for each attempt`);
  }
  assert.equal(inside, 0, 'no connection inside');
  const count = (name: string): number => hosts.filter((host) => host === name).length;
  assert.deepEqual(
    [count('rebinding.test'), count('both.test'), count('sixth.test'), count('mapped.test')],
    [1, 0, 1, 1],
    'called only while the name led outside',
  );
  assert.equal(count('alternating.test'), 3);
});
