import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_SCENE } from '../../support/demo-data.ts';
import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge } from '../attack.ts';
import { watch } from '../bystander.ts';
import type { PoliteAnswer } from '../polite.ts';
import { ask, countStatuses, makeAgent } from '../polite.ts';
import type { Target } from '../target.ts';
import { findSetting } from '../target.ts';
import { readCode } from '../wire.ts';

/** Key holders who post without end. */
export const endlessUploads: Family = {
  name: 'endless uploads',
  attacks: [
    {
      name: 'areas of 10,000 positions',
      severity: 'high',
      does: '20 connections post valid areas of 10,000 positions without pause for 6 s',
      limit: 'event loop p99 ≤ 50 ms, /healthz p99 ≤ 250 ms',
      run: runLargeAreas,
    },
    {
      name: 'endless areas',
      severity: 'high',
      does: 'one key posts new areas until it is refused',
      limit: '429 or 402 at the limit of areas per key; DELETE frees space',
      run: (context) => runEndless(context, areas),
    },
    {
      name: 'endless colormaps',
      severity: 'high',
      does: 'one key posts new colormaps until it is refused',
      limit: '429 or 402 at the limit of colormaps per key; DELETE frees space',
      run: (context) => runEndless(context, colormaps),
    },
    {
      name: 'endless recipes',
      severity: 'high',
      does: 'one key posts new recipes until it is refused',
      limit: '429 or 402 at the limit of recipes per key; DELETE frees space',
      run: (context) => runEndless(context, recipes),
    },
  ],
};

const POSITIONS = 10_000;

/** A valid area: a circle of 9,999 different positions and the first again; `n` makes it a new one. */
function makeLargeArea(n: number): string {
  const ring = Array.from({ length: POSITIONS - 1 }, (_, i) => {
    const angle = (2 * Math.PI * i) / (POSITIONS - 1);
    return [3 + Math.cos(angle), 43 + Math.sin(angle)];
  });
  const geometry = { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
  return JSON.stringify({ type: 'Feature', properties: { n }, geometry });
}

async function runLargeAreas({ server, keys, addresses }: AttackContext): Promise<Sight> {
  const [mine, ...theirs] = addresses(5);
  // A few different ones, so that the disk is not what is measured.
  const bodies = Array.from({ length: 20 }, (_, n) => makeLargeArea(n));
  await readLagMs(server);
  const answers: PoliteAnswer[] = [];
  const bystander = { server, key: keys.bob, localAddress: mine, tile: null, pauseMs: 20 };
  const { result: lagMs, report } = await watch(bystander, async () => {
    const until = performance.now() + 6_000;
    const agents = theirs.map((address) => makeAgent(address, 5));
    const connection = async (_: unknown, i: number): Promise<void> => {
      for (let n = i; performance.now() < until; n += 1) {
        answers.push(
          await ask(server, '/api/render/cropper', {
            method: 'POST',
            key: keys.alice,
            body: bodies[n % 20] as string,
            agent: agents[i % 4]!,
          }),
        );
        if (answers.at(-1)?.status !== 200) await sleep(50);
      }
    };
    await Promise.all(Array.from({ length: 20 }, connection));
    for (const agent of agents) agent.destroy();
    return readLagMs(server);
  });
  const statuses = answers.map(({ status }) => status);
  const saw = `${countStatuses(statuses)}; event loop p99 ${lagMs.toFixed(0)} ms; ${report.text}`;
  return judge(saw, {
    'areas are stored or politely refused': statuses.every((status) => [200, 429, 503].includes(status)),
    'some are stored': statuses.includes(200),
    'event loop p99 ≤ 50 ms': lagMs <= 50,
    '/healthz 200 with p99 ≤ 250 ms': report.isServed && report.healthP99 <= 250,
  });
}

/** The p99 of the event loop's delay since it was read last; reading it begins a new count. */
async function readLagMs(server: Target): Promise<number> {
  const { body } = await ask(server, '/metrics', { key: 'not-needed-on-loopback' });
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(body.toString())?.[1] ?? Number.NaN) * 1000;
}

/** What a key can keep on the server. */
interface Upload {
  readonly path: string;
  /** The setting of the limit per key. */
  readonly setting: RegExp;
  make(n: number): string;
  readId(answer: PoliteAnswer): string;
}

const isStored = ({ status }: PoliteAnswer): boolean => status === 200 || status === 201;

const readField = (answer: PoliteAnswer, name: string): string =>
  String((JSON.parse(answer.body.toString()) as Record<string, unknown>)[name]);

const areas: Upload = {
  path: '/api/render/cropper',
  setting: /^SWATH_.*AREAS/,
  make: (n) =>
    JSON.stringify({
      type: 'Polygon',
      coordinates: [
        [
          [n / 1e5, 0],
          [1 + n / 1e5, 0],
          [1, 1],
          [n / 1e5, 0],
        ],
      ],
    }),
  readId: (answer) => readField(answer, 'cropper_ref'),
};

const colormaps: Upload = {
  path: '/api/render/colormap',
  setting: /^SWATH_.*COLORMAPS/,
  make: (n) => JSON.stringify({ colors: ['#000000', `#${n.toString(16).padStart(6, '0')}`] }),
  readId: (answer) => readField(answer, 'id'),
};

const recipes: Upload = {
  path: '/api/recipes',
  setting: /^SWATH_.*RECIPES/,
  make: (n) =>
    JSON.stringify({
      name: `recipe ${n}`,
      scenes: { view_id: DEMO_SCENE.viewId },
      bands: 'B04',
      style: { MIN_MAX: `0,${n}` },
    }),
  readId: (answer) => readField(answer, 'id'),
};

/** Where the limit can be set, so few are enough; elsewhere so many are posted before the attack gives up. */
const LOW_LIMIT = 40;
const GIVE_UP = 4_000;

async function runEndless({ start, keys }: AttackContext, upload: Upload): Promise<Sight> {
  const setting = findSetting(upload.setting);
  const server = await start(setting === null ? {} : { env: { [setting]: String(LOW_LIMIT) } });
  const key = keys.marked;
  const agent = makeAgent(undefined, 8);
  const ids: string[] = [];
  const refusals: PoliteAnswer[] = [];
  const post = (n: number): Promise<PoliteAnswer> =>
    ask(server, upload.path, { method: 'POST', key, agent, body: upload.make(n) });
  let serial = 0;
  const connection = async (): Promise<void> => {
    const until = performance.now() + 8_000;
    while (refusals.length < 20 && serial < GIVE_UP && performance.now() < until) {
      serial += 1;
      const answer = await post(serial);
      if (isStored(answer)) ids.push(upload.readId(answer));
      else refusals.push(answer);
    }
  };
  await Promise.all(Array.from({ length: 8 }, connection));
  const other = await ask(server, upload.path, { key });
  const removed = await ask(server, `${upload.path}/${ids[0]}`, { method: 'DELETE', key, agent });
  const gone = await ask(server, `${upload.path}/${ids[0]}`, { key, agent });
  const again = await post(1_000_000);
  agent.destroy();
  const codes = countStatuses(refusals.map(({ status, body }) => `${status} ${readCode(body)}`));
  const saw = `${ids.length} stored (limit set by ${setting ?? 'no setting'}), then ${codes}; DELETE ${removed.status}, then GET ${gone.status}, POST ${again.status}`;
  return judge(saw, {
    'a limit per key': setting !== null && ids.length <= LOW_LIMIT && refusals.length > 0,
    '429 or 402 with a code': refusals.every(
      ({ status, body }) => [402, 429].includes(status) && readCode(body) !== '',
    ),
    'DELETE removes it': [200, 204].includes(removed.status) && gone.status === 404,
    'room again after DELETE': isStored(again),
    'the server is there': other.status > 0,
  });
}
