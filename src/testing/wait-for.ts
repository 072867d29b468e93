import { AssertionError } from 'node:assert/strict';

/** The longest wait of a test, in milliseconds: half an hour ends what hangs, and no machine is so slow. */
export const HANG_MS = 1_800_000;

/**
 * Waits until something is so, looking every `everyMs`; throws after `timeoutMs`, because a loop that no one ends outlives
 * its test.
 */
export async function waitFor(
  condition: () => boolean | Promise<boolean>,
  timeoutMs = HANG_MS,
  everyMs = 20,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not so after ${timeoutMs} ms: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
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
    try {
      return await check();
    } catch (error) {
      const now = performance.now();
      if (!(error instanceof AssertionError) || now - start > timeoutMs) throw error;
      if (now - told > TELL_MS) {
        told = now;
        console.error(`Still waiting: ${error.message}`);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
