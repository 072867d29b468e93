import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TileAnswers } from './ask-terrain.ts';
import type { Point, WantedTile } from './choose-tiles.ts';
import type { PlannedMosaic } from './describe-plan.ts';
import type { SlopeFiles } from './write-slopes.ts';

/** A tile, what was planned and computed here, and what the service answered. */
export interface TileJob extends WantedTile, TileAnswers {
  readonly mosaics: readonly PlannedMosaic[];
  readonly slopes: SlopeFiles | null;
}

/** All that the judge is told of a model. */
export interface Job {
  readonly files: readonly string[];
  /** Whether there is sea outside of the files. */
  readonly hasSea: boolean;
  /** A folder for files of the judge. */
  readonly scratch: string;
  readonly tiles: readonly TileJob[];
  readonly points: readonly (Point & { readonly heightM: number | null })[];
}

/** One comparison, by the judge. */
export interface Row {
  readonly check: string;
  /** Pixels, points or lines. */
  readonly compared: number;
  /** Those that are not compared because more than one value is right. */
  readonly leftOut: number;
  readonly differing: number;
  /** The largest difference, in words. */
  readonly worst: string;
}

/** Has GDAL judge all answers about a model, and rasterio open the tiles if some Python has it. */
export function judge(python: string, job: Job): readonly Row[] {
  const path = join(job.scratch, 'job.json');
  writeFileSync(path, JSON.stringify(job));
  const rows = run(python, 'judge_terrain.py', path);
  const withRasterio = findRasterio();
  return withRasterio === undefined ? rows : [...rows, ...run(withRasterio, 'judge_rasterio.py', path)];
}

function findRasterio(): string | undefined {
  return ['python3', '/usr/bin/python3'].find(
    (python) => spawnSync(python, ['-c', 'import rasterio']).status === 0,
  );
}

function run(python: string, script: string, job: string): readonly Row[] {
  const words = ['-B', fileURLToPath(new URL(script, import.meta.url)), job];
  const { stdout, status, signal } = spawnSync(python, words, {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${script} ended with ${status ?? signal}`);
  return JSON.parse(stdout);
}
