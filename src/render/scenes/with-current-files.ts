import { isSwathError } from '../../errors.ts';
import type { ComparedScene } from './earlier-scene.ts';
import type { FileWatch } from './file-watch.ts';

interface Work<Result> {
  readonly watch: Pick<FileWatch, 'renew'>;
  /** Finds the scene in the catalog; asked again after its record was brought up to date. */
  readonly find: () => Promise<ComparedScene>;
  readonly run: (scene: ComparedScene) => Promise<Result>;
}

/** Runs work on a scene; once more from the start when a thread found other files than the scene's record says. */
export async function withCurrentFiles<Result>({ watch, find, run }: Work<Result>): Promise<Result> {
  const scene = await find();
  try {
    return await run(scene);
  } catch (error) {
    if (!isSwathError(error) || error.code !== 'source-changed') throw error;
    await watch.renew(scene);
    return run(await find());
  }
}
