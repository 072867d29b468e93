/** The script of a thread that makes the demo world. */

import type { WorldJobs } from '../../world/index.ts';
import { lowerPriority, serveJobs } from '../pool/index.ts';

/** Settings of a thread. */
export interface DemoWorkerSettings {
  /** 0 to 19. */
  readonly niceness: number;
}

await serveJobs<WorldJobs>(async (settings) => {
  lowerPriority((settings as DemoWorkerSettings).niceness);
  const { makeWorldJobs } = await import('../../world/index.ts');
  return makeWorldJobs();
});
