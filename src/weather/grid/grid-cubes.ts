import type { Cube, Cubes } from '../../cubes/index.ts';

/** The data cubes of weather. */
export interface GridCubes {
  /** As they were ingested: cubes of hours and of days, and one of each run of a forecast. */
  readonly cubes: Cubes;
  /** Days of the cubes of hours, under the same names: ten years of hours are too much to be read for each request. */
  readonly dayCubes: Cubes;
}

/** Cubes of the past, those with the finest cells first. */
export async function listHistories(cubes: Cubes): Promise<readonly Cube[]> {
  return (await cubes.list()).filter(({ kind }) => kind !== 'forecast').toSorted(byCell);
}

/** Runs of forecasts, the newest first; of the same time the finest. */
export async function listRuns(cubes: Cubes): Promise<readonly (Cube & { readonly runMs: number })[]> {
  const runs = (await cubes.list()).flatMap((cube) =>
    typeof cube.runMs !== 'number' ? [] : [{ ...cube, runMs: cube.runMs }],
  );
  return runs.toSorted((one, other) => other.runMs - one.runMs || byCell(one, other));
}

const byCell = ({ grid: one, name }: Cube, { grid: other, name: otherName }: Cube): number =>
  one.lonStep * one.latStep - other.lonStep * other.latStep || (name < otherName ? -1 : 1);
