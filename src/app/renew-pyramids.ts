import { isUnavailable } from '../errors.ts';
import type { Log } from '../http/index.ts';
import type { makeBuildPyramid, PyramidOrder, PyramidStore } from '../mosaic/index.ts';
import { toPyramidKey } from '../mosaic/index.ts';
import type { Config } from '../settings/index.ts';
import type { makeReportKind, Tasks } from '../tasks/index.ts';

interface RenewDeps {
  readonly config: Pick<Config, 'pyramidMinutes'>;
  readonly pyramids: Pick<PyramidStore, 'find' | 'list'>;
  readonly tasks: Pick<Tasks, 'create'>;
  readonly log: Log;
}

const MINUTE_MS = 60_000;

/** What a task does whose file is a report. */
export type MakeReport = Parameters<typeof makeReportKind>[0]['make'];

/** What a task that makes the low zoom levels of a mosaic does; its file says what was made. */
export const makePyramidReport =
  (build: ReturnType<typeof makeBuildPyramid>): MakeReport =>
  async ({ owner, order }, { signal, ticket, reportProgress }) => {
    const wanted = order as PyramidOrder;
    const onProgress = (done: number, total: number): void => reportProgress({ done, total });
    const built = await build(wanted, { owner, signal, ticket, onProgress });
    return { key: toPyramidKey(wanted), ...built };
  };

/**
 * Orders the pyramids of mosaics again from time to time: tiles whose scenes have not changed are not made again.
 * Processes that share tasks order one and the same task, by its reference. Stops when the result is called.
 */
export function renewPyramids({ config, pyramids, tasks, log }: RenewDeps): () => void {
  const everyMs = config.pyramidMinutes * MINUTE_MS;
  const renew = async (): Promise<void> => {
    const round = Math.floor(Date.now() / everyMs);
    for (const key of await pyramids.list()) {
      const pyramid = await pyramids.find(key);
      if (pyramid === null || pyramid.builtAt === null) continue;
      await tasks.create({
        owner: pyramid.owner,
        kind: 'pyramid',
        reference: `pyramid ${key} ${round}`,
        viewId: null,
        order: pyramid.order,
        area: null,
        estimatedBytes: 1_024,
      });
    }
  };
  const timer = setInterval(() => {
    renew().catch((error: unknown) => {
      if (!isUnavailable(error)) log.warn({ err: error }, 'pyramids of mosaics could not be renewed');
    });
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
