import type { CubeGrid } from '../grid/cube-grid.ts';

/** Hours of a step of time. */
export type StepHours = 1 | 24;

/** A variable of a cube. */
export interface CubeVariable {
  readonly units: string;
  readonly longName: string;
}

/** A data cube as it is stored; steps are counted from 1970-01-01 00:00 UTC. */
export interface Cube {
  readonly name: string;
  readonly grid: CubeGrid;
  readonly stepHours: StepHours;
  readonly variables: Readonly<Record<string, CubeVariable>>;
  readonly firstStep: number;
  readonly lastStep: number;
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
