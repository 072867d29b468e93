import { footprint } from "./footprint";
import { dataLanes } from "./taps";
import { WarpJob } from "./warp-job";

/** The max of the footprint's pixels, or with `sign` -1 the min; lanes are four neighbouring source pixels. */
export function extremePixel(job: WarpJob, to: usize, sign: f32): void {
  const f = footprint;
  // In locals: the compiler must assume that every store of a pixel changes the rest.
  const groups = f.groups;
  const rows = f.rows;
  const colWeights = f.colWeights;
  const hasMask = job.sourceMask != 0;
  const firstMask = job.sourceMask + <usize>f.from;
  const width = <usize>job.windowWidth;
  const signs = f32x4.splat(sign);
  const lowest = f32x4.splat(-Infinity);
  let source = job.source + (<usize>f.from << 2);
  let target = job.target + (to << 2);
  for (let band = 0; band < job.bandCount; band++) {
    let best = lowest;
    let seen = i32x4.splat(0);
    for (let g = 0; g < groups; g++) {
      const isInside = f32x4.ne(v128.load(colWeights + (<usize>g << 4)), f32x4.splat(0.0));
      let line = source + (<usize>g << 4);
      let mask = firstMask + (<usize>g << 2);
      for (let i = 0; i < rows; i++, line += width << 2, mask += width) {
        const counts = hasMask ? v128.and(isInside, dataLanes(mask)) : isInside;
        seen = v128.or(seen, counts);
        best = f32x4.pmax(best, v128.bitselect(f32x4.mul(v128.load(line), signs), lowest, counts));
      }
    }
    if (!v128.any_true(seen)) return;
    best = f32x4.max(best, v128.shuffle<f32>(best, best, 2, 3, 0, 1));
    store<f32>(target, sign * max(f32x4.extract_lane(best, 0), f32x4.extract_lane(best, 1)));
    source += job.sourcePlaneBytes;
    target += job.targetPlaneBytes;
  }
  store<u8>(job.targetMask + to, 1);
}
