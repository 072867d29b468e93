import { footprint } from "./footprint";
import { WarpJob } from "./warp-job";

/*
 * A hash table in the job's work memory counts the values of a footprint: entries of 16 bytes hold value, count and the
 * number of their footprint, so that nothing must be cleared in between. The memory must be zeroed.
 */
const ENTRY_SHIFT: usize = 4;
/** Knuth's multiplier: 2^32 divided by the golden ratio. */
const SPREAD: u32 = 0x9e3779b1;

/** Number of the footprint being counted. */
let turn: u32 = 0;

/** Starts over with a zeroed table. */
export function beginMode(): void {
  turn = 0;
}

/** The most frequent of the footprint's values; of several the one that first reached the count, as in GDAL. */
export function modePixel(job: WarpJob, to: usize): void {
  const f = footprint;
  const cols = f.cols;
  const rows = f.rows;
  const hasMask = job.sourceMask != 0;
  const width = <usize>job.windowWidth;
  const table = job.work;
  const shift = 32 - <u32>tableBits(f.cols * f.rows);
  const last = (<u32>1 << (32 - shift)) - 1;
  for (let band = 0; band < job.bandCount; band++) {
    turn++;
    let line = job.source + <usize>band * job.sourcePlaneBytes + (<usize>f.from << 2);
    let mask = job.sourceMask + <usize>f.from;
    let max: u32 = 0;
    let winner: f32 = 0.0;
    for (let i = 0; i < rows; i++, line += width << 2, mask += width) {
      for (let k = 0; k < cols; k++) {
        if (hasMask && (load<u8>(mask + <usize>k) & 1) == 0) continue;
        // Adding zero merges the two zeros.
        const value: f32 = load<f32>(line + (<usize>k << 2)) + <f32>0.0;
        const bits = reinterpret<u32>(value);
        let slot = (bits * SPREAD) >> shift;
        let entry = table + (<usize>slot << ENTRY_SHIFT);
        while (load<u32>(entry, 8) == turn && load<u32>(entry) != bits) {
          slot = (slot + 1) & last;
          entry = table + (<usize>slot << ENTRY_SHIFT);
        }
        const count: u32 = load<u32>(entry, 8) == turn ? load<u32>(entry, 4) + 1 : 1;
        store<u32>(entry, bits);
        store<u32>(entry, count, 4);
        store<u32>(entry, turn, 8);
        if (count > max) {
          max = count;
          winner = value;
        }
      }
    }
    if (max == 0) return;
    store<f32>(job.target + <usize>band * job.targetPlaneBytes + (to << 2), winner);
  }
  store<u8>(job.targetMask + to, 1);
}

/**
 * Twice the room for this many values, as a power of two; src/raster/plan-warp.ts reserves it for the largest
 * footprint.
 */
// @ts-ignore: decorator
@inline function tableBits(count: i32): i32 {
  return 33 - clz(count);
}
