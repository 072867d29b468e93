import { createHash } from 'node:crypto';
import type { NewScene, Scene } from './scene.ts';

/** Objects with sorted keys, so that equal records have equal text. */
const sorted = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Gives a record its version: a hash of all it says. */
export function toScene(scene: NewScene): Scene {
  const text = JSON.stringify(scene, sorted);
  return { ...scene, version: createHash('sha256').update(text).digest('hex').slice(0, 16) };
}
