import { setTimeout as sleep } from 'node:timers/promises';
import { tileAt } from '../../src/geo/index.ts';
import { makeProjection } from '../../src/proj/index.ts';
import { SERVICE_KEY } from '../../test/support/start-swath.ts';
import type { Answer } from '../overload/ask.ts';
import { makeAsk, toPercentile } from '../overload/ask.ts';
import { EPSG, TRANSFORM } from '../tiles/make-band.ts';
import { SCENE, SIDE_M } from './make-scene.ts';
import type { Order } from './orders.ts';
import { CROPPED_BANDS, NDVI, PICTURE, THREE_BANDS } from './orders.ts';
import { demand, printRow } from './report.ts';
import type { Service } from './service.ts';
import { median } from './spent.ts';

const ZOOM = 13;
/** Tiles of a square in the middle of the scene: their blocks stay in the cache. */
const SIDE = 6;

/** Requests leave at fixed times, whether or not earlier ones were answered. */
const PER_SECOND = 20;
const SECONDS = 20;

/** What is made meanwhile, on all cores. */
const FILES = {
  NDVI,
  JPEG: PICTURE,
  '3 bands, cropped': CROPPED_BANDS,
  '3 bands, whole': THREE_BANDS,
} as const;
/** More of them than can be made in that time. */
const COPIES = 40;

/** Builds the addresses of tiles, each with a contrast of its own, so that each is drawn. */
function makeNextPath(): () => string {
  const middleOf = makeProjection(EPSG, 3857).forward(TRANSFORM[0] + SIDE_M / 2, TRANSFORM[3] - SIDE_M / 2);
  const middle = tileAt(ZOOM, ...middleOf);
  let serial = 0;
  return () => {
    serial += 1;
    const column = middle.x - SIDE / 2 + (serial % SIDE);
    const row = middle.y - SIDE / 2 + (Math.floor(serial / SIDE) % SIDE);
    return `/api/render/${SCENE.viewId}/B04,B03,B02/${ZOOM}/${column}/${row}?MIN_MAX=0,${3000 + serial}`;
  };
}

/** Builds the measurement of tiles; gives the 99th percentile of their times in milliseconds. */
function makeMeasureTiles({ url, agent }: Service) {
  const ask = makeAsk(agent, url, SERVICE_KEY);
  const nextPath = makeNextPath();
  return async (seconds: number): Promise<number> => {
    const startMs = performance.now();
    const pending: Promise<Answer>[] = [];
    for (let due = 0; due < seconds * PER_SECOND; due += 1) {
      await sleep(Math.max(0, startMs + (1000 * due) / PER_SECOND - performance.now()));
      pending.push(ask(nextPath()));
    }
    const answers = await Promise.all(pending);
    const failed = answers.find(({ status }) => status !== 200);
    if (failed !== undefined) throw new Error(`a tile was answered with ${failed.status}`);
    return toPercentile(answers, 0.99);
  };
}

/** Runs work while more files are being made than there are cores; they are cancelled afterwards. */
async function whileMaking<Result>(
  service: Service,
  order: Order,
  work: () => Promise<Result>,
): Promise<Result> {
  const ids: string[] = [];
  for (let copy = 0; copy < COPIES; copy += 1) ids.push(await service.create(order));
  const result = await work();
  const isDone = await service.isOver(ids.at(-1) as string);
  for (const id of ids) await service.remove(id);
  if (isDone) throw new Error('the files were finished before the measurement was: more must be ordered');
  return result;
}

/** Compares the times of tiles while files are made with those of an idle service. */
export async function compareTiles(service: Service, rounds: number): Promise<void> {
  const measure = makeMeasureTiles(service);
  // Until their blocks are in the cache and their code is compiled.
  await measure(5);
  for (const [name, order] of Object.entries(FILES)) {
    const [idle, busy]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      idle.push(await measure(SECONDS));
      busy.push(await whileMaking(service, order, () => measure(SECONDS)));
    }
    printRow(
      `tiles, p99: idle; files of kind ${name}`,
      ...[idle, busy].map((ms) => `${median(ms).toFixed(1)} ms`),
    );
    demand('at most twice as long as on an idle service', median(busy) <= 2 * median(idle));
  }
}
