import { badInput } from '../../src/errors.ts';
import { hash } from '../numbers/noise.ts';
import { exp, ln } from '../numbers/steady-math.ts';

/** Entries of the table that draws are read from, straight lines between. */
const entries = 2048;
/** Steps along the distribution's axis when the table is made, and how far it is followed in units of the mean. */
const axisSteps = 6000;

/**
 * Makes the speckle of an image of so many looks: factors of mean 1 and variance 1/looks, gamma distributed as the
 * intensity of many small echoes is. A draw belongs to a pixel's number, a channel and a seed.
 */
export function makeSpeckle(looks: number): (pixel: number, channel: number, seed: number) => number {
  if (!(looks >= 1 && looks <= 1000)) {
    throw badInput('bad-looks', `The number of looks must be between 1 and 1000, not ${looks}.`);
  }
  const table = toQuantiles(looks);
  return (pixel, channel, seed) => {
    const position = (hash(pixel, channel, seed) / 4294967296) * (entries - 1);
    const entry = Math.floor(position);
    const low = table[entry]!;
    return low + (table[entry + 1]! - low) * (position - entry);
  };
}

/** The gamma distribution's values at equal steps of probability; scaled so that their mean is 1 in spite of steps. */
function toQuantiles(looks: number): Float64Array {
  const farthest = 1 + 12 / Math.sqrt(looks);
  const cumulated = new Float64Array(axisSteps + 1);
  // The density's top lies at 1 - 1/looks; dividing by it keeps the numbers small for many looks.
  const top = Math.max(1e-6, 1 - 1 / looks);
  const topLog = (looks - 1) * ln(top) - looks * top;
  for (let step = 1; step <= axisSteps; step++) {
    const x = ((step - 0.5) / axisSteps) * farthest;
    cumulated[step] = cumulated[step - 1]! + exp(Math.max(-600, (looks - 1) * ln(x) - looks * x - topLog));
  }
  const total = cumulated[axisSteps]!;
  const table = new Float64Array(entries);
  let step = 1;
  for (let entry = 0; entry < entries; entry++) {
    // The first and last entries stand for the tails beyond them, so they lie within and not at 0 and infinity.
    const wanted = total * Math.min(Math.max(entry / (entries - 1), 0.15 / entries), 1 - 0.15 / entries);
    while (step < axisSteps && cumulated[step]! < wanted) step++;
    const before = cumulated[step - 1]!;
    const share = (wanted - before) / Math.max(1e-300, cumulated[step]! - before);
    table[entry] = ((step - 1 + share) / axisSteps) * farthest;
  }
  let mean = 0;
  for (let entry = 0; entry + 1 < entries; entry++) {
    mean += (table[entry]! + table[entry + 1]!) / (2 * (entries - 1));
  }
  return table.map((value) => value / mean);
}
