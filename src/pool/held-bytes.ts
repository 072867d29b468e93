import { Session } from 'node:inspector/promises';
import { getHeapStatistics } from 'node:v8';

/**
 * Bytes this thread holds outside its JavaScript heap: typed arrays, Buffers and WebAssembly memory. `external_memory`
 * is counted per thread and costs about 2 µs. It includes garbage that V8 has not collected yet (we saw several hundred
 * MB), so above the limit we collect first (about 20 ms) and count again: only memory that is really in use may get a
 * thread killed.
 */
export async function measureHeldBytes(limitBytes: number): Promise<number> {
  const bytes = getHeapStatistics().external_memory;
  if (bytes <= limitBytes) return bytes;
  const session = new Session();
  session.connect();
  try {
    // The only way to force a collection without a start flag and without compiling code from a string.
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
  return getHeapStatistics().external_memory;
}
