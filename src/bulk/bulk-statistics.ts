import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { workInOrder } from '../async/index.ts';
import type { BlobStore } from '../objects/index.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import { runPatiently } from '../pool/index.ts';
import type { SceneFailure, StatisticsJobs } from '../zonal/index.ts';
import type { BulkOrder, BulkTask, OrderedShape } from './bulk-order.ts';
import { makeReadPlan, toShapesName, toStatisticsOrder } from './bulk-plan.ts';
import type { ChunkProgress } from './bulk-progress.ts';
import { makeBulkProgress } from './bulk-progress.ts';
import { sourceBroken } from './errors.ts';
import { countBlocks, makeJoinChunk } from './join-chunk.ts';
import type { ReadDaily } from './joined-days.ts';
import type { MeasuredPart, ScenePartsDeps } from './measure-part.ts';
import { makeSceneParts } from './measure-part.ts';
import type { BulkJobs } from './measure-window.ts';
import type { ShapePack } from './shape-pack.ts';
import { makeShapeSet } from './shape-set.ts';
import { readNames, readPack } from './shape-snapshot.ts';
import type { TaskBlobs } from './task-blobs.ts';
import { makeTaskBlobs } from './task-blobs.ts';
import type { ChunkFiles, WriteJobs } from './write-result.ts';

/** How it is carried out. */
export interface BulkRun {
  /** Where the result is written. Files next to it are removed with it. */
  readonly path: string;
  readonly ticket: Ticket & { readonly signal: AbortSignal };
  /** Called with the time that the work takes, in milliseconds: what is left of it is an estimate. */
  onProgress(progress: {
    readonly done: number;
    readonly total: number;
    /** Bytes of shapes, parts and joined days: all that other attempts continue from. */
    readonly storedBytes: number;
  }): void;
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
  /** Threads that measure: estimates begin with it. */
  readonly threads: number;
  readonly nowMs?: () => number;
}

/** Chunks with fewer shapes are measured in several scenes at once: one has too few windows for all threads. */
const FEW_SHAPES = 5_000;
const SCENES_AT_ONCE = { few: 6, many: 2 };

/** The longest time that writing a result may take. */
const WRITE_TIMEOUT_MS = 6 * 3_600_000;
const WRITE_BYTES = 64 * 2 ** 20;

const toPartName = (chunk: number, scene: number): string => `part-${chunk}-${scene}`;
const toJoinName = (chunk: number, block: number): string => `join-${chunk}-${block}`;

/** Builds it. */
export function makeBulkStatistics(deps: BulkDeps): BulkStatistics {
  const { pool, blobs, listShapes, readDaily, threads, nowMs = () => performance.now() } = deps;
  const { find, measurePart } = makeSceneParts(deps);
  const readPlan = makeReadPlan({ find, listShapes });

  return {
    async run(task, { path, ticket, onProgress }) {
      const { order } = task;
      const own = makeTaskBlobs({ blobs, id: task.id, signal: ticket.signal });
      const plan = await readPlan(task, own, ticket);
      const folder = dirname(path);
      const chunks: ChunkFiles[] = [];
      const pending: (readonly number[])[] = [];
      for (const [c, { viewIds }] of plan.entries()) {
        const isDone = await Promise.all(viewIds.map((_, s) => own.has(toPartName(c, s))));
        pending.push([...viewIds.keys()].filter((s) => isDone[s] === false));
      }
      let lastTime = { done: 0, total: 0 };
      const report = (time: typeof lastTime): void => {
        lastTime = time;
        onProgress({ ...time, storedBytes: own.storedBytes });
      };
      const progress = makeBulkProgress({ order, plan, pending, threads, nowMs }, report);
      let broken: SceneFailure | null = null;
      let readable = 0;
      for (const [c, { viewIds }] of plan.entries()) {
        const chunkProgress = progress.ofChunk(c);
        const shapesPath = join(folder, toShapesName(c));
        await own.copyTo(toShapesName(c), shapesPath);
        const parts = viewIds.map((_, s) => join(folder, toPartName(c, s)));
        readable += viewIds.length - (pending[c] as readonly number[]).length;
        if ((pending[c] as readonly number[]).length > 0) {
          const pack = readPack(await own.read(toShapesName(c)));
          const work = { order, pack, viewIds, pending: pending[c] as readonly number[] };
          const ends = measureChunk(work, ticket, chunkProgress);
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
        const joined = { order, chunk: c, parts, folder };
        const joins = await joinChunk(joined, { own, ticket }, chunkProgress.onJoined);
        chunks.push({ shapes: shapesPath, parts, joins });
      }
      if (broken !== null && readable === 0) {
        throw sourceBroken(
          'bulk-computation',
          `None of the scenes could be read. The first of them: ${broken.message}`,
        );
      }
      // All parts are stored now, and none is measured any more.
      report(lastTime);
      const writing = { ...ticket, timeoutMs: WRITE_TIMEOUT_MS, bytes: WRITE_BYTES };
      await runPatiently(
        pool,
        'write-numbers',
        { path, order, chunks },
        { ...writing, onProgress: (share) => progress.onWritten(share as number) },
      );
    },
  };

  /** Reads what is joined to the shapes of a chunk, block by block; an earlier attempt may have stored some. */
  async function joinChunk(
    { order, chunk, parts, folder }: JoinWork,
    { own, ticket }: { readonly own: TaskBlobs; readonly ticket: BulkRun['ticket'] },
    onJoined: (shapes: number, isNew: boolean) => void,
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
      const name = toJoinName(chunk, block);
      const isNew = !(await own.has(name));
      if (isNew) await own.put(name, await read(block, ticket.signal));
      const path = join(folder, name);
      await own.copyTo(name, path);
      paths.push(path);
      onJoined(pack.count / count, isNew);
    }
    return paths;
  }

  /** Measures the shapes of a chunk in scenes, in any order of their ends. */
  async function* measureChunk(
    { order, pack, viewIds, pending }: ChunkWork,
    ticket: Ticket,
    { onCovered, onMeasured, onPartEnd }: Pick<ChunkProgress, 'onCovered' | 'onMeasured' | 'onPartEnd'>,
  ): AsyncGenerator<ScenePart> {
    const shapes = makeShapeSet({ pack, weights: order.weights, onCovered }, pool);
    const wanted = toStatisticsOrder(order, pack);
    const scenesAtOnce = pack.count < FEW_SHAPES ? SCENES_AT_ONCE.few : SCENES_AT_ONCE.many;
    yield* workInOrder(pending, { atOnce: scenesAtOnce, signal: ticket.signal }, async (scene, signal) => {
      const part = await measurePart(
        { viewId: viewIds[scene] as string, order: wanted, shapes },
        { ...ticket, signal },
        (share) => onMeasured(scene, share),
      );
      onPartEnd(scene);
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
  readonly pending: readonly number[];
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
