import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const GOLDEN = fileURLToPath(new URL('../../golden/', import.meta.url));

/** The approved files of a pattern under test/golden that are not larger, in the same order everywhere. */
export function readGolden(pattern: string, maxBytes = Infinity): readonly Uint8Array[] {
  return globSync(pattern, { cwd: GOLDEN })
    .sort()
    .map((name) => readFileSync(GOLDEN + name))
    .filter(({ length }) => length > 0 && length <= maxBytes);
}
