import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TaskHistory } from '../faults/tasks/client.ts';
import { followTask } from '../faults/tasks/client.ts';
import { SMALL_ORDERS } from '../faults/tasks/orders.ts';
import { makeRandom } from '../faults/tasks/random.ts';
import { DEMO_SCENE } from '../support/demo-data.ts';
import { listDemoTiles, readDemoGrid } from '../support/demo-grid.ts';
import { SERVICE_KEY } from '../support/start-swath.ts';
import type { Cluster } from './cluster.ts';
import type { Ledger } from './ledger.ts';
import type { Receiver } from './receiver.ts';

/** Clients of the cluster, which compare every answer with what was answered before anything failed. */
export interface Drive {
  /** Ends the clients: tasks that were ordered are followed to their end. */
  end(): Promise<void>;
  readonly histories: readonly TaskHistory[];
  /** Answers that differ from the first ones. */
  readonly wrong: readonly string[];
}

interface DriveDeps {
  readonly cluster: Cluster;
  readonly ledger: Ledger;
  readonly receiver: Receiver;
  readonly seed: number;
  readonly clients: { readonly pictures: number; readonly searches: number; readonly tasks: number };
}

const EXPRESSIONS = ['B04,B03,B02', 'NDVI', 'B08', 'B11,B8A,B04', '(B08-B04)/(B08+B04+0.5)'];
const SEARCH = `/api/lms/search/v2/${DEMO_SCENE.dataset}`;
const BODIES = [
  '{"search":{}}',
  '{"search":{"cloudCoverage":{"from":0,"to":90}}}',
  '{"search":{},"limit":5}',
];
/** Between two questions of a client, at most: enough to have some under way whenever a node ends, and no more load than that. */
const PAUSE_MS = 100;
const key = { 'x-api-key': SERVICE_KEY };

const toDigest = (bytes: ArrayBuffer): string =>
  createHash('sha256').update(new Uint8Array(bytes)).digest('hex');

/** What a search has found; links are signed, and not compared. */
function toFound(bytes: ArrayBuffer): string {
  const { meta, results } = JSON.parse(new TextDecoder().decode(bytes)) as {
    readonly meta: { readonly found: number };
    readonly results: readonly { readonly view_id?: string; readonly sceneID?: string }[];
  };
  return JSON.stringify([meta.found, results.map((hit) => hit.view_id ?? hit.sceneID)]);
}

/** A question whose right answer is known. */
interface Question {
  readonly kind: 'picture' | 'search';
  readonly path: string;
  readonly init: RequestInit;
  readonly read: (bytes: ArrayBuffer) => string;
}

async function listQuestions(sceneDir: string): Promise<readonly Question[]> {
  const grid = await readDemoGrid(sceneDir);
  const tiles = [13, 14, 15].flatMap((z) => {
    const { inside, edge } = listDemoTiles(grid, z);
    return [...inside.slice(0, 4), ...edge.slice(0, 1)];
  });
  const pictures = tiles.flatMap((tile) =>
    EXPRESSIONS.map((bands) => ({
      kind: 'picture' as const,
      path: `/api/render/${DEMO_SCENE.viewId}/${encodeURIComponent(bands)}/${tile}`,
      init: { headers: key },
      read: toDigest,
    })),
  );
  const searches = BODIES.map((body) => ({
    kind: 'search' as const,
    path: SEARCH,
    init: { method: 'POST', body, headers: key },
    read: toFound,
  }));
  return [...pictures, ...searches];
}

/** Asks everything once while all is well, and then starts the clients. */
export async function startDrive({ cluster, ledger, receiver, seed, clients }: DriveDeps): Promise<Drive> {
  const { url } = cluster.balancer;
  const questions = await listQuestions(cluster.sceneDir);
  const right = new Map<Question, string>();
  for (const question of questions) {
    const answer = await fetch(`${url}${question.path}`, question.init);
    assert.equal(answer.status, 200, `${question.path} ${answer.status}`);
    right.set(question, question.read(await answer.arrayBuffer()));
  }
  const histories: TaskHistory[] = [];
  const follow = async (order: (typeof SMALL_ORDERS)[number], reference: string, random: () => number) => {
    const { signal } = new AbortController();
    const send = ledger.send('task');
    histories.push(
      await followTask({ url, random, order, reference, signal, callbackUrl: receiver.url, send }),
    );
  };
  // Each kind of order once: what they make is what all later ones must be.
  for (const order of SMALL_ORDERS) await follow(order, `before ${order.name}`, () => 0.99);

  const wrong: string[] = [];
  let isOver = false;
  const ask = async (kind: Question['kind'], client: number): Promise<void> => {
    const random = makeRandom(seed + client);
    const own = questions.filter((question) => question.kind === kind);
    while (!isOver) {
      const question = own[Math.floor(random() * own.length)] as Question;
      const answer = await ledger
        .send(kind)(`${url}${question.path}`, question.init)
        .catch(() => null);
      await sleep(PAUSE_MS * random());
      // What failed is in the ledger.
      if (answer?.status !== 200) continue;
      const found = question.read(await answer.arrayBuffer());
      if (found !== right.get(question)) wrong.push(`${question.path}: ${found}`);
    }
  };
  const order = async (client: number): Promise<void> => {
    const random = makeRandom(seed + client);
    for (let n = 0; !isOver; n += 1) {
      const chosen = SMALL_ORDERS[Math.floor(random() * SMALL_ORDERS.length)];
      if (chosen !== undefined) await follow(chosen, `${client}-${n}`, random);
    }
  };
  const { pictures, searches, tasks } = clients;
  const working = [
    ...Array.from({ length: pictures }, (_, i) => ask('picture', 100 + i)),
    ...Array.from({ length: searches }, (_, i) => ask('search', 200 + i)),
    ...Array.from({ length: tasks }, (_, i) => order(300 + i)),
  ];
  return {
    histories,
    wrong,
    async end() {
      isOver = true;
      await Promise.all(working);
    },
  };
}
