import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The one account of the test store. */
export const ACCESS_KEY_ID = 'test:tester';
export const SECRET_ACCESS_KEY = 'testing+secret/key';
/** The name under which buckets are also found as host names. */
export const STORAGE_DOMAIN = 'store.example';

/** Debian's Python, which is the one that has Debian's Swift. */
const PYTHON = process.env.SWIFT_PYTHON ?? '/usr/bin/python3';

/** The tool `swift-ring-builder`, which takes its own name for an option when it is called this way. */
const RING_BUILDER = "import sys; sys.argv[0] = 'ring'; from swift.cli.ringbuilder import main; main()";

/** True when OpenStack Swift is installed. */
export const hasSwift = (): boolean =>
  spawnSync(PYTHON, [
    '-c',
    'import swift.proxy.server, swift.account.server, swift.container.server, swift.obj.server',
  ]).status === 0;

/** A whole Swift with its S3 interface, on the loopback, in a folder that goes away with it. */
export interface Swift extends AsyncDisposable {
  readonly port: number;
}

/** Starts Swift with one replica on one device, and waits until it answers. */
export async function startSwift(): Promise<Swift> {
  const folder = mkdtempSync(join(tmpdir(), 'swath-swift-'));
  const servers: ChildProcess[] = [];
  const stop = async () => {
    for (const server of servers) server.kill('SIGTERM');
    await Promise.all(
      servers.map((server) => server.exitCode ?? new Promise((resolve) => server.once('exit', resolve))),
    );
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const [port = 0, ...storagePorts] = await findFreePorts(4);
    writeSettings(folder, port, storagePorts);
    const script = fileURLToPath(new URL('run_swift.py', import.meta.url));
    for (const kind of [...STORAGE_KINDS, 'proxy']) {
      const words = [script, `${kind}-server`, join(folder, `${kind}.conf`), join(folder, 'swift.conf')];
      // No __pycache__ next to our files.
      const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
      servers.push(spawn(PYTHON, words, { stdio: ['ignore', 'ignore', 'inherit'], env }));
    }
    // The proxy's word is not enough: it answers 503 while the servers behind it still start.
    await Promise.all([port, ...storagePorts].map(waitUntilHealthy));
    return { port, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const STORAGE_KINDS = ['account', 'container', 'object'] as const;

function writeSettings(folder: string, port: number, storagePorts: readonly number[]): void {
  mkdirSync(join(folder, 'devices', 'd1'), { recursive: true });
  writeFileSync(join(folder, 'swift.conf'), '[swift-hash]\nswift_hash_path_suffix = swath\n');
  writeFileSync(join(folder, 'proxy.conf'), toProxyConf(folder, port));
  STORAGE_KINDS.forEach((kind, i) => {
    writeFileSync(join(folder, `${kind}.conf`), toStorageConf(folder, kind, storagePorts[i] as number));
    const builder = join(folder, `${kind}.builder`);
    buildRing([builder, 'create', '4', '1', '0']);
    buildRing([builder, 'add', `r1z1-127.0.0.1:${storagePorts[i]}/d1`, '1']);
    buildRing([builder, 'rebalance']);
  });
}

/** The ring says which server keeps what; here always the same one. */
function buildRing(words: readonly string[]): void {
  const { status, stderr } = spawnSync(PYTHON, ['-c', RING_BUILDER, ...words], {
    encoding: 'utf8',
  });
  // 1 stands for mere warnings.
  if (status !== 0 && status !== 1) throw new Error(`The ring could not be built: ${stderr}`);
}

async function waitUntilHealthy(port: number): Promise<void> {
  for (let i = 0; i < 150; i += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthcheck`).catch(() => null);
    if (answer?.ok) return;
    await delay(200);
  }
  throw new Error('Swift did not answer within 30 s.');
}

async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports: number[] = [];
  for (const server of servers) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ports.push((server.address() as AddressInfo).port);
  }
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  return ports;
}

const toDefaults = (folder: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${join(folder, 'devices')}
mount_check = false
fallocate_reserve = 0
`;

const toStorageConf = (folder: string, kind: string, port: number) => `${toDefaults(folder, port)}
[pipeline:main]
pipeline = healthcheck ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
[filter:healthcheck]
use = egg:swift#healthcheck
`;

const toProxyConf = (folder: string, port: number) => `${toDefaults(folder, port)}
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck no_cache listing_formats s3api tempauth copy slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:no_cache]
paste.filter_factory = no_cache:filter_factory
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
location = eu-central-1
storage_domain = ${STORAGE_DOMAIN}
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${SECRET_ACCESS_KEY} .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
`;
