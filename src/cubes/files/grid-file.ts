import type { CubeGrid } from '../grid/cube-grid.ts';

/** What a value says about its time: the state at that moment, or a sum, mean, minimum or maximum over the period that ends then. */
export type TimeMethod = 'instant' | 'sum' | 'mean' | 'min' | 'max';

/** A variable of a file on a grid over time. */
export interface GridVariable {
  readonly name: string;
  readonly standardName: string;
  readonly longName: string;
  /** As the file writes them; empty without. */
  readonly units: string;
  readonly grid: CubeGrid;
  /** Times in milliseconds from 1970, in the order of the file. */
  readonly timesMs: readonly number[];
  /** Absent where the file does not say it. */
  readonly method?: TimeMethod;
  /** When the period of each time begins, where the method has one and the file says it. */
  readonly startsMs?: readonly number[];
  /** When the model run of each time began, where the file says it: at the time itself for an analysis. */
  readonly runsMs?: readonly number[];
  /** The field of one time: row by row from the north, NaN where there is a gap. */
  readField(index: number): Promise<Float32Array>;
}

/** An opened file of fields. */
export interface GridFile {
  readonly variables: readonly GridVariable[];
  close(): Promise<void>;
}
