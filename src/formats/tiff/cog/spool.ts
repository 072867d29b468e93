import type { OutputFile } from '../../output-files.ts';
import type { CogPlan } from './cog-options.ts';
import type { EncodedBlocks } from './encoded-blocks.ts';
import { FRAME_BYTES, frame } from './encoded-blocks.ts';

/** Where the blocks of one level lie in the spool, by block number (band after band when bands are stored apart). */
export interface SpooledLevel {
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

/** Copy buffer: large enough that the number of calls does not matter. */
const COPY_BYTES = 4 * 1024 * 1024;

/** Stretches of the spool that can be copied at once: blocks that follow each other in both orders. */
function* contiguousRuns({ offsets, sizes }: SpooledLevel): Generator<{ start: number; end: number }> {
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

/** A spool in an open, empty file that the caller closes. */
export function makeSpool(file: OutputFile, plan: CogPlan): Spool {
  const levels = plan.levels.map(({ blocksAcross, blocksDown }) => {
    const count = blocksAcross * blocksDown * plan.planes;
    return { offsets: new Float64Array(count), sizes: new Uint32Array(count) };
  });
  let end = 0;
  let buffer = new Uint8Array();
  return {
    levels,
    async append(level, block, payload) {
      const framed = new Uint8Array(payload.length + 2 * FRAME_BYTES);
      frame(payload, framed, 0);
      await file.write(framed, end);
      levels[level]!.offsets[block] = end + FRAME_BYTES;
      levels[level]!.sizes[block] = payload.length;
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
      for (const run of contiguousRuns(levels[level]!)) {
        const needed = Math.min(COPY_BYTES, run.end - run.start);
        if (buffer.length < needed) buffer = new Uint8Array(needed);
        for (let at = run.start; at < run.end; at += COPY_BYTES) {
          const part = buffer.subarray(0, Math.min(COPY_BYTES, run.end - at));
          await file.read(part, at);
          await take(part);
        }
      }
    },
  };
}
