import { boundsRing } from '../geo/index.ts';
import type { Ticket } from '../pool/index.ts';
import type { StatisticsOrder } from '../zonal/index.ts';
import type { makeFindCandidates } from '../zonal/measuring.ts';
import type { BulkOrder, BulkTask, OrderedShape } from './bulk-order.ts';
import { notFound } from './errors.ts';
import type { PartCost } from './part-costs.ts';
import { makePartCosts, toUnknownCost } from './part-costs.ts';
import type { ShapePack } from './shape-pack.ts';
import { boundsOf } from './shape-pack.ts';
import { readPack, writeSnapshot } from './shape-snapshot.ts';
import type { TaskBlobs } from './task-blobs.ts';

/** A chunk of shapes, and the scenes in which it is measured, newest first. */
export interface PlannedChunk {
  readonly shapes: number;
  readonly viewIds: readonly string[];
  /** What each of them is expected to cost. */
  readonly costs: readonly PartCost[];
}

/** A plan as it is stored, so that each attempt makes the same result. Those from before costs were planned lack them. */
interface StoredPlan {
  readonly chunks: readonly (readonly string[])[];
  readonly costs?: readonly Omit<PlannedChunk, 'viewIds'>[];
}

/** Scenes of one search. */
const PAGE = 100;
const PLAN = 'plan';

/** The shapes of a chunk that nothing is known of. */
const SOME_SHAPES = 10_000;

/** The name under which a task stores the shapes of a chunk. */
export const toShapesName = (chunk: number): string => `shapes-${chunk}`;

interface PlanDeps {
  readonly find: Pick<ReturnType<typeof makeFindCandidates>, 'search' | 'readOrdered'>;
  /** The shapes of a task, page by page, neighbours one after the other. */
  readonly listShapes: (task: BulkTask, ticket: Ticket) => AsyncIterable<readonly OrderedShape[]>;
}

/** Builds what stores the shapes of a task and finds their scenes; an earlier attempt may have done so. */
export function makeReadPlan({ find, listShapes }: PlanDeps) {
  return async (task: BulkTask, own: TaskBlobs, ticket: Ticket): Promise<readonly PlannedChunk[]> => {
    if (await own.has(PLAN)) return fromStored(JSON.parse(Buffer.from(await own.read(PLAN)).toString()));
    const chunks: PlannedChunk[] = [];
    for await (const bytes of writeSnapshot(listShapes(task, ticket))) {
      ticket.signal?.throwIfAborted();
      await own.put(toShapesName(chunks.length), bytes);
      chunks.push(await planChunk(task.order, readPack(bytes)));
    }
    if (chunks.length === 0) throw notFound('no-shapes', 'There are no fields that this order names.');
    const stored: StoredPlan = {
      chunks: chunks.map(({ viewIds }) => viewIds),
      costs: chunks.map(({ shapes, costs }) => ({ shapes, costs })),
    };
    await own.put(PLAN, Buffer.from(JSON.stringify(stored)));
    return chunks;
  };

  /** The scenes of a chunk: all that meet the rectangle around its shapes. */
  async function planChunk(order: BulkOrder, pack: ShapePack): Promise<PlannedChunk> {
    const wanted = toStatisticsOrder(order, pack);
    const toCost = makePartCosts(pack, order);
    const [viewIds, costs]: [string[], PartCost[]] = [[], []];
    for (let offset = 0; ; ) {
      const page = await find.search(wanted, { offset, limit: PAGE });
      offset += page.scenes.length;
      const ordered = await Promise.all(page.scenes.map((scene) => find.readOrdered(scene, wanted)));
      for (const scene of ordered) {
        if (scene === null) continue;
        viewIds.push(scene.viewId);
        costs.push(toCost(scene));
      }
      if (offset >= page.found || page.scenes.length === 0) return { shapes: pack.count, viewIds, costs };
    }
  }
}

const fromStored = ({ chunks, costs }: StoredPlan): readonly PlannedChunk[] =>
  chunks.map((viewIds, c) => {
    const known = costs?.[c] ?? {
      shapes: SOME_SHAPES,
      costs: viewIds.map(() => toUnknownCost(SOME_SHAPES)),
    };
    return { viewIds, ...known };
  });

/** The order of one area that searches the scenes of a chunk: those that meet the rectangle around it. */
export function toStatisticsOrder(
  { from, to, datasets, expressions, clouds }: BulkOrder,
  pack: ShapePack,
): StatisticsOrder {
  const area = { type: 'MultiPolygon', coordinates: [[boundsRing(boundsOf(pack))]] } as const;
  return { from, to, datasets, expressions, clouds, area, limit: Number.MAX_SAFE_INTEGER, histogram: null };
}
