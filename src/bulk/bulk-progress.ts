import type { BulkOrder } from './bulk-order.ts';
import type { PlannedChunk } from './bulk-plan.ts';
import type { PartCost } from './part-costs.ts';
import { toCoverMs, toJoinMs, toWriteMs } from './part-costs.ts';
import { makeTimeLeft } from './time-left.ts';

/** How far a chunk is. */
export interface ChunkProgress {
  /** The pixels of its shapes were found on one more grid. */
  readonly onCovered: () => void;
  /** A share of a scene's part is measured, from 0 to 1. */
  readonly onMeasured: (scene: number, share: number) => void;
  readonly onPartEnd: (scene: number) => void;
  /** Days were joined to shapes; not new if an earlier attempt did it. */
  readonly onJoined: (shapes: number, isNew: boolean) => void;
}

/** A smaller share of the work is a rounding error of the sums: the order is done. */
const LEAST_SHARE = 1e-6;

interface BulkWork {
  readonly order: BulkOrder;
  readonly plan: readonly PlannedChunk[];
  /** For each chunk the positions of the scenes that no attempt has measured. */
  readonly pending: readonly (readonly number[])[];
  readonly threads: number;
  readonly nowMs: () => number;
}

/** Follows the work on an order. Reports once there is an estimate: the time left, and the share that all attempts have done. */
export function makeBulkProgress(
  { order, plan, pending, threads, nowMs }: BulkWork,
  onProgress: (progress: { readonly done: number; readonly total: number }) => void,
) {
  const time = makeTimeLeft(['cover', 'measure', 'join', 'write'], nowMs);
  let writeMs = 0;
  for (const [c, { shapes, costs }] of plan.entries()) {
    const open = new Set(pending[c]);
    for (const [s, { ms }] of costs.entries()) {
      time.plan('measure', ms / threads);
      if (!open.has(s)) time.skip('measure', ms / threads);
    }
    const grids = new Set([...open].flatMap((s) => (costs[s] as PartCost).grids)).size;
    time.plan('cover', (grids * toCoverMs(shapes)) / threads);
    if (order.joined !== undefined) time.plan('join', toJoinMs(shapes));
    writeMs += toWriteMs(costs, order);
  }
  time.plan('write', writeMs);

  const report = (): void => {
    const leftMs = time.leftMs();
    if (leftMs === null) return;
    const share = time.share();
    const isDone = 1 - share < LEAST_SHARE;
    const left = isDone ? 0 : Math.max(1, Math.round(leftMs));
    const done = isDone ? 1 : Math.round((left * share) / (1 - share));
    onProgress({ done, total: done + left });
  };

  let written = 0;
  return {
    ofChunk(c: number): ChunkProgress {
      const { shapes, costs } = plan[c] as PlannedChunk;
      const shares = new Map<number, number>();
      const take = (scene: number, share: number): number => {
        const before = shares.get(scene) ?? 0;
        // A scene whose files have changed is measured again.
        shares.set(scene, Math.max(before, share));
        return (Math.max(0, share - before) * (costs[scene] as PartCost).ms) / threads;
      };
      return {
        onCovered() {
          time.add('cover', toCoverMs(shapes) / threads);
          report();
        },
        onMeasured(scene, share) {
          time.add('measure', take(scene, share));
          report();
        },
        // What is left was not there to measure.
        onPartEnd: (scene) => time.skip('measure', take(scene, 1)),
        onJoined(joined, isNew) {
          if (isNew) time.add('join', toJoinMs(joined));
          else time.skip('join', toJoinMs(joined));
          report();
        },
      };
    },
    onWritten(share: number): void {
      time.add('write', (share - written) * writeMs);
      written = share;
      report();
    },
  };
}
