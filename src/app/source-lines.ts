import { readFileSync } from 'node:fs';
import type { SourceMapPayload } from 'node:module';
import { SourceMap } from 'node:module';
import { makeLru } from '../lru.ts';

// It reads source maps beside built scripts; beside sources there are none.
// Reads: nothing more

const HERE = import.meta.url;
const PLACE = /file:\/\/[^\s()"]*\/bin\/dist\/([\w-]+\.js):(\d+):(\d+)/g;

/** Maps of the scripts that errors have named. */
const maps = makeLru<SourceMap | null>({ max: 100 });

/**
 * Replaces the lines of built scripts in a stack trace with those of their sources. Node can do that for every error, but
 * it would read all source maps at the start, in every thread.
 */
export function toSourceLines(text: string, folder: string | URL = HERE): string {
  if (!text.includes('/bin/dist/')) return text;
  return text.replace(PLACE, (place, script: string, line: string, column: string) => {
    const file = new URL(`${script}.map`, folder);
    const map = maps.remember(file.href, () => readMap(file));
    const found = map?.findOrigin(Number(line), Number(column));
    if (found === undefined || !('fileName' in found)) return place;
    return `${new URL(found.fileName, folder).href}:${found.lineNumber}:${found.columnNumber}`;
  });
}

/** A log line may name files that do not exist; a trace that cannot be mapped stays as it is. */
function readMap(file: URL): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload);
  } catch {
    return null;
  }
}
