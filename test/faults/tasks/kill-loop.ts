import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoryReport } from './check-history.ts';
import { checkHistory } from './check-history.ts';
import { checkStore } from './check-store.ts';
import type { TaskHistory } from './client.ts';
import { followTask } from './client.ts';
import { startFleet } from './fleet.ts';
import { SMALL_ORDERS } from './orders.ts';
import { makeRandom } from './random.ts';

/** How hard, and how long. */
export interface KillLoopOptions {
  readonly dataDir: string;
  /** Null for SQLite. */
  readonly databaseUrl: string | null;
  readonly seconds: number;
  readonly clients: number;
  readonly workers: number;
  /** Shortest and longest time between kills. */
  readonly everyMs: readonly [min: number, max: number];
  readonly seed: number;
  /** After the last kill, all tasks are over within this time. */
  readonly settleMs: number;
  readonly onNote?: (text: string) => void;
}

/** What a run has shown. */
export interface KillLoopReport extends HistoryReport {
  readonly kills: number;
  readonly freezes: number;
  readonly seconds: number;
}

const LEASE_MS = 2_000;

/**
 * Kills servers and workers at random while clients create, poll, delete and download; then lets everything settle, and
 * checks what the clients have seen and what is stored.
 */
export async function runKillLoop(options: KillLoopOptions): Promise<KillLoopReport> {
  const { dataDir, databaseUrl, workers, clients, seed, onNote = () => {} } = options;
  const random = makeRandom(seed);
  const histories: TaskHistory[] = [];
  const startedMs = performance.now();
  let isOver = false;
  let [kills, freezes] = [0, 0];
  const statuses = await (async () => {
    await using fleet = await startFleet({ dataDir, databaseUrl, workers, leaseMs: LEASE_MS });
    const giveUp = new AbortController();
    const follow = async (client: number): Promise<void> => {
      const own = makeRandom(seed + 1 + client);
      for (let n = 0; !isOver; n += 1) {
        const order = SMALL_ORDERS[Math.floor(own() * SMALL_ORDERS.length)] ?? SMALL_ORDERS[0];
        if (order === undefined) return;
        histories.push(
          await followTask({
            url: fleet.url,
            random: own,
            order,
            reference: `${client}-${n}`,
            signal: giveUp.signal,
          }),
        );
      }
    };
    const following = Promise.all(Array.from({ length: clients }, (_, client) => follow(client)));
    const [min, max] = options.everyMs;
    // On a busy machine the start takes longer than a short run.
    const runningMs = performance.now();
    while (performance.now() - runningMs < options.seconds * 1000) {
      await sleep(min + (max - min) * random());
      const index = Math.floor(random() * fleet.size);
      if (random() < 0.1) {
        freezes += 1;
        await fleet.freeze(index, 2 * LEASE_MS);
      } else {
        kills += 1;
        await fleet.kill(index);
      }
      if (kills % 20 === 0) onNote(`${kills} kills, ${histories.length} tasks followed to their end`);
    }
    isOver = true;
    const timer = setTimeout(() => giveUp.abort(), options.settleMs);
    await following;
    clearTimeout(timer);
    return await fleet.stop();
  })();
  const report = checkHistory(histories);
  const faults = [
    ...report.faults,
    ...statuses.filter((status) => status !== 0).map((status) => `a process ended with ${status}`),
    ...(await checkStore(dataDir, databaseUrl)),
  ];
  return { ...report, faults, kills, freezes, seconds: Math.round((performance.now() - startedMs) / 1000) };
}
