import type { BandFile, LevelWindow, ReadWindow } from '../../blocks/index.ts';
import type {
  Allocate,
  ComputeBands,
  Kernels,
  SourcePlanes,
  Staging,
  WarpPlan,
  warpFlags,
} from '../../raster/index.ts';
import { allocateSource, makeStaging, makeWindowPlane, warpPlanes } from '../../raster/index.ts';
import type { QualityBits } from '../../sensors/index.ts';
import { toInterfaceQuality } from '../../sensors/index.ts';
import type { InputPlan, PixelPlan, SceneRef } from '../plan/render-plan.ts';
import { toRecord } from '../plan/render-plan.ts';
import { padSpeckleWindow, SPECKLE_COLUMN_BYTES, SPECKLE_RADIUS_PX } from '../plan/speckle.ts';
import { fillTablePlane } from './table-plane.ts';

/** What a pixel thread reads and computes with. */
export interface PixelTools {
  readonly readWindow: ReadWindow;
  readonly kernels: Kernels;
  readonly compute: ComputeBands;
}

/** The tools during one job: with memory of the kernels, which is valid until the next job begins. */
export interface PixelWork extends PixelTools {
  readonly allocate: Allocate;
  /** Aborts when no one waits for the result any more. */
  readonly signal: AbortSignal;
  /** A byte per pixel of the grid that is read, 0 where no value is wanted: it may be masked there. All by default. */
  readonly wantedAt?: number | undefined;
  /** Where nearest neighbours lie, for masks of several scenes on one grid. */
  readonly places?: Parameters<typeof warpFlags>[2]['places'];
  /** Where bands on the grid lie, if they are to outlive other memory. */
  readonly allocateTarget?: Allocate | undefined;
}

/** Begins a job: memory of the job before is reused, or that from an address on. */
export const beginWork = (tools: PixelTools, signal: AbortSignal, freeAt?: number): PixelWork => ({
  ...tools,
  allocate: tools.kernels.begin(freeAt),
  signal,
});

/** An input in the kernels' memory, as it was read. */
interface SourceInput {
  readonly input: InputPlan;
  readonly valuesAt: number;
  /** The values, and behind them those of the rule's table if it has one. */
  readonly planeCount: 1 | 2;
  /** 0 if it has data everywhere. */
  readonly maskAt: number;
}

/** Inputs with equal windows on equal grids, next to each other in the kernels' memory. */
export interface SourceGroup {
  readonly members: readonly SourceInput[];
  readonly warp: WarpPlan;
  readonly planeBytes: number;
}

/** An input on the grid of the plan. */
export interface WarpedInput {
  readonly valuesAt: number;
  /** 0 if it has data everywhere, which only an input that was not resampled can say. */
  readonly maskAt: number;
  /** The plane of the rule's table; 0 without one. */
  readonly secondAt: number;
}

/** The inputs of a scene that are read together. */
type ReadPlan = SceneRef & Pick<PixelPlan, 'inputs'>;

/** Reads all inputs of a plan and warps them onto its grid; null if one of them has no pixel there. */
export async function readInputs(
  plan: ReadPlan & Pick<PixelPlan, 'grid'>,
  work: PixelWork,
): Promise<readonly WarpedInput[] | null> {
  const sources = await readSources(plan, work);
  return sources === null ? null : warpSources(sources, plan, work);
}

/**
 * Reads the windows of all inputs; null if one of them has no pixel on the grid, because then nothing is shown. Inputs
 * with the same window are laid out together: computing positions costs more than sampling.
 */
export async function readSources(plan: ReadPlan, work: PixelWork): Promise<readonly SourceGroup[] | null> {
  const windows = groupByWarp(plan.inputs);
  if (windows === null) return null;
  const staging = makeStaging(work.allocate);
  const groups: SourceGroup[] = [];
  for (const [warp, inputs] of windows) groups.push(await readGroup({ warp, inputs, plan }, staging, work));
  return groups;
}

function groupByWarp(inputs: readonly InputPlan[]): ReadonlyMap<WarpPlan, readonly InputPlan[]> | null {
  const groups = new Map<WarpPlan, InputPlan[]>();
  for (const input of inputs) {
    const { warp } = input;
    if (warp === null) return null;
    // Bands of one resolution mostly share one object (`makePlanRead`), which is faster to compare than its contents.
    const known = groups.has(warp) ? warp : [...groups.keys()].find((other) => isEqual(other, warp));
    if (known === undefined) groups.set(warp, [input]);
    else groups.get(known)?.push(input);
  }
  return groups;
}

const isEqual = (one: WarpPlan, other: WarpPlan): boolean => JSON.stringify(one) === JSON.stringify(other);

async function readGroup(
  group: { readonly warp: WarpPlan; readonly inputs: readonly InputPlan[]; readonly plan: SceneRef },
  staging: Staging,
  work: PixelWork,
): Promise<SourceGroup> {
  const { warp, inputs, plan } = group;
  const { kernels, allocate } = work;
  const { window } = warp;
  const planeCounts = inputs.map(({ table }) => (table === null ? 1 : 2));
  const planeCount = planeCounts.reduce((sum, count) => sum + count, 0);
  const source = allocateSource(allocate, window, planeCount);
  const members: SourceInput[] = [];
  let { valuesAt } = source;
  for (const [i, input] of inputs.entries()) {
    const maskAt = allocate(window.width * window.height);
    const target = { read: warp, scene: plan, valuesAt, maskAt, staging };
    const hasEmpty =
      input.speckle === undefined
        ? await readPlane(input, target, work)
        : await readFiltered({ ...input, speckle: input.speckle, warp }, target, work);
    if (input.table !== null) fillTable(kernels, valuesAt + source.planeBytes, { ...input.table, warp });
    const own = planeCounts[i] as 1 | 2;
    members.push({ input, valuesAt, planeCount: own, maskAt: hasEmpty ? maskAt : 0 });
    valuesAt += own * source.planeBytes;
  }
  return { members, warp, planeBytes: source.planeBytes };
}

/** Where a window of a file goes in the kernels' memory. */
interface PlaneTarget {
  readonly read: LevelWindow;
  readonly scene: SceneRef;
  readonly valuesAt: number;
  readonly maskAt: number;
  readonly staging: Staging;
}

/** Reads a window of one input as floats; true if a pixel of it has no data. */
export async function readPlane(
  input: BandFile & Pick<InputPlan, 'of' | 'bits'>,
  { read, scene, valuesAt, maskAt, staging }: PlaneTarget,
  { readWindow, kernels, signal }: PixelWork,
): Promise<boolean> {
  const { window } = read;
  const plane = makeWindowPlane({ kernels, staging, window, valuesAt, maskAt, nodata: input.nodata });
  await readWindow({ ...input, read, record: toRecord(input.of ?? scene) }, plane, signal);
  if (input.bits !== undefined) {
    moveBits(new Float32Array(kernels.buffer(), valuesAt, window.width * window.height), input.bits);
  }
  return plane.hasEmpty;
}

/** Reads a window of one input with the pixels around it, and filters its speckle; true if a pixel has no data. */
async function readFiltered(
  input: InputPlan & { readonly speckle: { readonly noise: number }; readonly warp: WarpPlan },
  target: PlaneTarget,
  work: PixelWork,
): Promise<boolean> {
  const { kernels, allocate } = work;
  const { window, level } = input.warp;
  const padded = padSpeckleWindow(input.warp);
  const size = padded.width * padded.height;
  const [valuesAt, maskAt] = [allocate(4 * size), allocate(size)];
  const hasEmpty = await readPlane(
    input,
    { ...target, read: { level, window: padded }, valuesAt, maskAt },
    work,
  );
  const columnsAt = allocate(SPECKLE_COLUMN_BYTES * padded.width);
  const [left, top] = [window.x - padded.x, window.y - padded.y];
  kernels.run.filterSpeckle(
    valuesAt,
    hasEmpty ? maskAt : 0,
    padded.width,
    padded.height,
    left,
    top,
    window.width,
    window.height,
    target.valuesAt,
    columnsAt,
    SPECKLE_RADIUS_PX,
    input.speckle.noise,
  );
  if (!hasEmpty) return false;
  const from = new Uint8Array(kernels.buffer(), maskAt, size);
  const to = new Uint8Array(kernels.buffer(), target.maskAt, window.width * window.height);
  for (let row = 0; row < window.height; row++) {
    const at = (top + row) * padded.width + left;
    to.set(from.subarray(at, at + window.width), row * window.width);
  }
  return to.includes(0);
}

function fillTable(
  kernels: Kernels,
  at: number,
  { values, fullSize, warp }: NonNullable<InputPlan['table']> & { readonly warp: WarpPlan },
): void {
  const { window, levelSize } = warp;
  const plane = new Float32Array(kernels.buffer(), at, window.width * window.height);
  fillTablePlane(plane, { table: values, window, levelSize, fullSize });
}

/** Warps what was read onto the grid of the plan, in the order of its inputs. */
export function warpSources(
  groups: readonly SourceGroup[],
  { grid, inputs }: Pick<PixelPlan, 'grid' | 'inputs'>,
  { kernels, allocate, wantedAt, allocateTarget }: PixelWork,
): readonly WarpedInput[] {
  const warped = new Map<InputPlan, WarpedInput>();
  for (const { members, warp, planeBytes } of groups) {
    if (warp.isCopy) {
      for (const { input, valuesAt, planeCount, maskAt } of members)
        warped.set(input, { valuesAt, maskAt, secondAt: planeCount === 2 ? valuesAt + planeBytes : 0 });
      continue;
    }
    for (const together of groupByMask(kernels, members, warp)) {
      const source: SourcePlanes = {
        valuesAt: together[0]?.valuesAt ?? 0,
        planeBytes,
        bandCount: together.reduce((sum, { planeCount }) => sum + planeCount, 0),
        maskAt: together[0]?.maskAt ?? 0,
      };
      const request = { target: grid, plan: warp, source, wantedAt, allocateTarget };
      const { bandsAt, maskAt } = warpPlanes(kernels, allocate, request);
      let next = 0;
      for (const { input, planeCount } of together) {
        const secondAt = planeCount === 2 ? (bandsAt[next + 1] as number) : 0;
        warped.set(input, { valuesAt: bandsAt[next] as number, maskAt, secondAt });
        next += planeCount;
      }
    }
  }
  return inputs.map((input) => warped.get(input) as WarpedInput);
}

/** One warp for the group if all masks are equal, as they are except at the edge of a scene; otherwise one per input. */
function groupByMask(kernels: Kernels, members: readonly SourceInput[], { window }: WarpPlan) {
  const [{ maskAt } = { maskAt: 0 }, ...others] = members;
  const length = window.width * window.height;
  const mask = Buffer.from(kernels.buffer(), maskAt, length);
  const isSame = (other: SourceInput): boolean =>
    maskAt === 0 || other.maskAt === 0
      ? other.maskAt === maskAt
      : mask.equals(Buffer.from(kernels.buffer(), other.maskAt, length));
  return others.every(isSame) ? [members] : members.map((member) => [member]);
}

/** Moves the quality bits of a plane into the layout of the interface, in place. */
function moveBits(plane: Float32Array, moves: QualityBits['moves']): void {
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
