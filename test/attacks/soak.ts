import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from './attack.ts';
import { listUnexplained } from './expected-log.ts';
import { toPercentile } from './polite.ts';
import type { Outcome, Stage } from './stage.ts';
import { readMainThreadMs, readRssMb } from './target.ts';
import { startVisitor } from './visitor.ts';

interface SoakOptions {
  readonly stage: Stage;
  readonly attacks: readonly Attack[];
  readonly minutes: number;
  readonly print: (line: string) => void;
  readonly onOutcome: (outcome: Outcome) => void;
}

/** The part of the time in which caches fill and the heap finds its size; memory is compared from then on. */
const WARM_UP = 0.25;
/** Memory at the end may be so many times that after the warm-up. */
const MAX_GROWTH = 1.1;
/** `/healthz` answers within this time in 99 of 100 cases. The report says how loaded the machine was. */
const MAX_HEALTH_MS = 100;
/** Without attacks, before memory is read: what they left can be collected. */
const CALM_MS = 10_000;

/** All attacks again and again during normal traffic that is checked; true if everything was as expected. */
export async function soak({ stage, attacks, minutes, print, onOutcome }: SoakOptions): Promise<boolean> {
  const startedAt = performance.now();
  const until = startedAt + minutes * 60_000;
  const visitor = startVisitor({ port: stage.server.port, key: stage.keys.carol, localAddress: '127.0.0.1' });
  let { pid } = stage.server;
  let warmMb: number | null = null;
  const failed = new Map<string, number>();
  let runs = 0;
  for (let i = 0; performance.now() < until; i += 1) {
    const attack = attacks[i % attacks.length] as Attack;
    const outcome = await stage.run(attack);
    runs += outcome.verdict === 'skipped' ? 0 : 1;
    if (outcome.verdict === 'NOT OK') {
      if (!failed.has(attack.name)) onOutcome(outcome);
      failed.set(attack.name, (failed.get(attack.name) ?? 0) + 1);
    }
    if (stage.server.pid !== pid) {
      // Another process: its memory starts from zero.
      ({ pid } = stage.server);
      visitor.moveTo(stage.server.port);
      warmMb = null;
    }
    const elapsed = (performance.now() - startedAt) / (minutes * 60_000);
    if (warmMb === null && elapsed > WARM_UP) {
      await sleep(CALM_MS);
      warmMb = readRssMb(stage.server);
    }
  }
  await sleep(CALM_MS);
  const endMb = readRssMb(stage.server);
  const { right, wrong, times, healthTimes } = await visitor.stop();
  const mainMs = readMainThreadMs(stage.server);
  const toMs = (share: number): string => toPercentile(healthTimes, share).toFixed(0);
  const { explained, unexplained } = listUnexplained(stage.printed());

  const demands: readonly (readonly [string, boolean])[] = [
    [
      `${runs} attacks in ${minutes} minutes, NOT OK: ${[...failed].map(([name, count]) => `${name} ×${count}`).join(', ') || 'none'}`,
      failed.size === 0,
    ],
    [
      `normal traffic: ${right} right answers (p50 ${toPercentile(times, 0.5).toFixed(0)}, p99 ${toPercentile(times, 0.99).toFixed(0)} ms), wrong: ${wrong.map(([kind, count]) => `${kind} ×${count}`).join(', ') || 'none'}`,
      right > 0 && wrong.length === 0,
    ],
    [
      `/healthz: ${healthTimes.length} times, p50 ${toMs(0.5)}, p95 ${toMs(0.95)}, p99 ${toMs(0.99)} ms; main thread of the shared server: ${mainMs === null ? 'not known' : `${(mainMs / 1000).toFixed(1)} s`} of processor time; load of the machine ${loadavg()
        .map((load) => load.toFixed(1))
        .join(', ')} on ${availableParallelism()} processors`,
      toPercentile(healthTimes, 0.99) <= MAX_HEALTH_MS,
    ],
    [
      `memory: ${warmMb?.toFixed(0) ?? 'not known'} MB after the warm-up, ${endMb?.toFixed(0) ?? 'not known'} MB at the end`,
      warmMb === null || endMb === null || endMb <= warmMb * MAX_GROWTH,
    ],
    [
      `log: ${explained} lines above info are explained by attacks, others: ${unexplained.join('; ') || 'none'}`,
      unexplained.length === 0,
    ],
  ];
  for (const [what, isMet] of demands) print(`${isMet ? 'ok     ' : 'NOT OK '} ${what}`);
  return demands.every(([, isMet]) => isMet);
}
