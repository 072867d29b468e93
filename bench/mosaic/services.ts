import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Tile } from '../../src/geo/index.ts';
import { runSwath, SERVICE_KEY, startSwath, waitUntilReady } from '../../test/support/start-swath.ts';
import { readCpuS } from '../exports/spent.ts';

/** A service that is measured, in processes of its own. */
export interface Measured extends AsyncDisposable {
  readonly url: string;
  /** CPU seconds that its processes have taken so far. */
  readCpuS(): number;
}

const agent = new Agent({ connections: 8, bodyTimeout: 0, headersTimeout: 0 });

/** Asks for a picture; throws if there is none. */
export async function askPicture(url: string): Promise<number> {
  const { statusCode, body } = await request(url, {
    dispatcher: agent,
    headers: { 'x-api-key': SERVICE_KEY },
  });
  const bytes = Buffer.from(await body.arrayBuffer());
  if (statusCode !== 200) throw new Error(`${url}: ${statusCode} ${bytes.toString().slice(0, 300)}`);
  return bytes.length;
}

/** Ends the connections of all questions. */
export const endConnections = (): Promise<void> => agent.close();

/** Over how long a service must have done next to nothing; after its start it warms up. */
const IDLE_MS = 2_000;
const IDLE_CPU_S = 0.05;

/** Waits until a service has compiled and warmed up all that it does without being asked. */
async function waitUntilIdle(read: () => number): Promise<void> {
  for (let before = Number.NEGATIVE_INFINITY, now = read(); now - before > IDLE_CPU_S; ) {
    before = now;
    await sleep(IDLE_MS);
    now = read();
  }
}

interface SwathOptions {
  readonly dataDir: string;
  /** Where the scenes lie. */
  readonly scenes: string;
}

/** No finished picture is cached, and no key has limits. */
const toSettings = ({ scenes }: SwathOptions) => ({
  SWATH_SOURCES: scenes,
  SWATH_LOG: 'warn',
  SWATH_CACHE_MB: '1024',
  SWATH_TILE_CACHE: '0',
  SWATH_TASKS_PER_KEY: '0',
  SWATH_WORK_PER_MINUTE: '0',
  SWATH_WRITES_PER_MINUTE: '0',
  SWATH_PYRAMID_MINUTES: '0',
});

/** Ingests the scenes of a folder. */
export async function ingest(options: SwathOptions): Promise<void> {
  const env = { ...toSettings(options), SWATH_DATA: options.dataDir };
  const { status, stdout, stderr } = await runSwath(['ingest', 'folder', options.scenes], env);
  if (status !== 0) throw new Error(`not ingested: ${stdout}${stderr}`);
}

/** Starts Swath with what was ingested, and waits until it has warmed up. */
export async function startMeasuredSwath(options: SwathOptions): Promise<Measured> {
  const swath = await startSwath({ dataDir: options.dataDir, env: toSettings(options) });
  const pid = swath.process.pid as number;
  await waitUntilReady(swath.url);
  await waitUntilIdle(() => readCpuS(pid));
  return {
    url: swath.url,
    readCpuS: () => readCpuS(pid),
    async [Symbol.asyncDispose]() {
      await swath.stop();
      // What failed, with the reason that answers do not give.
      for (const line of swath.output().split('\n')) if (line.startsWith('{')) console.error(line);
    },
  };
}

/** A position of a tile as addresses have it. */
export const toPosition = ({ z, x, y }: Tile): string => `${z}/${x}/${y}`;
