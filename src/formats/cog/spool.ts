import type { OutputFile } from '../../files/index.ts';
import type { EncodedBlocks } from './encode-block.ts';
import { FRAME_BYTES, frame } from './encode-block.ts';
import type { CogPlan } from './plan-cog.ts';

/** Where the blocks of one level lie in the spool, by block number (band after band when bands are stored apart). */
interface SpooledLevel {
  /** Of the payload, after its leader. */
  readonly offsets: Float64Array;
  readonly sizes: Uint32Array;
}

/** Stores compressed blocks in a file until the sizes of all are known. */
export interface Spool {
  readonly levels: readonly SpooledLevel[];
  /** The payload is copied before the call returns. */
  append(level: number, block: number, payload: Uint8Array): Promise<void>;
  /** Appends many blocks that are framed already; several calls may run at the same time. */
  appendAll(blocks: EncodedBlocks): Promise<void>;
  /** Calls `take` with the framed blocks of a level in the order of their numbers, many at a time. */
  replay(level: number, take: (bytes: Uint8Array) => Promise<void>): Promise<void>;
}

/** A spool in an open, empty file that the caller closes. */
export function makeSpool(file: OutputFile, plan: CogPlan): Spool {
  const levels = plan.levels.map(({ blocksAcross, blocksDown }) => {
    const count = blocksAcross * blocksDown * plan.planes;
    return { offsets: new Float64Array(count), sizes: new Uint32Array(count) };
  });
  let end = 0;
  const buffers: [Uint8Array, Uint8Array] = [new Uint8Array(), new Uint8Array()];
  return {
    levels,
    async append(level, block, payload) {
      // the payload is not read later: another image may grow the memory that it lies in
      const size = payload.length;
      const framed = new Uint8Array(size + 2 * FRAME_BYTES);
      frame(payload, framed, 0);
      await file.write(framed, end);
      levels[level]!.offsets[block] = end + FRAME_BYTES;
      levels[level]!.sizes[block] = size;
      end += framed.length;
    },
    async appendAll({ chunks, levels: blockLevels, numbers, sizes }) {
      let position = end;
      let payloadAt = end + FRAME_BYTES;
      end = chunks.reduce((sum, { length }) => sum + length, end);
      sizes.forEach((size, i) => {
        const { offsets, sizes: levelSizes } = levels[blockLevels[i]!]!;
        offsets[numbers[i]!] = payloadAt;
        levelSizes[numbers[i]!] = size;
        payloadAt += size + 2 * FRAME_BYTES;
      });
      for (const chunk of chunks) {
        await file.write(chunk, position);
        position += chunk.length;
      }
    },

    async replay(level, take) {
      let taking: Promise<void> = Promise.resolve();
      try {
        for (const batch of batchesOf(contiguousRuns(levels[level]!))) {
          // the other buffer is being taken meanwhile
          buffers.reverse();
          if (buffers[0].length < batch.bytes) buffers[0] = new Uint8Array(batch.bytes);
          const bytes = buffers[0].subarray(0, batch.bytes);
          await readAll(file, batch.runs, bytes);
          await taking;
          taking = take(bytes);
          // it is awaited in the next turn or below, where a failure is noticed
          taking.catch(() => {});
        }
      } finally {
        await taking;
      }
    },
  };
}

/** Copy buffer: large enough that the number of calls does not matter. */
const COPY_BYTES = 4 * 1024 * 1024;

/** A stretch of the spool. */
interface Run {
  readonly start: number;
  readonly end: number;
}

/** Stretches of the spool that can be copied at once: blocks that follow each other in both orders. */
function* contiguousRuns({ offsets, sizes }: SpooledLevel): Generator<Run> {
  let run: { start: number; end: number } | null = null;
  for (let block = 0; block < offsets.length; block++) {
    const start = offsets[block]! - FRAME_BYTES;
    const end = offsets[block]! + sizes[block]! + FRAME_BYTES;
    if (run !== null && run.end === start) run.end = end;
    else {
      if (run !== null) yield run;
      run = { start, end };
    }
  }
  if (run !== null) yield run;
}

/** Runs one after the other, cut and collected into as much as is copied at once. */
function* batchesOf(
  runs: Iterable<Run>,
): Generator<{ readonly runs: readonly Run[]; readonly bytes: number }> {
  let [batch, bytes]: [Run[], number] = [[], 0];
  for (const run of runs) {
    for (let start = run.start; start < run.end; ) {
      const end = Math.min(run.end, start + COPY_BYTES - bytes);
      batch.push({ start, end });
      bytes += end - start;
      start = end;
      if (bytes < COPY_BYTES) continue;
      yield { runs: batch, bytes };
      [batch, bytes] = [[], 0];
    }
  }
  if (bytes > 0) yield { runs: batch, bytes };
}

/** Reads runs into a buffer, one after the other; returns when no read is under way any more. */
async function readAll(file: OutputFile, runs: readonly Run[], into: Uint8Array): Promise<void> {
  let at = 0;
  const reads = runs.map(({ start, end }) => {
    const part = into.subarray(at, at + end - start);
    at += end - start;
    return file.read(part, start);
  });
  for (const read of await Promise.allSettled(reads)) if (read.status === 'rejected') throw read.reason;
}

/** What waits in memory: all blocks of a small image, for which a file would be most of the work. */
const MEMORY_BYTES = 4 * 2 ** 20;

/** A file that is in memory while it is small; `create` makes the one that it becomes. Not synced: no one needs it later. */
export function makeSpoolFile(create: () => Promise<OutputFile>, memoryBytes = MEMORY_BYTES): OutputFile {
  let memory = new Uint8Array();
  let length = 0;
  let created: Promise<OutputFile> | null = null;

  /** Moves all bytes into a file; new writes wait until it is done. */
  async function spill(): Promise<OutputFile> {
    const file = await create();
    try {
      await file.write(memory.subarray(0, length), 0);
      memory = new Uint8Array();
      return file;
    } catch (error) {
      // the caller gets the first error
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
