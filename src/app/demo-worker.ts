/** The script of a thread that makes the demo world. */
import { setPriority } from 'node:os';
import type { WorldJobs } from '../../world/index.ts';
import { serveJobs } from '../pool/index.ts';

/** What a thread is told when it starts. */
export interface DemoWorkerSettings {
  /** How far it gives way to others, 0 to 19. */
  readonly niceness: number;
}

await serveJobs<WorldJobs>(async (settings) => {
  // On Linux the call reaches this thread alone; elsewhere it would slow down the whole process.
  if (process.platform === 'linux') setPriority(0, (settings as DemoWorkerSettings).niceness);
  const { makeWorldJobs } = await import('../../world/index.ts');
  return makeWorldJobs();
});
