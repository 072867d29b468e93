import { makePause, workInOrder } from '../async/index.ts';
import type { Grid } from '../geo/index.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import { runPatiently } from '../pool/index.ts';
import type { PixelWindow } from '../raster/index.ts';
import type { StatisticsJobs } from '../zonal/index.ts';
import type { GridGroup, MaskedScene, PlannedPiece } from '../zonal/measuring.ts';
import { groupByGrid, MEASURE_BYTES, makePlanPieces, planScene, toMeasuredArea } from '../zonal/measuring.ts';
import type { CoveredShapes } from './cover-shapes.ts';
import { BOX, SHAPE_FLAGS } from './cover-shapes.ts';
import type { BulkJobs } from './measure-window.ts';
import { giveBack } from './measure-window.ts';
import { makeMergeValues } from './merge-values.ts';
import type { SceneNumbers } from './scene-numbers.ts';
import { makeSceneNumbers, NUMBERS, offsetOf, setArea, setSummary } from './scene-numbers.ts';
import { unpackShape } from './shape-pack.ts';
import type { ShapeSet } from './shape-set.ts';

/** What is measured in a scene. */
export interface ShapesRequest {
  readonly scene: MaskedScene;
  readonly shapes: ShapeSet;
  readonly expressions: readonly string[];
}

/** How the measuring of a scene is followed. */
export interface MeasureRun {
  readonly ticket: Ticket;
  /** Called after each window, and after large shapes, with the share of the work that is done, from 0 to 1. */
  onProgress?(share: number): void;
}

/** Measures many shapes in one scene, window by window: each block is decoded once for all shapes that it touches. */
export type MeasureShapes = (request: ShapesRequest, run: MeasureRun) => Promise<SceneNumbers>;

/** The jobs of the engine. */
type MeasureJobs = BulkJobs & StatisticsJobs;

interface MeasureDeps {
  readonly pool: JobRunner<MeasureJobs>;
  /** Windows that are measured at the same time. */
  readonly atOnce: number;
  /** The side of a window, in pixels. */
  readonly windowPx?: number;
}

/** Windows of this side end where blocks of most files do. */
export const WINDOW_PX = 1024;

/** Builds it. */
export function makeMeasureShapes({ pool, atOnce, windowPx = WINDOW_PX }: MeasureDeps): MeasureShapes {
  return async (request, { ticket, onProgress }) => {
    const { scene, shapes, expressions } = request;
    const numbers = makeSceneNumbers(shapes.pack.count, expressions.length);
    const groups = groupByGrid(expressions, scene);
    for (const [i, group] of groups.entries()) {
      const covered = await shapes.cover(group.grid, ticket);
      await measureGroup({ ...request, group, covered, numbers }, ticket, (share) =>
        onProgress?.((i + share) / groups.length),
      );
      const hasLarge = await measureLarge({ ...request, group, covered, numbers }, ticket);
      if (hasLarge) onProgress?.((i + 1) / groups.length);
      await fillAreas(numbers, group, covered);
    }
    return numbers;
  };

  async function measureGroup(
    { scene, shapes: { weights }, expressions, group, covered, numbers }: GroupWork,
    ticket: Ticket,
    onProgress: (share: number) => void,
  ): Promise<void> {
    const { members } = group;
    const texts = members.map((i) => expressions[i] as string);
    const planPieces = makePlanPieces({ ...group, texts }, scene);
    const { windows, meets } = await planWindows({ covered, grid: group.grid, windowPx }, planPieces);
    const merge = makeMergeValues({
      expressions: members.length,
      meets,
      run: (job, bytes) => runPatiently(pool, 'merge-shapes', job, { ...ticket, bytes }),
      write: (shape, expression, write) =>
        write(numbers.values, offsetOf(numbers, shape, members[expression] as number)),
    });
    const measured = workInOrder(windows, { atOnce, signal: ticket.signal }, (one, signal) =>
      runPatiently(
        pool,
        'measure-window',
        {
          piece: one.piece,
          window: one.window,
          covered,
          members: one.shapes,
          expressions: members.length,
          weights,
        },
        { ...ticket, signal, bytes: one.bytes + MEASURE_BYTES },
      ),
    );
    let done = 0;
    for await (const { shapes, numbers: found, open, marksClouds } of measured) {
      for (const [i, shape] of shapes.entries()) {
        for (const [own, expression] of members.entries()) {
          const from = (i * members.length + own) * NUMBERS.length;
          numbers.values.set(
            found.subarray(from, from + NUMBERS.length),
            offsetOf(numbers, shape, expression),
          );
        }
      }
      await merge.add(open, marksClouds);
      for (const memory of [found, open.values, open.weights]) giveBack(memory);
      done += 1;
      onProgress(done / windows.length);
    }
    ticket.signal?.throwIfAborted();
    await merge.finish();
  }

  /** Shapes that would fill the memory of a thread are measured one by one, as single areas are; false if there are none. */
  async function measureLarge(
    { scene, shapes, expressions, group, covered, numbers }: GroupWork,
    ticket: Ticket,
  ): Promise<boolean> {
    const large = Array.from(covered.flags.keys()).filter((shape) => isLarge(covered, shape));
    const texts = group.members.map((i) => expressions[i] as string);
    const measured = workInOrder(large, { atOnce, signal: ticket.signal }, async (shape, signal) => {
      const area = toMeasuredArea(unpackShape(shapes.pack, shape));
      const planned = planScene({ ...scene, area, expressions: texts, histogram: null });
      if (planned === null) return null;
      const { job, bytes, order } = planned;
      const found = await runPatiently(pool, 'scene-statistics', job, { ...ticket, signal, bytes });
      return { shape, found, order };
    });
    for await (const one of measured) {
      if (one === null) continue;
      for (const [i, { statistics: summary, validPx, cloudPx, areaPx, isTouched }] of one.found.entries()) {
        const expression = group.members[one.order[i] as number] as number;
        const at = offsetOf(numbers, one.shape, expression);
        setSummary(numbers.values, at, { summary, validPx, cloudPx });
        const isByCentres = shapes.weights === 'fractions';
        setArea(numbers.values, at, { areaPx, isTouched, isByCentres });
      }
    }
    ticket.signal?.throwIfAborted();
    return large.length > 0;
  }
}

const isLarge = ({ flags }: CoveredShapes, shape: number): boolean =>
  ((flags[shape] as number) & SHAPE_FLAGS.large) !== 0;

/** A group of expressions, and where its numbers go. */
interface GroupWork extends ShapesRequest {
  readonly group: GridGroup;
  readonly covered: CoveredShapes;
  readonly numbers: SceneNumbers;
}

/** Sizes of shapes that were measured with others. */
async function fillAreas(
  numbers: SceneNumbers,
  { members }: GridGroup,
  covered: CoveredShapes,
): Promise<void> {
  const pause = makePause();
  for (let shape = 0; shape < covered.count; shape += 1) {
    if (covered.pixels[shape] === 0 || isLarge(covered, shape)) continue;
    const isTouched = ((covered.flags[shape] as number) & SHAPE_FLAGS.touched) !== 0;
    for (const expression of members)
      setArea(numbers.values, offsetOf(numbers, shape, expression), {
        areaPx: covered.areaPx[shape] as number,
        isTouched,
      });
    if (shape % 1_000 === 0) await pause();
  }
}

/** A window with shapes. */
interface WindowOfShapes extends PlannedPiece {
  readonly shapes: Uint32Array;
}

interface WindowRequest {
  readonly covered: CoveredShapes;
  readonly grid: Grid;
  readonly windowPx: number;
}

/** The windows of a grid that have shapes, row by row, and in how many of them each shape lies. */
async function planWindows(
  { covered, grid, windowPx }: WindowRequest,
  planPieces: (window: PixelWindow) => Iterable<PlannedPiece>,
): Promise<{ readonly windows: readonly WindowOfShapes[]; readonly meets: Uint32Array }> {
  const pause = makePause();
  const across = Math.ceil(grid.width / windowPx);
  const byWindow = new Map<number, number[]>();
  for (let shape = 0; shape < covered.count; shape += 1) {
    if (covered.pixels[shape] === 0) continue;
    const [left, top, right, bottom] = covered.boxes.subarray(BOX * shape, BOX * (shape + 1)) as unknown as [
      ...[number, number, number, number],
    ];
    for (let row = Math.floor(top / windowPx); row * windowPx < bottom; row += 1) {
      for (let col = Math.floor(left / windowPx); col * windowPx < right; col += 1) {
        const known = byWindow.get(row * across + col);
        if (known === undefined) byWindow.set(row * across + col, [shape]);
        else known.push(shape);
      }
    }
    if (shape % 1_000 === 0) await pause();
  }
  const windows: WindowOfShapes[] = [];
  const meets = new Uint32Array(covered.count);
  for (const [index, shapes] of [...byWindow].toSorted(([one], [other]) => one - other)) {
    const [x, y] = [(index % across) * windowPx, Math.floor(index / across) * windowPx];
    const width = Math.min(windowPx, grid.width - x);
    const height = Math.min(windowPx, grid.height - y);
    for (const piece of planPieces({ x, y, width, height })) {
      const own = Uint32Array.from(shapes.filter((shape) => meetsWindow(covered.boxes, shape, piece.window)));
      for (const shape of own) meets[shape] = (meets[shape] as number) + 1;
      if (own.length > 0) windows.push({ ...piece, shapes: own });
    }
    await pause();
  }
  return { windows, meets };
}

function meetsWindow(boxes: Uint32Array, shape: number, { x, y, width, height }: PixelWindow): boolean {
  const at = BOX * shape;
  return (
    (boxes[at] as number) < x + width &&
    (boxes[at + 1] as number) < y + height &&
    (boxes[at + 2] as number) > x &&
    (boxes[at + 3] as number) > y
  );
}
