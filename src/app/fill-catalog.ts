import type { DemoSize } from '../../world/index.ts';
import type { SceneStore } from '../catalog/index.ts';
import type { Terminal } from '../cli/index.ts';
import { isSwathError } from '../errors.ts';
import type { Log } from '../http/index.ts';
import type { DemStore } from '../terrain/index.ts';
import type { Config } from './config.ts';
import { makeDemo, toReadyText } from './make-demo.ts';

interface FillDeps {
  readonly size: DemoSize;
  readonly config: Config;
  readonly scenes: SceneStore;
  readonly dems: DemStore;
  readonly terminal: Terminal;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Called when the map has something to show. */
  readonly onFirstScene: () => void;
}

/** Below the threads that draw (5), so that the map stays quick while the rest of the world is made. */
const NICENESS = 10;

/** Makes the demo world while the service runs. A failure is reported and leaves a working service. */
export async function fillCatalog(deps: FillDeps): Promise<void> {
  const { size, config, scenes, dems, terminal, log, signal, onFirstScene } = deps;
  const progress = terminal.progress('Making the demo world');
  let count = 0;
  try {
    await makeDemo({
      size,
      config,
      scenes,
      dems,
      signal,
      niceness: NICENESS,
      onProgress: progress.update,
      onScene: (made) => {
        count = made;
        if (made === 1) onFirstScene();
      },
    });
    progress.done(toReadyText(count));
  } catch (error) {
    if (signal.aborted) {
      progress.done('The demo world is not whole yet; the next start goes on with it.');
      return;
    }
    log.error({ err: error }, 'the demo world could not be made');
    const why = isSwathError(error) ? `: ${error.message}` : '';
    progress.done(`The demo world could not be made${why}; the catalog has ${count} scenes of it.`);
  }
}
