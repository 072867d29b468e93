/** Milliseconds on a monotonic clock that is the same in every thread; `performance.now()` begins anew in each. */
export const sharedNowMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);
