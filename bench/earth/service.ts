import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICE_KEY, startSwath, waitUntilReady } from '../../test/support/start-swath.ts';
import { readCpuS } from '../exports/spent.ts';
import type { FarCatalog } from './catalog.ts';

/** A Swath that knows nothing but the address of a catalog. */
export interface EarthService extends AsyncDisposable {
  readonly url: string;
  /** Seconds of a processor that it has taken so far. */
  readCpuS(): number;
}

/** How long the service may warm up. */
const WARM_UP_MS = 4_000;

/** Starts it in a fresh process with an empty folder of data. */
export async function startEarthService({ stac, files }: FarCatalog): Promise<EarthService> {
  const folder = mkdtempSync(join(tmpdir(), 'swath-bench-earth-'));
  const catalogs = join(folder, 'catalogs.json');
  const sources = {
    hosts: ['127.0.0.1'],
    allowHttp: true,
    ports: [stac.port, files.port],
    privateNetworks: ['127.0.0.0/8'],
  };
  // As many requests as the bench likes: the catalog is its own.
  const limits = { requestsPerMinute: 100_000, deadlineMs: 60_000 };
  writeFileSync(
    catalogs,
    JSON.stringify([{ preset: 'earth-search', url: stac.url, sources, limits, terrain: null }]),
    { mode: 0o600 },
  );
  const swath = await startSwath({
    dataDir: join(folder, 'data'),
    env: {
      SWATH_CATALOGS: catalogs,
      SWATH_LOG: 'error',
      SWATH_TASKS_PER_KEY: '0',
      SWATH_WRITES_PER_MINUTE: '0',
    },
  });
  await waitUntilReady(swath.url);
  await sleep(WARM_UP_MS);
  return {
    url: swath.url,
    readCpuS: () => readCpuS(swath.process.pid as number),
    async [Symbol.asyncDispose]() {
      await swath.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A page of scenes of Sentinel-2; throws if the service has none. */
export async function askSearch(url: string, search: Readonly<Record<string, unknown>>): Promise<void> {
  const answer = await fetch(`${url}/api/lms/search/v2/sentinel2l2a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': SERVICE_KEY },
    body: JSON.stringify({ search, limit: 20 }),
  });
  const text = await answer.text();
  const { results } = answer.ok
    ? (JSON.parse(text) as { readonly results: readonly unknown[] })
    : { results: [] };
  if (results.length === 0) throw new Error(`search: ${answer.status} ${text.slice(0, 300)}`);
}

/** A tile of three bands; throws if the service has none. */
export async function askTile(
  url: string,
  viewId: string,
  { z, x, y }: Record<'z' | 'x' | 'y', number>,
): Promise<void> {
  const query = `api_key=${SERVICE_KEY}&MIN_MAX=300,3500&mimetype=image/png`;
  const answer = await fetch(`${url}/api/render/${viewId}/B04,B03,B02/${z}/${x}/${y}?${query}`);
  const body = await answer.arrayBuffer();
  if (!answer.ok)
    throw new Error(`${viewId}: ${answer.status} ${Buffer.from(body).toString().slice(0, 300)}`);
}
