import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { findFreePort } from '../../test/attacks/free-port.ts';
import { endWithUs, fillDatabase } from '../../test/oracle/earth/start-stac-fastapi.ts';
import { startPostgres } from '../../test/ports/postgres-cluster.ts';
import { hasPython, installPython } from '../../test/support/python-packages.ts';
import { GDAL } from '../cold/peers.ts';
import { readTreeCpuS } from '../exports/spent.ts';
import { listItems } from './make-scenes.ts';
import { PYTHON_PACKAGES } from './packages.ts';
import type { Measured } from './services.ts';

/** titiler-pgstac with its database. */
export interface TitilerPgstac extends Measured {
  /** Registers a search for the scenes of some days, the newest first; gives its id. */
  register(from: string, to: string): Promise<string>;
}

/** Starts it with the scenes; null, with a sentence, where Python or PostgreSQL is missing. */
export async function startTitilerPgstac(scenes: string, folder: string): Promise<TitilerPgstac | null> {
  const postgres = hasPython() ? await startPostgres(['fsync=on']) : null;
  if (postgres === null) {
    console.log('Python, or PostgreSQL with PostGIS, is not installed here: nothing to compare with.');
    return null;
  }
  try {
    const bin = await installPython('swath-bench-mosaic', PYTHON_PACKAGES, console.log);
    const content = { collections: [COLLECTION], items: listItems(scenes) };
    await fillDatabase({ databaseUrl: postgres.url, bin, folder }, content);
    const { username, password, hostname, port, pathname } = new URL(postgres.url);
    const own = await findFreePort();
    const child = spawn(
      join(bin, 'uvicorn'),
      ['titiler.pgstac.main:app', '--port', String(own), '--log-level', 'error'],
      {
        cwd: folder,
        env: {
          ...process.env,
          ...GDAL,
          GDAL_CACHEMAX: '1024',
          PGUSER: username,
          PGPASSWORD: password,
          PGHOST: hostname,
          PGPORT: port,
          PGDATABASE: pathname.slice(1),
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    const stop = endWithUs(child);
    const url = `http://127.0.0.1:${own}`;
    while (!(await isUp(url))) {
      if (child.exitCode !== null) throw new Error(`titiler-pgstac ended with ${child.exitCode}`);
      await sleep(100);
    }
    const database = findPostmaster(port);
    return {
      url,
      readCpuS: () => readTreeCpuS(child.pid as number) + readTreeCpuS(database),
      register: (from, to) => register(url, from, to),
      async [Symbol.asyncDispose]() {
        await stop();
        postgres.stop();
      },
    };
  } catch (error) {
    postgres.stop();
    throw error;
  }
}

const COLLECTION = {
  type: 'Collection',
  id: 'bench',
  stac_version: '1.0.0',
  description: 'Scenes of a benchmark',
  license: 'proprietary',
  links: [],
  extent: {
    spatial: { bbox: [[31, 50, 32.5, 51]] },
    temporal: { interval: [['2026-06-01T00:00:00Z', null]] },
  },
};

const isUp = async (url: string): Promise<boolean> =>
  (await fetch(`${url}/healthz`).catch(() => null))?.ok === true;

async function register(url: string, from: string, to: string): Promise<string> {
  const answer = await request(`${url}/searches/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      collections: ['bench'],
      datetime: `${from}T00:00:00Z/${to}T23:59:59Z`,
      sortby: [{ field: 'datetime', direction: 'desc' }],
    }),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`search: ${answer.statusCode} ${text.slice(0, 300)}`);
  return (JSON.parse(text) as { readonly id: string }).id;
}

/** The process of PostgreSQL that has started all others of a port. */
export function findPostmaster(port: string): number {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').includes(`port=${port}`))
        return Number(name);
    } catch {
      // It has ended meanwhile.
    }
  }
  throw new Error(`no PostgreSQL at port ${port}`);
}
