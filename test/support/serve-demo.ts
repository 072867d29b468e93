import { rmSync } from 'node:fs';
import { after, before } from 'node:test';
import { makeDemoData } from './demo-data.ts';
import type { DemoGrid } from './demo-grid.ts';
import { readDemoGrid } from './demo-grid.ts';
import type { RunningSwath } from './start-swath.ts';
import { ONE_THREAD, startSwath, waitUntilReady } from './start-swath.ts';

/** Requests of tests, documented commands among them, come faster than those of people. */
const DEMO_ENV = {
  SWATH_LOG: 'warn',
  SWATH_STATISTICS_PER_MINUTE: '0',
  SWATH_WORK_PER_MINUTE: '0',
  ...ONE_THREAD,
} as const;

interface ServedDemo {
  readonly swath: RunningSwath;
  readonly grid: DemoGrid;
}

let served: ServedDemo | null = null;
const waiting: (() => void)[] = [];

/**
 * A service over the small demo, one for all tests of the process: filled before the first of them, gone after the last.
 * Files that share it say what they need of it in `onReady`: hooks of their own would not wait for it.
 */
export function serveDemo(onReady: () => void = () => {}): ServedDemo {
  waiting.push(onReady);
  served ??= startBeforeTests();
  return served;
}

function startBeforeTests(): ServedDemo {
  const demo = {} as { swath: RunningSwath; grid: DemoGrid };
  let dataDir: string | null = null;
  before(async () => {
    dataDir = await makeDemoData();
    demo.swath = await startSwath({ dataDir, env: DEMO_ENV });
    await waitUntilReady(demo.swath.url);
    demo.grid = await readDemoGrid(dataDir);
    for (const tell of waiting) tell();
  });
  after(async () => {
    await demo.swath?.stop();
    if (dataDir !== null) rmSync(dataDir, { recursive: true });
  });
  return demo;
}
