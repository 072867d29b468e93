import { AssertionError } from 'node:assert/strict';

/** The longest wait of a test, in milliseconds: half an hour ends what hangs, and no machine is so slow. */
export const HANG_MS = 1_800_000;

/** Most checks that take a while ask a service: fifty a second cost as much as the work that they wait for. */
const PATIENT_MS = 100;

/**
 * The pause before the next check. One that is asynchronous is repeated less often the longer it is waited for, and no wait
 * gets longer by more than a tenth. Others cost nothing, and may look for what is there for a moment only.
 */
const toPauseMs = (answer: unknown, everyMs: number, waitedMs: number): number =>
  answer instanceof Promise ? Math.max(everyMs, Math.min(PATIENT_MS, waitedMs / 10)) : everyMs;

/**
 * Waits until something is so, looking every `everyMs` at first; throws after `timeoutMs`, because a loop that no one ends
 * outlives its test.
 */
export async function waitFor(
  condition: () => boolean | Promise<boolean>,
  timeoutMs = HANG_MS,
  everyMs = 20,
): Promise<void> {
  const start = performance.now();
  for (;;) {
    const answer = condition();
    if (await answer) return;
    const waitedMs = performance.now() - start;
    if (waitedMs > timeoutMs) throw new Error(`not so after ${timeoutMs} ms: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, toPauseMs(answer, everyMs, waitedMs)));
  }
}

/** A check that is repeated for so long says once in this time why. */
const TELL_MS = 60_000;

/**
 * Waits until an assertion holds, and gives what it gives: for what changes shortly after the step that a test has done. Other
 * errors are thrown at once; the last failed assertion is thrown after `timeoutMs`, and told from time to time before.
 */
export async function whenHolds<Value>(
  check: () => Value | Promise<Value>,
  timeoutMs = HANG_MS,
  everyMs = 20,
): Promise<Value> {
  const start = performance.now();
  let told = start;
  for (;;) {
    let answer: Value | Promise<Value> | null = null;
    try {
      answer = check();
      return await answer;
    } catch (error) {
      const now = performance.now();
      if (!(error instanceof AssertionError) || now - start > timeoutMs) throw error;
      if (now - told > TELL_MS) {
        told = now;
        console.error(`Still waiting: ${error.message}`);
      }
    }
    const pauseMs = toPauseMs(answer, everyMs, performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
