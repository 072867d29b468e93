import { hash } from 'node:crypto';
import type { NewScene, Scene } from './scene.ts';

/** A field of a record, and its text `"name":value` with the keys of all objects in it sorted. */
export type CanonicalEntry = readonly [name: string, text: string];

/** The fields of a record in the order of their names: joined, they are the text that versions are made of. */
export function toCanonicalEntries(scene: NewScene): readonly CanonicalEntry[] {
  const entries: CanonicalEntry[] = [];
  for (const name of Object.keys(scene).sort()) {
    // A scene that comes from a store has a version already, which says nothing about it.
    if (name === 'version') continue;
    // Absent and undefined are the same in JSON.
    const text = JSON.stringify(withSortedKeys(scene[name as keyof NewScene])) as string | undefined;
    if (text !== undefined) entries.push([name, `${JSON.stringify(name)}:${text}`]);
  }
  return entries;
}

/**
 * A hash of all that a record says. Keys are sorted by copying, because JSON.stringify is fast only as long as nobody
 * looks on: loading a million scenes spends most of its time here.
 */
export const toVersion = (entries: readonly CanonicalEntry[]): string =>
  hash('sha256', `{${entries.map(([, text]) => text).join(',')}}`).slice(0, 16);

/** Gives a record its version. */
export const toScene = (scene: NewScene): Scene => ({
  ...scene,
  version: toVersion(toCanonicalEntries(scene)),
});

/** The value itself where its keys stand in order already, else a copy of as little of it as need be. */
function withSortedKeys(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  return Array.isArray(value) ? withSortedItems(value) : withSortedNames(value as Record<string, unknown>);
}

function withSortedItems(items: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | null = null;
  for (const [i, item] of items.entries()) {
    if (item === null || typeof item !== 'object') continue;
    const sorted = withSortedKeys(item);
    if (sorted === item) continue;
    copy ??= items.slice();
    copy[i] = sorted;
  }
  return copy ?? items;
}

function withSortedNames(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const names = Object.keys(record);
  let isChanged = names.some((name, i) => i > 0 && (names[i - 1] as string) > name);
  if (isChanged) names.sort();
  const sorted: Record<string, unknown> = {};
  for (const name of names) {
    const value = record[name];
    sorted[name] = withSortedKeys(value);
    isChanged ||= sorted[name] !== value;
  }
  return isChanged ? sorted : record;
}
