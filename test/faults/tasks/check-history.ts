import type { TaskHistory } from './client.ts';

/** What a run of the kill loop has shown. */
export interface HistoryReport {
  readonly acknowledged: number;
  readonly finished: number;
  readonly deleted: number;
  /** Tasks that failed because workers died of them: told to their callers, and counted here. */
  readonly died: number;
  readonly downloads: number;
  /** Everything that must not happen, one line each. */
  readonly faults: readonly string[];
}

/** Reads what clients have seen, as a referee who knows only the rules. */
export function checkHistory(histories: readonly TaskHistory[]): HistoryReport {
  const faults: string[] = [];
  const digestOf = new Map<string, string>();
  let [finished, deleted, died, downloads] = [0, 0, 0, 0];
  for (const history of histories) {
    const { reference, order, ids, states, isDeleted, digests } = history;
    const say = (text: string): void => void faults.push(`${reference} (${order.name}): ${text}`);
    for (const fault of history.faults) say(fault);
    if (ids.size === 0) continue;
    if (ids.size > 1) say(`one order is ${ids.size} tasks`);
    const [end, ...changes] = states.filter((state) => state !== 'started');
    if (end === undefined) say(`never ended; seen: ${states.join(', ')}`);
    if (states.indexOf('started') > 0) say(`went backwards: ${states.join(', ')}`);
    const isExplained =
      isDeleted && changes.every((state) => state === 'gone' || state === 'error cancelled');
    if (changes.length > 0 && !isExplained) say(`ended twice: ${states.join(', ')}`);
    if (end === 'finished') finished += 1;
    else if (end === 'error worker-died') died += 1;
    else if (isDeleted) deleted += 1;
    else say(`ended as ${end}`);
    for (const digest of digests) {
      downloads += 1;
      const first = digestOf.get(order.name) ?? digest;
      digestOf.set(order.name, first);
      if (digest !== first) say('a result that differs from others of the same order');
    }
  }
  const acknowledged = histories.filter(({ ids }) => ids.size > 0).length;
  return { acknowledged, finished, deleted, died, downloads, faults };
}
