/** Numbers of a run: its row, its first column, the column after its last, and where its weights begin, from 1 on; 0 if all are 1. */
export const RUN = 4;

/**
 * Runs and weights of many shapes in typed arrays that double when they are full: lists of numbers, and an object for
 * each run, would keep the garbage collector busier than finding the runs.
 */
export interface RunList {
  readonly runCount: number;
  readonly weightCount: number;
  addRun(row: number, from: number, until: number): void;
  /** A run whose pixels have weights: as many of an array from a position on. */
  addWeighted(row: number, from: number, until: number, shares: Float64Array, at: number): void;
  /** What was added. */
  finish(): { readonly runs: Uint32Array<ArrayBuffer>; readonly weights: Float32Array<ArrayBuffer> };
}

/** Begins a list. */
export function makeRunList(): RunList {
  let runs = new Uint32Array(RUN * 1_024);
  let weights = new Float32Array(1_024);
  let [runsEnd, weightsEnd] = [0, 0];

  const put = (row: number, from: number, until: number, weightsAt: number): void => {
    if (runsEnd === runs.length) {
      const larger = new Uint32Array(2 * runs.length);
      larger.set(runs);
      runs = larger;
    }
    runs[runsEnd] = row;
    runs[runsEnd + 1] = from;
    runs[runsEnd + 2] = until;
    runs[runsEnd + 3] = weightsAt;
    runsEnd += RUN;
  };

  return {
    get runCount() {
      return runsEnd / RUN;
    },
    get weightCount() {
      return weightsEnd;
    },
    addRun: (row, from, until) => put(row, from, until, 0),
    addWeighted(row, from, until, shares, at) {
      put(row, from, until, weightsEnd + 1);
      const count = until - from;
      if (weightsEnd + count > weights.length) {
        const larger = new Float32Array(Math.max(2 * weights.length, weightsEnd + count));
        larger.set(weights);
        weights = larger;
      }
      for (let i = 0; i < count; i += 1) weights[weightsEnd + i] = shares[at + i] as number;
      weightsEnd += count;
    },
    finish: () => ({ runs: runs.slice(0, runsEnd), weights: weights.slice(0, weightsEnd) }),
  };
}
