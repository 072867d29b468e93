import { readFileSync, statSync } from 'node:fs';

// It looks at times of files only.
// Reads: nothing more

/**
 * Whether the scripts in `dist` are what the sources make: none of those is newer than the last comparison
 * (scripts/built-from.ts). A package has no sources. What is loaded before the program to look into it, and coverage,
 * need the sources as they are.
 */
export function isBuilt({ env, execArgv } = process) {
  const dist = new URL('./dist/', import.meta.url);
  try {
    const sources = readFileSync(new URL('inputs.txt', dist), 'utf8').split('\n').filter(Boolean);
    if (sources.length === 0) return true;
    if (env.NODE_V8_COVERAGE || execArgv.includes('--import')) return false;
    const { mtimeMs } = statSync(new URL('built-from.txt', dist));
    return sources.every((name) => statSync(new URL(`../${name}`, import.meta.url)).mtimeMs < mtimeMs);
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}
