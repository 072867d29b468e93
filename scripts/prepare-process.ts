/**
 * Loaded before the tests of a process: when the process ends, it writes its processor time to the folder of the run.
 * On Linux the time of its children counts too: services, commands and browsers that it has started.
 *
 * With `TEST_SEED` properties try the same cases in every run, so a commit that has passed passes again; without it they
 * try new ones.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import type { ProcessCost } from './test-times.ts';

/** The unit of times in `/proc/self/stat`: a hundredth of a second on every Linux that Node supports. */
const TICK_MS = 10;

const seed = process.env.TEST_SEED;
if (isMainThread && seed !== undefined) {
  const { configureGlobal } = await import('fast-check');
  configureGlobal({ seed: Number(seed) });
}

const folder = process.env.TEST_COSTS;
if (isMainThread && folder !== undefined) {
  process.once('exit', () => {
    const { user, system } = process.cpuUsage();
    const cost: ProcessCost = {
      script: process.argv[1] ?? '',
      cpuMs: (user + system) / 1_000 + readChildrenMs(),
    };
    writeFileSync(join(folder, `cost-${process.pid}.json`), JSON.stringify(cost));
  });
}

/** Time of the children that have ended: `cutime` and `cstime`, the 16th and 17th field of proc(5). */
function readChildrenMs(): number {
  try {
    const text = readFileSync('/proc/self/stat', 'utf8');
    // The second field is the name of the program in parentheses, which may hold spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
  } catch {
    return 0;
  }
}
