import type { Order } from './orders.ts';
import { cropOrder, toSmallOrder } from './orders.ts';
import { demand, printRow } from './report.ts';
import type { Service } from './service.ts';
import { startService } from './service.ts';
import { median } from './spent.ts';

const CROPS = 9;

/** Files of 5 km, one after the other, from the order to the downloaded file. */
export async function measureCrops(service: Service, name: string, whole: Order): Promise<void> {
  const times: number[] = [];
  for (let serial = 0; serial < CROPS; serial += 1) {
    const startMs = performance.now();
    const { id, link } = await service.make(cropOrder(whole, serial));
    await service.download(link);
    times.push(performance.now() - startMs);
    await service.remove(id);
  }
  printRow(`${name} of 5 km, from order to download, median`, `${median(times).toFixed(0)} ms`);
  demand('at most 300 ms', median(times) <= 300);
}

/** Clients at the same time: each orders a file, waits until it is finished, and orders the next. */
const CLIENTS = 16;

/** Orders small files and waits for them. */
async function makeMany(service: Service, count: number): Promise<void> {
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < count) await service.make(toSmallOrder(next++));
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

interface SmallTasksOptions {
  readonly scene: string;
  /** SQLite when it is left out. */
  readonly databaseUrl?: string;
  readonly count: number;
  readonly rounds: number;
}

/** Small tasks a second, from their orders to their files, on one of the stores. */
export async function measureSmallTasks({ count, rounds, ...options }: SmallTasksOptions): Promise<void> {
  await using service = await startService(options);
  await makeMany(service, count / 4);
  const [rates, costsMs, others]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const { spent } = await service.measure(() => makeMany(service, count));
    rates.push(count / spent.wallS);
    costsMs.push((1000 * spent.cpuS) / count);
    others.push(spent.others);
  }
  const store = options.databaseUrl === undefined ? 'SQLite' : 'PostgreSQL';
  printRow(
    `${count} small tasks on ${store}`,
    `${median(rates).toFixed(0)} /s`,
    `${median(costsMs).toFixed(1)} ms`,
    '',
    `${Math.round(100 * median(others))} %`,
  );
  demand('at least 100 a second', median(rates) >= 100);
}
