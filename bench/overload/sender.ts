/**
 * The greedy client, in a process of its own that can be bound to one core. Requests leave at fixed times whether or not
 * earlier ones were answered (an open loop: a closed one slows down with the server and hides its queue).
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './ask.ts';
import { makeRawClient } from './raw-client.ts';
import { makeNextPath } from './tiles.ts';

/** What the sender is told. */
export interface SenderOrder {
  readonly url: string;
  readonly key: string;
  readonly tiles: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
}

/** What it has seen. */
export interface SenderReport {
  readonly answers: readonly Answer[];
  /** How long the sender itself stood still: times measured here are late by up to this. */
  readonly ownDelayP99Ms: number;
}

/** Below what one address may hold, so that none is closed to make room for another. */
const CONNECTIONS = 200;

process.once('message', async ({ url, key, tiles, perSecond, seconds }: SenderOrder) => {
  const client = makeRawClient(url, key, CONNECTIONS);
  const nextPath = makeNextPath(tiles, 0);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const pending: Promise<Answer>[] = [];
  const startedAt = performance.now();
  while (performance.now() - startedAt < seconds * 1000) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond);
    while (pending.length < due) pending.push(client.ask(nextPath()));
    await sleep(1);
  }
  const answers = await Promise.all(pending);
  delay.disable();
  const report: SenderReport = { answers, ownDelayP99Ms: delay.percentile(99) / 1e6 };
  process.send?.(report, () => {
    client.close();
    process.disconnect();
  });
});
