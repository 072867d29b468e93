/**
 * Normal traffic during a soak: searches, tiles, NDVI, points and areas, as a map and a script ask for them. Every
 * answer is checked: its status, that a picture is one, and that the same tile has the same ETag and the same bytes.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { DEMO_SCENE } from '../support/demo-data.ts';
import { NDVI_TILE, SEARCH, TILE } from './demo-tiles.ts';
import type { PoliteAnswer } from './polite.ts';
import { ask, isPicture, makeAgent } from './polite.ts';
import type { VisitorData, VisitorReport } from './visitor.ts';

const { key, localAddress, ...rest } = workerData as VisitorData;
let { port } = rest;
let isOver = false;
parentPort?.on('message', (message: number | 'stop') => {
  if (message === 'stop') isOver = true;
  else port = message;
});

const agent = makeAgent(localAddress, 4);
const get = (path: string): Promise<PoliteAnswer> => ask({ port }, path, { key, agent });
const post = (path: string, body: unknown): Promise<PoliteAnswer> =>
  ask({ port }, path, { key, agent, method: 'POST', body: JSON.stringify(body) });

/** Inside of the demo scene. */
const [LAT, LON] = [48.2174, -122.3987];
const ring = [
  [LON, LAT],
  [LON + 0.01, LAT],
  [LON + 0.01, LAT + 0.01],
  [LON, LAT],
];
const tiles = [
  TILE,
  NDVI_TILE,
  ...['B08,B04,B03', 'B02', 'B11', '(B03-B08)/(B03+B08)'].map((bands) => TILE.replace('B04,B03,B02', bands)),
];
const isJsonWith =
  (name: string) =>
  ({ body }: PoliteAnswer): boolean =>
    body.includes(`"${name}"`);

/** What a visitor does, and how its answer is recognised. */
const acts: readonly {
  readonly name: string;
  act(): Promise<PoliteAnswer>;
  isRight(answer: PoliteAnswer): boolean;
}[] = [
  { name: 'search', act: () => post(SEARCH, { search: {} }), isRight: isJsonWith('sceneID') },
  ...tiles.map((path, i) => ({ name: `tile ${i + 1}`, act: () => get(path), isRight: isSamePicture(path) })),
  {
    name: 'point',
    act: () => get(`/api/render/${DEMO_SCENE.viewId.replace('/', '/point/')}/B04/${LAT}/${LON}`),
    isRight: isJson,
  },
  {
    name: 'area',
    act: () => post('/api/render/cropper', { type: 'Polygon', coordinates: [ring] }),
    isRight: isJsonWith('cropper_ref'),
  },
  {
    name: 'page',
    act: () => get('/'),
    isRight: ({ body }) => body.includes('<!doctype html') || body.includes('<!DOCTYPE html'),
  },
];

function isJson({ body }: PoliteAnswer): boolean {
  return body[0] === 0x7b || body[0] === 0x5b;
}

function isSamePicture(path: string): (answer: PoliteAnswer) => boolean {
  let first: string | null = null;
  return ({ headers, body }) => {
    const print = `${path} ${headers.etag} ${createHash('sha256').update(body).digest('hex')}`;
    first ??= print;
    return isPicture(body) && first === print;
  };
}

let right = 0;
const wrong = new Map<string, number>();
const times: number[] = [];
const healthTimes: number[] = [];
const note = (text: string): void => void wrong.set(text, (wrong.get(text) ?? 0) + 1);
while (!isOver) {
  for (const { name, act, isRight } of acts) {
    const health = await ask({ port }, '/healthz', { localAddress, timeoutMs: 10_000 });
    if (health.status !== 200) note(`health: ${health.status || health.failure}`);
    healthTimes.push(health.ms);
    const answer = await act();
    if (answer.status !== 200) note(`${name}: ${answer.status || answer.failure}`);
    else if (!isRight(answer)) note(`${name}: 200, but another answer`);
    else right += 1;
    times.push(answer.ms);
    await sleep(20);
  }
}
agent.destroy();
parentPort?.postMessage({ right, wrong: [...wrong], times, healthTimes } satisfies VisitorReport);
