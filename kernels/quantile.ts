import { gather } from "./gather";
import { WarpJob } from "./warp-job";

/** The value at or below which the given fraction of the footprint's pixels lies: always one of them, as in GDAL. */
export function quantilePixel(job: WarpJob, to: usize, part: f32): void {
  const values = job.work;
  for (let band = 0; band < job.bandCount; band++) {
    const count = gather(job, band, values);
    if (count == 0) return;
    const rank = max(0, <i32>ceil(part * <f32>count - <f32>1.0));
    const value = count <= FEW ? selectOfFew(values, count, rank) : select(values, count, rank);
    store<f32>(job.target + <usize>band * job.targetPlaneBytes + (to << 2), value);
  }
  store<u8>(job.targetMask + to, 1);
}

/** Up to here comparing all with all, four at a time, is faster than sorting. */
const FEW: i32 = 48;

/** Like `select`, by counting for each value how many are smaller; needs room for three more values. */
function selectOfFew(values: usize, count: i32, rank: i32): f32 {
  const end = values + (<usize>count << 2);
  v128.store(end, f32x4.splat(Infinity));
  for (let candidate = values; candidate < end; candidate += 4) {
    const value = v128.load32_splat(candidate);
    let less = i32x4.splat(0);
    let notMore = i32x4.splat(0);
    for (let at = values; at < end; at += 16) {
      const others = v128.load(at);
      // A lane that is true is -1.
      less = i32x4.add(less, f32x4.lt(others, value));
      notMore = i32x4.add(notMore, f32x4.le(others, value));
    }
    if (-sumLanes(less) <= rank && rank < -sumLanes(notMore)) return load<f32>(candidate);
  }
  return Infinity;
}

// @ts-ignore: decorator
@inline function sumLanes(v: v128): i32 {
  const half = i32x4.add(v, v128.shuffle<i32>(v, v, 2, 3, 0, 1));
  return i32x4.extract_lane(half, 0) + i32x4.extract_lane(half, 1);
}

/** The value that would have index `rank` if the values were sorted (Hoare's selection); reorders them. */
function select(values: usize, count: i32, rank: i32): f32 {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = load<f32>(values + (<usize>((low + high) >> 1) << 2));
    let i = low;
    let j = high;
    while (i <= j) {
      while (load<f32>(values + (<usize>i << 2)) < pivot) i++;
      while (load<f32>(values + (<usize>j << 2)) > pivot) j--;
      if (i > j) break;
      const left = load<f32>(values + (<usize>i << 2));
      store<f32>(values + (<usize>i << 2), load<f32>(values + (<usize>j << 2)));
      store<f32>(values + (<usize>j << 2), left);
      i++;
      j--;
    }
    if (rank <= j) high = j;
    else if (rank >= i) low = i;
    else return load<f32>(values + (<usize>rank << 2));
  }
  return load<f32>(values + (<usize>low << 2));
}
