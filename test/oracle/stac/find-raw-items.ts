import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RawItem } from './brute-force.ts';

/** An item and the set (the first folder) it was found in. */
export interface FoundRaw {
  readonly set: string;
  readonly item: RawItem;
}

/** All items of a folder's JSON, found in the plainest way: sharing no code with the ingest is the point of it. */
export function findRawItems(folder: string): readonly FoundRaw[] {
  const files = globSync('**/*.{json,geojson,ndjson,jsonl}', { cwd: folder }).sort();
  return files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const documents = /\.(ndjson|jsonl)$/.test(file)
      ? text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]))
      : tryParse(text);
    return documents.flatMap(flatten).map((item) => ({ set: file.split('/')[0]!, item }));
  });
}

function tryParse(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

function flatten(document: unknown): RawItem[] {
  if (Array.isArray(document)) return document.flatMap(flatten);
  if (document === null || typeof document !== 'object') return [];
  if ('features' in document) return flatten(document.features);
  return 'type' in document && document.type === 'Feature' && 'assets' in document
    ? [document as unknown as RawItem]
    : [];
}
