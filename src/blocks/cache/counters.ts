import type { Layout } from './layout.ts';
import { COUNTS } from './layout.ts';

const names = ['hits', 'misses', 'evicted', 'refused'] as const;

type CounterName = (typeof names)[number];

/** Counts of all threads since the start. */
export type Counts = Readonly<Record<CounterName, number>>;

/** Adds to the counts of all threads. */
export type Count = (name: CounterName, by?: number) => void;

/** Counters in shared memory, in 64 bits: a busy server passes 2³¹ hits within weeks. */
export function makeCounters({ memory }: Layout): { readonly count: Count; readonly read: () => Counts } {
  const cells = new BigInt64Array(memory, COUNTS * 4, names.length);
  return {
    count(name, by = 1) {
      if (by > 0) Atomics.add(cells, names.indexOf(name), BigInt(by));
    },
    read: () =>
      Object.fromEntries(names.map((name, i) => [name, Number(Atomics.load(cells, i))])) as Record<
        CounterName,
        number
      >,
  };
}
