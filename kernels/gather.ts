import { footprint } from "./footprint";
import { WarpJob } from "./warp-job";

/** Copies the footprint's pixels that are data, row by row, to `into`, with room for four more; returns how many. */
export function gather(job: WarpJob, band: i32, into: usize): i32 {
  const f = footprint;
  const width = <usize>job.windowWidth;
  let line = job.source + <usize>band * job.sourcePlaneBytes + (<usize>f.from << 2);
  let end = into;
  const rows = f.rows;
  const cols = f.cols;
  if (job.sourceMask == 0) {
    const rowBytes = <usize>cols << 2;
    for (let i = 0; i < rows; i++, line += width << 2, end += rowBytes) {
      // Up to three values too many, which the next row overwrites.
      for (let at: usize = 0; at < rowBytes; at += 16) v128.store(end + at, v128.load(line + at));
    }
    return rows * cols;
  }
  let mask = job.sourceMask + <usize>f.from;
  for (let i = 0; i < rows; i++, line += width << 2, mask += width) {
    for (let k = 0; k < cols; k++) {
      // Always written, but counted only when it is data.
      store<f32>(end, load<f32>(line + (<usize>k << 2)));
      end += <usize>(load<u8>(mask + <usize>k) & 1) << 2;
    }
  }
  return <i32>((end - into) >> 2);
}
