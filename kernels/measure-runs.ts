import { collectValues } from "./collect-values";
import { summarizeFew } from "./few-values";

/** Fields of a job, each a u32: the planes of `collectValues`, and the window of the grid that they show. */
export const VALUES: usize = 0;
export const MASK: usize = 4;
export const FLAGS: usize = 8;
export const X: usize = 12;
export const Y: usize = 16;
export const WIDTH: usize = 20;
export const HEIGHT: usize = 24;
/** Work memory: eight bytes for each run, room for the values, and that of `summarizeFew`. */
const SPANS: usize = 28;
export const COLLECTED: usize = 32;
export const WORK: usize = 36;

/** Numbers of a run: its row, its first column, the column after its last, and what shares of pixels need. */
export const RUN_BYTES: usize = 16;
/** Up to this many values are measured here. */
const FEW: u32 = 16_384;
/** Where the numbers of pixels follow the statistics. */
export const VALID: usize = 88;
export const CLOUD: usize = 96;

const counts: usize = memory.data(8, 8);

/**
 * Measures the pixels in runs of a grid, as far as they lie in the window of the job: puts the statistics of
 * `summarizeFew` to `out`, unless no value counts, and after them how many pixels have data, and how many are clouds.
 * Returns how many values count; -1 if this kernel cannot measure them.
 */
export function measureRuns(job: usize, runs: usize, runCount: u32, out: usize): i32 {
  const x = load<i32>(job, X);
  const y = load<i32>(job, Y);
  const width = load<i32>(job, WIDTH);
  const height = load<i32>(job, HEIGHT);
  const spans = <usize>load<u32>(job, SPANS);
  const end = runs + <usize>runCount * RUN_BYTES;
  let to = spans;
  for (let run = runs; run < end; run += RUN_BYTES) {
    const row = load<i32>(run) - y;
    if (row < 0 || row >= height) continue;
    const first = max(0, load<i32>(run, 4) - x);
    const last = min(width, load<i32>(run, 8) - x);
    if (first >= last) continue;
    store<u32>(to, row * width + first);
    store<u32>(to, row * width + last, 4);
    to += 8;
  }
  const collected = <usize>load<u32>(job, COLLECTED);
  store<u64>(counts, 0);
  const until = collectValues(
    load<u32>(job, VALUES), load<u32>(job, MASK), load<u32>(job, FLAGS),
    spans, <u32>(to - spans) >> 3, collected, counts,
  );
  store<f64>(out, <f64>load<u32>(counts), VALID);
  store<f64>(out, <f64>load<u32>(counts, 4), CLOUD);
  const count = <u32>(until - collected) >> 2;
  return count > FEW ? -1 : summarizeFew(collected, count, out, load<u32>(job, WORK));
}
