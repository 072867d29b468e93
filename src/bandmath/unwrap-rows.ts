/** A window of phases. */
interface Phases {
  readonly values: Float32Array;
  readonly width: number;
  /** True where a run ends and the next pixel starts a new one. */
  readonly isMasked: (pixel: number) => boolean;
}

const { fround, PI } = Math;
const HALF = fround(PI);
const PERIOD = fround(2 * PI);

/** A jump between neighbours modulo whole turns, in NumPy's float32 steps. */
function correctJump(jump: number): number {
  if (Math.abs(jump) < HALF) return 0;
  const shifted = fround(jump + HALF);
  let rest = shifted % PERIOD;
  if (rest < 0) rest = fround(rest + PERIOD);
  let short = fround(rest - HALF);
  if (short === -HALF && jump > 0) short = HALF;
  return fround(short - jump);
}

/**
 * NumPy's unwrap along each row: whole turns are added wherever neighbours differ by more than half a turn. The result
 * depends on where the row begins, so neighbouring windows may differ by whole turns.
 */
export function unwrapRows({ values, width, isMasked }: Phases, result: Float32Array): void {
  for (let row = 0; row < values.length; row += width) {
    let turns = 0;
    let last = Number.NaN;
    let isRunning = false;
    for (let pixel = row; pixel < row + width; pixel++) {
      const value = values[pixel]!;
      if (isMasked(pixel)) {
        result[pixel] = value;
        isRunning = false;
        continue;
      }
      turns = isRunning ? fround(turns + correctJump(fround(value - last))) : 0;
      result[pixel] = isRunning ? value + turns : value;
      last = value;
      isRunning = true;
    }
  }
}
