import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { workInOrder } from '../async/index.ts';
import type { BlobStore } from '../objects/index.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import { runPatiently } from '../pool/index.ts';
import type { SceneFailure, StatisticsJobs, StatisticsOrder } from '../zonal/index.ts';
import type { BulkOrder, OrderedShape } from './bulk-order.ts';
import { notFound, sourceBroken } from './errors.ts';
import { countBlocks, makeJoinChunk } from './join-chunk.ts';
import type { ReadDaily } from './joined-days.ts';
import type { MeasuredPart, ScenePartsDeps } from './measure-part.ts';
import { makeSceneParts } from './measure-part.ts';
import type { BulkJobs } from './measure-window.ts';
import type { ShapePack } from './shape-pack.ts';
import { boundsOf } from './shape-pack.ts';
import { makeShapeSet } from './shape-set.ts';
import { readNames, readPack, writeSnapshot } from './shape-snapshot.ts';
import type { TaskBlobs } from './task-blobs.ts';
import { makeTaskBlobs } from './task-blobs.ts';
import { makeTimeLeft } from './time-left.ts';
import type { ChunkFiles, WriteJobs } from './write-result.ts';

/** A task of numbers of many shapes. */
export interface BulkTask {
  readonly id: string;
  readonly owner: string;
  readonly order: BulkOrder;
  /** The collection that came with the order; null if it named fields. */
  readonly collection: unknown;
}

/** How it is carried out. */
export interface BulkRun {
  /** Where the result is written. Files next to it are removed with it. */
  readonly path: string;
  readonly ticket: Ticket & { readonly signal: AbortSignal };
  /** Called with the time that the work took and will take, in milliseconds. */
  onProgress(progress: { readonly done: number; readonly total: number }): void;
}

/**
 * Measures many shapes over time, and writes a table. What is measured is stored under the task, so that another attempt
 * does not repeat it; the sweep of orphaned blobs removes it when the task is over.
 */
export interface BulkStatistics {
  run(task: BulkTask, run: BulkRun): Promise<void>;
}

interface BulkDeps extends ScenePartsDeps {
  readonly pool: JobRunner<BulkJobs & StatisticsJobs & WriteJobs>;
  readonly blobs: Pick<BlobStore, 'stage' | 'stat' | 'read'>;
  /** The shapes of a task, page by page, neighbours one after the other. */
  readonly listShapes: (task: BulkTask, ticket: Ticket) => AsyncIterable<readonly OrderedShape[]>;
  /** Reads weather and soil moisture of shapes, for the columns that are joined. */
  readonly readDaily: ReadDaily;
  readonly nowMs?: () => number;
}

/** The scenes of each chunk of shapes, newest first; stored, so that each attempt makes the same result. */
interface BulkPlan {
  readonly chunks: readonly (readonly string[])[];
}

/** Scenes of one search. */
const PAGE = 100;

/** Chunks with fewer shapes are measured in several scenes at once: one has too few windows for all threads. */
const FEW_SHAPES = 5_000;
const SCENES_AT_ONCE = { few: 6, many: 2 };

/** How long a row of a result takes at first guess, in milliseconds. */
const ROW_MS = 0.02;
/** And the days of a shape. */
const JOIN_MS = 2;

/** The longest time that writing a result may take. */
const WRITE_TIMEOUT_MS = 6 * 3_600_000;
const WRITE_BYTES = 64 * 2 ** 20;

const toPartName = (chunk: number, scene: number): string => `part-${chunk}-${scene}`;
const toJoinName = (chunk: number, block: number): string => `join-${chunk}-${block}`;
const toShapesName = (chunk: number): string => `shapes-${chunk}`;
const PLAN = 'plan';

/** Builds it. */
export function makeBulkStatistics(deps: BulkDeps): BulkStatistics {
  const { pool, blobs, listShapes, readDaily, nowMs = () => performance.now() } = deps;
  const { find, measurePart } = makeSceneParts(deps);

  /** The scenes of a chunk: all that meet the rectangle around its shapes. */
  async function listScenes(order: BulkOrder, pack: ShapePack): Promise<readonly string[]> {
    const wanted = toStatisticsOrder(order, pack);
    const found: string[] = [];
    for (let offset = 0; ; ) {
      const page = await find.search(wanted, { offset, limit: PAGE });
      offset += page.scenes.length;
      const ordered = await Promise.all(page.scenes.map((scene) => find.readOrdered(scene, wanted)));
      for (const scene of ordered) if (scene !== null) found.push(scene.viewId);
      if (offset >= page.found || page.scenes.length === 0) return found;
    }
  }

  /** Stores the shapes of a task and finds their scenes; an earlier attempt may have done so. */
  async function readPlan(task: BulkTask, own: TaskBlobs, ticket: Ticket): Promise<BulkPlan> {
    if (await own.has(PLAN)) return JSON.parse(Buffer.from(await own.read(PLAN)).toString()) as BulkPlan;
    const chunks: (readonly string[])[] = [];
    for await (const bytes of writeSnapshot(listShapes(task, ticket))) {
      ticket.signal?.throwIfAborted();
      await own.put(toShapesName(chunks.length), bytes);
      chunks.push(await listScenes(task.order, readPack(bytes)));
    }
    if (chunks.length === 0) throw notFound('no-shapes', 'There are no fields that this order names.');
    const plan: BulkPlan = { chunks };
    await own.put(PLAN, Buffer.from(JSON.stringify(plan)));
    return plan;
  }

  return {
    async run(task, { path, ticket, onProgress }) {
      const { order } = task;
      const startedMs = nowMs();
      const own = makeTaskBlobs({ blobs, id: task.id, signal: ticket.signal });
      const plan = await readPlan(task, own, ticket);
      const folder = dirname(path);
      const chunks: ChunkFiles[] = [];
      const todo: (readonly number[])[] = [];
      for (const [c, viewIds] of plan.chunks.entries()) {
        const isDone = await Promise.all(viewIds.map((_, s) => own.has(toPartName(c, s))));
        todo.push([...viewIds.keys()].filter((s) => isDone[s] === false));
      }
      const time = makeTimeLeft({ total: todo.reduce((sum, { length }) => sum + length, 0), nowMs });
      let [writeMs, joinMs] = [0, 0];
      const report = (): void => {
        const leftMs = time.leftMs();
        if (leftMs === null) return;
        const done = nowMs() - startedMs;
        onProgress({ done: Math.round(done), total: Math.round(done + leftMs + joinMs + writeMs) });
      };
      let broken: SceneFailure | null = null;
      let readable = 0;
      for (const [c, viewIds] of plan.chunks.entries()) {
        const shapesPath = join(folder, toShapesName(c));
        await own.copyTo(toShapesName(c), shapesPath);
        const parts = viewIds.map((_, s) => join(folder, toPartName(c, s)));
        readable += viewIds.length - (todo[c] as readonly number[]).length;
        if ((todo[c] as readonly number[]).length > 0) {
          const pack = readPack(await own.read(toShapesName(c)));
          if (order.joined !== undefined) joinMs = JOIN_MS * pack.count;
          writeMs += ROW_MS * pack.count * viewIds.length * order.expressions.length;
          const ends = measureChunk(
            { order, pack, viewIds, todo: todo[c] as readonly number[] },
            ticket,
            (units, pausedMs) => {
              time.pause(pausedMs);
              time.add(units);
              report();
            },
          );
          for await (const { scene, bytes, failure } of ends) {
            // What could not be read now may be readable at the next attempt.
            if (failure === null) await own.put(toPartName(c, scene), bytes);
            else await writeFile(parts[scene] as string, bytes);
            broken ??= failure;
            if (failure === null) readable += 1;
          }
        }
        for (const [s, part] of parts.entries())
          if (await own.has(toPartName(c, s))) await own.copyTo(toPartName(c, s), part);
        const joins = await joinChunk(
          { order, chunk: c, parts, folder },
          { own, ticket },
          (spentMs, leftMs) => {
            time.pause(spentMs);
            joinMs = leftMs;
            report();
          },
        );
        chunks.push({ shapes: shapesPath, parts, joins });
      }
      if (broken !== null && readable === 0) {
        throw sourceBroken(
          'bulk-computation',
          `None of the scenes could be read. The first of them: ${broken.message}`,
        );
      }
      await writeRows({ path, order, chunks }, ticket, (share, leftMs) => {
        const done = nowMs() - startedMs;
        writeMs = leftMs;
        onProgress({ done: Math.round(done), total: Math.round(done + leftMs) + Number(share < 1) });
      });
    },
  };

  /** Reads what is joined to the shapes of a chunk, block by block; an earlier attempt may have stored some. */
  async function joinChunk(
    { order, chunk, parts, folder }: JoinWork,
    { own, ticket }: { readonly own: TaskBlobs; readonly ticket: BulkRun['ticket'] },
    onBlock: (spentMs: number, leftMs: number) => void,
  ): Promise<readonly string[]> {
    const columns = order.joined ?? [];
    if (columns.length === 0) return [];
    const bytes = await own.read(toShapesName(chunk));
    const pack = readPack(bytes);
    const read = await makeJoinChunk({ order, columns, pack, names: readNames(bytes), parts }, readDaily);
    const count = countBlocks(pack.count);
    const paths: string[] = [];
    for (let block = 0; block < count; block += 1) {
      ticket.signal.throwIfAborted();
      const startedMs = nowMs();
      const name = toJoinName(chunk, block);
      if (!(await own.has(name))) await own.put(name, await read(block, ticket.signal));
      const path = join(folder, name);
      await own.copyTo(name, path);
      paths.push(path);
      const spentMs = nowMs() - startedMs;
      onBlock(spentMs, spentMs * (count - paths.length));
    }
    return paths;
  }

  async function writeRows(
    job: { readonly path: string; readonly order: BulkOrder; readonly chunks: readonly ChunkFiles[] },
    ticket: Ticket,
    onShare: (share: number, leftMs: number) => void,
  ): Promise<void> {
    const time = makeTimeLeft({ total: 1, nowMs });
    let written = 0;
    await runPatiently(pool, 'write-numbers', job, {
      ...ticket,
      timeoutMs: WRITE_TIMEOUT_MS,
      bytes: WRITE_BYTES,
      onProgress(progress) {
        const share = progress as number;
        time.add(share - written);
        written = share;
        onShare(share, time.leftMs() ?? 0);
      },
    });
  }

  /** Measures the shapes of a chunk in scenes, in any order of their ends. */
  async function* measureChunk(
    { order, pack, viewIds, todo }: ChunkWork,
    ticket: Ticket,
    onWork: (units: number, pausedMs: number) => void,
  ): AsyncGenerator<ScenePart> {
    const shapes = makeShapeSet({ pack, weights: order.weights }, pool);
    const wanted = toStatisticsOrder(order, pack);
    const scenesAtOnce = pack.count < FEW_SHAPES ? SCENES_AT_ONCE.few : SCENES_AT_ONCE.many;
    let coveredMs = 0;
    yield* workInOrder(todo, { atOnce: scenesAtOnce, signal: ticket.signal }, async (scene, signal) => {
      let counted = 0;
      const part = await measurePart(
        { viewId: viewIds[scene] as string, order: wanted, shapes },
        { ...ticket, signal },
        (share) => {
          onWork(share - counted, shapes.coveringMs() - coveredMs);
          coveredMs = shapes.coveringMs();
          counted = share;
        },
      );
      onWork(1 - counted, 0);
      return { scene, ...part };
    });
    ticket.signal?.throwIfAborted();
  }
}

/** Scenes in which a chunk is measured. */
interface ChunkWork {
  readonly order: BulkOrder;
  readonly pack: ShapePack;
  readonly viewIds: readonly string[];
  /** Positions of those that no attempt has measured. */
  readonly todo: readonly number[];
}

/** A chunk to which days are joined. */
interface JoinWork {
  readonly order: BulkOrder;
  readonly chunk: number;
  readonly parts: readonly string[];
  readonly folder: string;
}

/** A part, and the position of its scene. */
interface ScenePart extends MeasuredPart {
  readonly scene: number;
}

/** The order of one area that searches the scenes of a chunk: those that meet the rectangle around it. */
function toStatisticsOrder(
  { from, to, datasets, expressions, clouds }: BulkOrder,
  pack: ShapePack,
): StatisticsOrder {
  const { west, south, east, north } = boundsOf(pack);
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ] as const;
  const area = { type: 'MultiPolygon', coordinates: [[ring]] } as const;
  return { from, to, datasets, expressions, clouds, area, limit: Number.MAX_SAFE_INTEGER, histogram: null };
}
