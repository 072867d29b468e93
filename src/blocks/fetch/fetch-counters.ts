const names = [
  /** Requests to stores, tries of one read together. */
  'calls',
  'retries',
  /** Requests made a second time because the answer was late, and those of them that were answered first. */
  'hedged',
  'hedgesWon',
  /** Jobs whose bytes were fetched, and those bytes. */
  'fetches',
  'fetchedBytes',
  /** Bytes read ahead of the map; those that were asked for later, and those that went unused. */
  'aheadBytes',
  'aheadUsefulBytes',
  'aheadWastedBytes',
  /** Memory that fetched bytes take now. */
  'usedBytes',
] as const;

type FetchCounter = (typeof names)[number];

/** Figures of the network thread since the start. */
export type FetchCounts = Readonly<Record<FetchCounter, number>>;

/** Counters that the network thread writes and the main thread reads. */
export interface FetchCounters {
  add(name: FetchCounter, by?: number): void;
  set(name: FetchCounter, value: number): void;
  read(): FetchCounts;
}

/** Memory for the counters: they outlive a network thread that dies. */
export const makeCountersMemory = (): SharedArrayBuffer => new SharedArrayBuffer(8 * names.length);

/** The counters in shared memory, in 64 bits: bytes pass 2³² within a day. */
export function makeFetchCounters(memory: SharedArrayBuffer): FetchCounters {
  const cells = new BigInt64Array(memory);
  return {
    add: (name, by = 1) => void Atomics.add(cells, names.indexOf(name), BigInt(by)),
    set: (name, value) => void Atomics.store(cells, names.indexOf(name), BigInt(value)),
    read: () =>
      Object.fromEntries(names.map((name, i) => [name, Number(Atomics.load(cells, i))])) as Record<
        FetchCounter,
        number
      >,
  };
}
