import { CLOUD, COLLECTED, FLAGS, HEIGHT, MASK, RUN_BYTES, VALID, VALUES, WIDTH, WORK, X, Y } from "./measure-runs";
import { COUNTED, MASKED, NO_DATA } from "./collect-values";
import { summarizeWeighted } from "./weighted-values";

/** Where collected weights are, after the fields of `measureRuns`. */
const COLLECTED_WEIGHTS: usize = 40;

/**
 * As `measureRuns`, with the share of each pixel that a shape covers. Runs say where their shares are, counted from
 * `firstWeight`, which lies at `weights`; 0 is for a run of whole pixels.
 */
export function measureShares(
  job: usize, runs: usize, runCount: u32, weights: usize, firstWeight: u32, out: usize,
): u32 {
  const x = load<i32>(job, X);
  const y = load<i32>(job, Y);
  const width = load<i32>(job, WIDTH);
  const height = load<i32>(job, HEIGHT);
  const values = <usize>load<u32>(job, VALUES);
  const mask = <usize>load<u32>(job, MASK);
  const flags = <usize>load<u32>(job, FLAGS);
  const collected = <usize>load<u32>(job, COLLECTED);
  const collectedWeights = <usize>load<u32>(job, COLLECTED_WEIGHTS);
  let valid: f64 = 0;
  let cloudy: f64 = 0;
  let bytes: usize = 0;
  const end = runs + <usize>runCount * RUN_BYTES;
  for (let run = runs; run < end; run += RUN_BYTES) {
    const row = load<i32>(run) - y;
    if (row < 0 || row >= height) continue;
    const from = load<i32>(run, 4);
    const last = min(x + width, load<i32>(run, 8));
    const weightsAt = load<u32>(run, 12);
    for (let col = max(x, from); col < last; col++) {
      const at = <usize>(row * width + col - x);
      const flag: u8 = flags == 0 ? 0 : load<u8>(flags + at);
      if (load<u8>(mask + at) == 0 || (flag & NO_DATA) != 0) continue;
      const share: f32 = weightsAt == 0 ? 1 : load<f32>(weights + (<usize>(weightsAt - firstWeight + col - from) << 2));
      valid += <f64>share;
      if ((flag & COUNTED) != 0) cloudy += <f64>share;
      if ((flag & MASKED) != 0) continue;
      store<u32>(collected + bytes, load<u32>(values + (at << 2)));
      store<f32>(collectedWeights + bytes, share);
      bytes += 4;
    }
  }
  store<f64>(out, valid, VALID);
  store<f64>(out, cloudy, CLOUD);
  return summarizeWeighted(collected, collectedWeights, <u32>bytes >> 2, out, load<u32>(job, WORK));
}
