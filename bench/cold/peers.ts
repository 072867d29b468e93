import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tile } from '../../src/geo/index.ts';
import { runSwath, SERVICE_KEY, startSwath, waitUntilReady } from '../../test/support/start-swath.ts';
import { SCENE, writeItem } from './make-scene.ts';

/** A service in a fresh process. */
export interface RunningPeer extends AsyncDisposable {
  toUrl(tile: Tile): string;
}

/** One side of the comparison. */
export interface Peer {
  readonly name: string;
  /** Removes what earlier processes have stored of remote files. */
  forget(): void;
  start(): Promise<RunningPeer>;
}

interface Files {
  /** Where catalogs and items are written. */
  readonly work: string;
  /** Where the bands lie. */
  readonly bands: string;
  readonly port: number;
}

/** How long each side may warm up. */
const WARM_UP_MS = 4_000;

/** Swath over HTTP, or with the same files on this machine. */
export async function makeSwath(
  { work, bands, port }: Files,
  where: 'remote' | 'local',
  settings: NodeJS.ProcessEnv = {},
): Promise<Peer> {
  const dataDir = join(work, `data-${where}`);
  rmSync(dataDir, { recursive: true, force: true });
  const item = join(work, `${where}.json`);
  writeItem(item, where === 'remote' ? `http://127.0.0.1:${port}` : bands);
  const sources = join(work, `${where}-sources.json`);
  const remote = { hosts: ['127.0.0.1'], allowHttp: true, ports: [port], privateNetworks: ['127.0.0.0/8'] };
  writeFileSync(sources, JSON.stringify({ folders: [work, bands], ...(where === 'remote' ? remote : {}) }), {
    mode: 0o600,
  });
  const env = { SWATH_SOURCES: sources, SWATH_LOG: 'error', ...settings };
  const { status, stdout, stderr } = await runSwath(['ingest', 'stac', item], {
    ...env,
    SWATH_DATA: dataDir,
  });
  if (status !== 0) throw new Error(`not ingested: ${stdout}${stderr}`);
  return {
    name: where === 'remote' ? 'Swath' : 'Swath, local files',
    forget() {
      for (const cache of ['range-cache', 'remote-headers'])
        rmSync(join(dataDir, cache), { recursive: true, force: true });
    },
    async start() {
      const swath = await startSwath({ dataDir, env });
      await waitUntilReady(swath.url);
      await sleep(WARM_UP_MS);
      const query = `api_key=${SERVICE_KEY}&MIN_MAX=300,3500&RESAMPLE=near&mimetype=image/png`;
      return {
        toUrl: ({ z, x, y }) => `${swath.url}/api/render/${SCENE.viewId}/B04,B03,B02/${z}/${x}/${y}?${query}`,
        [Symbol.asyncDispose]: async () => void (await swath.stop()),
      };
    },
  };
}

/** The settings that TiTiler's documentation advises for COGs on the network. */
export const GDAL = {
  GDAL_DISABLE_READDIR_ON_OPEN: 'EMPTY_DIR',
  GDAL_HTTP_MERGE_CONSECUTIVE_RANGES: 'YES',
  GDAL_HTTP_MULTIPLEX: 'YES',
  GDAL_INGESTED_BYTES_AT_OPEN: '32768',
  GDAL_CACHEMAX: '200',
  VSI_CACHE: 'TRUE',
  VSI_CACHE_SIZE: '5000000',
  CPL_VSIL_CURL_ALLOWED_EXTENSIONS: '.tif',
};

/** A start that takes longer has failed: uvicorn starts workers that cannot import their application again and again. */
const START_MS = 30_000;

/** TiTiler, run by a Python that has titiler.core and uvicorn. */
export function makeTitiler({ work, port }: Files, python: string): Peer {
  const item = join(work, 'titiler.json');
  writeItem(item, `http://127.0.0.1:${port}`);
  return {
    name: 'TiTiler',
    // Its caches end with the process.
    forget: () => {},
    async start() {
      const own = await findPort();
      const app = ['-m', 'uvicorn', 'titiler_app:app', '--port', String(own), '--workers', '2'];
      const child = spawn(python, [...app, '--log-level', 'error'], {
        cwd: import.meta.dirname,
        env: { ...process.env, ...GDAL, PYTHONDONTWRITEBYTECODE: '1' },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const startedAt = performance.now();
      const isUp = async (): Promise<boolean> => {
        const answer = await fetch(`http://127.0.0.1:${own}/healthz`).catch(() => null);
        return answer?.ok === true;
      };
      while (!(await isUp())) {
        if (child.exitCode !== null) throw new Error(`TiTiler ended with ${child.exitCode}`);
        if (performance.now() - startedAt > START_MS) {
          child.kill('SIGKILL');
          throw new Error(`TiTiler does not start: does ${python} have titiler.core and uvicorn?`);
        }
        await sleep(100);
      }
      await sleep(WARM_UP_MS);
      const query = `url=${item}&assets=red&assets=green&assets=blue&rescale=300,3500`;
      return {
        toUrl: ({ z, x, y }) =>
          `http://127.0.0.1:${own}/stac/tiles/WebMercatorQuad/${z}/${x}/${y}.png?${query}`,
        async [Symbol.asyncDispose]() {
          const ended = once(child, 'exit');
          child.kill('SIGTERM');
          await ended;
        },
      };
    },
  };
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
