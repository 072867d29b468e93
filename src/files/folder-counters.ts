/** Counters of a folder that all threads of a process share, each with its index in the shared memory. */
const SLOTS = {
  hits: 0,
  misses: 1,
  readBytes: 2,
  writtenBytes: 3,
  dropped: 4,
  evicted: 5,
  /** Disk bytes of all files, as far as this process knows. */
  usedBytes: 6,
  /** Bytes that this process has written since its last sweep; below zero before the first one. */
  unswept: 7,
  /** When the current sweep began, by the monotonic clock in ms; 0 when there is none. */
  sweepSince: 8,
  /** Rises with the end of each sweep, so that other threads can wait for it. */
  sweeps: 9,
  /** Until when writes pause after a disk failure, by the monotonic clock in ms. */
  restUntil: 10,
  /** 1 from a disk failure to the next successful write. */
  isFailing: 11,
  /** Rises with each failure that is worth a message. */
  failures: 12,
  /** The code of the last failure, as an index of `FAILURE_CODES`. */
  failureCode: 13,
  written: 14,
} as const;

/** The name of a counter. */
type FolderCounter = keyof typeof SLOTS;

/** Counters of a folder; each call is atomic. */
export interface FolderCounters {
  get(name: FolderCounter): number;
  set(name: FolderCounter, value: number): void;
  /** Adds to a counter and returns its previous value. */
  add(name: FolderCounter, by: number): number;
  /** Sets a counter if it has the expected value; false if it does not. */
  swap(name: FolderCounter, expected: number, value: number): boolean;
  /** Wakes the threads that wait for a change of a counter. */
  notify(name: FolderCounter): void;
  /** Waits until a counter differs from the value the caller has seen; at most `timeoutMs`, without a limit by default. */
  changed(name: FolderCounter, seen: number, timeoutMs?: number): Promise<void>;
}

/** Shared memory for the counters of one folder. */
export const makeCounterMemory = (): SharedArrayBuffer => {
  const memory = new SharedArrayBuffer(Object.keys(SLOTS).length * BigInt64Array.BYTES_PER_ELEMENT);
  joinCounters(memory).set('unswept', -1);
  return memory;
};

/** The counters in shared memory. */
export function joinCounters(memory: SharedArrayBuffer): FolderCounters {
  const numbers = new BigInt64Array(memory);
  return {
    get: (name) => Number(Atomics.load(numbers, SLOTS[name])),
    set: (name, value) => void Atomics.store(numbers, SLOTS[name], toBig(value)),
    add: (name, by) => Number(Atomics.add(numbers, SLOTS[name], toBig(by))),
    swap(name, expected, value) {
      const before = Atomics.compareExchange(numbers, SLOTS[name], toBig(expected), toBig(value));
      return before === toBig(expected);
    },
    notify: (name) => void Atomics.notify(numbers, SLOTS[name]),
    async changed(name, seen, timeoutMs) {
      await Atomics.waitAsync(numbers, SLOTS[name], toBig(seen), timeoutMs).value;
    },
  };
}

const toBig = (value: number): bigint => BigInt(Math.trunc(value));
