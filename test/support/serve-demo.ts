import { rmSync } from 'node:fs';
import { after, before } from 'node:test';
import { makeDemoData } from './demo-data.ts';
import type { DemoGrid } from './demo-grid.ts';
import { readDemoGrid } from './demo-grid.ts';
import type { RunningSwath } from './start-swath.ts';
import { ONE_THREAD, startSwath, waitUntilReady } from './start-swath.ts';

/** A service over the small demo, for all tests of a file: filled before the first of them, gone after the last. */
export function serveDemo(): { readonly swath: RunningSwath; readonly grid: DemoGrid } {
  const served = {} as { swath: RunningSwath; grid: DemoGrid };
  before(
    async () => {
      const env = { SWATH_LOG: 'warn', ...ONE_THREAD };
      served.swath = await startSwath({ dataDir: await makeDemoData(), env });
      await waitUntilReady(served.swath.url);
      served.grid = await readDemoGrid(served.swath.dataDir);
    },
    { timeout: 90_000 },
  );
  after(async () => {
    if (served.swath === undefined) return;
    await served.swath.stop();
    rmSync(served.swath.dataDir, { recursive: true });
  });
  return served;
}
