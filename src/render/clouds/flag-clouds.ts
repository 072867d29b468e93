import type { LevelWindow } from '../../blocks/index.ts';
import type { Grid } from '../../geo/index.ts';
import { applyAffine, invertAffine } from '../../geo/index.ts';
import type { Allocate, Kernels, PixelWindow, WarpPlan } from '../../raster/index.ts';
import { allocateSource, makeStaging, warpFlags } from '../../raster/index.ts';
import type { OpenSource } from '../../sources/index.ts';
import type { PixelWork } from '../pixels/read-channels.ts';
import { readInputs, readPlane } from '../pixels/read-channels.ts';
import type { CloudPixels, InputPlan } from '../plan/render-plan.ts';
import type { CloudJob } from './read-clouds.ts';
import { makeReadClouds } from './read-clouds.ts';

/** A plane of flags in the kernels' memory, a byte per pixel, and the flag that clouds get. */
interface FlagPlane {
  readonly flagsAt: number;
  readonly flag: number;
}

/** Reads clouds on a pixel thread and adds a flag to their pixels, where `ReadClouds` has a 1; true if there are any. */
export type FlagClouds = (job: CloudJob, plane: FlagPlane, work: PixelWork) => Promise<boolean>;

/** Builds the flagging of clouds for one thread. Classes never leave the kernels' memory. */
export function makeFlagClouds({ open }: { readonly open: OpenSource }): FlagClouds {
  const readClouds = makeReadClouds({ open });
  return async (job, plane, work) => {
    const { source, onlyOpaque } = job.plan;
    if (source.kind === 'pixels' && source.meaning.kind === 'classes') {
      const { opaque, cirrus } = source.meaning;
      return flagPixels(source, { job, plane, work, classes: onlyOpaque ? opaque : [...opaque, ...cirrus] });
    }
    const marks = await readClouds(job, work);
    if (!marks.includes(1)) return false;
    const flags = new Uint8Array(work.kernels.buffer(), plane.flagsAt, marks.length);
    for (let i = 0; i < marks.length; i += 1)
      if (marks[i] === 1) flags[i] = (flags[i] as number) | plane.flag;
    return true;
  };
}

interface ClassFlags {
  readonly job: CloudJob;
  readonly plane: FlagPlane;
  readonly work: PixelWork;
  readonly classes: readonly number[];
}

/** A classification in the kernels' memory. */
interface ClassPlane {
  readonly valuesAt: number;
  /** A byte per pixel: where it is 0 the class is 0; 0 if there is data everywhere. */
  readonly maskAt: number;
  readonly count: number;
}

/** Adds a flag to the pixels of some classes; true if there are any. */
export function flagClasses(
  kernels: Kernels,
  allocate: Allocate,
  { valuesAt, maskAt, count }: ClassPlane,
  {
    classes,
    flag,
    flagsAt,
  }: { readonly classes: readonly number[]; readonly flag: number; readonly flagsAt: number },
): boolean {
  const classesAt = allocate(4 * classes.length);
  new Float32Array(kernels.buffer(), classesAt, classes.length).set(classes);
  return kernels.run.flagClasses(valuesAt, maskAt, count, classesAt, classes.length, flag, flagsAt) === 1;
}

/** Pixels of a coarser grid, each of which is several of a finer one on each axis. */
interface RepeatedPixels {
  /** Those of the coarser grid that cover the finer one. */
  readonly window: PixelWindow;
  /** Finer pixels on each axis of a coarser one. */
  readonly times: number;
  /** Columns and rows of the first coarser pixel that lie before the finer grid. */
  readonly startCol: number;
  readonly startRow: number;
}

/** Adds the flags of a window of a coarser grid to those of a finer one. */
export function repeatFlags(
  kernels: Kernels,
  { window, times, startCol, startRow }: RepeatedPixels,
  {
    coarseAt,
    flagsAt,
    width,
    height,
  }: { readonly coarseAt: number; readonly flagsAt: number; readonly width: number; readonly height: number },
): void {
  kernels.run.repeatFlags(coarseAt, window.width, flagsAt, width, height, times, startCol, startRow);
}

async function flagPixels(
  { inputs }: CloudPixels,
  { job, plane, work, classes }: ClassFlags,
): Promise<boolean> {
  const { kernels, allocate } = work;
  const { grid } = job;
  const count = grid.width * grid.height;
  const [input] = inputs;
  const repeated = input === undefined || input.warp === null ? null : planRepeated(grid, input.warp);
  if (input !== undefined && repeated !== null)
    return flagRepeated(input, repeated, { job, plane, work, classes });
  const warp = input?.warp ?? null;
  // Beyond the file the class is 0. Where that is not looked for, pixels without a flag and those beyond are alike.
  if (input !== undefined && warp?.method === 'near' && warp.isCopy !== true && !classes.includes(0))
    return flagWarped(input, warp, { job, plane, work, classes });
  const [values] = (await readInputs({ ...job, inputs }, work)) ?? [];
  if (values !== undefined) {
    const { valuesAt, maskAt } = values;
    return flagClasses(kernels, allocate, { valuesAt, maskAt, count }, { classes, ...plane });
  }
  // Where the file has no pixels, the class is 0.
  if (!classes.includes(0)) return false;
  const flags = new Uint8Array(kernels.buffer(), plane.flagsAt, count);
  for (let i = 0; i < count; i += 1) flags[i] = (flags[i] as number) | plane.flag;
  return true;
}

/** Looks for classes in the pixels of the file, of which there are fewer: 20 m instead of 10 m, for example. */
async function flagRepeated(input: InputPlan, repeated: RepeatedPixels, flags: ClassFlags): Promise<boolean> {
  const { job, plane, work } = flags;
  const read = { level: input.warp?.level ?? 0, window: repeated.window };
  const coarseAt = await flagSource(input, read, flags);
  if (coarseAt === null) return false;
  const { width, height } = job.grid;
  repeatFlags(work.kernels, repeated, { coarseAt, flagsAt: plane.flagsAt, width, height });
  return true;
}

/** Looks for classes in the pixels of the file, and warps flags: none where there is no such class, as in most tiles. */
async function flagWarped(input: InputPlan, warp: WarpPlan, flags: ClassFlags): Promise<boolean> {
  const { job, plane, work } = flags;
  const fromAt = await flagSource(input, warp, flags);
  if (fromAt === null) return false;
  const { kernels, allocate, wantedAt, places } = work;
  const target = { target: job.grid, plan: warp, wantedAt, places };
  return warpFlags(kernels, allocate, { ...target, fromAt, flagsAt: plane.flagsAt });
}

/** The flags of a window of the file, a byte per pixel; null if there are none. */
async function flagSource(
  input: InputPlan,
  { level, window }: LevelWindow,
  { job, plane, work, classes }: ClassFlags,
): Promise<number | null> {
  const { kernels, allocate } = work;
  const count = window.width * window.height;
  const { valuesAt } = allocateSource(allocate, window, 1);
  const maskAt = allocate(count);
  const flagsAt = allocate(count);
  const target = { read: { level, window }, scene: job, valuesAt, maskAt, staging: makeStaging(allocate) };
  const { hasEmpty } = await readPlane(input, target, work);
  new Uint8Array(kernels.buffer(), flagsAt, count).fill(0);
  const values = { valuesAt, maskAt: hasEmpty ? maskAt : 0, count };
  const isFlagged = flagClasses(kernels, allocate, values, { classes, flag: plane.flag, flagsAt });
  return isFlagged ? flagsAt : null;
}

/** Positions that differ by less, in pixels of the file, are the same: transforms are stored with some fifteen digits. */
const SAME_PX = 1e-3;

/** Pixels of 10 m in one of 160 m; centres of finer ones could come close to the edge of a coarser one. */
const MAX_TIMES = 16;

/**
 * How nearest neighbours on a grid repeat the pixels of a file whose pixels are a whole multiple of it; null where they do
 * not, or where the file does not cover the grid. Pure.
 */
export function planRepeated(target: Grid, warp: WarpPlan): RepeatedPixels | null {
  const { method, epsg, proj = null, lattice = null, levelTransform, levelSize } = warp;
  if (method !== 'near' || lattice !== null || epsg !== target.epsg || proj !== (target.proj ?? null))
    return null;
  const toPixel = invertAffine(levelTransform);
  const positionOf = (col: number, row: number) =>
    applyAffine(toPixel, ...applyAffine(target.transform, col, row));
  const { width, height } = target;
  const [left, top] = positionOf(0, 0);
  const times = Math.round(width / (positionOf(width, 0)[0] - left));
  if (!(times >= 1 && times <= MAX_TIMES)) return null;
  const [firstCol, firstRow] = [Math.round(left * times), Math.round(top * times)];
  const isSame = (col: number, row: number): boolean => {
    const [x, y] = positionOf(col, row);
    return (
      Math.abs(x - (firstCol + col) / times) < SAME_PX && Math.abs(y - (firstRow + row) / times) < SAME_PX
    );
  };
  if (!isSame(0, 0) || !isSame(width, 0) || !isSame(0, height)) return null;
  const [x, y] = [Math.floor(firstCol / times), Math.floor(firstRow / times)];
  const window = {
    x,
    y,
    width: Math.ceil((firstCol + width) / times) - x,
    height: Math.ceil((firstRow + height) / times) - y,
  };
  if (x < 0 || y < 0 || x + window.width > levelSize.width || y + window.height > levelSize.height)
    return null;
  return { window, times, startCol: firstCol - x * times, startRow: firstRow - y * times };
}
