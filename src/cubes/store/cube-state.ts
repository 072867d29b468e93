import type { CubeGrid } from '../grid/cube-grid.ts';
import type { ChunkRange } from './chunk.ts';
import type { Cube, CubeKind, StepHours } from './cube.ts';
import { isHiddenVariable } from './cube.ts';

/** A variable and where its chunks are, by `toChunkKey`. */
export interface VariableState {
  readonly units: string;
  readonly longName: string;
  /** Its one field is that of step 0. */
  readonly isStatic: boolean;
  readonly chunks: ReadonlyMap<string, ChunkRange>;
}

/** All that is known of a cube; each write makes a new one. */
export interface CubeState {
  readonly grid: CubeGrid;
  readonly stepHours: StepHours;
  readonly kind: CubeKind;
  readonly runMs: number | null;
  readonly chunkSide: number;
  readonly variables: ReadonlyMap<string, VariableState>;
  readonly firstStep: number;
  readonly lastStep: number;
  /** Files that are in it, by name, with their size and time. */
  readonly sources: ReadonlyMap<string, string>;
}

/** Address of a chunk: its row, its column, and its number in time counted from 1970. */
export const toChunkKey = (row: number, column: number, time: number): string => `${row}/${column}/${time}`;

/** What callers see of a cube. */
export const toCube = (name: string, state: CubeState): Cube => ({
  name,
  grid: state.grid,
  stepHours: state.stepHours,
  variables: Object.fromEntries(
    [...state.variables]
      .filter(([variable]) => !isHiddenVariable(variable))
      .map(([variable, { units, longName, isStatic }]) => [
        variable,
        isStatic ? { units, longName, isStatic } : { units, longName },
      ]),
  ),
  firstStep: state.firstStep,
  lastStep: state.lastStep,
  kind: state.kind,
  runMs: state.runMs,
  sourceCount: state.sources.size,
});
