/**
 * Files of tests that run in one process, one after the other. Most test files take some milliseconds, but a process
 * that loads what they test takes a quarter of a second: together they take half the time.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isSlow } from './test-tiers.ts';
import type { TestTimes } from './test-times.ts';

/** Files of one process: more would save little, and leave nothing to the other cores at the end. */
const MOST_FILES = 32;
/** Processor time of one process, for the same reason. */
const MOST_MS = 12_000;

/**
 * Tests of one room, those of the spec, which have one service in a process of its own, and those of test/ that start
 * nothing: most others have servers of their own.
 */
const MAY_SHARE =
  /^(src|web|world|test\/(cluster|harness|how-to|oracle|package|spec|support|watch))\/|^test\/[\w-]+\.test\.ts$/;

/**
 * What is the process's own and not a file's: its state, its threads and children. What never changes, such as its user, is
 * everyone's.
 */
const OF_PROCESS =
  /\bprocess\.(?!(?:arch|execPath|getuid|platform|version)\b)|\bglobalThis\b|node:(worker_threads|child_process|v8|vm)/;

/** Whether a file of tests may share a process with others. A slow one would hold them up. */
export function mayShare(file: string): boolean {
  if (isSlow(file)) return false;
  const text = readFileSync(file, 'utf8');
  return MAY_SHARE.test(file) && !OF_PROCESS.test(text);
}

/**
 * The files in groups, those of a folder side by side, because they load the same things. Processor time decides how many:
 * on a busy machine the time on the clock would tear apart what ran together before.
 */
export function toGroups(files: readonly string[], times: TestTimes): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let leftMs = 0;
  for (const file of files.toSorted()) {
    const cpuMs = times.get(file)?.cpuMs ?? 0;
    const group = groups.at(-1);
    const isOther = isOfSpec(file) !== isOfSpec(group?.[0] ?? file);
    if (group === undefined || isOther || group.length === MOST_FILES || cpuMs > leftMs) {
      groups.push([file]);
      leftMs = MOST_MS - cpuMs;
    } else {
      group.push(file);
      leftMs -= cpuMs;
    }
  }
  return groups;
}

const isOfSpec = (file: string): boolean => file.startsWith('test/spec/');
/** Their hooks are those of a whole process: loaded by a file of tests, they would belong to that file alone. */
const SPEC_HOOKS = ['test/spec/service.ts', 'test/spec/tasks.ts'];

/** How often a group names its files that still load. */
const SAY_EVERY_MS = 60_000;

/**
 * Writes the one file that runs a group. Each file is a suite of its name, so its hooks are its own, and one that cannot be
 * loaded is a failed suite.
 */
export function writeGroup(
  files: readonly string[],
  folder: string,
  name: string,
  sayEveryMs = SAY_EVERY_MS,
): string {
  const hooks = files.some(isOfSpec) ? SPEC_HOOKS : [];
  const toLine = (file: string): string =>
    `describe(${JSON.stringify(file)}, () => load(${JSON.stringify(file)}, ${JSON.stringify(toUrl(file))}));`;
  const imports = hooks.map((file) => `import ${JSON.stringify(toUrl(file))};`);
  // All files of the group load before the first test runs: one that never ends to load must be named. Others need not wait
  // for the end of this process to use what it has compiled.
  const load = `const left = new Set(${JSON.stringify(files)});
const timer = setInterval(() => console.error([...left].join(', ') + ': still loading'), ${sayEveryMs}).unref();
async function load(file, url) {
  try {
    await import(url);
  } finally {
    left.delete(file);
    if (left.size === 0) {
      clearInterval(timer);
      flushCompileCache();
    }
  }
}`;
  const lines = [
    "import { flushCompileCache } from 'node:module';",
    "import { describe } from 'node:test';",
    ...imports,
    load,
    ...files.map(toLine),
  ];
  const text = `${lines.join('\n')}\n`;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, text);
  return path;
}

const toUrl = (file: string): string => pathToFileURL(resolve(file)).href;
