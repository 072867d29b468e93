/**
 * Loaded into a server before its own code (`--import`): counts what its main thread allocates and which messages it
 * exchanges with other threads. Both are the same on a busy machine. The parent process asks over the IPC channel.
 */
import { GCProfiler, getHeapStatistics } from 'node:v8';
import { isMainThread, Worker } from 'node:worker_threads';

/** What the parent asks for. */
export type BudgetQuestion = 'begin' | 'end';

/** What the main thread has done since `begin`. */
export interface BudgetAnswer {
  /** Objects of its own heap; buffers lie outside of it. */
  readonly allocatedBytes: number;
  /** Messages to and from threads. */
  readonly sent: number;
  readonly received: number;
}

const counts = { sent: 0, received: 0 };
let measuring: { readonly profiler: GCProfiler; readonly usedBytes: number } | null = null;

/** What is allocated between two collections is the growth of the heap from the end of one to the start of the next. */
function sumAllocated(profiler: GCProfiler, startBytes: number): number {
  const endBytes = getHeapStatistics().used_heap_size;
  let [lastBytes, allocated] = [startBytes, 0];
  for (const { beforeGC, afterGC } of profiler.stop()?.statistics ?? []) {
    allocated += beforeGC.heapStatistics.usedHeapSize - lastBytes;
    lastBytes = afterGC.heapStatistics.usedHeapSize;
  }
  return allocated + endBytes - lastBytes;
}

function answer(question: BudgetQuestion): BudgetAnswer {
  if (question === 'begin') {
    const profiler = new GCProfiler();
    profiler.start();
    counts.sent = 0;
    counts.received = 0;
    measuring = { profiler, usedBytes: getHeapStatistics().used_heap_size };
    return { allocatedBytes: 0, sent: 0, received: 0 };
  }
  const allocatedBytes = measuring === null ? 0 : sumAllocated(measuring.profiler, measuring.usedBytes);
  measuring = null;
  return { allocatedBytes, ...counts };
}

function countMessages(): void {
  const { postMessage, emit } = Worker.prototype;
  Worker.prototype.postMessage = function (...message: Parameters<Worker['postMessage']>) {
    counts.sent += 1;
    return Reflect.apply(postMessage, this, message);
  };
  Worker.prototype.emit = function (this: Worker, ...event: Parameters<Worker['emit']>) {
    if (event[0] === 'message') counts.received += 1;
    return Reflect.apply(emit, this, event);
  } as Worker['emit'];
}

if (isMainThread && process.send !== undefined) {
  countMessages();
  process.on('message', (question: BudgetQuestion) => process.send?.(answer(question)));
}
