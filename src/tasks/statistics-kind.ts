import { badInput } from '../errors.ts';
import type { Statistics, StatisticsOrder, StatisticsResult } from '../statistics/index.ts';
import type { TaskError } from './task.ts';
import type { TaskKind } from './task-kind.ts';

/** An order of statistics, as its task stores it; plain JSON. */
export type StatisticsTaskOrder =
  /** Programs learn from the poll, and not from the answer to the order, what is wrong with it. */
  | { readonly kind: 'refused'; readonly error: TaskError }
  | { readonly kind: 'scenes'; readonly order: StatisticsOrder; readonly isList: boolean };

/** What a finished task of statistics answers. */
export interface StatisticsDocument extends StatisticsResult {
  readonly kind: 'scenes';
  readonly expressions: readonly string[];
  /** The expressions were ordered as a list, be it of one. */
  readonly isList: boolean;
}

/** The longest time of one job on a pixel thread: one scene. */
const JOB_TIMEOUT_MS = 120_000;

/** Tasks that compute statistics. They store nothing but their document. */
export const makeStatisticsKind = (statistics: Statistics): TaskKind => ({
  async run({ owner, order: stored }, { signal, reportProgress }) {
    const wanted = stored as StatisticsTaskOrder;
    if (wanted.kind === 'refused') throw badInput(wanted.error.code, wanted.error.message);
    const { order, isList } = wanted;
    const result = await statistics.run(order, {
      ticket: { owner, lane: 'task', timeoutMs: JOB_TIMEOUT_MS, signal },
      onProgress: reportProgress,
    });
    const document: StatisticsDocument = {
      kind: 'scenes',
      expressions: order.expressions,
      isList,
      ...result,
    };
    return { kind: 'document', document };
  },
  async discard() {},
});
