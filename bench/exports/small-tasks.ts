import type { Order, Service } from './service.ts';

/** Clients at the same time: each orders a file, waits until it is finished, and orders the next. */
const CLIENTS = 16;

/** Some hundred metres at a time, all over the scene: no two tasks read the same pixels. */
export const toSmallOrder = (serial: number): Order => {
  const west = 31.7 + 0.02 * (serial % 60);
  const south = 49.7 + 0.03 * (Math.floor(serial / 60) % 25);
  return { type: 'bandmath', params: { bm_type: 'NDVI', bbox: [west, south, west + 0.005, south + 0.003] } };
};

/** Tasks a second, from their orders to their files. */
export async function measureSmallTasks(service: Service, count: number): Promise<number> {
  let next = 0;
  const startMs = performance.now();
  const client = async (): Promise<void> => {
    while (next < count) await service.make(toSmallOrder(next++));
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return count / ((performance.now() - startMs) / 1000);
}
