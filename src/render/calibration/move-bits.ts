import type { QualityBits } from '../../sensors/index.ts';
import { toInterfaceQuality } from '../../sensors/index.ts';

/** Moves the quality bits of a plane into the layout of the interface, in place. */
export function moveBits(plane: Float32Array, moves: QualityBits['moves']): void {
  let stored = Number.NaN;
  let moved = 0;
  for (let i = 0; i < plane.length; i += 1) {
    const value = plane[i] as number;
    // Neighbours are mostly alike, so that few are worked out: no table of 65,536 entries pays for one tile.
    if (value !== stored) {
      stored = value;
      moved = toInterfaceQuality({ moves }, stored);
    }
    plane[i] = moved;
  }
}
