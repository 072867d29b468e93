import type { NewScene } from './scene.ts';
import type { SceneStore } from './scene-store.ts';

/** Where the demo's files lie, inside the data directory. */
export const DEMO_FOLDER = 'scenes/demo';

/** Makes the pixels of the demo scene somewhere else than on the calling thread. */
export type MakeDemo = (options: {
  readonly onProgress: (fraction: number) => void;
  readonly signal: AbortSignal;
}) => Promise<NewScene>;

interface DemoDeps {
  readonly scenes: SceneStore;
  readonly makeDemo: MakeDemo;
  readonly onProgress: (fraction: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Fills an empty catalog with the demo scene; true when it was made now. The record is written last, so that a start
 * that was cut off in the middle simply begins again.
 */
export async function ensureDemo({ scenes, makeDemo, onProgress, signal }: DemoDeps): Promise<boolean> {
  if ((await scenes.count()) > 0) return false;
  const scene = await makeDemo({ onProgress, signal });
  await scenes.put(scene);
  return true;
}
