import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cancelled } from '../../src/errors.ts';

/** One thing of the demo that is made whole or not at all: a product, or a set of grids. */
export interface DemoPart {
  /** Names its folder; no two parts have the same. */
  readonly key: string;
  /** Work it takes, compared with the others. */
  readonly cost: number;
}

interface BuildDeps<Part extends DemoPart> {
  /** Absolute folder of the demo. */
  readonly directory: string;
  /** In the order in which they should appear. */
  readonly parts: readonly Part[];
  /** Writes a part's files into an empty folder. */
  readonly make: (part: Part, folder: string) => Promise<void>;
  /** Tells that a part's folder is there, made now or by an earlier run. */
  readonly take: (part: Part, folder: string) => Promise<void>;
  /** Parts made side by side. */
  readonly atOnce: number;
  readonly onProgress: (fraction: number) => void;
  readonly signal: AbortSignal;
}

/** Begins the names of folders that are not whole yet. */
const UNFINISHED = '.making-';

/**
 * Makes what is missing of the demo. A part's folder gets its name when it is whole, so a run that was cut off at any
 * moment is continued by the next one.
 */
export async function buildDemo<Part extends DemoPart>(deps: BuildDeps<Part>): Promise<void> {
  const { directory, parts, make, take, atOnce, onProgress, signal } = deps;
  await mkdir(directory, { recursive: true });
  await sweep(directory);
  const total = parts.reduce((sum, { cost }) => sum + cost, 0);
  let done = 0;
  const waiting = [...parts];

  const workOff = async (): Promise<void> => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      checkWanted(signal);
      const folder = join(directory, part.key);
      if (!(await isThere(folder))) {
        const unfinished = join(directory, `${UNFINISHED}${part.key}`);
        await mkdir(unfinished);
        await make(part, unfinished);
        await bringToDisk(unfinished);
        await rename(unfinished, folder);
      }
      checkWanted(signal);
      await take(part, folder);
      done += part.cost;
      onProgress(done / total);
    }
  };
  // One failure ends all: the others stop before their next part, and are waited for.
  const ended = await Promise.allSettled(
    Array.from({ length: atOnce }, () =>
      workOff().catch((error: unknown) => {
        waiting.length = 0;
        throw error;
      }),
    ),
  );
  const failed = ended.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Waits until every file below a folder is on the disk, so that a folder with its name is whole after a power cut too. */
async function bringToDisk(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      await using file = await open(join(parentPath, name), 'r');
      await file.sync();
    }),
  );
}

/** Removes what a run that was cut off has left unfinished. */
async function sweep(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name.startsWith(UNFINISHED)) await rm(join(directory, name), { recursive: true, force: true });
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

function checkWanted(signal: AbortSignal): void {
  if (signal.aborted) throw cancelled('demo-stopped', 'Making the demo was stopped.');
}
