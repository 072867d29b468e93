/** The script of a thread, as src/app/pixel-worker.ts is. */
import { serveJobs } from '../../../src/pool/index.ts';
import type { HistogramJobs } from './histogram-jobs.ts';
import { histogramJobs } from './histogram-jobs.ts';

await serveJobs<HistogramJobs>(() => histogramJobs);
