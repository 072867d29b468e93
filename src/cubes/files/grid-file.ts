import type { CubeGrid } from '../grid/cube-grid.ts';

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
  /** The field of one time: row by row from the north, NaN where there is a gap. */
  readField(index: number): Promise<Float32Array>;
}

/** An opened file of fields. */
export interface GridFile {
  readonly variables: readonly GridVariable[];
  close(): Promise<void>;
}
