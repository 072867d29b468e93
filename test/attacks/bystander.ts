import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Pace } from './patience.ts';
import { countStatuses, toPercentile } from './polite.ts';

/** What a bystander is told. */
export interface BystanderData {
  readonly server: { readonly port: number } & Pace;
  readonly key: string;
  readonly localAddress: string | undefined;
  /** Path of a picture; null asks for health alone. */
  readonly tile: string | null;
  readonly pauseMs: number;
}

interface Seen {
  readonly status: number;
  readonly ms: number;
}

/** All that a bystander was answered. */
export interface BystanderSeen {
  readonly health: Seen[];
  readonly tile: Seen[];
}

/** How a client fared during the attack. */
export interface BystanderReport {
  /** Every answer was 200. */
  readonly isServed: boolean;
  /** The part of its pictures that came. */
  readonly tileShare: number;
  readonly healthP50: number;
  readonly healthP95: number;
  readonly healthP99: number;
  readonly tileP95: number;
  readonly text: string;
}

/** Watches a server while something is done to it. */
export async function watch<Result>(
  data: BystanderData,
  attack: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly report: BystanderReport }> {
  // A server has functions, which do not go to another thread.
  const { port, isTimed } = data.server;
  const workerData: BystanderData = { ...data, server: { port, isTimed } };
  const worker = new Worker(new URL('./bystander-worker.ts', import.meta.url), { workerData });
  try {
    await once(worker, 'online');
    const result = await attack();
    worker.postMessage('stop');
    const [seen] = (await once(worker, 'message')) as [BystanderSeen];
    return { result, report: toReport(seen) };
  } finally {
    await worker.terminate();
  }
}

function toReport({ health, tile }: BystanderSeen): BystanderReport {
  const ms = (seen: readonly Seen[], share: number): number =>
    toPercentile(
      seen.map((one) => one.ms),
      share,
    );
  const describe = (name: string, seen: readonly Seen[]): string =>
    `${name} ${countStatuses(seen.map(({ status }) => status))} (p50 ${ms(seen, 0.5).toFixed(0)}, p95 ${ms(seen, 0.95).toFixed(0)}, p99 ${ms(seen, 0.99).toFixed(0)} ms)`;
  return {
    isServed: health.length > 0 && [...health, ...tile].every(({ status }) => status === 200),
    tileShare: tile.filter(({ status }) => status === 200).length / tile.length,
    healthP50: ms(health, 0.5),
    healthP95: ms(health, 0.95),
    healthP99: ms(health, 0.99),
    tileP95: ms(tile, 0.95),
    text: [describe('healthz', health), ...(tile.length > 0 ? [describe('tile', tile)] : [])].join(', '),
  };
}
