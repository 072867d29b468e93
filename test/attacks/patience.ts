import { setTimeout as sleep } from 'node:timers/promises';
import { HANG_MS } from '../../src/testing/wait-for.ts';

/** Whether time is judged: not in `npm test`, where a machine may be as slow as it is. */
export interface Pace {
  readonly isTimed: boolean;
}

/** The longest wait for what a timed run gives `ms`: without judging time, only a hang takes longer. */
export const toLimitMs = (ms: number, { isTimed }: Pace): number => (isTimed ? ms : HANG_MS);

/** Waits for something, but not longer than this; the timer that is left keeps no process alive. */
export async function within(ms: number, something: Promise<unknown>): Promise<void> {
  await Promise.race([something, sleep(ms, undefined, { ref: false })]);
}
