import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '../../clients/run-program.ts';

/** Collections and items as a STAC API has them. */
export interface StacContent {
  readonly collections: readonly { readonly id: string }[];
  readonly items: Iterable<{ readonly id: string; readonly collection?: string | null }>;
}

/** Fills an empty database with content, by the loader of pgstac. */
export async function fillDatabase(
  {
    databaseUrl,
    bin,
    folder,
  }: { readonly databaseUrl: string; readonly bin: string; readonly folder: string },
  { collections, items }: StacContent,
): Promise<void> {
  const pypgstac = (...words: readonly string[]) =>
    run(join(bin, 'pypgstac'), [...words, '--dsn', databaseUrl], { cwd: folder });
  await pypgstac('migrate');
  const queryables = join(folder, 'queryables.json');
  writeFileSync(queryables, JSON.stringify({ properties: { 'eo:cloud_cover': { type: 'number' } } }));
  // Without it, pgstac sorts percentages as text.
  await pypgstac('load_queryables', queryables);
  for (const [table, list] of Object.entries({ collections, items })) {
    const file = join(folder, `${table}.ndjson`);
    await pipeline(toLines(list), createWriteStream(file));
    await pypgstac('load', table, file, '--method', 'upsert');
  }
}

/** Line by line: the items of a large catalog are more than a string can hold. */
function* toLines(list: Iterable<unknown>): Generator<string> {
  for (const one of list) yield `${JSON.stringify(one)}\n`;
}

/** A STAC API in a process of its own. */
export interface StacFastapi extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

interface ServerOptions {
  readonly databaseUrl: string;
  readonly bin: string;
  readonly folder: string;
  /** Whether its answers say how many items match. */
  readonly counts: boolean;
}

/** Starts stac-fastapi over a database and waits until it answers. */
export async function startStacFastapi({
  databaseUrl,
  bin,
  folder,
  counts,
}: ServerOptions): Promise<StacFastapi> {
  const { username, password, hostname, port, pathname } = new URL(databaseUrl);
  const own = await findFreePort();
  const words = ['--factory', 'stac_fastapi.pgstac.app:create_app', '--port', String(own)];
  const child = spawn(join(bin, 'uvicorn'), [...words, '--log-level', 'error'], {
    cwd: folder,
    env: {
      ...process.env,
      PGUSER: username,
      PGPASSWORD: password,
      PGHOST: hostname,
      PGPORT: port,
      PGDATABASE: pathname.slice(1),
      SERVER_SETTINGS: JSON.stringify({
        search_path: 'pgstac,public',
        application_name: 'pgstac',
        'pgstac.context': counts ? 'on' : 'off',
      }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const stop = endWithUs(child);
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const url = `http://127.0.0.1:${own}`;
  while (!(await isUp(url))) {
    if (child.exitCode !== null) throw new Error(`stac-fastapi ended with ${child.exitCode}: ${printed}`);
    await sleep(100);
  }
  return { url, pid: child.pid as number, [Symbol.asyncDispose]: stop };
}

const isUp = async (url: string): Promise<boolean> =>
  (await fetch(`${url}/_mgmt/ping`).catch(() => null))?.ok === true;

/** Ends a process with this one, however that ends; gives what ends it earlier. */
export function endWithUs(child: ChildProcess): () => Promise<void> {
  const kill = (): void => void child.kill('SIGKILL');
  process.on('exit', kill);
  const ended = once(child, 'exit');
  return async () => {
    child.kill('SIGTERM');
    await ended;
    process.off('exit', kill);
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
