import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Client } from 'pg';

/** A PostgreSQL of our own, on the loopback address and in a temporary folder. */
export interface PostgresCluster {
  readonly url: string;
  /** Ends the server as a crash would; its data stay. */
  halt(): void;
  /** Starts it again, on the same port. */
  restart(): void;
  /** Ends the server and removes its data. */
  stop(): void;
}

/** Where Debian puts the programs of each version; elsewhere they are on the path. */
const DEBIAN_HOME = '/usr/lib/postgresql';

/** Starts a private cluster, with settings of its own if need be; null when PostgreSQL or PostGIS is not installed here. */
export async function startPostgres(
  more: readonly string[] = [],
  superuser = 'swath',
  /** An existing folder for the tables, such as a small disk; the write-ahead log stays elsewhere. */
  tablesIn?: string,
): Promise<PostgresCluster | null> {
  const programs = findPrograms();
  if (programs === null) return null;
  const home = mkdtempSync(join(tmpdir(), 'swath-postgres-'));
  const owner = findOwner();
  if (owner !== null) for (const folder of [home, tablesIn ?? home]) chownSync(folder, owner.uid, owner.gid);
  const run = (program: string, args: readonly string[]): void => {
    execFileSync(join(programs, program), args, {
      ...(owner ?? {}),
      cwd: home,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  };
  const data = join(tablesIn ?? home, 'data');
  const port = await findFreePort();
  const password = 'only-for-tests';
  writeFileSync(join(home, 'password'), password, { mode: 0o644 });
  run('initdb', [
    '--no-sync',
    '-D',
    data,
    '-U',
    superuser,
    '-E',
    'UTF8',
    '--locale=C',
    '-A',
    'scram-sha-256',
    '--pwfile',
    join(home, 'password'),
    ...(tablesIn === undefined ? [] : ['-X', join(home, 'wal')]),
  ]);
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${home}`,
    // Every test makes and drops a schema of some hundred files. No test cuts the power: what a killed server has written
    // stays with the operating system. With fsync a schema took four times as long.
    'fsync=off',
    ...more,
  ].map((setting) => `-c ${setting}`);
  const restart = (): void =>
    run('pg_ctl', [
      '-D',
      data,
      '-w',
      '-t',
      '1800',
      '-l',
      join(home, 'log'),
      '-o',
      settings.join(' '),
      'start',
    ]);
  let isRunning = true;
  restart();
  const cluster = {
    // On a slow machine a connection takes seconds.
    url: `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres?connect_timeout=120`,
    halt() {
      run('pg_ctl', ['-D', data, '-w', '-m', 'immediate', 'stop']);
      isRunning = false;
    },
    restart() {
      restart();
      isRunning = true;
    },
    stop() {
      if (isRunning) run('pg_ctl', ['-D', data, '-w', '-m', 'fast', 'stop']);
      rmSync(home, { recursive: true, force: true });
    },
  };
  if (await hasPostgis(cluster.url)) return cluster;
  cluster.stop();
  return null;
}

/** Debian has PostGIS in a package of its own. */
async function hasPostgis(url: string): Promise<boolean> {
  const client = new Client(url);
  await client.connect();
  try {
    const { rowCount } = await client.query("SELECT 1 FROM pg_available_extensions WHERE name = 'postgis'");
    return rowCount === 1;
  } finally {
    await client.end();
  }
}

function findPrograms(): string | null {
  const versions = existsSync(DEBIAN_HOME)
    ? readdirSync(DEBIAN_HOME).sort((a, b) => Number(b) - Number(a))
    : [];
  for (const version of versions) {
    const folder = join(DEBIAN_HOME, version, 'bin');
    if (existsSync(join(folder, 'initdb'))) return folder;
  }
  const folders = process.env.PATH?.split(delimiter) ?? [];
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

/** PostgreSQL refuses to run as root: then the user that its package has made does. */
function findOwner(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
