/**
 * Files of tests that run in one process, one after the other. Most test files take some milliseconds, but a process
 * that loads what they test takes a quarter of a second: together they take half the time.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Files of one process: more would save little, and leave nothing to the other cores at the end. */
const MOST_FILES = 16;

/** Tests of one room, and those of test/ that start nothing: most others have servers of their own. */
const MAY_SHARE = /^(src|web|world|test\/(how-to|oracle|support))\/|^test\/[\w-]+\.test\.ts$/;

/** What is the process's own and not a file's: its state, its threads and children, its clock. */
const OF_PROCESS =
  /\bprocess\.|\bglobalThis\b|node:(worker_threads|child_process|v8|vm)|\bperformance\.now\b/;

/** A file that waits while it loads holds up those after it, and could not be named if it never went on. */
const WAITS_TO_LOAD = /^(await|(const|let) [^=]+ = await)\b/m;

/** Whether a file of tests may share a process with others. */
export function mayShare(file: string): boolean {
  const text = readFileSync(file, 'utf8');
  return MAY_SHARE.test(file) && !OF_PROCESS.test(text) && !WAITS_TO_LOAD.test(text);
}

/** The files in groups, those of a folder side by side, because they load the same things. */
export function toGroups(files: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(files.length / MOST_FILES);
  const size = Math.ceil(files.length / count);
  return Array.from({ length: count }, (_, i) => files.slice(i * size, (i + 1) * size));
}

/**
 * Writes the one file that runs a group. Each file is a suite of its name, so its hooks are its own, and one that cannot be
 * loaded is a failed suite.
 */
export function writeGroup(files: readonly string[], folder: string, name: string): string {
  const toLine = (file: string): string =>
    `describe(${JSON.stringify(file)}, async () => void (await import(${JSON.stringify(toUrl(file))})));`;
  const text = `import { describe } from 'node:test';\n${files.map(toLine).join('\n')}\n`;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, text);
  return path;
}

const toUrl = (file: string): string => pathToFileURL(resolve(file)).href;
