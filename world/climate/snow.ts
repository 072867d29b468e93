import type { Weather } from './weather.ts';

/** How much colder the air gets with height. */
export const lapseCPerM = 0.0065;

/** Heights the snow is computed at; between them it is interpolated. */
const stepM = 150;
const topM = 3600;
const rungs = topM / stepM + 1;

/** Ice flows off the summits: no more than this stays; otherwise the peaks would grow without end. */
const maxMm = 5000;

/** Water that falls per millimetre at sea level: the mountains wring the clouds out. */
const wringing = (heightM: number): number => 1 + Math.min(1.5, heightM / 900);

/** Snow by day and height: it falls when the air is near freezing and melts by the warmth of each day. */
export function makeSnowLadder(weather: Weather): (index: number, heightM: number) => number {
  const { dayCount } = weather;
  const ladder = new Float32Array(dayCount * rungs);
  for (let rung = 0; rung < rungs; rung++) {
    const colderC = rung * stepM * lapseCPerM;
    const falls = wringing(rung * stepM);
    // The first autumn finds high ground under old snow.
    let held = rung * stepM > 2300 ? 2000 : 0;
    for (let i = 0; i < dayCount; i++) {
      const meanC = (weather.minC[i]! + weather.maxC[i]!) / 2 - colderC;
      const frozen = Math.min(1, Math.max(0, (2.2 - meanC) / 2.6));
      // Degree-days: 2 to 7 mm melt for each degree above freezing, more under the high sun of summer.
      const melts = Math.max(0, meanC - 0.3) * (4.6 + 2.8 * weather.warmth[i]!);
      held = Math.min(maxMm, Math.max(0, held + weather.rainMm[i]! * falls * frozen - melts));
      ladder[i * rungs + rung] = held;
    }
  }
  return (index, heightM) => {
    const position = Math.min(rungs - 1.001, Math.max(0, heightM / stepM));
    const rung = Math.floor(position);
    const low = ladder[index * rungs + rung]!;
    return low + (ladder[index * rungs + rung + 1]! - low) * (position - rung);
  };
}
