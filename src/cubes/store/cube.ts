import type { CubeGrid } from '../grid/cube-grid.ts';

/** Hours of a step of time. */
export type StepHours = 1 | 24;

/** Whether a cube says what was, or what one model run expects. */
export type CubeKind = 'history' | 'forecast';

/** A variable of a cube. */
export interface CubeVariable {
  readonly units: string;
  readonly longName: string;
  /** True when it has one field for all times, which is that of step 0, such as the height of the ground. */
  readonly isStatic?: boolean;
}

/**
 * Whether the variable is only there for the next ingest, such as a sum that goes on in the next file. Callers do not
 * see it.
 */
export const isHiddenVariable = (name: string): boolean => name.startsWith('_');

/** A data cube as it is stored; steps are counted from 1970-01-01 00:00 UTC. */
export interface Cube {
  readonly name: string;
  readonly grid: CubeGrid;
  readonly stepHours: StepHours;
  readonly variables: Readonly<Record<string, CubeVariable>>;
  readonly firstStep: number;
  readonly lastStep: number;
  /** History if it is not said. */
  readonly kind?: CubeKind;
  /** When the model run of a forecast began; null or absent otherwise. */
  readonly runMs?: number | null;
  /** Files that are in it. */
  readonly sourceCount: number;
}

const MS_PER_HOUR = 3_600_000;

/** The step that a time belongs to. */
export const toStep = (ms: number, stepHours: StepHours): number =>
  Math.floor(ms / (stepHours * MS_PER_HOUR));

/** The time at which a step begins, in milliseconds. */
const toStepMs = (step: number, stepHours: StepHours): number => step * stepHours * MS_PER_HOUR;

/** The day on which a step begins, as 2026-05-02. */
export const toStepDay = (step: number, stepHours: StepHours): string =>
  new Date(toStepMs(step, stepHours)).toISOString().slice(0, 10);
