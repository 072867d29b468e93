import type { Cubes, CubesConfig, CubesLock, GridReport, LockFolder } from '../cubes/index.ts';
import { ingestGrids, makeRulesPlan, openCubes, withGridFiles } from '../cubes/index.ts';
import { makeMoistureRule } from './moisture-rule.ts';

/** The data cubes of soil moisture; a process that writes them has the lock. */
export const openMoistureCubes = (config: CubesConfig, lock: CubesLock | null = null): Cubes =>
  openCubes(config, 'soil-moisture', lock);

interface MoistureFilesOptions {
  readonly config: CubesConfig;
  readonly lockFolder: LockFolder;
  /** Absolute path of a file or folder. */
  readonly from: string;
  readonly cube: string;
  /** Name of the variable in the files; null to recognise it. */
  readonly variable: string | null;
  readonly porosity: number | null;
  readonly signal: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
  readonly onBug?: (error: unknown, file: string) => void;
}

/** Puts files of soil moisture into a data cube. */
export function ingestMoistureFiles(options: MoistureFilesOptions): Promise<GridReport> {
  const { config, lockFolder, variable, porosity, ...rest } = options;
  return withGridFiles({ config, lockFolder, from: rest.from }, (files, lock) =>
    ingestGrids({
      ...rest,
      ...files,
      cubes: openMoistureCubes(config, lock),
      plan: makeRulesPlan({ cube: rest.cube, rules: [makeMoistureRule({ porosity })], variable }),
      settings: [variable, porosity].filter((setting) => setting !== null).join(' '),
    }),
  );
}
