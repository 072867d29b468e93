import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openOwnObjects } from '../../src/objects/index.ts';
import type { NetworkSources } from '../../src/sources/index.ts';
import { FAKE_BUCKET } from '../../src/sources/testing/fake-s3.ts';
import { waitFor } from '../../src/testing/wait-for.ts';
import type { PostgresCluster } from '../ports/postgres-cluster.ts';
import { startPostgres } from '../ports/postgres-cluster.ts';
import { makeDemoData } from '../support/demo-data.ts';
import { findQuietPort } from '../support/quiet-port.ts';
import type { RunningSwath } from '../support/start-swath.ts';
import { ONE_THREAD, runSwath, startSwath } from '../support/start-swath.ts';
import type { Balancer, Target } from './balancer.ts';
import { startBalancer } from './balancer.ts';
import type { ToObjectServer } from './object-server.ts';

/** A node that can be ended and started again. */
export interface ClusterNode {
  readonly name: string;
  readonly role: 'api' | 'worker';
  /** Its own address, past the balancer. */
  readonly url: string;
  /** Ends it as a machine does that loses its power; the next start is on a new disk. */
  kill(): Promise<void>;
  /** Ends it as an operator does; its exit status. */
  stop(): Promise<number | NodeJS.Signals>;
  /** Starts it; resolves when it is ready, for the balancer too. */
  start(): Promise<void>;
  output(): string;
}

/** PostgreSQL, an S3 server with the scene and the results, api nodes and workers, and a load balancer, on one machine. */
export interface Cluster extends AsyncDisposable {
  readonly database: PostgresCluster;
  readonly balancer: Balancer;
  readonly nodes: readonly ClusterNode[];
  /** How to reach the bucket. */
  readonly network: NetworkSources;
  readonly resultsHref: string;
  /** Settings that all nodes have. */
  readonly settings: Readonly<Record<string, string>>;
  /** A folder with the files of the scene, to know where its tiles are. */
  readonly sceneDir: string;
  /** Takes the bucket away, or brings it back with what it stores. */
  setBucket(isAway: boolean): Promise<void>;
}

interface ClusterOptions {
  readonly api: number;
  readonly workers: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Longer than many looks of the balancer, however busy the machine is. */
const LINGER_MS = 6_000;

/** A tile matrix set of the operator, which all nodes read from the bucket. */
const TILE_SET = {
  id: 'Mine',
  title: 'Mine',
  crs: 'http://www.opengis.net/def/crs/EPSG/0/3857',
  orderedAxes: ['E', 'N'],
  tileMatrices: [
    {
      id: '0',
      scaleDenominator: 559082264.0287178,
      cellSize: 156543.03392804097,
      pointOfOrigin: [-20037508.342789244, 20037508.342789244],
      tileWidth: 256,
      tileHeight: 256,
      matrixWidth: 1,
      matrixHeight: 1,
    },
  ],
};

const OBJECT_SERVER = fileURLToPath(new URL('./object-server.ts', import.meta.url));

/** Starts the cluster; null where PostgreSQL is not installed. */
export async function startCluster({ api, workers, env = {} }: ClusterOptions): Promise<Cluster | null> {
  await using parts = new AsyncDisposableStack();
  const database = await startPostgres(['max_connections=200']);
  if (database === null) return null;
  parts.defer(() => database.stop());
  const home = mkdtempSync(join(tmpdir(), 'swath-cluster-'));
  parts.defer(() => rmSync(home, { recursive: true, force: true }));
  const sceneDir = await makeDemoData();
  parts.defer(() => rmSync(sceneDir, { recursive: true, force: true }));
  const objects = await startObjects();
  parts.defer(() => void objects.child.kill('SIGKILL'));
  const balancer = parts.use(await startBalancer());

  const sources = join(home, 'sources.json');
  const { privateNetworks, s3 } = objects.network;
  writeFileSync(sources, JSON.stringify({ privateNetworks, s3 }));
  const resultsHref = `s3://${FAKE_BUCKET}/tasks`;
  const shared = {
    ...ONE_THREAD,
    SWATH_LOG: 'warn',
    SWATH_DATABASE_URL: database.url,
    SWATH_SOURCES: sources,
    SWATH_RESULTS: resultsHref,
    SWATH_CUBES: `s3://${FAKE_BUCKET}/cubes`,
    SWATH_PUBLIC_URL: balancer.url,
    SWATH_TRUST_PROXY: 'on',
    SWATH_TASK_LEASE_MS: '2000',
    SWATH_TASKS_PER_KEY: '0',
    SWATH_WRITES_PER_MINUTE: '0',
    SWATH_STATISTICS_PER_MINUTE: '0',
    SWATH_WORK_PER_MINUTE: '0',
    ...env,
  };
  await ingestScene(sceneDir, home, shared);
  const place = { dataDir: home, cubes: shared.SWATH_CUBES, sources: objects };
  const set = Buffer.from(JSON.stringify(TILE_SET));
  const put = { contentType: 'application/json', when: 'always' } as const;
  await openOwnObjects(place, 'tile-matrix-sets').put('mine.json', set, put);
  const nodes: ClusterNode[] = [];
  for (let index = 0; index < api + workers; index += 1) {
    const role = index < api ? 'api' : 'worker';
    const number = index < api ? index + 1 : index - api + 1;
    const own = { SWATH_ROLES: role, SWATH_LINGER_MS: String(role === 'api' ? LINGER_MS : 0) };
    const node = makeNode({
      name: `${role}-${number}`,
      role,
      port: await findQuietPort(),
      home,
      env: { ...shared, ...own },
      balancer,
    });
    parts.defer(() => node.kill());
    nodes.push(node);
  }
  // The ingest has migrated the database.
  await Promise.all(nodes.map((node) => node.start()));
  const owned = parts.move();
  return {
    database,
    balancer,
    nodes,
    network: objects.network,
    resultsHref,
    settings: shared,
    sceneDir,
    async setBucket(isAway) {
      const told = once(objects.child, 'message');
      objects.child.send({ isAway } satisfies ToObjectServer);
      await told;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function startObjects(): Promise<{ readonly child: ChildProcess; readonly network: NetworkSources }> {
  const child = spawn(process.execPath, [OBJECT_SERVER, String(await findQuietPort())], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  return { child, network: JSON.parse(line) as NetworkSources };
}

/** The demo is brought into the bucket and the catalog by a machine that is gone afterwards. */
async function ingestScene(sceneDir: string, home: string, env: Record<string, string>): Promise<void> {
  const machine = join(home, 'ingest');
  mkdirSync(machine, { mode: 0o700 });
  // Its parts are made once for all tests.
  cpSync(join(sceneDir, 'demo'), join(machine, 'demo'), { recursive: true });
  const made = await runSwath(['demo', '--small'], { ...env, SWATH_DATA: machine });
  assert.equal(made.status, 0, made.stderr);
  assert.ok(!existsSync(join(machine, 'demo')), 'the bucket has the files');
  rmSync(machine, { recursive: true });
}

interface NodeDeps {
  readonly name: string;
  readonly role: 'api' | 'worker';
  readonly port: number;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly balancer: Balancer;
}

function makeNode({ name, role, port, home, env, balancer }: NodeDeps): ClusterNode {
  let running: RunningSwath | null = null;
  let target: Target | null = null;
  let disks = 0;
  let before = '';
  const url = `http://127.0.0.1:${port}`;
  const end = async (signal: NodeJS.Signals, ending: Target['ending']): Promise<number | NodeJS.Signals> => {
    if (target !== null) target.ending = ending;
    const status = (await running?.stop(signal)) ?? 0;
    before += running?.output() ?? '';
    running = null;
    return status;
  };
  return {
    name,
    role,
    url,
    async kill() {
      await end('SIGKILL', 'killed');
      rmSync(join(home, `${name}.${disks}`), { recursive: true, force: true });
      disks += 1;
    },
    stop: () => end('SIGTERM', 'stopped'),
    async start() {
      const dataDir = join(home, `${name}.${disks}`);
      mkdirSync(dataDir, { recursive: true, mode: 0o700 });
      running = await startSwath({ dataDir, env: { ...env, SWATH_PORT: String(port) } });
      target = { name, port, ending: null };
      if (role === 'api') balancer.add(target);
      await waitFor(async () =>
        role === 'api'
          ? balancer.isUp(name)
          : (await fetch(`${url}/readyz`).catch(() => null))?.status === 200,
      );
    },
    output: () => before + (running?.output() ?? ''),
  };
}
