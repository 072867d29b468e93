/** Numbers of a folder that all threads of a process share, each with its index in the shared memory. */
const SLOTS = {
  hits: 0,
  misses: 1,
  readBytes: 2,
  writtenBytes: 3,
  dropped: 4,
  evicted: 5,
  /** Bytes of all files, as far as this process knows. */
  usedBytes: 6,
  /** Bytes that this process has written since it last looked through the folder; below zero if it never has. */
  unswept: 7,
  /** When a thread began to look through the folder, by the monotonic clock in ms; 0 when none does. */
  sweepSince: 8,
  /** Rises with every end of a sweep, so that others can wait for it. */
  sweeps: 9,
  /** Until when the disk is left alone, by the monotonic clock in ms. */
  restUntil: 10,
  /** 1 from a failure of the disk to the next write that works. */
  isFailing: 11,
  /** Rises with every failure that is worth a message. */
  failures: 12,
  /** Which of the codes of `FAILURE_CODES` the last one had. */
  failureCode: 13,
  written: 14,
} as const;

/** The name of one of the numbers. */
type FolderCounter = keyof typeof SLOTS;

/** Numbers of a folder; each call is atomic. */
export interface FolderCounters {
  get(name: FolderCounter): number;
  set(name: FolderCounter, value: number): void;
  /** Adds to a number and gives what it was before. */
  add(name: FolderCounter, by: number): number;
  /** Sets a number if it is what the caller believes; false if it is not. */
  swap(name: FolderCounter, expected: number, value: number): boolean;
  /** Wakes the threads that wait for a change of a number. */
  notify(name: FolderCounter): void;
  /** Waits until a number is no longer what the caller has seen; at most `timeoutMs`, if it is given. */
  changed(name: FolderCounter, seen: number, timeoutMs?: number): Promise<void>;
}

/** Memory for the numbers of one folder, to be given to threads. */
export const makeCounterMemory = (): SharedArrayBuffer => {
  const memory = new SharedArrayBuffer(Object.keys(SLOTS).length * BigInt64Array.BYTES_PER_ELEMENT);
  joinCounters(memory).set('unswept', -1);
  return memory;
};

/** The numbers in shared memory. */
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
