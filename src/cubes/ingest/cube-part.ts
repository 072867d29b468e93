import type { GridFile } from '../files/grid-file.ts';
import type { CubeGrid } from '../grid/cube-grid.ts';
import type { CubeKind, CubeVariable, StepHours } from '../store/cube.ts';

/** A field on its way into a cube. */
export interface CubeField {
  readonly variable: string;
  readonly about: CubeVariable;
  readonly step: number;
  readonly values: Float32Array;
}

/** What a file gives to a cube: fields on one grid, of one variable or of several that are made together. */
export interface CubePart {
  readonly cube: string;
  readonly kind: CubeKind;
  readonly runMs: number | null;
  readonly grid: CubeGrid;
  /** Null when the file does not tell: then that of the cube, or a day. */
  readonly stepHours: StepHours | null;
  /** Fields of the file that are read. */
  readonly fieldCount: number;
  /** Reads and converts the fields; `onField` is called after each field of the file. */
  read(stepHours: StepHours, onField: () => void): AsyncIterable<CubeField>;
}

/** What becomes of a file: its parts, or why nothing of it is needed. A file that cannot be used throws. */
export type FilePlan = { readonly parts: readonly CubePart[] } | { readonly skip: string };

/** Decides what a file gives to which cubes; `name` is that of the file. */
export type PlanFile = (file: GridFile, name: string) => Promise<FilePlan>;
