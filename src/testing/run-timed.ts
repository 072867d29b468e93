/** The compiler of V8 works when it has time: on a busy machine the first runs are those of an interpreter. */
const RUNS = 20;

/** Result of some work, and the milliseconds of processor time of its fastest run: a busy machine adds nothing to that. */
export async function runTimed<T>(
  work: () => Promise<T> | T,
  enoughMs: number,
): Promise<{ readonly result: T; readonly tookMs: number }> {
  let tookMs = Infinity;
  for (let run = 1; ; run++) {
    const start = readCpuMs();
    const result = await work();
    tookMs = Math.min(tookMs, readCpuMs() - start);
    if (tookMs < enoughMs || run === RUNS) return { result, tookMs };
  }
}

/** Processor time of this thread. */
function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
