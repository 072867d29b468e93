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
