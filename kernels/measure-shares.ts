import { CLOUD, COLLECTED, FLAGS, HEIGHT, MASK, RUN_BYTES, VALID, VALUES, WIDTH, WORK, X, Y } from "./measure-runs";
import { COUNTED, MASKED, NO_DATA } from "./collect-values";
import { summarizeWeighted } from "./weighted-values";

/** Where collected weights are, after the fields of `measureRuns`. */
const COLLECTED_WEIGHTS: usize = 40;

/** Pixels that are looked at together. */
const CHUNK: i32 = 16;

let valid: f64 = 0;
let cloudy: f64 = 0;

/**
 * As `measureRuns`, with the share of each pixel that a shape covers. Runs say where their shares are, counted from
 * `firstWeight`, which lies at `weights`; 0 is for a run of whole pixels.
 */
export function measureShares(
  job: usize, runs: usize, runCount: u32, weights: usize, firstWeight: u32, out: usize,
): u32 {
  const count = collectShares(job, runs, runCount, weights, firstWeight, out);
  return summarizeWeighted(
    load<u32>(job, COLLECTED), load<u32>(job, COLLECTED_WEIGHTS), count, out, load<u32>(job, WORK),
  );
}

/**
 * Collects the values that count and their shares, and puts how many pixels have data, and how many are clouds, after
 * the statistics at `out`. Returns how many values there are. Planes and weights are read up to 15 pixels after their
 * ends, and as many are written after what is collected.
 */
export function collectShares(
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
  const apart = <usize>load<u32>(job, COLLECTED_WEIGHTS) - collected;
  valid = 0;
  cloudy = 0;
  let to = collected;
  const end = runs + <usize>runCount * RUN_BYTES;
  for (let run = runs; run < end; run += RUN_BYTES) {
    const row = load<i32>(run) - y;
    if (row < 0 || row >= height) continue;
    const from = load<i32>(run, 4);
    const last = min(x + width, load<i32>(run, 8));
    const weightsAt = load<u32>(run, 12);
    for (let col = max(x, from); col < last; col += CHUNK) {
      const count = min(CHUNK, last - col);
      const at = <usize>(row * width + col - x);
      const shares = weightsAt == 0 ? 0 : weights + (<usize>(weightsAt - firstWeight + col - from) << 2);
      const own = flags == 0 ? 0 : flags + at;
      if (isPlain(mask + at, own, count)) {
        copyChunk(values + (at << 2), to);
        if (shares == 0) {
          fillOnes(to + apart);
          addWhole(<f64>count);
        } else {
          copyChunk(shares, to + apart);
          for (let i: i32 = 0; i < count; i++) valid += <f64>load<f32>(shares + (<usize>i << 2));
        }
        to += <usize>count << 2;
      } else to = collectFew(values + (at << 2), mask + at, own, shares, count, to, apart);
    }
  }
  store<f64>(out, valid, VALID);
  store<f64>(out, cloudy, CLOUD);
  return <u32>(to - collected) >> 2;
}

/** Whether all of up to sixteen pixels have data and none has a flag. */
// @ts-ignore: decorator
@inline function isPlain(mask: usize, flags: usize, count: i32): bool {
  const empty = i8x16.eq(v128.load(mask), i8x16.splat(0));
  const others = flags == 0 ? empty : v128.or(empty, i8x16.ne(v128.load(flags), i8x16.splat(0)));
  return (<u32>i8x16.bitmask(others) & ((1 << count) - 1)) == 0;
}

// @ts-ignore: decorator
@inline function copyChunk(from: usize, to: usize): void {
  v128.store(to, v128.load(from));
  v128.store(to, v128.load(from, 16), 16);
  v128.store(to, v128.load(from, 32), 32);
  v128.store(to, v128.load(from, 48), 48);
}

// @ts-ignore: decorator
@inline function fillOnes(to: usize): void {
  const ones = f32x4.splat(1);
  v128.store(to, ones);
  v128.store(to, ones, 16);
  v128.store(to, ones, 32);
  v128.store(to, ones, 48);
}

/** Adds whole pixels at once if that gives what adding one after the other gives: if nothing is rounded. */
// @ts-ignore: decorator
@inline function addWhole(count: f64): void {
  const sum = valid + count;
  if (sum - count == valid) valid = sum;
  else for (let i: f64 = 0; i < count; i++) valid += 1;
}

/** One pixel after the other; without shares they are whole. */
function collectFew(
  values: usize, mask: usize, flags: usize, shares: usize, count: i32, to: usize, apart: usize,
): usize {
  for (let i: usize = 0; i < <usize>count; i++) {
    const flag: u8 = flags == 0 ? 0 : load<u8>(flags + i);
    if (load<u8>(mask + i) == 0 || (flag & NO_DATA) != 0) continue;
    const share: f32 = shares == 0 ? 1 : load<f32>(shares + (i << 2));
    valid += <f64>share;
    if ((flag & COUNTED) != 0) cloudy += <f64>share;
    if ((flag & MASKED) != 0) continue;
    store<u32>(to, load<u32>(values + (i << 2)));
    store<f32>(to + apart, share);
    to += 4;
  }
  return to;
}
