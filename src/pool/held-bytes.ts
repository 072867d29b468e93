import { Session } from 'node:inspector/promises';
import { getHeapStatistics } from 'node:v8';

/**
 * Bytes this thread holds outside its JavaScript heap: typed arrays, Buffers and WebAssembly memory.
 * `external_memory` is counted per thread and costs about 2 µs. It includes garbage that V8 is in no hurry to
 * collect (several hundred MB were seen), so above the limit we collect first (about 20 ms) and count again:
 * only what is really kept may cost a thread its life.
 */
export async function measureHeldBytes(limitBytes: number): Promise<number> {
  const bytes = getHeapStatistics().external_memory;
  if (bytes <= limitBytes) return bytes;
  const session = new Session();
  session.connect();
  try {
    // The one way to ask for a collection without a start flag and without making code from a string.
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
  return getHeapStatistics().external_memory;
}
