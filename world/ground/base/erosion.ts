import { random } from '../../numbers/noise.ts';
import { spreadCost } from './path-search.ts';

/** A square grid to erode: `isBase` marks cells where water ends. */
export interface ErosionInput {
  readonly size: number;
  readonly cellM: number;
  readonly isBase: Uint8Array;
  /** Height of base cells; elsewhere ignored. */
  readonly baseHeightM: Float64Array;
  /** ks of the stream-power law, slope = ks / sqrt(catchment in m²): under 1 in plains, 100 in mountains. */
  readonly steepness: Float64Array;
  readonly seed: number;
}

/** A surface that drains everywhere, and how it drains. */
export interface ErodedGrid {
  readonly heightM: Float64Array;
  readonly catchmentM2: Float64Array;
  /** Cell that each cell drains to; itself at base cells. */
  readonly receiver: Int32Array;
  /** All cells, each after the one it drains to. */
  readonly order: Int32Array;
}

const rounds = 11;

/**
 * Mountains as running water makes them: iterates towards the steady state of the stream-power law (Braun and Willett,
 * 2013, with exponents 0.5 and 1, so that a square root is all it needs).
 */
export function erode(input: ErosionInput): ErodedGrid {
  const { size, isBase, steepness, cellM } = input;
  const count = size * size;
  const stepCost = new Float64Array(count);
  const bases: number[] = [];
  for (let cell = 0; cell < count; cell++) {
    stepCost[cell] = steepness[cell]! * (0.5 + random(cell, 0, input.seed));
    if (isBase[cell] === 1) bases.push(cell);
  }
  const tree = spreadCost({ cols: size, rows: size, stepCost }, bases, { directions: 8 });
  const heightM = new Float64Array(count);
  const receiver = tree.previous;
  for (let cell = 0; cell < count; cell++) {
    heightM[cell] = isBase[cell] === 1 ? input.baseHeightM[cell]! : 20 + tree.cost[cell]! * 0.05;
    if (receiver[cell] === -1) receiver[cell] = cell;
  }
  const order = new Int32Array(count);
  const catchmentM2 = new Float64Array(count);
  for (let round = 0; round < rounds; round++) {
    if (round > 0) findReceivers(input, heightM, receiver);
    sortUpstream(receiver, order);
    catchmentM2.fill(cellM * cellM);
    for (let k = count - 1; k >= 0; k--) {
      const cell = order[k]!;
      if (receiver[cell] !== cell) catchmentM2[receiver[cell]!]! += catchmentM2[cell]!;
    }
    for (let k = 0; k < count; k++) {
      const cell = order[k]!;
      const below = receiver[cell]!;
      if (below === cell) continue;
      const step = below > cell ? below - cell : cell - below;
      const runM = step === size - 1 || step === size + 1 ? cellM * Math.SQRT2 : cellM;
      // Steeper slopes than this slide.
      const fallM = Math.min(steepness[cell]! / Math.sqrt(catchmentM2[cell]!), 0.72) * runM;
      // Half way to the steady state each round; never below the receiver, so no pit can form.
      heightM[cell] = Math.max(heightM[below]! + fallM * 0.2, (heightM[cell]! + heightM[below]! + fallM) / 2);
    }
  }
  return { heightM, catchmentM2, receiver, order };
}

/** Each cell drains to the neighbour with the steepest way down. */
function findReceivers({ size, isBase }: ErosionInput, heightM: Float64Array, receiver: Int32Array): void {
  for (let row = 0; row < size; row++) {
    for (let col = 0; col < size; col++) {
      const cell = row * size + col;
      if (isBase[cell] === 1) continue;
      let steepest = 0;
      for (let dy = row > 0 ? -1 : 0; dy <= 1 && row + dy < size; dy++) {
        for (let dx = col > 0 ? -1 : 0; dx <= 1 && col + dx < size; dx++) {
          const next = cell + dy * size + dx;
          const fall = (heightM[cell]! - heightM[next]!) * (dx !== 0 && dy !== 0 ? Math.SQRT1_2 : 1);
          if (fall > steepest) {
            steepest = fall;
            receiver[cell] = next;
          }
        }
      }
    }
  }
}

/** Fills `order` with base cells first and every other cell after its receiver. */
function sortUpstream(receiver: Int32Array, order: Int32Array): void {
  const count = receiver.length;
  // Donors of a cell as a linked list: first donor of each cell, next donor of the same receiver.
  const firstDonor = new Int32Array(count).fill(-1);
  const nextDonor = new Int32Array(count).fill(-1);
  let filled = 0;
  for (let cell = count - 1; cell >= 0; cell--) {
    const below = receiver[cell]!;
    if (below === cell) continue;
    nextDonor[cell] = firstDonor[below]!;
    firstDonor[below] = cell;
  }
  for (let cell = 0; cell < count; cell++) if (receiver[cell] === cell) order[filled++] = cell;
  for (let done = 0; done < filled; done++) {
    for (let donor = firstDonor[order[done]!]!; donor !== -1; donor = nextDonor[donor]!)
      order[filled++] = donor;
  }
}
