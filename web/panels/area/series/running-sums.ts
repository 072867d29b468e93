/** Sums over days: of degrees, and of water. */
import type { Column } from './chart-lines.ts';

/** The day from which a sum runs in a list of days: the sowing, if the list has it; otherwise each first of January. */
export const startOfSums = (days: readonly string[], sownOn: string | null): string | null => {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  return sownOn !== null && sownOn >= first && sownOn <= last ? sownOn : null;
};

/** The sum up to each day. Before the first day, and after one that is not known, there is none. */
export const toRunningSums = (days: readonly string[], values: Column, sownOn: string | null): Column => {
  const start = startOfSums(days, sownOn);
  let sum: number | null = null;
  return days.map((day, i) => {
    const isStart = start === null ? day.endsWith('-01-01') : day === start;
    const value = values[i] ?? null;
    const before: number | null = isStart ? 0 : sum;
    sum = before === null || value === null ? null : before + value;
    return sum;
  });
};
