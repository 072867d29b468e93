import { CHUNK_STEPS } from '../store/chunk.ts';
import { toChunkKey } from '../store/cube-state.ts';
import type { Cubes } from '../store/cubes.ts';

/** What to read of a cube. */
export interface FieldsRequest {
  readonly variable: string;
  /** Steps from 1970, all within one chunk of time or two. */
  readonly steps: readonly number[];
}

/**
 * Reads whole fields, row by row from the north, NaN where there is a gap; null without the variable or the cube. Each
 * takes all chunks of its time: this is for the few fields that an ingest must look at again, not for requests.
 */
export async function readFields(
  cubes: Cubes,
  cube: string,
  { variable, steps }: FieldsRequest,
): Promise<readonly Float32Array[] | null> {
  if ((await cubes.find(cube)) === null) return null;
  return cubes.withState(cube, async ({ state, readChunk }) => {
    const chunks = state.variables.get(variable)?.chunks;
    if (chunks === undefined) return null;
    const { grid, chunkSide } = state;
    const { width, height } = grid;
    const fields = steps.map(() => new Float32Array(width * height).fill(Number.NaN));
    for (const time of new Set(steps.map((step) => Math.floor(step / CHUNK_STEPS)))) {
      for (let top = 0; top < height; top += chunkSide) {
        for (let left = 0; left < width; left += chunkSide) {
          const range = chunks.get(toChunkKey(top / chunkSide, left / chunkSide, time));
          if (range === undefined) continue;
          const chunk = await readChunk(range);
          for (const [i, step] of steps.entries()) {
            const at = step - time * CHUNK_STEPS;
            if (at < 0 || at >= CHUNK_STEPS) continue;
            const field = fields[i]!;
            for (let y = top; y < Math.min(top + chunkSide, height); y++)
              for (let x = left; x < Math.min(left + chunkSide, width); x++)
                field[y * width + x] = chunk[((y - top) * chunkSide + (x - left)) * CHUNK_STEPS + at]!;
          }
        }
      }
    }
    return fields;
  });
}
