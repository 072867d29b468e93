import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Agent, request } from 'undici';
import { runSwath, SERVICE_KEY, startSwath, waitUntilReady } from '../../test/support/start-swath.ts';
import { SCENE } from './make-scene.ts';
import type { Order } from './orders.ts';
import { toSmallOrder } from './orders.ts';
import type { Spent } from './spent.ts';
import { measureSpent, readCpuS } from './spent.ts';

/** A file that was made. */
interface MadeFile {
  readonly id: string;
  readonly link: string;
}

/** A service in a process of its own, in a fresh data directory, that knows the one scene. */
export interface Service extends AsyncDisposable {
  readonly url: string;
  readonly agent: Agent;
  /** Orders a file; gives the id of the task. */
  create(order: Order): Promise<string>;
  isOver(id: string): Promise<boolean>;
  /** Orders a file and waits until it is stored. */
  make(order: Order): Promise<MadeFile>;
  /** What work takes of this service. */
  measure<Result>(work: () => Promise<Result>): Promise<{ readonly result: Result; readonly spent: Spent }>;
  /** Downloads a file; gives its length. Without a path its bytes go nowhere. */
  download(link: string, path?: string): Promise<number>;
  readLength(link: string): Promise<number>;
  /** Removes a task and its file. */
  remove(id: string): Promise<void>;
  /** Resident memory now, in MiB. */
  rssMb(): number;
  /** The most resident memory since the last call, in MiB. */
  peakRssMb(): number;
}

interface ServiceOptions {
  /** The folder of the scene. */
  readonly scene: string;
  /** SQLite when it is left out. */
  readonly databaseUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const headers = { 'x-api-key': SERVICE_KEY };

/** Starts it with the scene; its threads have done something. */
export async function startService({ scene, databaseUrl, env: more }: ServiceOptions): Promise<Service> {
  const dataDir = mkdtempSync(join(tmpdir(), 'swath-bench-data-'));
  const env = {
    SWATH_SOURCES: dirname(scene),
    SWATH_LOG: 'warn',
    SWATH_TASKS_PER_KEY: '0',
    SWATH_WRITES_PER_MINUTE: '0',
    SWATH_STATISTICS_PER_MINUTE: '0',
    SWATH_RESULT_MB_PER_KEY: '0',
    ...(databaseUrl === undefined ? {} : { SWATH_DATABASE_URL: databaseUrl }),
    ...more,
  };
  const ingested = await runSwath(['ingest', 'folder', scene], { ...env, SWATH_DATA: dataDir });
  if (ingested.status !== 0) throw new Error(`not ingested: ${ingested.stdout}${ingested.stderr}`);
  const swath = await startSwath({ dataDir, env });
  const { url } = swath;
  const pid = swath.process.pid as number;
  await waitUntilReady(url);
  const agent = new Agent({ connections: 64, bodyTimeout: 0, headersTimeout: 0 });
  let serial = 0;

  async function create({ type, params }: Order): Promise<string> {
    serial += 1;
    const reference = String(serial);
    const body = JSON.stringify({ type, params: { view_id: SCENE.viewId, reference, ...params } });
    const answer = await request(`${url}/api`, { dispatcher: agent, method: 'POST', headers, body });
    const text = await answer.body.text();
    if (answer.statusCode !== 202) throw new Error(`the order was refused: ${answer.statusCode} ${text}`);
    return (JSON.parse(text) as { task_id: string }).task_id;
  }

  /** Polls of this address are held until the task is over, or for some seconds. */
  async function wait(id: string): Promise<string> {
    for (;;) {
      const answer = await request(`${url}/api/gdw/api/${id}`, { dispatcher: agent, headers });
      const text = await answer.body.text();
      if (answer.statusCode === 303) return String(answer.headers.location);
      const { task_type: type } = JSON.parse(text) as { task_type?: string };
      if (answer.statusCode !== 200 || type === 'error') throw new Error(`the task failed: ${text}`);
    }
  }

  async function make(order: Order): Promise<MadeFile> {
    const id = await create(order);
    return { id, link: await wait(id) };
  }

  const readMb = (name: string): number => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
  };

  // The threads of tasks are started by the first ones, and compile their code.
  for (let warmUp = 0; warmUp < 8; warmUp += 1) await make(toSmallOrder(warmUp));

  return {
    url,
    agent,
    create,
    async isOver(id) {
      const answer = await request(`${url}/api/${id}`, { dispatcher: agent, headers });
      const { task_type: type } = (await answer.body.json()) as { task_type: string };
      return type !== 'started';
    },
    make,
    measure: (work) => measureSpent(() => readCpuS(pid), work),
    async download(link, path) {
      const { statusCode, body, headers: answered } = await request(link, { dispatcher: agent });
      if (statusCode !== 200) throw new Error(`the link answered ${statusCode}`);
      if (path === undefined) await body.dump({ limit: Number.POSITIVE_INFINITY });
      else await pipeline(body, createWriteStream(path));
      return Number(answered['content-length']);
    },
    async readLength(link) {
      const { body, headers: answered } = await request(link, { dispatcher: agent, method: 'HEAD' });
      await body.dump();
      return Number(answered['content-length']);
    },
    async remove(id) {
      // Cancelled first if it is still under way, and then removed with its file.
      for (let status = 204; status === 204; ) {
        const answer = await request(`${url}/api/${id}`, { dispatcher: agent, method: 'DELETE', headers });
        await answer.body.dump();
        status = answer.statusCode;
      }
    },
    rssMb: () => readMb('VmRSS'),
    peakRssMb() {
      const most = readMb('VmHWM');
      // The kernel then counts from the present value on (proc(5), clear_refs).
      writeFileSync(`/proc/${pid}/clear_refs`, '5');
      return most;
    },
    async [Symbol.asyncDispose]() {
      await agent.destroy();
      await swath.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
