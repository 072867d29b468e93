import type { CogLevel, CogPlan } from './cog-options.ts';
import type { Span } from './row-reducer.ts';
import { sourceSpan } from './row-reducer.ts';

/** What a part holds of one level, in pixels of that level. */
export interface PartLevel {
  /** The pixels whose blocks the part stores: whole blocks, and less only at the ends of the image. */
  readonly own: LevelSpans;
  /** The pixels that it computes: its own, and those before them that the smaller copies need. */
  readonly made: LevelSpans;
}

/** Columns and rows of a level. */
export interface LevelSpans {
  readonly columns: Span;
  readonly rows: Span;
}

/** The pixels of a level that belong to a square of the full resolution. */
function ownSpan(start: number, size: number, index: number, length: number): Span {
  const reduction = 2 ** index;
  return { start: start / reduction, end: Math.min(length, (start + size) / reduction) };
}

/** The columns and rows that a part makes and stores of each of its levels, the largest first. */
export function planPartLevels(
  plan: CogPlan,
  corner: { readonly x: number; readonly y: number },
  { partSize, topLevel }: { readonly partSize: number; readonly topLevel: number },
): readonly PartLevel[] {
  const levels: PartLevel[] = [];
  for (let index = topLevel; index >= 0; index--) {
    const { width, height } = plan.levels[index] as CogLevel;
    const own = {
      columns: ownSpan(corner.x, partSize, index, width),
      rows: ownSpan(corner.y, partSize, index, height),
    };
    const smaller = levels[0];
    const made =
      smaller === undefined
        ? own
        : {
            columns: sourceSpan(smaller.made.columns, width),
            rows: sourceSpan(smaller.made.rows, height),
          };
    levels.unshift({ own, made });
  }
  return levels;
}
