import assert from 'node:assert/strict';
import { makeBlockCache, makeThreadTools } from '../../blocks/index.ts';
import type { Scene } from '../../catalog/index.ts';
import type { JobHandlers } from '../../pool/index.ts';
import { makeRunnerHere } from '../../pool/testing/run-here.ts';
import { stillFiles } from '../../render/scenes/testing/still-files.ts';
import type { CoverageJobs } from '../coverage-jobs.ts';
import { makeCoverageJobs } from '../coverage-jobs.ts';
import type { CoverageStore, StoredCell } from '../coverage-store.ts';
import type { CoverageLimits } from '../measure-coverage.ts';
import { makeMeasureCoverage } from '../measure-coverage.ts';

/** A store in memory. */
export function makeMemoryStore(): CoverageStore & { readonly cells: Map<string, StoredCell> } {
  const masks = new Map<string, string>();
  const cells = new Map<string, StoredCell>();
  return {
    cells,
    findMasks: async (keys) =>
      new Map(keys.flatMap((key) => (masks.has(key) ? [[key, masks.get(key) as string] as const] : []))),
    findCells: async (wanted) =>
      wanted.flatMap(({ key, cells: numbers }) =>
        numbers.flatMap((cell) => cells.get(`${key} ${cell}`) ?? []),
      ),
    async put(newMasks, newCells) {
      for (const { key, mask } of newMasks) masks.set(key, mask);
      for (const cell of newCells) cells.set(`${cell.key} ${cell.cell}`, cell);
    },
  };
}

interface CoverageHere {
  /** The catalog; may be changed. */
  readonly scenes: readonly Scene[];
  readonly limits?: CoverageLimits;
  readonly store?: CoverageStore;
  readonly nowMs?: () => number;
}

/** The jobs of files in a data directory or in named folders, on this thread; open files are shared by all that use them. */
export const makeJobsHere = (dataDir: string, folders: readonly string[] = []): JobHandlers<CoverageJobs> =>
  makeCoverageJobs(
    makeThreadTools({
      files: { dataDir, folders },
      blocks: makeBlockCache(32 * 2 ** 20).handle,
    }),
  );

/** Measures scenes on this thread. */
export function makeCoverageHere(
  jobs: JobHandlers<CoverageJobs>,
  { scenes, limits, store = makeMemoryStore(), nowMs = () => 0 }: CoverageHere,
) {
  const pool = makeRunnerHere<CoverageJobs>(jobs);
  const measure = makeMeasureCoverage({
    scenes: { findByViewId: async (viewId) => scenes.find((scene) => scene.viewId === viewId) ?? null },
    compareScene: async (scene) => scene,
    watch: stillFiles,
    store,
    pool,
    nowMs,
    onForgotten: (error) => assert.fail(String(error)),
    onFailure: (_, error) => assert.fail(String(error)),
    ...(limits === undefined ? {} : { limits }),
  });
  return { measure, takeJobs: () => pool.asked.splice(0).map(({ kind }) => kind) };
}
