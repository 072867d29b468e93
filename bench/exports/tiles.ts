import { setTimeout as sleep } from 'node:timers/promises';
import { tileAt } from '../../src/geo/index.ts';
import { makeProjection } from '../../src/proj/index.ts';
import { SERVICE_KEY } from '../../test/support/start-swath.ts';
import type { Answer } from '../overload/ask.ts';
import { makeAsk, toPercentile } from '../overload/ask.ts';
import { EPSG, TRANSFORM } from '../tiles/make-band.ts';
import { SCENE } from './make-scene.ts';
import type { Order, Service } from './service.ts';

const ZOOM = 13;
/** Tiles of a square in the middle of the scene: their blocks stay in the cache. */
const SIDE = 6;

/** Requests leave at fixed times, whether or not earlier ones were answered. */
const PER_SECOND = 20;

/** Builds the addresses of tiles, each with a contrast of its own, so that each is drawn. */
function makeNextPath(): () => string {
  const [x, y] = makeProjection(EPSG, 3857).forward(TRANSFORM[0] + 54_900, TRANSFORM[3] - 54_900);
  const middle = tileAt(ZOOM, x, y);
  let serial = 0;
  return () => {
    serial += 1;
    const column = middle.x - SIDE / 2 + (serial % SIDE);
    const row = middle.y - SIDE / 2 + (Math.floor(serial / SIDE) % SIDE);
    return `/api/render/${SCENE.viewId}/B04,B03,B02/${ZOOM}/${column}/${row}?MIN_MAX=0,${3000 + serial}`;
  };
}

/** Builds the measurement of tiles; gives the 99th percentile of their times in milliseconds. */
export function makeMeasureTiles({ url, agent }: Service) {
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
export async function whileMaking<Result>(
  service: Service,
  orders: readonly Order[],
  work: () => Promise<Result>,
): Promise<Result> {
  const ids: string[] = [];
  for (const order of orders) ids.push(await service.create(order));
  const result = await work();
  const isDone = await service.isOver(ids.at(-1) as string);
  for (const id of ids) await service.remove(id);
  if (isDone) throw new Error('the files were finished before the measurement was: more must be ordered');
  return result;
}
