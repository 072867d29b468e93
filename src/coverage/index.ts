export { type CoverageJobs, coverageReads, makeCoverageJobs } from './coverage-jobs.ts';
export type { CoverageStore, StoredCell, StoredMask, WantedCells } from './coverage-store.ts';
export {
  type CoverageProblem,
  type MeasureCoverage,
  makeMeasureCoverage,
  type SceneCoverage,
} from './measure-coverage.ts';
