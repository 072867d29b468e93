import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** One file that names another one; paths count from the root of the repository. */
export interface FileImport {
  readonly from: string;
  readonly to: string;
  /** Types are erased before code runs. A script is the file of a thread or a process. */
  readonly kind: 'value' | 'type' | 'script';
}

const IMPORT =
  /^\s*(?:import|export)\b[^'"]*?from\s*['"](\.[^'"]+)['"]|\bimport\(?\s*['"](\.[^'"]+)['"]|new URL\(\s*['"](\.[^'"]+\.ts)['"]/gm;
/** A clause of types alone, and nothing before it. */
const OF_TYPES = /^\s*(?:import|export)\s+type\s+(?:\{[^{}]*\}|\*(?:\s+as\s+\w+)?|\w+)\s+from\s*['"]/;

/** A file and all that it imports, directly or not; paths count from the root of the repository. */
export const listImports = (entry: string, root: string): readonly string[] => makeListImports(root)(entry);

/** Lists the imports of many files, and reads each file once. */
export function makeListImports(root: string): (entry: string) => readonly string[] {
  const known = new Map<string, readonly FileImport[]>();
  const importsOf = (file: string): readonly FileImport[] => {
    const imports = known.get(file) ?? parseImports(file, readFileSync(join(root, file), 'utf8'));
    known.set(file, imports);
    return imports;
  };
  return (entry) => {
    const found = new Set([entry]);
    for (const file of found) for (const { to } of importsOf(file)) found.add(to);
    return [...found];
  };
}

/** The imports of one file, of types too; also dynamic ones and the scripts of threads. */
export function parseImports(from: string, text: string): readonly FileImport[] {
  return [...text.matchAll(IMPORT)].map(([match, of, direct, script]) => ({
    from,
    to: join(dirname(from), of ?? direct ?? script ?? ''),
    kind: script !== undefined ? 'script' : OF_TYPES.test(match) ? 'type' : 'value',
  }));
}

/** Test helpers may import past the doors, and nothing else may import them. */
export const isHelper = (file: string): boolean => /(^|\/)testing\//.test(file);

/** Neither a test nor a helper of tests. */
export const isProduct = (file: string): boolean => !file.endsWith('.test.ts') && !isHelper(file);
