import { workInOrder } from '../async/index.ts';
import type { Grid } from '../geo/index.ts';
import { makeLru } from '../lru.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import { runPatiently } from '../pool/index.ts';
import type { CoveredPart, CoveredShapes, Weights } from './cover-shapes.ts';
import { joinCovered, sizeOfCovered } from './cover-shapes.ts';
import type { BulkJobs } from './measure-window.ts';
import type { ShapePack } from './shape-pack.ts';

/** Shapes that are measured together, and their pixels on the grids of scenes. */
export interface ShapeSet {
  readonly pack: ShapePack;
  readonly weights: Weights;
  /** The pixels of all shapes on a grid, made once for all of its scenes. */
  cover(grid: Grid, ticket: Ticket): Promise<CoveredShapes>;
}

/** Shapes of one job: those of a tenth of a second. */
const SHAPES_PER_JOB = 1_000;

/** Work memory of one job: a mask, and the runs of its shapes. */
const COVER_BYTES = 8 * 2 ** 20;

/** Jobs in flight: as many as a few threads take. */
const AT_ONCE = 4;

/** Memory of the pixels that a set remembers; those of the grid in use are held in any case. */
const MAX_COVERED_BYTES = 128 * 2 ** 20;

/** Shapes in larger windows are measured one by one: their values would fill the memory of a thread. */
const LARGE_PX = 4_194_304;

interface ShapeSetOptions {
  readonly pack: ShapePack;
  readonly weights: Weights;
  /** Shapes in windows of more pixels are measured one by one. */
  readonly largePx?: number | undefined;
  /** Called when the pixels of all shapes on a grid were found. */
  readonly onCovered?: () => void;
}

/** Shapes of a pack. Neighbours should come one after the other: they are in the same blocks. */
export function makeShapeSet(
  { pack, weights, largePx = LARGE_PX, onCovered }: ShapeSetOptions,
  pool: JobRunner<BulkJobs>,
): ShapeSet {
  const covered = makeLru<CoveredShapes>({ max: MAX_COVERED_BYTES, sizeOf: sizeOfCovered });
  const running = new Map<string, Promise<CoveredShapes>>();

  async function coverAll(grid: Grid, ticket: Ticket): Promise<CoveredShapes> {
    const starts = Array.from(
      { length: Math.ceil(pack.count / SHAPES_PER_JOB) },
      (_, i) => i * SHAPES_PER_JOB,
    );
    const parts: CoveredPart[] = [];
    const jobs = workInOrder(starts, { atOnce: AT_ONCE, signal: ticket.signal }, (from, signal) =>
      runPatiently(
        pool,
        'cover-shapes',
        { pack, from, until: Math.min(pack.count, from + SHAPES_PER_JOB), grid, largePx, rule: weights },
        { ...ticket, signal, bytes: COVER_BYTES },
      ),
    );
    for await (const part of jobs) parts.push(part);
    ticket.signal?.throwIfAborted();
    return joinCovered(parts);
  }

  return {
    pack,
    weights,
    async cover(grid, ticket) {
      const key = JSON.stringify(grid);
      const known = covered.get(key) ?? running.get(key);
      if (known !== undefined) return known;
      const found = coverAll(grid, ticket);
      running.set(key, found);
      try {
        covered.set(key, await found);
        onCovered?.();
        return await found;
      } finally {
        running.delete(key);
      }
    },
  };
}
