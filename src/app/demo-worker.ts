/** The script of a thread that makes the demo world. */
import type { WorldJobs } from '../../world/index.ts';
import { serveJobs } from '../pool/index.ts';
import { lowerPriority } from './lower-priority.ts';

/** What a thread is told when it starts. */
export interface DemoWorkerSettings {
  /** How far it gives way to others, 0 to 19. */
  readonly niceness: number;
}

await serveJobs<WorldJobs>(async (settings) => {
  lowerPriority((settings as DemoWorkerSettings).niceness);
  const { makeWorldJobs } = await import('../../world/index.ts');
  return makeWorldJobs();
});
