import { WORLD_SEED } from '../ground/world.ts';
import { random } from '../numbers/noise.ts';
import { sin } from '../numbers/steady-math.ts';

const SEEDS = { slow: WORLD_SEED + 8_111, fast: WORLD_SEED + 8_112 } as const;
const slowWave = toWave(24);
const fastWave = toWave(8);

/**
 * Clouds over the hours of a day: at noon, when scenes are taken, and on average what the day has; more of them while it
 * rains.
 */
export function cloudCourse(day: number, cloudiness: number, rain: Float64Array): Float64Array {
  // Waves no higher than this stay between a clear and a covered sky.
  const room = Math.min(cloudiness, 1 - cloudiness);
  const wetSide = rain.reduce((sum, mm, hour) => sum + mm * slowWave[hour]!, 0);
  const isMorning = wetSide === 0 ? random(day, 1, SEEDS.slow) < 0.5 : wetSide < 0;
  const slow = 0.65 * room * random(day, 0, SEEDS.slow) * (isMorning ? -1 : 1);
  const fast = 0.35 * room * (2 * random(day, 0, SEEDS.fast) - 1);
  return slowWave.map((wave, hour) =>
    Math.min(1, Math.max(0, cloudiness + slow * wave + fast * fastWave[hour]!)),
  );
}

/** Values of a wave at the hours of a day that sum up to 0, and are 0 at noon. */
function toWave(periodHours: number): Float64Array {
  return Float64Array.from({ length: 24 }, (_, hour) => sin((2 * Math.PI * (hour - 12)) / periodHours));
}
