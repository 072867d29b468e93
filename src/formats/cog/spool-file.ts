import type { OutputFile } from '../../files/index.ts';

/** What waits in memory: all blocks of a small image, for which a file would be most of the work. */
const MEMORY_BYTES = 4 * 2 ** 20;

/** A file that is in memory while it is small; `create` makes the one that it becomes. Not synced: no one needs it later. */
export function makeSpoolFile(create: () => Promise<OutputFile>, memoryBytes = MEMORY_BYTES): OutputFile {
  let memory = new Uint8Array();
  let length = 0;
  let created: Promise<OutputFile> | null = null;

  /** Moves all bytes into a file; writes that come meanwhile wait for it. */
  async function spill(): Promise<OutputFile> {
    const file = await create();
    try {
      await file.write(memory.subarray(0, length), 0);
      memory = new Uint8Array();
      return file;
    } catch (error) {
      // the first failure is what the caller hears of
      await file.close().catch(() => {});
      throw error;
    }
  }

  function store(bytes: Uint8Array, position: number): void {
    const end = position + bytes.length;
    if (end > memory.length) {
      const larger = new Uint8Array(Math.min(memoryBytes, Math.max(end, 2 * memory.length)));
      larger.set(memory.subarray(0, length));
      memory = larger;
    }
    memory.set(bytes, position);
    length = Math.max(length, end);
  }

  return {
    async write(bytes, position) {
      if (created === null && position + bytes.length > memoryBytes) created = spill();
      if (created === null) store(bytes, position);
      else await (await created).write(bytes, position);
    },
    async read(into, position) {
      if (created !== null) return (await created).read(into, position);
      if (position + into.length > length)
        throw new Error(`nothing was written at byte ${position + into.length}`);
      into.set(memory.subarray(position, position + into.length));
    },
    sync: async () => {},
    async close() {
      memory = new Uint8Array();
      // one that could not be made was closed by itself
      const file = await created?.catch(() => null);
      await file?.close();
    },
  };
}
