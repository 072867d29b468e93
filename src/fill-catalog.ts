import type { NewScene, SceneStore } from './catalog/index.ts';
import { ensureDemo } from './catalog/index.ts';
import type { Terminal } from './cli/index.ts';
import { isSwathError } from './errors.ts';
import type { Log } from './http/index.ts';
import type { Pool } from './render/index.ts';

interface FillDeps {
  readonly scenes: SceneStore;
  readonly pool: Pool;
  readonly terminal: Terminal;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

/** Measured 300 MB for the whole process; most of it is V8's own and not pixels. */
const DEMO_BYTES = 128 * 2 ** 20;
const DEMO_TIMEOUT_MS = 600_000;

/** Makes the demo scene beside the running service. One that cannot be made is reported and leaves a working service. */
export async function fillCatalog({
  scenes,
  pool,
  terminal,
  log,
  signal,
  onProgress,
}: FillDeps): Promise<void> {
  const progress = terminal.progress('Making the demo scene');
  try {
    await ensureDemo({
      scenes,
      signal,
      onProgress(fraction) {
        onProgress(fraction);
        progress.update(fraction);
      },
      async makeDemo(options) {
        const { output } = await pool.run<NewScene>({
          kind: 'demo',
          input: null,
          priority: 'task',
          owner: 'demo',
          bytes: DEMO_BYTES,
          timeoutMs: DEMO_TIMEOUT_MS,
          signal: options.signal,
          onProgress: (fraction) => options.onProgress(fraction as number),
        });
        return output;
      },
    });
    progress.done('The demo scene is ready; the map shows it now.');
  } catch (error) {
    if (signal.aborted) return;
    log.error({ err: error }, 'the demo scene could not be made');
    const why = isSwathError(error) ? `: ${error.message}` : '';
    progress.done(`The demo scene could not be made${why}; the catalog stays empty.`);
  }
}
